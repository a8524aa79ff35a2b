import { commas } from './figures.ts'

/** An amount in whole paise. Amounts are added and subtracted as integers; only `rupees` leaves this unit. */
export type Paise = number & { readonly __unit: 'paise' }

/** Paise from a whole number of paise, as the database holds it. Throws on a fraction: an amount is never rounded by accident. */
export function paise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole paise: ${amount}`)
  return amount as Paise
}

/** The one rounding rule of the product: a fraction of a paisa goes to the nearest, halves away from zero. */
export function roundPaise(amount: number): Paise {
  return paise(Math.sign(amount) * Math.round(Math.abs(amount)))
}

/** Whether an amount in rupees has no fraction of a paisa: what a person types is refused, never rounded. */
export function hasWholePaise(amount: number): boolean {
  return Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-4
}

/** Paise from rupees as the calls carry them (JSON number, at most two decimals). */
export function fromRupees(amount: number): Paise {
  return roundPaise(amount * 100)
}

/** Rupees for a call: 12450.5 for 12,45,050 paise. */
export function rupees(amount: Paise): number {
  return amount / 100
}

export function sumPaise(amounts: Iterable<Paise>): Paise {
  let total = 0
  for (const amount of amounts) total += amount
  return paise(total)
}

/** `₹1,24,500` or `₹1,24,500.50`: en-IN grouping in every language, paise only where there are any. Takes rupees. */
export function formatRupees(amount: number): string {
  const shown = `₹${commas(Math.abs(amount).toFixed(2).replace('.00', ''))}`
  return amount < 0 ? `−${shown}` : shown
}
