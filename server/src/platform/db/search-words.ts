import { bareMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'

/** The words that what is looked for must have: of a number all its digits are one word, however it was written. */
export function searchWords(typed: string): string[] {
  if (/^[+\d\s().-]*\d[+\d\s().-]*$/.test(typed)) return [bareMobile(typed).replace(/\D/g, '')]
  return foldName(typed).split(' ').filter(Boolean)
}
