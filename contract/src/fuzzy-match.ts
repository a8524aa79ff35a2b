import { foldName } from './names.ts'

/**
 * Returns the edit distance of two texts: letters inserted, deleted, changed or swapped with a neighbour;
 * `most + 1` if it is more than `most`.
 */
export function editDistance(a: string, b: string, most = 3): number {
  const from = [...a]
  const to = [...b]
  if (Math.abs(from.length - to.length) > most) return most + 1
  let before: number[] = []
  let last = to.map((_, at) => at + 1)
  last.unshift(0)
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    for (let at = 1; at <= to.length; at++) {
      const same = from[row - 1] === to[at - 1]
      let best = Math.min((last[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (same ? 0 : 1))
      if (row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1])
        best = Math.min(best, (before[at - 2] ?? 0) + 1)
      line.push(best)
    }
    if (Math.min(...line) > most) return most + 1
    before = last
    last = line
  }
  return Math.min(last[to.length] ?? 0, most + 1)
}

/** Sorts the words of a name: «Sharma Aarav» and «Aarav Sharma» have the same key. */
export function nameKey(name: string): string {
  return foldName(name).split(' ').sort().join(' ')
}

/** Whether two names are the same or differ by at most one typo for every six letters, in any word order. */
export function isSimilarName(a: string, b: string): boolean {
  return keysAlike(nameKey(a), nameKey(b))
}

/** Like `isSimilarName`, for two keys. */
export function keysAlike(a: string, b: string): boolean {
  if (a === b) return a !== ''
  const most = Math.min(3, Math.floor(Math.min(a.length, b.length) / 6))
  return most > 0 && editDistance(a, b, most) <= most
}
