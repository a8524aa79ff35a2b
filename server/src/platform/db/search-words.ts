import { normaliseMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'

/** Splits a search into the words that a match must contain; a number's digits form one word, however it was typed. */
export function searchWords(typed: string): string[] {
  if (/^[+\d\s().-]*\d[+\d\s().-]*$/.test(typed)) return [normaliseMobile(typed).replace(/\D/g, '')]
  return foldName(typed).split(' ').filter(Boolean)
}
