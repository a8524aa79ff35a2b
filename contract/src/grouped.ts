/**
 * The digits of a number of at most three decimals with commas as in en-IN, in every language. By hand, because the first
 * `Intl.NumberFormat` of a page costs a phone a tenth of a second before anything is drawn (bench/README.md).
 */
export const commas = (digits: string): string => digits.replace(/(\d)(?=(\d\d)+\d(\.|$))/g, '$1,')

/** `1,24,500`, `-12.5`: rounded to three decimals at most. */
export const grouped = (n: number): string => commas(`${+n.toFixed(3)}`)
