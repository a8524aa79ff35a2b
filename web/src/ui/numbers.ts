const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats bytes, in steps of 1000: `940 B`, `32.5 kB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (Math.round(size) >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${size.toFixed(unit === 0 || size >= 100 ? 0 : 1)} ${units[unit]}`
}

/** The value of a number field: a number, '' if empty, or the text if it is no number. */
export type TypedNumber = number | string

/** Converts Indian digits to 0 to 9. */
export const plainDigits = (typed: string): string =>
  typed.replace(/[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g, (digit) => String((digit.charCodeAt(0) & 15) - 6))

/** Reads `1,00,000`, `₹ 250`, `१२.५` and `-3` as numbers; anything else is returned as typed. */
export function parseTypedNumber(typed: string): TypedNumber {
  const plain = plainDigits(typed.replaceAll(/[,\s₹]/g, ''))
  if (plain === '') return ''
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : typed
}

/** Whether it is a whole number from 0. */
export const isCount = (typed: TypedNumber): typed is number =>
  typeof typed === 'number' && Number.isInteger(typed) && typed >= 0
