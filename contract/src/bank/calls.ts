import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, pages, queryId, schoolName, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { hasWholePaise } from '../money.ts'
import { paymentKinds } from '../payments/rules.ts'
import { assignedFilter, assignee } from '../staff/calls-assignments.ts'

/**
 * Lines of bank statements and how they are decided. Amounts are rupees. `exact`: reference or UTR and the amount
 * match. `likely`: a person has to look. `already`: its payment is verified, and the line only shows that the money has
 * arrived. `duplicate`: another line has the same UTR and amount. `bounced`: the bank has taken the money back.
 * docs/algorithms/bank-lines.md
 */
const matchStates = ['exact', 'likely', 'unknown', 'already', 'duplicate', 'bounced'] as const
export type MatchState = (typeof matchStates)[number]

const matchReasonCodes = [
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
  /** Rupees in the calls, paise inside the server */
  amount: z.optional(z.number()),
  count: z.optional(z.int()),
  days: z.optional(z.int()),
  /** `2026-11-18` */
  day: z.optional(z.string()),
  lineId: z.optional(z.int()),
})
export type MatchReason = z.output<typeof matchReason>

/** The views of the list: open lines by match state, lines not compared yet, and decided lines. */
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
  /** The proposed or booked school, if it is only one */
  ...schoolName,
  reasons: z.array(matchReason),
  assignee,
  version: z.int(),
  /** The day the bank took the money back; null if it did not */
  bouncedOn: z.nullable(z.string()),
  /** When a booking that can still be undone takes effect, and who made it */
  booksAt: z.nullable(z.string()),
  bookingBy: z.string(),
})
export type BankLineRow = z.output<typeof lineRow>

/** A payment that was sent, or an amount a school owes and has not paid yet. */
const bankItem = z.object({
  /** Its id in calls: `p123`, `d45-2026-27-books` */
  key: z.string(),
  paymentId: z.nullable(z.int()),
  schoolId: z.int(),
  ...schoolName,
  FYear: z.string(),
  paymentFor: z.enum(paymentKinds),
  reference: z.string(),
  amount: z.number(),
  utr: z.string(),
  paymentDate: z.string(),
  remarks: z.string(),
  /** Whether there is a payment proof to show */
  proof: z.boolean(),
  /** `paid`: verified by hand, with its money not found yet */
  state: z.enum(['open', 'paid']),
  receiptNo: z.string(),
  /** Why the office rejected the last payment under this reference; empty if none was rejected, or it was sent again */
  rejected: z.string(),
  /** Key of the pending payment of the same kind that must be paid first; empty if there is none */
  after: z.string(),
})
export type BankItem = z.output<typeof bankItem>

const schoolCredit = z.object({ schoolId: z.int(), ...schoolName, amount: z.number() })
export type SchoolCredit = z.output<typeof schoolCredit>

const share = z.object({ schoolId: z.int(), schCode: z.string(), schName: z.string(), amount: z.number() })

export const bankLine = z.object({
  ...lineRow.shape,
  fileName: z.string(),
  rowNo: z.int(),
  accountNo: z.string(),
  /** What confirming would book; Σ parts + credits = amount + used. Empty if nothing matches. */
  proposal: z.object({
    parts: z.array(z.object({ key: z.string(), amount: z.number() })),
    credits: z.array(share),
    used: z.array(share),
  }),
  /** Everything the candidate schools owe, the proposed items included */
  items: z.array(bankItem),
  /** The candidate schools with their credit */
  schools: z.array(schoolCredit),
  /** For a decided line: its payments with their receipts, and what was credited */
  booked: z.array(
    z.object({
      paymentId: z.int(),
      receiptNo: z.string(),
      ...schoolName,
      paymentFor: z.enum(paymentKinds),
      amount: z.number(),
    }),
  ),
  credited: z.array(share),
  /** Why the last booking of this line failed, as a sentence; empty if it did not */
  bookingRefused: z.string(),
  reason: z.string(),
  decidedBy: z.string(),
  decidedAt: z.nullable(z.string()),
  can: z.object({ decide: allowance, reopen: allowance, returned: allowance }),
})
export type BankLine = z.output<typeof bankLine>

const figure = z.object({ lines: z.int(), amount: z.number() })

export const bankLines = endpoint('GET /api/office/bank/lines', {
  summary: 'Lines of bank statements by state, 50 a page, and the sums of all lines.',
  query: z.strictObject({
    /** Lines whose day is in this season */
    FYear: seasonLabel,
    /** Default: the first view that has lines */
    state: z.optional(z.enum(bankViews)),
    search: optionalText(100),
    statement: z.optional(queryId),
    assigned: assignedFilter,
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(lineRow),
    state: z.enum(bankViews),
    ...pages,
    /** Counts for the statement or the season, filtered by `assigned`; `all` ignores that filter */
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
    /** Undecided lines, whoever they are assigned to */
    waiting: z.int(),
    /** all = booked + credited + discarded + open */
    sums: z.object({
      booked: z.number(),
      credited: z.number(),
      discarded: z.number(),
      open: z.number(),
      all: z.number(),
    }),
    /** The running job, which compares or books lines */
    job: z.nullable(
      z.object({ id: z.string(), kind: z.enum(['bank-match', 'bank-book']), done: z.int(), total: z.int() }),
    ),
    /** Lines of all officers whose booking can still be undone; at most twenty */
    bookings: z.array(lineRow),
    can: z.object({ decide: allowance }),
  }),
})
export type BankCounts = z.output<(typeof bankLines)['answer']>['counts']

/** POST, because it writes to the audit log. */
export const exportBankLines = endpoint('POST /api/office/bank/export', {
  summary:
    'All bank lines in a state that match the filters, with what was booked for each, as a spreadsheet.',
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

export const bankLineDetails = endpoint('GET /api/office/bank/line', {
  summary: 'A line, what it may pay for, and why.',
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

/** A line as it was shown; its version also changes with its match. */
const lineVersion = z.strictObject({ id: bodyId, version: bodyId })

/** Σ parts + Σ credits = the line + Σ used. The amounts are only checked against what is owed, never booked as sent. */
export const bookLine = endpoint('POST /api/office/bank/book', {
  summary: 'Books a line for these items: verifies their payments, and credits the rest.',
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
    /** Whether to book only after a minute, so that it can be undone until then */
    undoable: z._default(z.boolean(), false),
  }),
  answer: z.object({
    id: z.int(),
    receipts: z.array(z.string()),
    credited: z.number(),
    /** When it will be booked; null if it was booked at once */
    booksAt: z.nullable(z.string()),
  }),
})

/** Up to this amount, in rupees, Enter books an exact line with a minute to undo it; larger ones ask first. */
export const quickBookingLimit = 50_000

export const undoBooking = endpoint('POST /api/office/bank/undo', {
  summary: 'Cancels a booking within its minute: no receipt, no e-mail, and the line is open again.',
  body: lineVersion,
  answer: z.object({ id: z.int() }),
})

export const undoBookings = endpoint('POST /api/office/bank/undoMany', {
  summary: 'Cancels several bookings, each on its own; those whose minute is over are reported and skipped.',
  body: z.strictObject({ lines: z.array(lineVersion).check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({
    done: z.array(z.object({ id: z.int() })),
    refused: z.array(z.object({ id: z.int(), message: z.string() })),
  }),
})

export const bookExactLines = endpoint('POST /api/office/bank/bookExact', {
  summary: 'Books those of these lines that are still exact, for the items they were shown with.',
  body: z.strictObject({ lines: z.array(lineVersion).check(z.minLength(1), z.maxLength(10_000)) }),
  answer: z.object({ jobId: z.string() }),
})

/** Ids for `bookExact` and `discard`: the whole list, not one page. */
export const exactLines = endpoint('GET /api/office/bank/exactIds', {
  summary: 'All open or all ignored lines of a list, at most ten thousand, with their sum.',
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
  summary: 'Ignores lines that are no payments of schools, with a reason.',
  body: z.strictObject({
    lines: z.array(lineVersion).check(z.minLength(1), z.maxLength(10_000)),
    reason: text(messages.reasonRequired, 300),
  }),
  answer: z.object({
    discarded: z.int(),
    /** The ignored lines with their new versions, to open them again */
    lines: z.array(z.object({ id: z.int(), version: z.int() })),
    /** Lines decided or changed in the meantime, and left alone; a single line is refused instead */
    skipped: z.int(),
  }),
})

export const reopenLine = endpoint('POST /api/office/bank/reopen', {
  summary: 'Reopens ignored lines, unless their day or statement is closed.',
  body: z.strictObject({ lines: z.array(lineVersion).check(z.minLength(1), z.maxLength(10_000)) }),
  answer: z.object({
    reopened: z.int(),
    /** Lines closed or changed in the meantime, and left alone; a single line is refused instead */
    skipped: z.int(),
  }),
})

/** Refusals: bank.not_returned, bank.return_moved, credit.too_little, payments.own. */
export const decideReturned = endpoint('POST /api/office/bank/returned', {
  summary:
    'The bank has returned the money of a matched line: its payments are reversed, or kept because the money came again.',
  body: z.extend(lineVersion, {
    decision: z.enum(['reverse', 'keep']),
    reason: text(messages.reasonRequired, 300),
  }),
  answer: z.object({ receipts: z.array(z.string()) }),
})

export const matchAgain = endpoint('POST /api/office/bank/match', {
  summary: 'Compares all open lines again with what is owed now.',
  answer: z.object({ jobId: z.string() }),
})
