import { percentMissed, percentOf } from '@podium/contract/figures'
import {
  type EventRules,
  type RankScope,
  type ResultExplanation,
  rankScopes,
} from '@podium/contract/results/schemas'
import { markUnit } from '../rules.ts'

/**
 * Stored with a result in addition to ranks and pools, as short as possible, because there are millions of rows. With the
 * version's copy of the rules it explains everything (queries.ts).
 */
export interface Reason {
  /** Version of the event's rules */
  rules?: number
  /** Codes of what decided the rank in class, state, zone and olympiad, for `decidedBy` */
  by?: number[]
  /** How many students the class lacked for the medal of this rank; 0 if none */
  medal?: number
  /** Index of the ladder, index of its place, rank, place after passing on */
  won?: [ladder: number, place: number, rank: number, place_: number][]
  /** For each clause the margin of rank, percent and pool: negative if missed */
  next?: [rank: number, percent: number, pool: number][]
}

/** The code of a row equal to the one above: the first of those who share the rank has the deciding code. */
export const decidedEqual = 99

/**
 * Returns what put a student behind the one above: code 0 no one above, 1 the final score, 2 and higher the tie-breaks in
 * order. `peers` are the codes of those who share the rank, used if the student's own code is `decidedEqual`.
 */
function decidedBy(code: number, peers: readonly number[], rules: EventRules): string {
  const what = [code, ...peers].find((item) => item !== decidedEqual) ?? 0
  return what === 1 ? 'Final score' : what >= 2 ? (rules.tieBreak[what - 2] ?? '') : ''
}

/** A ranked student of the same class and school; scores in ten-thousandths of a mark. */
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
 * The student above, up to two equal ones, and the student below in the class, each compared with this one from the final
 * score down to the score that decided.
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

/** A result's data for the explanation: its ranks and pools, and the names of the school, state and zone. */
export interface RankedResult {
  class_id: number
  school_id: number
  school_name: string
  state: string
  zone: string
  class_rank: number | null
  state_rank: number | null
  zonal_rank: number | null
  olympiad_rank: number | null
  class_pool: number | null
  state_pool: number | null
  zonal_pool: number | null
  olympiad_pool: number | null
  medal: string
  next_level: boolean
  raw_score: number
  maximum_marks: number
  reason: Reason
}

function placeOf(row: RankedResult, by: RankScope): string {
  switch (by) {
    case 'class':
      return row.school_name
    case 'state':
      return row.state
    case 'zonal':
      return row.zone
    case 'olympiad':
      return ''
  }
}

/** Another student of the same class level with the same olympiad rank, who shares every rank in common pools. */
export interface Peer {
  school_id: number
  state: string
  zone: string
  reason: Reason
}

function sharesPool(row: RankedResult, peer: Peer, by: RankScope): boolean {
  if (by === 'class') return peer.school_id === row.school_id
  if (by === 'state') return peer.state === row.state && peer.zone === row.zone
  return by === 'olympiad' || peer.zone === row.zone
}

/** The four ranks, each with its pool and what put the student behind the one above. */
export function rankReasons(
  row: RankedResult,
  peers: readonly Peer[],
  rules: EventRules,
): ResultExplanation['ranks'] {
  return rankScopes.map((scope, index) => {
    const code = row.reason.by?.[index]
    const sharing = peers.filter((peer) => sharesPool(row, peer, scope))
    const theirs = sharing.flatMap((peer) => peer.reason.by?.[index] ?? [])
    return {
      scope,
      place: placeOf(row, scope),
      rank: row[`${scope}_rank`],
      pool: row[`${scope}_pool`],
      decidedBy: code === undefined ? '' : decidedBy(code, theirs, rules),
    }
  })
}

/** The medal rules of this class rank, and whether enough of the class were present. */
export function medalReason(row: RankedResult, rules: EventRules): ResultExplanation['medal'] {
  const pool = row.class_pool ?? 0
  return {
    medal: row.medal,
    rules: rules.medals
      .filter(({ classRank }) => classRank === row.class_rank)
      .map((rule) => ({ ...rule, pool, met: pool >= rule.minimumPool })),
  }
}

/** Prizes won, by ladder and place; `passedOn` if someone above had won something higher. */
export function explainPrizes(reason: Reason, rules: EventRules): ResultExplanation['prize']['won'] {
  return (reason.won ?? []).flatMap(([ladderNo, placeNo, rank, place]) => {
    const ladder = rules.ladders[ladderNo]
    const step = ladder?.places[placeNo]
    if (!ladder || !step) return []
    return [{ kind: ladder.kind, by: ladder.by, title: step.title, rank, place, passedOn: place < rank }]
  })
}

/**
 * Prizes that the rank would have won in a large enough pool. Empty for winners of another prize if there is only one prize
 * for each student.
 */
export function tooFewReason(row: RankedResult, rules: EventRules): ResultExplanation['prize']['tooFew'] {
  if (rules.onePrize && (row.reason.won ?? []).length > 0) return []
  return rules.ladders.flatMap(({ kind, by, places, minimumPool = 0 }) => {
    const rank = row[`${by}_rank`]
    const pool = row[`${by}_pool`]
    if (rank === null || pool === null || pool >= minimumPool) return []
    const place = places.find(({ from, to }) => from <= rank && rank <= to)
    return place ? [{ kind, by, title: place.title, rank, pool, minimumPool }] : []
  })
}

/** The percentage to show next to the required one, rounded so that a missed one never looks met. */
function percentReason(row: RankedResult, needed: number, met: boolean) {
  const maximum = row.maximum_marks * markUnit
  const had = met ? percentOf(row.raw_score, maximum) : percentMissed(row.raw_score, maximum, needed)
  return { had, by: Math.round((had - needed) * 1_000_000) / 1_000_000 }
}

/**
 * Each clause of the qualification for the next level, with the required and actual values. Whether it was met follows from
 * the margin stored at the computation.
 */
export function eligibilityReason(row: RankedResult, rules: EventRules): ResultExplanation['eligibility'] {
  const next = rules.nextLevel
  if (!next) return null
  const classAllowed = next.classes.includes(row.class_id)
  const clauses = next.clauses.map((clause, index) => {
    const [rank, percent, pool] = row.reason.next?.[index] ?? []
    const condition = (what: 'rank' | 'percent' | 'pool', needed: number, by: number | undefined) => {
      if (by === undefined) return { what, needed, had: null, met: false, by: null }
      const met = by >= 0
      if (what === 'percent') return { what, needed, met, ...percentReason(row, needed, met) }
      return { what, needed, had: what === 'rank' ? needed - by : needed + by, met, by }
    }
    const conditions = [
      condition('rank', clause.upToRank, rank),
      condition('percent', clause.percent, percent),
      condition('pool', clause.minimumPool, pool),
    ]
    return { by: clause.by, met: conditions.every(({ met }) => met), conditions }
  })
  return { level: next.level, eligible: row.next_level, classAllowed, clauses }
}
