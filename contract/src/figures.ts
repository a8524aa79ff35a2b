/**
 * Groups the digits of a number with at most three decimals as in en-IN, in every language. Done by hand, because a
 * page's first `Intl.NumberFormat` delays a phone by a tenth of a second before anything is drawn (bench/README.md).
 */
export const groupDigits = (digits: string): string => digits.replace(/(\d)(?=(\d\d)+\d(\.|$))/g, '$1,')

/** Formats a number as `1,24,500`, `-12.5`, rounded to at most three decimals. */
export const formatNumber = (n: number): string => groupDigits(`${+n.toFixed(3)}`)

/**
 * Percentages. `part` and `whole` are integers of one unit (ten-thousandths of a mark, students), so that nothing is
 * rounded too early. docs/algorithms/ranks.md, «Percent».
 */

/** Rounds an exact percentage to `decimals`: halves up, or always down if it must not gain. */
function rounded(part: number, whole: number, decimals: number, half: 0 | 1): number {
  const [twice, of, scale] = [2n * BigInt(part), BigInt(whole), 10n ** BigInt(decimals)]
  return Number((twice * 100n * scale + (half === 1 ? of : 0n)) / (2n * of)) / Number(scale)
}

/** How a percentage is shown everywhere: two decimals, halves up. 58 of 60 is 96.67. */
export const percentOf = (part: number, whole: number): number => rounded(part, whole, 2, 1)

/** Whether a share is at least this many percent; compares the exact share, never the rounded one. */
export function reachesPercent(part: number, whole: number, percent: number): boolean {
  const [digits = '', decimals = ''] = percent.toFixed(6).split('.')
  const needed = BigInt(digits + decimals)
  return BigInt(part) * 100_000_000n >= needed * BigInt(whole)
}

/**
 * Formats a percentage below `needed`. If two decimals would make it look sufficient, it gets as many as show the
 * difference: 49.996 of 100 is not 50 %.
 */
export function percentMissed(part: number, whole: number, needed: number): number {
  for (let decimals = 2; decimals < 6; decimals++) {
    const shown = rounded(part, whole, decimals, 1)
    if (shown < needed) return shown
  }
  return rounded(part, whole, 6, 0)
}
