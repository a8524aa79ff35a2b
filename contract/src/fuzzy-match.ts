import { foldName } from './names.ts'

/**
 * Returns the edit distance of two texts: letters inserted, deleted, changed or swapped with a neighbour;
 * `most + 1` if it is more than `most`.
 */
export function editDistance(a: string, b: string, limit = 3): number {
  const from = [...a]
  const to = [...b]
  if (Math.abs(from.length - to.length) > limit) return limit + 1
  let before: number[] = []
  let last = to.map((_, index) => index + 1)
  last.unshift(0)
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    for (let index = 1; index <= to.length; index++) {
      const same = from[row - 1] === to[index - 1]
      let best = Math.min(
        (last[index] ?? 0) + 1,
        (line[index - 1] ?? 0) + 1,
        (last[index - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && index > 1 && from[row - 1] === to[index - 2] && from[row - 2] === to[index - 1])
        best = Math.min(best, (before[index - 2] ?? 0) + 1)
      line.push(best)
    }
    if (Math.min(...line) > limit) return limit + 1
    before = last
    last = line
  }
  return Math.min(last[to.length] ?? 0, limit + 1)
}

/** Sorts the words of a name: «Sharma Aarav» and «Aarav Sharma» have the same key. */
export function nameKey(name: string): string {
  return foldName(name).split(' ').sort().join(' ')
}

/** Whether two names are the same or differ by at most one typo for every six letters, in any word order. */
export function isSimilarName(a: string, b: string): boolean {
  return isSimilarKey(nameKey(a), nameKey(b))
}

/** Like `isSimilarName`, for two keys. */
export function isSimilarKey(a: string, b: string): boolean {
  if (a === b) return a !== ''
  const limit = Math.min(3, Math.floor(Math.min(a.length, b.length) / 6))
  return limit > 0 && editDistance(a, b, limit) <= limit
}
