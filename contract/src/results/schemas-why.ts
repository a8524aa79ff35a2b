import * as z from 'zod/mini'
import { rankScopes } from './schemas.ts'

/** Marks of one part of the score, own beside a neighbour's. */
const comparedScore = z.object({ name: z.string(), own: z.number(), other: z.number() })

/**
 * How a rank came about. `decidedBy` is what put the student behind the one above: `Final score` or the name of a
 * section; empty for the first. `sharedWith` counts others of the same rank.
 */
const rankReason = z.object({
  scope: z.enum(rankScopes),
  /** School name, state, zone; empty for everywhere. */
  place: z.string(),
  rank: z.nullable(z.number()),
  pool: z.nullable(z.number()),
  decidedBy: z.string(),
  sharesRank: z.boolean(),
})

/** A student of the own school next to this one in the class, compared section by section down to what decided. */
const neighbour = z.object({
  side: z.enum(['above', 'equal', 'below']),
  studentName: z.string(),
  /** With section and exam roll number namesakes are told apart. To a school empty: neighbours are of its own. */
  schName: z.string(),
  section: z.string(),
  nioRollNo: z.string(),
  rank: z.number(),
  /** `Final score`, a section's name, or empty where the two are equal in everything. */
  decidedBy: z.string(),
  scores: z.array(comparedScore),
})

/**
 * One condition: what was asked, what was there, and by how much it was met (positive or 0) or missed (negative). A percentage
 * is to be shown as it is: rounded by the rule of percent.ts, and what was missed never reads as met.
 */
const condition = z.object({
  what: z.enum(['rank', 'percent', 'pool']),
  needed: z.number(),
  had: z.nullable(z.number()),
  met: z.boolean(),
  by: z.nullable(z.number()),
})

const clauseReason = z.object({
  by: z.enum(rankScopes),
  met: z.boolean(),
  conditions: z.array(condition),
})

/** Everything behind one result, in the order in which it is told. */
export const whyAnswer = z.object({
  resultId: z.string(),
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  nioRollNo: z.string(),
  subjectName: z.string(),
  eventLetter: z.string(),
  examLevel: z.number(),
  fyear: z.string(),
  present: z.boolean(),
  score: z.object({
    sections: z.array(z.object({ name: z.string(), marks: z.number(), maximum: z.number() })),
    rawMarks: z.number(),
    /** What the weights of the right answers added: final = raw + weights. */
    weights: z.number(),
    marks: z.number(),
    maximumMarks: z.number(),
    /** Raw marks of the maximum, by the rule of percent.ts. */
    percent: z.number(),
  }),
  /** What tells equal final scores apart, in order. */
  tieBreak: z.array(z.string()),
  ranks: z.array(rankReason),
  neighbours: z.array(neighbour),
  medal: z.object({
    medal: z.string(),
    /** Each medal rule of this class rank, met or missed by the size of the class; empty: the rank brings none. */
    rules: z.array(
      z.object({
        medal: z.string(),
        classRank: z.number(),
        minimumPool: z.number(),
        pool: z.number(),
        met: z.boolean(),
      }),
    ),
  }),
  prize: z.object({
    prize: z.string(),
    award: z.string(),
    /** Rupees */
    amount: z.number(),
    couponLink: z.string(),
    /** Each prize or award that was won: `place` after the lower ones were passed on, `rank` before. */
    won: z.array(
      z.object({
        kind: z.enum(['prize', 'award']),
        by: z.enum(rankScopes),
        title: z.string(),
        rank: z.number(),
        place: z.number(),
        passedOn: z.boolean(),
      }),
    ),
    /** What the rank would have brought, had enough sat in its pool. */
    tooFew: z.array(
      z.object({
        kind: z.enum(['prize', 'award']),
        by: z.enum(rankScopes),
        title: z.string(),
        rank: z.number(),
        pool: z.number(),
        minimumPool: z.number(),
      }),
    ),
  }),
  /** Null where the event leads to no next level. */
  eligibility: z.nullable(
    z.object({
      level: z.number(),
      eligible: z.boolean(),
      classAllowed: z.boolean(),
      clauses: z.array(clauseReason),
    }),
  ),
  versions: z.object({
    result: z.number(),
    rules: z.number(),
    computedAt: z.nullable(z.string()),
    approvedAt: z.nullable(z.string()),
    releasedAt: z.nullable(z.string()),
  }),
})
export type Why = z.infer<typeof whyAnswer>
