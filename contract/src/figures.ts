/**
 * The digits of a number of at most three decimals with commas as in en-IN, in every language. By hand, because the first
 * `Intl.NumberFormat` of a page costs a phone a tenth of a second before anything is drawn (bench/README.md).
 */
export const commas = (digits: string): string => digits.replace(/(\d)(?=(\d\d)+\d(\.|$))/g, '$1,')

/** `1,24,500`, `-12.5`: rounded to three decimals at most. */
export const grouped = (n: number): string => commas(`${+n.toFixed(3)}`)

/**
 * Shares in percent. `part` and `whole` are whole numbers of one unit (marks as ten-thousandths, children), so that nothing
 * is rounded before it has to be. docs/algorithms/ranks.md, «Percent».
 */

/** Of exact integers: rounded to so many decimals, halves upwards or, where it must not gain, down. */
function rounded(part: number, whole: number, decimals: number, half: 0 | 1): number {
  const [twice, of, scale] = [2n * BigInt(part), BigInt(whole), 10n ** BigInt(decimals)]
  return Number((twice * 100n * scale + (half === 1 ? of : 0n)) / (2n * of)) / Number(scale)
}

/** The one way in which a share is shown: two decimals, halves upwards. 58 of 60 is 96.67. */
export const percentOf = (part: number, whole: number): number => rounded(part, whole, 2, 1)

/** Whether a share is at least so many percent: by the share itself, never by what is shown of it. */
export function reaches(part: number, whole: number, percent: number): boolean {
  const [digits = '', decimals = ''] = percent.toFixed(6).split('.')
  const needed = BigInt(digits + decimals)
  return BigInt(part) * 100_000_000n >= needed * BigInt(whole)
}

/**
 * A share that did not reach what was needed. Where two decimals would read as if it had, it has as many as show the
 * difference: 49.996 of 100 is not 50 %.
 */
export function percentMissed(part: number, whole: number, needed: number): number {
  for (let decimals = 2; decimals < 6; decimals++) {
    const shown = rounded(part, whole, decimals, 1)
    if (shown < needed) return shown
  }
  return rounded(part, whole, 6, 0)
}
