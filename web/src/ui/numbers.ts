const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Bytes as people say them, in thousands: `940 B`, `32.5 kB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (Math.round(size) >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${size.toFixed(unit === 0 || size >= 100 ? 0 : 1)} ${units[unit]}`
}

/** What a field of numbers holds: a number, '' where nothing stands, and what was typed where it is no number. */
export type TypedNumber = number | string

/** The digits of India's scripts as 0 to 9. */
export const plainDigits = (typed: string): string =>
  typed.replace(/[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g, (digit) => String((digit.charCodeAt(0) & 15) - 6))

/** `1,00,000`, `₹ 250`, `१२.५` and `-3` as numbers; what is none comes back as it was typed. */
export function numberTyped(typed: string): TypedNumber {
  const plain = plainDigits(typed.replaceAll(/[,\s₹]/g, ''))
  if (plain === '') return ''
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : typed
}

/** Whether this is a whole number from 0. */
export const isCount = (typed: TypedNumber): typed is number =>
  typeof typed === 'number' && Number.isInteger(typed) && typed >= 0
