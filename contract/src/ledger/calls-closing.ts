import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { optionalText, seasonLabel, shownMark } from '../fields.ts'
import { daysBetween, isDay } from '../season.ts'

/**
 * A day of the office's money, in rupees, by when it was decided. Two sums have to come out even:
 * bank lines decided = to payments of the day + to payments verified earlier + to credit + discarded;
 * payments verified = from bank lines + from credit + found later + without a bank line, and the last one is the
 * difference to explain. Found later is what a statement has shown on a day after, until the day is closed.
 */
export const dayFigures = z.object({
  lines: z.int(),
  linesAmount: z.number(),
  toPayments: z.number(),
  toEarlier: z.number(),
  toCredit: z.number(),
  discarded: z.number(),
  payments: z.int(),
  paymentsAmount: z.number(),
  fromLines: z.number(),
  fromCredit: z.number(),
  /** Verified that day, and its money found on a later one */
  foundLater: z.number(),
  /** Verified, and no money found for it yet */
  difference: z.number(),
  receipts: z.array(
    z.object({ season: z.string(), first: z.string(), last: z.string(), count: z.int(), gaps: z.int() }),
  ),
  creditReceived: z.number(),
  creditUsed: z.number(),
  /** What the bank has received that day, by its own date, and what of it waits to be matched */
  arrived: z.number(),
  arrivedOpen: z.number(),
  refunds: z.int(),
  refundsAmount: z.number(),
})
export type DayFigures = z.output<typeof dayFigures>

const moneyDay = z.object({
  day: z.string(),
  figures: dayFigures,
  /** Goes back with the closing, so that what is closed is what was shown */
  seen: z.string(),
  /** Of a closed day: what was found for its difference since */
  foundSince: z.number(),
  closedBy: z.string(),
  closedAt: z.nullable(z.string()),
  note: z.string(),
  can: z.object({ close: allowance }),
})
export type MoneyDay = z.output<typeof moneyDay>

const day = z.string().check(z.regex(/^20\d\d-/), z.refine(isDay))

/** Most days of one journal: a season and what is settled after it. */
export const longestJournal = 400

export const moneyDays = endpoint('GET /api/office/closing/days', {
  summary: 'The days of a season on which money was decided upon, the newest first, with their figures.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(moneyDay) }),
})

export const closeDay = endpoint('POST /api/office/closing/close', {
  summary: 'Closes a day that is over; earlier ones have to be closed before. It is not changed after that.',
  body: z.strictObject({ day, seen: shownMark, note: optionalText(500) }),
  answer: z.object({ day: z.string() }),
})

export const closeDays = endpoint('POST /api/office/closing/closeMany', {
  summary:
    'Closes these days, the earliest first, all of them or none; the note is for those with a difference.',
  body: z.strictObject({
    days: z
      .array(z.strictObject({ day, seen: shownMark }))
      .check(z.minLength(1), z.maxLength(longestJournal)),
    note: optionalText(500),
  }),
  answer: z.object({ closed: z.int() }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportDays = endpoint('POST /api/office/closing/export', {
  summary: 'Every decision upon money between two days as a journal for the accountant.',
  body: z.strictObject({ from: day, until: day, format: z.enum(['xlsx', 'csv']) }).check(
    z.refine(({ from, until }) => from <= until, {
      message: 'The last day must not be before the first.',
      path: ['until'],
    }),
    z.refine(({ from, until }) => daysBetween(from, until) < longestJournal, {
      message: 'Please choose at most 400 days.',
      path: ['until'],
    }),
  ),
  answers: 'file',
})
