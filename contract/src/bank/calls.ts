import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { hasWholePaise } from '../money.ts'
import { paymentKinds } from '../payments/rules.ts'
import { assignedFilter, assignee } from '../staff/calls-assignments.ts'

/**
 * Lines of bank statements and what becomes of them. Amounts are rupees.
 * `exact`: reference or UTR, and the amount. `likely`: a person has to look. `already`: its payment is verified, and the
 * line only shows that the money is there. `duplicate`: another line has the same UTR and amount. `bounced`: the bank has
 * taken the money back. docs/algorithms/bank-lines.md
 */
export const matchStates = ['exact', 'likely', 'unknown', 'already', 'duplicate', 'bounced'] as const
export type MatchState = (typeof matchStates)[number]

export const matchReasonCodes = [
  'reference',
  'utr',
  'code',
  'name',
  'amount',
  'several',
  'with_credit',
  'over',
  'part',
  'zero_lost',
  'double',
  'same_utr',
  'bounced',
  'other_line',
  'pending_first',
  'nothing_due',
  'only_amount',
  'other_amount',
  'ambiguous',
  'contradiction',
  'runs_on',
  'day',
  'rejected',
] as const

const matchReason = z.object({
  code: z.enum(matchReasonCodes),
  /** A reference, a UTR, a code or a receipt number */
  text: z.optional(z.string()),
  /** Rupees in the calls, paise inside */
  amount: z.optional(z.number()),
  count: z.optional(z.int()),
  days: z.optional(z.int()),
  /** `2026-11-18` */
  day: z.optional(z.string()),
  lineId: z.optional(z.int()),
})
export type MatchReason = z.output<typeof matchReason>

/** What the list shows: open lines by what the matcher thinks, lines that it has not looked at yet, and decided ones. */
export const bankViews = [
  'exact',
  'likely',
  'already',
  'duplicate',
  'bounced',
  'unknown',
  'booked',
  'discarded',
] as const
export type BankView = (typeof bankViews)[number]

const lineRow = z.object({
  id: z.int(),
  day: z.string(),
  amount: z.number(),
  utr: z.string(),
  narration: z.string(),
  state: z.enum(bankViews),
  /** The school that is proposed or was booked, where it is one */
  schCode: z.string(),
  schName: z.string(),
  reasons: z.array(matchReason),
  assignee,
  version: z.int(),
  /** The day on which the bank took the money back; null where it did not */
  bouncedOn: z.nullable(z.string()),
  /** When a booking that can still be undone is made, and who has asked for it */
  booksAt: z.nullable(z.string()),
  bookingBy: z.string(),
})
export type BankLineRow = z.output<typeof lineRow>

/** A payment that was sent, or what a school owes and has sent nothing for. */
export const bankItem = z.object({
  /** Names it in the calls: `p123`, `d45-2026-27-books` */
  key: z.string(),
  paymentId: z.nullable(z.int()),
  schoolId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  FYear: z.string(),
  paymentFor: z.enum(paymentKinds),
  reference: z.string(),
  amount: z.number(),
  utr: z.string(),
  paymentDate: z.string(),
  remarks: z.string(),
  /** Whether a proof can be looked at */
  proof: z.boolean(),
  /** `paid` ones were verified by hand, and their money is not found yet */
  state: z.enum(['open', 'paid']),
  receiptNo: z.string(),
  /** Why the office has rejected what was sent under this reference last; empty where nothing was, or it was sent again */
  rejected: z.string(),
  /** The key of the pending payment of the same kind, without which this cannot be paid; empty where there is none */
  after: z.string(),
})
export type BankItem = z.output<typeof bankItem>

const schoolCredit = z.object({
  schoolId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  amount: z.number(),
})
export type SchoolCredit = z.output<typeof schoolCredit>

const share = z.object({ schoolId: z.int(), schCode: z.string(), schName: z.string(), amount: z.number() })

export const bankLine = z.object({
  ...lineRow.shape,
  fileName: z.string(),
  rowNo: z.int(),
  accountNo: z.string(),
  /** What would be booked by a yes; Σ parts + credit = amount + used. Empty where the matcher knows nothing. */
  proposal: z.object({
    parts: z.array(z.object({ key: z.string(), amount: z.number() })),
    credits: z.array(share),
    used: z.array(share),
  }),
  /** What else the schools that come into question owe, the proposed items among them */
  items: z.array(bankItem),
  /** The schools that come into question, with what stands to their credit */
  schools: z.array(schoolCredit),
  /** Of a decided line: its payments with their receipts, and what went to credit */
  booked: z.array(
    z.object({
      paymentId: z.int(),
      receiptNo: z.string(),
      schCode: z.string(),
      schName: z.string(),
      paymentFor: z.enum(paymentKinds),
      amount: z.number(),
    }),
  ),
  credited: z.array(share),
  /** The sentence of what kept the last booking of this line from being made; empty where there was none */
  bookingRefused: z.string(),
  reason: z.string(),
  decidedBy: z.string(),
  decidedAt: z.nullable(z.string()),
  can: z.object({ decide: allowance, reopen: allowance }),
})
export type BankLine = z.output<typeof bankLine>

const figure = z.object({ lines: z.int(), amount: z.number() })

export const bankLines = endpoint('GET /api/office/bank/lines', {
  summary: 'Lines of bank statements by state, 50 to a page, and what all lines add up to.',
  query: z.strictObject({
    /** Lines of the season's days */
    FYear: seasonLabel,
    /** The first that holds lines unless given */
    state: z.optional(z.enum(bankViews)),
    search: optionalText(100),
    statement: z.optional(queryId),
    assigned: assignedFilter,
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(lineRow),
    state: z.enum(bankViews),
    total: z.int(),
    pageSize: z.int(),
    /** Of the statement, or of the season, so far as `assigned` leaves them; `all` counts every line, whosever it is */
    counts: z.object({
      exact: figure,
      likely: figure,
      unknown: figure,
      already: figure,
      duplicate: figure,
      bounced: figure,
      booked: figure,
      discarded: figure,
      all: figure,
    }),
    /** Lines that nobody has decided upon, whosever they are */
    waiting: z.int(),
    /** all = booked + credited + discarded + open */
    sums: z.object({
      booked: z.number(),
      credited: z.number(),
      discarded: z.number(),
      open: z.number(),
      all: z.number(),
    }),
    /** The work under way: lines are being compared, or booked */
    job: z.nullable(
      z.object({
        id: z.string(),
        kind: z.enum(['bank-match', 'bank-book']),
        done: z.int(),
        total: z.int(),
      }),
    ),
    /** Lines whose booking can still be undone, of all officers; at most twenty */
    bookings: z.array(lineRow),
    can: z.object({ decide: allowance }),
  }),
})
export type BankCounts = z.output<(typeof bankLines)['answer']>['counts']

/** POST, because it leaves a line in the audit trail. */
export const exportBankLines = endpoint('POST /api/office/bank/export', {
  summary:
    'All bank lines in a state that the filters leave, with what was booked of each, as a spreadsheet.',
  body: z.strictObject({
    FYear: seasonLabel,
    state: z.enum(bankViews),
    search: optionalText(100),
    statement: z.optional(bodyId),
    assigned: assignedFilter,
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const bankLineOne = endpoint('GET /api/office/bank/line', {
  summary: 'One line, what it may be for, and why.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({ line: bankLine }),
})

export const bankItems = endpoint('GET /api/office/bank/items', {
  summary: 'What schools owe or have sent, by school, code, UTR, reference or amount; at most ten schools.',
  query: z.strictObject({ search: text('Search is required.', 100) }),
  answer: z.object({ items: z.array(bankItem), schools: z.array(schoolCredit) }),
})

const positive = z
  .number()
  .check(
    z.minimum(0.01, messages.amountInvalid),
    z.maximum(1e9, messages.amountInvalid),
    z.refine(hasWholePaise, messages.amountInvalid),
  )
const schoolAmount = z.strictObject({ schoolId: bodyId, amount: positive })

/** A line as it was shown; its version changes with what it is thought to be for, too. */
const seenLine = z.strictObject({ id: bodyId, version: bodyId })

/** Σ parts + Σ credits = the line + Σ used; each amount is compared with what is owed, and never used. */
export const bookLine = endpoint('POST /api/office/bank/book', {
  summary:
    'The money of a line is for these items: verifies their payments, and keeps what is left as credit.',
  body: z.strictObject({
    id: bodyId,
    version: bodyId,
    parts: z
      .array(
        z.strictObject({
          key: z
            .string()
            .check(z.regex(/^(?:p\d{1,15}|d\d{1,15}-20\d\d-\d\d-(?:registration|books|library))$/)),
          amount: positive,
        }),
      )
      .check(z.maxLength(50)),
    credits: z._default(z.array(schoolAmount).check(z.maxLength(10)), []),
    used: z._default(z.array(schoolAmount).check(z.maxLength(10)), []),
    /** Book it in a minute, so that it can be undone until then */
    undoable: z._default(z.boolean(), false),
  }),
  answer: z.object({
    id: z.int(),
    receipts: z.array(z.string()),
    credited: z.number(),
    /** When it is booked; null where it is booked now */
    booksAt: z.nullable(z.string()),
  }),
})

/** An exact line of at most so many rupees is booked by Enter, with a minute to undo it; all others ask first. */
export const bookedWithoutAsking = 50_000

export const undoBooking = endpoint('POST /api/office/bank/undo', {
  summary: 'A booking whose minute is not over is not made: no receipt, no mail, and the line is open again.',
  body: seenLine,
  answer: z.object({ id: z.int() }),
})

export const undoBookings = endpoint('POST /api/office/bank/undoMany', {
  summary: 'Undoes these bookings, each by itself; one whose minute is over is told and left.',
  body: z.strictObject({ lines: z.array(seenLine).check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({
    done: z.array(z.object({ id: z.int() })),
    refused: z.array(z.object({ id: z.int(), message: z.string() })),
  }),
})

export const bookExactLines = endpoint('POST /api/office/bank/bookExact', {
  summary: 'Yes to all of these lines: books those that are exact still, for what they were shown to be for.',
  body: z.strictObject({ lines: z.array(seenLine).check(z.minLength(1), z.maxLength(10_000)) }),
  answer: z.object({ jobId: z.string() }),
})

/** The lines that `bookExact` and `discard` take: all of a list, not of a page alone. */
export const exactLines = endpoint('GET /api/office/bank/exactIds', {
  summary: 'All lines of a list that are open, or ignored, at most ten thousand, with their sum.',
  query: z.strictObject({
    FYear: seasonLabel,
    state: z._default(z.enum([...matchStates, 'discarded']), 'exact'),
    search: optionalText(100),
    statement: z.optional(queryId),
    assigned: assignedFilter,
  }),
  answer: z.object({
    lines: z.array(z.object({ id: z.int(), version: z.int() })),
    amount: z.number(),
    schools: z.int(),
  }),
})

export const discardLine = endpoint('POST /api/office/bank/discard', {
  summary: 'These lines are no money of schools, for a reason.',
  body: z.strictObject({
    lines: z.array(seenLine).check(z.minLength(1), z.maxLength(10_000)),
    reason: text(messages.reasonRequired, 300),
  }),
  answer: z.object({
    discarded: z.int(),
    /** Those, as they are now: what opens them again */
    lines: z.array(z.object({ id: z.int(), version: z.int() })),
    /** Decided or changed meanwhile, and left alone; one line alone is refused instead */
    skipped: z.int(),
  }),
})

export const reopenLine = endpoint('POST /api/office/bank/reopen', {
  summary: 'Lines that were discarded are open again, as long as their day and statement are not closed.',
  body: z.strictObject({ lines: z.array(seenLine).check(z.minLength(1), z.maxLength(10_000)) }),
  answer: z.object({
    reopened: z.int(),
    /** Closed or changed meanwhile, and left alone; one line alone is refused instead */
    skipped: z.int(),
  }),
})

export const matchAgain = endpoint('POST /api/office/bank/match', {
  summary: 'Compares all open lines anew with what is owed now.',
  answer: z.object({ jobId: z.string() }),
})
