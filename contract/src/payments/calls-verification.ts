import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { assignedFilter, assignee } from '../staff/calls-assignments.ts'
import { paymentStates } from './calls.ts'
import { paymentKinds } from './rules.ts'
import { shownFileQuery } from './schemas.ts'

/** What an officer should look at twice. `proof` and `utr`: used by another payment; `amount`: what it covers adds up to something else now. */
export const doubtKinds = ['proof', 'utr', 'amount'] as const
export type DoubtKind = (typeof doubtKinds)[number]

/**
 * What the bank statement says of a payment that waits. `exact`: an open line is for it, alone or with other payments;
 * `suggested`: a person has to look at the line; `booking`: its line is matched, and can still be undone.
 */
export const bankSigns = ['exact', 'suggested', 'none', 'booking'] as const
export type BankSign = (typeof bankSigns)[number]
export const bankFilters = ['exact', 'suggested', 'none'] as const

export const paymentSorts = ['oldest', 'newest', 'amount'] as const

/** One line of the office's queue. Amounts in rupees. */
export const officePaymentRow = z.object({
  id: z.int(),
  schoolId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  cityName: z.string(),
  stateName: z.string(),
  FYear: z.string(),
  paymentFor: z.enum(paymentKinds),
  payableAmount: z.number(),
  paymentDate: z.string(),
  creationDate: z.string(),
  state: z.enum(paymentStates),
  receiptNo: z.string(),
  students: z.int(),
  doubts: z.array(z.enum(doubtKinds)),
  /** Null once it is decided */
  onBank: z.nullable(z.enum(bankSigns)),
  assignee,
  /** To be sent back with a decision, so that nobody decides upon what he has not seen */
  version: z.int(),
})
export type OfficePaymentRow = z.output<typeof officePaymentRow>

const doubt = z.object({
  kind: z.enum(doubtKinds),
  /** The other payment, for `proof` and `utr` */
  paymentId: z.nullable(z.int()),
  schCode: z.string(),
  schName: z.string(),
  paymentFor: z.nullable(z.enum(paymentKinds)),
  paymentDate: z.string(),
  state: z.string(),
  receiptNo: z.string(),
  /** What the fees add up to now, for `amount` */
  payableAmount: z.nullable(z.number()),
})
export type Doubt = z.output<typeof doubt>

export const officePayment = z.object({
  ...officePaymentRow.shape,
  gross: z.number(),
  retained: z.number(),
  /** The part of gross that is late fees */
  lateFee: z.number(),
  entries: z.int(),
  books: z.int(),
  reference: z.string(),
  utr: z.string(),
  remarks: z.string(),
  proofName: z.string(),
  proofType: z.string(),
  sentBy: z.string(),
  sentByEmail: z.string(),
  reason: z.string(),
  decidedBy: z.string(),
  decidedAt: z.nullable(z.string()),
  /** What the next verified payment of the season will carry, unless somebody else is faster */
  nextReceiptNo: z.string(),
  doubtDetails: z.array(doubt),
  /** The line that shows its money, or may */
  bankLine: z.nullable(
    z.object({ id: z.int(), day: z.string(), amount: z.number(), fileName: z.string(), rowNo: z.int() }),
  ),
  covered: z.array(
    z.object({
      id: z.int(),
      studentName: z.string(),
      className: z.string(),
      section: z.string(),
      rollNo: z.int(),
      /** What this payment covers: subjects for a Registration Fee, books for a Book Fee */
      covers: z.string(),
      gross: z.number(),
      retained: z.number(),
    }),
  ),
  /** What a Library Book Fee covers instead of students */
  copies: z.array(
    z.object({
      id: z.int(),
      className: z.string(),
      subjectName: z.string(),
      /** The name of the kind of book */
      bookCategory: z.string(),
      quantity: z.int(),
      gross: z.number(),
      retained: z.number(),
    }),
  ),
  can: z.object({ decide: allowance }),
})
export type OfficePayment = z.output<typeof officePayment>

const queueFilters = {
  FYear: seasonLabel,
  state: z._default(z.enum(paymentStates), 'pending'),
  search: z._default(z.string().check(z.maxLength(100)), ''),
  sort: z._default(z.enum(paymentSorts), 'oldest'),
  /** Of those that wait */
  bank: z.optional(z.enum(bankFilters)),
  assigned: assignedFilter,
}

export const officePayments = endpoint('GET /api/office/payments/list', {
  summary: 'Payments of a season by state, for the office: 50 to a page, the oldest first.',
  query: z.strictObject({ ...queueFilters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(officePaymentRow),
    total: z.int(),
    pageSize: z.int(),
    /** Of the whole season, whatever is searched for */
    counts: z.object({ pending: z.int(), verified: z.int(), rejected: z.int() }),
    /** Of those that wait in the season, by what the bank says */
    onBank: z.object({ exact: z.int(), suggested: z.int(), none: z.int() }),
    /** Lines of `verifyExact` whose minute is not over, of all officers; at most a hundred */
    bookings: z.array(
      z.object({ id: z.int(), version: z.int(), amount: z.number(), payments: z.int(), booksAt: z.string() }),
    ),
  }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportPayments = endpoint('POST /api/office/payments/export', {
  summary: 'The payments that the filters leave, all of them, as a spreadsheet.',
  body: z.strictObject({ ...queueFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const officePaymentOne = endpoint('GET /api/office/payments/one', {
  summary: 'One payment with the students it covers, its figures and what is doubtful about it.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({ payment: officePayment }),
})

export const officePaymentProof = endpoint('GET /api/office/payments/proof', {
  summary: 'The proof of a payment, or one page of it as a picture.',
  query: shownFileQuery,
  answers: 'file',
})

export const officePaymentReceipt = endpoint('GET /api/office/payments/receipt', {
  summary: 'The receipt of a verified payment, as PDF, or one page of it as a picture.',
  query: shownFileQuery,
  answers: 'file',
})

export const verifyPayment = endpoint('POST /api/office/payments/verify', {
  summary: 'The money has arrived: numbers the receipt, marks the students paid and gives exam roll numbers.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
  answer: z.object({ id: z.int(), receiptNo: z.string() }),
})

export const rejectPayment = endpoint('POST /api/office/payments/reject', {
  summary: 'The money has not arrived as the school says: the amount is due again.',
  body: z.strictObject({ id: bodyId, version: bodyId, reason: text(messages.reasonRequired, 500) }),
  answer: z.object({ id: z.int() }),
})

/** As many as one list shows. */
export const mostAtOnce = 50

const several = z
  .array(z.strictObject({ id: bodyId, version: bodyId }))
  .check(z.minLength(1), z.maxLength(mostAtOnce))

const severalDecided = z.object({
  /** In the order in which they were sent; the receipt number of a rejected one is empty */
  done: z.array(z.object({ id: z.int(), receiptNo: z.string() })),
  /** What could not be done, and why */
  refused: z.array(z.object({ id: z.int(), message: z.string() })),
})

export const verifyPayments = endpoint('POST /api/office/payments/verifyMany', {
  summary:
    'The money of these payments has arrived: each is verified by itself; one with a doubt, decided meanwhile or with an exact bank line is told and left.',
  body: z.strictObject({ payments: several }),
  answer: severalDecided,
})

export const verifyExact = endpoint('POST /api/office/payments/verifyExact', {
  summary:
    'The bank statement shows these payments exactly: matches their lines in a minute, unless it is undone before. One that is no longer exact is told and left.',
  body: z.strictObject({
    payments: several,
    /** Of one alone: what is doubtful about it was looked at */
    looked: z.optional(z.boolean()),
  }),
  answer: z.object({
    done: z.array(z.object({ id: z.int(), lineId: z.int(), booksAt: z.string() })),
    refused: severalDecided.shape.refused,
  }),
})

export const rejectPayments = endpoint('POST /api/office/payments/rejectMany', {
  summary: 'The money of these payments has not arrived: each is rejected by itself, all for one reason.',
  body: z.strictObject({ payments: several, reason: text(messages.reasonRequired, 500) }),
  answer: severalDecided,
})
