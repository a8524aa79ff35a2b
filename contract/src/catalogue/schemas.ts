import * as z from 'zod/mini'
import { officeMessages } from '../office/messages.ts'
import { shareRule } from './rules-fee.ts'

/** Schemas shared by the calls about seasons, events and prices. */

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const read = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text)
}

/** A required day (IST), `2026-11-30`. */
export const day = z.string(officeMessages.dayRequired).check(z.refine(isDay, officeMessages.dayRequired))
/** An optional day; '' for none. */
export const optionalDay = z
  .string()
  .check(z.refine((text) => text === '' || isDay(text), officeMessages.dayRequired))

/** An amount in rupees with at most two decimals. */
export const amount = z.number(officeMessages.amountRequired).check(
  z.minimum(0, officeMessages.amountRequired),
  z.maximum(100_000, officeMessages.amountHigh),
  z.refine((typed) => Math.abs(typed * 100 - Math.round(typed * 100)) < 1e-6, officeMessages.amountDecimals),
)

/** A name in Hindi, which may be empty; if left out, it stays as it is. */
export const nameHi = (longest: number) =>
  z.optional(z.string().check(z.maxLength(longest, `At most ${longest} characters.`)))

export const examModes = ['Online', 'Offline'] as const
export const seasonStates = ['preparing', 'open', 'closed'] as const

/** The fields of a season itself, without its events. */
export const seasonValues = {
  feeDueOn: day,
  resultsFrom: day,
  /** How many days before an event's first date schools can no longer choose their date */
  dateChoiceDays: z
    .int(officeMessages.daysRequired)
    .check(z.minimum(0, officeMessages.daysRequired), z.maximum(120, officeMessages.daysRequired)),
  share: shareRule,
}
