import { type Paise, paise } from '@podium/contract/money'
import type { Purpose } from '@podium/contract/payments/rules'
import { type Season, seasonYear } from '@podium/contract/season'

/** The last two digits of the year in which a season ends: `2026-27` → `27`. */
function endYear(season: Season): string {
  return String((seasonYear(season) + 1) % 100).padStart(2, '0')
}

const initials: Readonly<Record<Purpose, string>> = { registration: 'R', books: 'B', library: 'L' }

/**
 * The reference for the remarks of a transfer: `PD27-VNK0417-R2`. R is registration, B students' books, L library books.
 * It is numbered after the last of `earlier`, the school's payments of this fee that were not rejected, so it stays the same
 * until its money is accepted, and is never one that is in use: a reversed payment leaves later ones behind.
 */
export function referenceOf(
  prefix: string,
  season: Season,
  schoolCode: string,
  purpose: Purpose,
  earlier: readonly { reference: string }[],
): string {
  const last = Math.max(0, ...earlier.map(({ reference }) => Number(/\d+$/.exec(reference)?.[0] ?? 0)))
  return `${prefix}${endYear(season)}-${schoolCode}-${initials[purpose]}${last + 1}`
}

/** `PD27/000412`: consecutive within the season, without gaps. */
export function receiptNumber(prefix: string, season: Season, serial: number): string {
  return `${prefix}${endYear(season)}/${String(serial).padStart(6, '0')}`
}

export interface Figures {
  gross: Paise
  retained: Paise
  /** gross − retained */
  payable: Paise
}

/** Gross amount, retained share and payable amount of these lines. */
export function figuresOf(lines: Iterable<{ gross: number; retained: number }>): Figures {
  let gross = 0
  let retained = 0
  for (const line of lines) {
    gross += line.gross
    retained += line.retained
  }
  return { gross: paise(gross), retained: paise(retained), payable: paise(gross - retained) }
}

const small = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
  ...['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

function belowHundred(n: number): string {
  if (n < 20) return small[n] ?? ''
  return n % 10 === 0 ? (tens[n / 10] ?? '') : `${tens[Math.floor(n / 10)]} ${small[n % 10]}`
}

/** A whole number in Indian English words: 1,24,500 is one lakh twenty four thousand five hundred. */
export function inWords(n: number): string {
  if (n === 0) return 'zero'
  const words: string[] = []
  const crores = Math.floor(n / 1e7)
  if (crores > 0) words.push(`${inWords(crores)} crore`)
  const parts: Array<[number, string]> = [
    [Math.floor(n / 1e5) % 100, ' lakh'],
    [Math.floor(n / 1e3) % 100, ' thousand'],
    [Math.floor(n / 100) % 10, ' hundred'],
    [n % 100, ''],
  ]
  for (const [count, unit] of parts) if (count > 0) words.push(belowHundred(count) + unit)
  return words.join(' ')
}

/** `Rupees one lakh twenty four thousand five hundred and fifty paise only`, for receipts. */
export function amountInWords(amount: Paise): string {
  const rupees = Math.floor(amount / 100)
  const rest = amount % 100
  const paisePart = rest === 0 ? '' : ` and ${belowHundred(rest)} paise`
  return `Rupees ${inWords(rupees)}${paisePart} only`
}
