import * as z from 'zod/mini'
import { catalogueMessages } from './messages.ts'
import { shareRule } from './rules-fee.ts'

/** What the calls about seasons, events and prices share. */

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const read = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text)
}

/** A day (IST) that must be given, `2026-11-30`. */
export const day = z
  .string(catalogueMessages.dayRequired)
  .check(z.refine(isDay, catalogueMessages.dayRequired))
/** A day that may be left empty. */
export const optionalDay = z
  .string()
  .check(z.refine((text) => text === '' || isDay(text), catalogueMessages.dayRequired))

/** An amount in rupees with at most two decimals. */
export const amount = z.number(catalogueMessages.amountRequired).check(
  z.minimum(0, catalogueMessages.amountRequired),
  z.maximum(100_000, catalogueMessages.amountHigh),
  z.refine(
    (typed) => Math.abs(typed * 100 - Math.round(typed * 100)) < 1e-6,
    catalogueMessages.amountDecimals,
  ),
)

/** A name in Hindi beside the English one: may be empty, and where it is left out nothing of it changes. */
export const nameHi = (longest: number) =>
  z.optional(z.string().check(z.maxLength(longest, `At most ${longest} characters.`)))

export const examModes = ['Online', 'Offline'] as const
export const seasonStates = ['preparing', 'open', 'closed'] as const

/** What a season itself holds beside its events. */
export const seasonValues = {
  feeDueOn: day,
  resultsFrom: day,
  /** How many days before an event's first date its choice of dates ends */
  dateChoiceDays: z
    .int(catalogueMessages.daysRequired)
    .check(z.minimum(0, catalogueMessages.daysRequired), z.maximum(120, catalogueMessages.daysRequired)),
  share: shareRule,
}
