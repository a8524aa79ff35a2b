import * as z from 'zod/mini'
import { bodyId, largestId } from '../fields.ts'

/**
 * The rules of an event, stored with it (`events.rules`) and edited in the office: tie-breaks, medals, prizes, awards
 * and eligibility for the next level. Nothing of this is a constant in code; the defaults of a season are in
 * server/src/features/results/rules.ts.
 */

const rank = z.int().check(z.minimum(1), z.maximum(1_000_000))
const label = z.string().check(z.minLength(1), z.maxLength(200))
/** The label in Hindi; left out if there is none. */
const labelHi = z.optional(label)
const percent = z.number().check(z.minimum(0), z.maximum(100))

/** Which of a student's four ranks a rule uses: within school, state or zone, or in all; always within the class. */
export const rankScopes = ['class', 'state', 'zonal', 'olympiad'] as const
export type RankScope = (typeof rankScopes)[number]

export const medals = ['Gold', 'Silver', 'Bronze'] as const
export type Medal = (typeof medals)[number]

/** A medal for a class rank, if at least this many students of the class were present. */
const medalRule = z.strictObject({
  medal: z.enum(medals),
  classRank: rank,
  minimumPool: z.int().check(z.minimum(1), z.maximum(largestId)),
})

/** The prize or award for a range of ranks, `from` to `to`. The amount is in rupees, 0 for a title only. */
const placeRule = z.strictObject({
  from: rank,
  to: rank,
  title: label,
  titleHi: labelHi,
  amount: z.number().check(z.minimum(0), z.maximum(10_000_000), z.multipleOf(0.01)),
  /** Shown to the student: the prize message in the results table. */
  message: label,
  messageHi: labelHi,
  /** Download address of a gift certificate; empty if there is none. */
  couponLink: z.union([z.literal(''), z.url({ protocol: /^https$/ })]),
})

/** Prizes or awards by one of the four ranks. */
const ladderRule = z.strictObject({
  kind: z.enum(['prize', 'award']),
  by: z.enum(rankScopes),
  /** How many students must have been present in the pool of that rank; left out: any number */
  minimumPool: z.optional(z.int().check(z.minimum(1), z.maximum(largestId))),
  places: z.array(placeRule).check(z.minLength(1), z.maxLength(100)),
})

/** Conditions for the next level: rank, percentage of the maximum, number of students present. All must be met. */
const eligibilityClause = z.strictObject({
  by: z.enum(rankScopes),
  upToRank: rank,
  percent,
  minimumPool: bodyId,
})

/** Eligibility for the next level: meeting any clause is enough. `level` is the level a student moves up to. */
const eligibilityRule = z.strictObject({
  level: z.int().check(z.minimum(2), z.maximum(3)),
  classes: z.array(bodyId),
  clauses: z.array(eligibilityClause).check(z.minLength(1), z.maxLength(10)),
})

export const eventRules = z.strictObject({
  /** Names of the event's sections, in the order of deciding between equal final scores. */
  tieBreak: z.array(label).check(z.maxLength(12)),
  medals: z.array(medalRule).check(z.maxLength(10)),
  /** From highest to lowest. */
  ladders: z.array(ladderRule).check(z.maxLength(8)),
  /** A student gets only the highest prize or award; a lower one passes to the next student. */
  onePrize: z.boolean(),
  /** Null if there is no next level. */
  nextLevel: z.nullable(eligibilityRule),
})

export type EventRules = z.infer<typeof eventRules>
export type EligibilityRule = z.infer<typeof eligibilityRule>

/** A section of the question paper; `events.sections`. */
export const eventSection = z.object({
  name: z.string(),
  maximum: z.number(),
  nameHi: z.optional(z.string()),
})
export type EventSection = z.infer<typeof eventSection>

/** Marks in one part of the score, compared with a neighbour's. */
const comparedScore = z.object({ name: z.string(), own: z.number(), other: z.number() })

/**
 * How a rank was decided. `decidedBy` is what put the student behind the one above: `Final score` or the name of a
 * section; empty for the first. `sharedWith` counts others with the same rank.
 */
const rankReason = z.object({
  scope: z.enum(rankScopes),
  /** School name, state or zone; empty for the whole olympiad. */
  place: z.string(),
  rank: z.nullable(z.number()),
  pool: z.nullable(z.number()),
  decidedBy: z.string(),
})

/** A student of the same school next to this one in the class, compared section by section until one decides. */
const neighbour = z.object({
  side: z.enum(['above', 'equal', 'below']),
  studentName: z.string(),
  /** Section and exam roll no distinguish students with the same name. The school's name is empty for schools. */
  schName: z.string(),
  section: z.string(),
  nioRollNo: z.string(),
  rank: z.number(),
  /** `Final score`, a section's name, or empty if the two are equal in everything. */
  decidedBy: z.string(),
  scores: z.array(comparedScore),
})

/**
 * A condition: what was needed, what was reached, and by how much it was met (positive or 0) or missed (negative).
 * Percentages are already rounded as in figures.ts, so that a missed one never looks met.
 */
const condition = z.object({
  what: z.enum(['rank', 'percent', 'pool']),
  needed: z.number(),
  had: z.nullable(z.number()),
  met: z.boolean(),
  by: z.nullable(z.number()),
})

const clauseReason = z.object({ by: z.enum(rankScopes), met: z.boolean(), conditions: z.array(condition) })

/** Everything that explains a result, in the order it is shown. */
export const resultExplanation = z.object({
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
    /** What the weighting of right answers added: final = raw + weights. */
    weights: z.number(),
    marks: z.number(),
    maximumMarks: z.number(),
    /** Raw marks in percent of the maximum, rounded as in figures.ts. */
    percent: z.number(),
  }),
  /** What decides between equal final scores, in order. */
  tieBreak: z.array(z.string()),
  ranks: z.array(rankReason),
  neighbours: z.array(neighbour),
  medal: z.object({
    medal: z.string(),
    /** Each medal rule for this class rank, met or missed by the size of the class; empty: the rank brings none. */
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
    /** Each prize or award won: `place` is the rank after lower ones were passed on, `rank` before. */
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
    /** Prizes the rank would have brought if enough students had been present. */
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
  /** Null if the event has no next level. */
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
export type ResultExplanation = z.infer<typeof resultExplanation>
