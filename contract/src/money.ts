import { groupDigits } from './figures.ts'

/** An amount in whole paise. Amounts are added and subtracted as integers; only `rupees` converts them. */
export type Paise = number & { readonly __unit: 'paise' }

/** Marks whole paise, as the database holds them. Throws on a fraction: no amount is rounded by accident. */
export function paise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole paise: ${amount}`)
  return amount as Paise
}

/** The product's only rounding rule: to the nearest paisa, halves away from zero. */
export function roundPaise(amount: number): Paise {
  return paise(Math.sign(amount) * Math.round(Math.abs(amount)))
}

/** Whether an amount in rupees has no fraction of a paisa; typed amounts with one are refused, never rounded. */
export function hasWholePaise(amount: number): boolean {
  return Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-4
}

/** Converts rupees, as in calls (JSON number, at most two decimals), to paise. */
export function fromRupees(amount: number): Paise {
  return roundPaise(amount * 100)
}

/** Converts paise to rupees for a call: 12,45,050 paise are 12450.5. */
export function rupees(amount: Paise): number {
  return amount / 100
}

/** The same for an amount as the database holds it. */
export const rupeesOf = (amount: number): number => rupees(paise(amount))

export const rupeesOrNull = (amount: number | null) => (amount === null ? null : rupeesOf(amount))

export function sumPaise(amounts: Iterable<Paise>): Paise {
  let total = 0
  for (const amount of amounts) total += amount
  return paise(total)
}

/** Formats rupees as `₹1,24,500` or `₹1,24,500.50`: en-IN grouping in every language, paise only if there are any. */
export function formatRupees(amount: number): string {
  const shown = `₹${groupDigits(Math.abs(amount).toFixed(2).replace('.00', ''))}`
  return amount < 0 ? `−${shown}` : shown
}
