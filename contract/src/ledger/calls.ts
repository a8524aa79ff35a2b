import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { optionalText, pages, queryId, schoolName, seasonLabel, shownMark } from '../fields.ts'
import { officeMessages } from '../office/messages.ts'
import { daysBetween, isDay } from '../season.ts'

/**
 * What each school owes, has paid and keeps in a season: one row per school with the totals of its statement of
 * account (calls-statement.ts), and the sums of the filtered rows. Amounts are rupees.
 */

/** `owes`: balance above 0; `verifying`: a payment is pending; `even`: nothing owed; `credit`: the foundation owes. */
export const ledgerStatuses = ['', 'owes', 'verifying', 'even', 'credit'] as const
export const ledgerSorts = ['name', 'code', 'gross', 'retained', 'paid', 'balance'] as const
export type LedgerSort = (typeof ledgerSorts)[number]

const filters = {
  FYear: seasonLabel,
  /** Words of name, city, code, pin code or phone; all must match */
  search: optionalText(100),
  state: optionalText(100),
  status: z._default(z.enum(ledgerStatuses), ''),
  sort: z._default(z.enum(ledgerSorts), 'name'),
}

const amounts = {
  /** Collected from families, and the school's share of it */
  gross: z.number(),
  retained: z.number(),
  /** gross − retained */
  payable: z.number(),
  /** Verified payments */
  paid: z.number(),
  /** Sent and not decided yet; part of the balance */
  verifying: z.number(),
  waived: z.number(),
  /** Paid by other schools for students who came, less what was paid for those who left */
  moved: z.number(),
  /** Received, and neither used nor refunded */
  credit: z.number(),
  /** payable − paid − waived − moved − credit; negative if the foundation owes the school */
  balance: z.number(),
}

const row = z.object({
  schoolId: z.int(),
  ...schoolName,
  city: z.string(),
  state: z.string(),
  /** Active students */
  students: z.int(),
  ...amounts,
})
export type OfficeLedgerRow = z.output<typeof row>

const sums = z.object({ students: z.int(), ...amounts })
export type OfficeLedgerSums = z.output<typeof sums>

export const officeLedger = endpoint('GET /api/office/ledger/list', {
  summary:
    'What each school owes, has paid and keeps in a season, 50 a page, with the sums of all matching schools.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(row),
    ...pages,
    sums,
    /** Schools whose latest changes are not included yet; the next call includes more of them */
    uncounted: z.int(),
  }),
})

/** POST, because it writes to the audit log. */
export const exportLedger = endpoint('POST /api/office/ledger/export', {
  summary: 'All schools that match the filters, with their sums, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const officeStatement = endpoint('GET /api/office/ledger/statement', {
  summary: "A school's fee statement for a season as PDF, as the school gets it.",
  query: z.strictObject({ schoolId: queryId, FYear: seasonLabel }),
  answers: 'file',
})

/**
 * The office's money decisions of a day, in rupees. Two sums must match:
 * bank lines decided = to payments of the day + to payments verified earlier + to credit + discarded;
 * payments verified = from bank lines + from credit + found later + without a bank line, the last of which is the
 * difference to explain. Found later: a statement showed the money on a later day, before the day was closed.
 */
const dayFigures = z.object({
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
  /** Verified that day, with its money found on a later day */
  foundLater: z.number(),
  /** Verified, with its money not found yet */
  difference: z.number(),
  receipts: z.array(
    z.object({ season: z.string(), first: z.string(), last: z.string(), count: z.int(), gaps: z.int() }),
  ),
  creditReceived: z.number(),
  creditUsed: z.number(),
  /** Received by the bank that day, by the bank's date, and how much of it is still unmatched */
  arrived: z.number(),
  arrivedOpen: z.number(),
  refunds: z.int(),
  refundsAmount: z.number(),
  /** Verified payments whose money the bank has returned, by the day of that decision; the amount has credits, too */
  reversals: z.int(),
  reversalsAmount: z.number(),
})
export type DayFigures = z.output<typeof dayFigures>

const moneyDay = z.object({
  day: z.string(),
  figures: dayFigures,
  /** Sent back when closing the day, so that what is closed is what was shown */
  seen: z.string(),
  /** For a closed day: how much of its difference has been found since */
  foundSince: z.number(),
  closedBy: z.string(),
  closedAt: z.nullable(z.string()),
  note: z.string(),
  can: z.object({ close: allowance }),
})
export type MoneyDay = z.output<typeof moneyDay>

const day = z.string().check(z.regex(/^20\d\d-/), z.refine(isDay))

/** Most days in one journal: a season and what is settled after it. */
const longestJournal = 400

export const moneyDays = endpoint('GET /api/office/closing/days', {
  summary: 'The days of a season with money decisions, newest first, with their figures.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(moneyDay) }),
})

export const closeDay = endpoint('POST /api/office/closing/close', {
  summary: "Closes a past day; earlier days must be closed first. It can't be changed afterwards.",
  body: z.strictObject({ day, seen: shownMark, note: optionalText(500) }),
  answer: z.object({ day: z.string() }),
})

export const closeDays = endpoint('POST /api/office/closing/closeMany', {
  summary: 'Closes these days, earliest first, all or none of them; the note is for those with a difference.',
  body: z.strictObject({
    days: z
      .array(z.strictObject({ day, seen: shownMark }))
      .check(z.minLength(1), z.maxLength(longestJournal)),
    note: optionalText(500),
  }),
  answer: z.object({ closed: z.int() }),
})

/** POST, because it writes to the audit log. */
export const exportDays = endpoint('POST /api/office/closing/export', {
  summary:
    'Every money decision between two days as a journal for the accountant; for Tally, the receipts and payments as vouchers.',
  body: z.strictObject({ from: day, until: day, format: z.enum(['xlsx', 'csv', 'tally']) }).check(
    z.refine(({ from, until }) => from <= until, { message: officeMessages.lastDayEarly, path: ['until'] }),
    z.refine(({ from, until }) => daysBetween(from, until) < longestJournal, {
      message: officeMessages.daysMany,
      path: ['until'],
    }),
  ),
  answers: 'file',
})
