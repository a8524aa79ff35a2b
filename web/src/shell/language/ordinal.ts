import { formatNumber } from '@podium/contract/figures'
import type { Language } from './language.ts'

const suffixes = ['th', 'st', 'nd', 'rd']

/** Formats a rank: `2nd` in English, `2` in other languages; en-IN grouping. */
export function ordinal(n: number, language: Language): string {
  const shown = formatNumber(n)
  if (language !== 'en') return shown
  const isTeen = n % 100 > 10 && n % 100 < 14
  return `${shown}${isTeen ? 'th' : (suffixes[n % 10] ?? 'th')}`
}
