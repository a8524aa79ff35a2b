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
