import type { EventRules } from '@podium/contract/results/schemas'
import { markUnit } from '../rules.ts'

/**
 * What is kept with a result beside its ranks and pools, as short as it can be: there are millions of rows.
 * Together with the version's own copy of the rules it tells every reason (queries.ts).
 */
export interface Reason {
  /** Version of the event's rules */
  rules?: number
  /** What decided, for class, state, zone, everywhere: `decidedBy` reads it */
  by?: number[]
  /** Students that were missing in the class for the medal of this rank; 0: enough */
  medal?: number
  /** Index of the ladder, index of its place, rank, place after passing on */
  won?: [ladder: number, place: number, rank: number, place_: number][]
  /** For each clause by how much rank, percent and pool were met (0 or more) or missed (below 0) */
  next?: [rank: number, percent: number, pool: number][]
}

/** The code of a row that is equal to the one above it: what decided stands with the first of those who share the rank. */
export const decidedEqual = 99

/**
 * What put a student behind the one above: 0 nobody above, 1 the final score, 2 and on the tie-breaks in order. `peers`
 * are the codes of those who share the rank, for a student whose own code says no more than that.
 */
export function decidedBy(code: number, peers: readonly number[], rules: EventRules): string {
  const what = [code, ...peers].find((one) => one !== decidedEqual) ?? 0
  return what === 1 ? 'Final score' : what >= 2 ? (rules.tieBreak[what - 2] ?? '') : ''
}

/** One of those who were ranked in the same class of the same school; scores in ten-thousandths of a mark. */
export interface Classmate {
  studentId: number
  studentName: string
  section: string
  nioRollNo: string
  rank: number
  finalScore: number
  tieBreaks: number[]
}

type Side = 'above' | 'equal' | 'below'

/**
 * The student above, those equal (two at most) and the student below in the class, each compared with this one from the
 * final score on, down to the score that decided.
 */
export function neighboursOf(studentId: number, ranked: readonly Classmate[], tieBreak: readonly string[]) {
  const own = ranked.find((other) => other.studentId === studentId)
  if (!own) return []
  const above = ranked.findLast(({ rank }) => rank < own.rank)
  const equal = ranked.filter((other) => other.rank === own.rank && other !== own).slice(0, 2)
  const below = ranked.find(({ rank }) => rank > own.rank)
  const compared = (side: Side, other: Classmate) => ({
    side,
    studentName: other.studentName,
    section: other.section,
    nioRollNo: other.nioRollNo,
    rank: other.rank,
    ...compare(own, other, tieBreak),
  })
  return [
    ...(above ? [compared('above', above)] : []),
    ...equal.map((other) => compared('equal', other)),
    ...(below ? [compared('below', below)] : []),
  ]
}

function compare(own: Classmate, other: Classmate, tieBreak: readonly string[]) {
  const pairs = [
    { name: 'Final score', own: own.finalScore, other: other.finalScore },
    ...tieBreak.map((name, i) => ({ name, own: own.tieBreaks[i] ?? 0, other: other.tieBreaks[i] ?? 0 })),
  ]
  const decides = pairs.findIndex((pair) => pair.own !== pair.other)
  const shown = decides < 0 ? pairs : pairs.slice(0, decides + 1)
  return {
    decidedBy: pairs[decides]?.name ?? '',
    scores: shown.map(({ name, own, other }) => ({ name, own: own / markUnit, other: other / markUnit })),
  }
}
