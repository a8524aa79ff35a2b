import * as z from 'zod/mini'
import { bodyId, largestId } from '../fields.ts'

/**
 * The rules of one event, kept with it as data (`events.rules`) and edited in the office: how equal scores are told
 * apart, who gets medals, prizes and awards, who may go on to the next level. Nothing of it is a constant in code;
 * the values a season begins with are in server/src/features/results/rules.ts.
 */

const rank = z.int().check(z.minimum(1), z.maximum(1_000_000))
const label = z.string().check(z.minLength(1), z.maxLength(200))
/** The same in Hindi; left out where there is none. */
const labelHi = z.optional(label)
const percent = z.number().check(z.minimum(0), z.maximum(100))

/** Which of a student's four ranks a rule looks at: within school, state or zone, or everywhere; always within the class. */
export const rankScopes = ['class', 'state', 'zonal', 'olympiad'] as const
export type RankScope = (typeof rankScopes)[number]

export const medals = ['Gold', 'Silver', 'Bronze'] as const
export type Medal = (typeof medals)[number]

/** A medal for one class rank, where at least so many of the class sat. */
export const medalRule = z.strictObject({
  medal: z.enum(medals),
  classRank: rank,
  minimumPool: z.int().check(z.minimum(1), z.maximum(largestId)),
})

/** What one place of a ladder brings; `from` to `to` share it. The amount is in rupees, 0 for a title alone. */
export const placeRule = z.strictObject({
  from: rank,
  to: rank,
  title: label,
  titleHi: labelHi,
  amount: z.number().check(z.minimum(0), z.maximum(10_000_000), z.multipleOf(0.01)),
  /** What the student reads: the prize message of the results table. */
  message: label,
  messageHi: labelHi,
  /** Where a gift certificate is downloaded; empty where there is none. */
  couponLink: z.union([z.literal(''), z.url({ protocol: /^https$/ })]),
})

/** Prizes or awards by one of the ranks. */
export const ladderRule = z.strictObject({
  kind: z.enum(['prize', 'award']),
  by: z.enum(rankScopes),
  /** How many must have sat in the pool of that rank for anybody to get it; left out: none */
  minimumPool: z.optional(z.int().check(z.minimum(1), z.maximum(largestId))),
  places: z.array(placeRule).check(z.minLength(1), z.maxLength(100)),
})

/** One way to the next level: the rank, the share of the maximum marks, and how many must have sat. All three must be met. */
export const eligibilityClause = z.strictObject({
  by: z.enum(rankScopes),
  upToRank: rank,
  percent,
  minimumPool: bodyId,
})

/** The way to the next level: any clause is enough. `level` is the level a student goes on to. */
export const eligibilityRule = z.strictObject({
  level: z.int().check(z.minimum(2), z.maximum(3)),
  classes: z.array(bodyId),
  clauses: z.array(eligibilityClause).check(z.minLength(1), z.maxLength(10)),
})

export const eventRules = z.strictObject({
  /** Names of the event's sections, in the order in which they decide between equal final scores. */
  tieBreak: z.array(label).check(z.maxLength(12)),
  medals: z.array(medalRule).check(z.maxLength(10)),
  /** From the highest to the lowest. */
  ladders: z.array(ladderRule).check(z.maxLength(8)),
  /** A student gets the highest prize or award alone; what stood below passes on to the next. */
  onePrize: z.boolean(),
  /** Null where the event leads nowhere. */
  nextLevel: z.nullable(eligibilityRule),
})

export type EventRules = z.infer<typeof eventRules>
export type EligibilityRule = z.infer<typeof eligibilityRule>

/** A part of the paper; `events.sections`. */
export const eventSection = z.object({
  name: z.string(),
  maximum: z.number(),
  nameHi: z.optional(z.string()),
})
export type EventSection = z.infer<typeof eventSection>

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
 * is to be shown as it is: rounded by the rule of figures.ts, and what was missed never reads as met.
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
    /** Raw marks of the maximum, by the rule of figures.ts. */
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
