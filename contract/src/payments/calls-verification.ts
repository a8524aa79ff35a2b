import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, queryId, schoolName, seasonLabel, studentInClass, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { assignedFilter, assignee } from '../staff/calls-assignments.ts'
import { paymentStates } from './calls.ts'
import { paymentKinds } from './rules.ts'
import { shownFileQuery } from './schemas.ts'

/**
 * Why to look twice. `proof`, `utr`: used by another payment; `rejected`: sent again after a rejection; `amount`: its
 * fees add up to another amount now.
 */
const doubtKinds = ['proof', 'utr', 'rejected', 'amount'] as const
export type DoubtKind = (typeof doubtKinds)[number]

/**
 * What the bank statement says about a pending payment. `exact`: an open line matches it, alone or with other payments;
 * `suggested`: a person has to look at the line; `booking`: its line is matched, and that can still be undone.
 */
const bankSigns = ['exact', 'suggested', 'none', 'booking'] as const
export type BankSign = (typeof bankSigns)[number]
export const bankFilters = ['exact', 'suggested', 'none'] as const

export const paymentSorts = ['oldest', 'newest', 'amount'] as const

/** A row of the office's queue. Amounts in rupees. */
const officePaymentRow = z.object({
  id: z.int(),
  schoolId: z.int(),
  ...schoolName,
  cityName: z.string(),
  stateName: z.string(),
  FYear: z.string(),
  paymentFor: z.enum(paymentKinds),
  payableAmount: z.number(),
  paymentDate: z.string(),
  creationDate: z.string(),
  state: z.enum(paymentStates),
  /** By its school, before an officer decided; its state is `rejected` */
  withdrawn: z.boolean(),
  receiptNo: z.string(),
  students: z.int(),
  doubts: z.array(z.enum(doubtKinds)),
  /** Null once it is decided */
  onBank: z.nullable(z.enum(bankSigns)),
  assignee,
  /** Sent back with a decision, so that no one decides on something they have not seen */
  version: z.int(),
})
export type OfficePaymentRow = z.output<typeof officePaymentRow>

const doubt = z.object({
  kind: z.enum(doubtKinds),
  /** The other payment, except for `amount` */
  paymentId: z.nullable(z.int()),
  ...schoolName,
  paymentFor: z.nullable(z.enum(paymentKinds)),
  paymentDate: z.string(),
  state: z.string(),
  receiptNo: z.string(),
  /** For `amount`: what the fees add up to now */
  payableAmount: z.nullable(z.number()),
})
export type Doubt = z.output<typeof doubt>

const officePayment = z.object({
  ...officePaymentRow.shape,
  gross: z.number(),
  retained: z.number(),
  /** The late fees included in gross */
  lateFee: z.number(),
  entries: z.int(),
  books: z.int(),
  reference: z.string(),
  utr: z.string(),
  remarks: z.string(),
  proofName: z.string(),
  proofType: z.string(),
  sentBy: z.string(),
  reason: z.string(),
  decidedBy: z.string(),
  decidedAt: z.nullable(z.string()),
  /** Who cancelled its receipt, because the bank returned the money, and when */
  reversedBy: z.string(),
  reversedAt: z.nullable(z.string()),
  /** The receipt number the season's next verified payment will get, unless another one is verified first */
  nextReceiptNo: z.string(),
  doubtDetails: z.array(doubt),
  /** The line that shows, or may show, its money */
  bankLine: z.nullable(
    z.object({ id: z.int(), day: z.string(), amount: z.number(), fileName: z.string(), rowNo: z.int() }),
  ),
  covered: z.array(
    z.object({
      id: z.int(),
      ...studentInClass,
      /** What this payment covers: subjects for a Registration Fee, books for a Book Fee */
      covers: z.string(),
      gross: z.number(),
      retained: z.number(),
    }),
  ),
  /** For a Library Book Fee, which covers copies instead of students */
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
  can: z.object({ decide: allowance, reopen: allowance }),
})
export type OfficePayment = z.output<typeof officePayment>

const queueFilters = {
  FYear: seasonLabel,
  state: z._default(z.enum(paymentStates), 'pending'),
  search: z._default(z.string().check(z.maxLength(100)), ''),
  sort: z._default(z.enum(paymentSorts), 'oldest'),
  /** For pending payments */
  bank: z.optional(z.enum(bankFilters)),
  assigned: assignedFilter,
}

export const officePayments = endpoint('GET /api/office/payments/list', {
  summary: 'Payments of a season by state, for the office: 50 a page, oldest first.',
  query: z.strictObject({ ...queueFilters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(officePaymentRow),
    total: z.int(),
    pageSize: z.int(),
    /** Counts for the whole season, whatever is searched for */
    counts: z.object({ pending: z.int(), verified: z.int(), rejected: z.int() }),
    /** Pending payments of the season by bank sign */
    onBank: z.object({ exact: z.int(), suggested: z.int(), none: z.int() }),
    /** Bookings of `verifyExact` by all officers that can still be undone; at most a hundred */
    bookings: z.array(
      z.object({ id: z.int(), version: z.int(), amount: z.number(), payments: z.int(), booksAt: z.string() }),
    ),
  }),
})

/** POST, because it writes to the audit log. */
export const exportPayments = endpoint('POST /api/office/payments/export', {
  summary: 'All payments that match the filters, as a spreadsheet.',
  body: z.strictObject({ ...queueFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const officePaymentDetails = endpoint('GET /api/office/payments/one', {
  summary: 'A payment with the students it covers, its figures and its doubts.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({ payment: officePayment }),
})

export const officePaymentProof = endpoint('GET /api/office/payments/proof', {
  summary: 'The proof of a payment, or one of its pages as an image.',
  query: shownFileQuery,
  answers: 'file',
})

export const officePaymentReceipt = endpoint('GET /api/office/payments/receipt', {
  summary: 'The receipt of a verified payment as PDF, or one of its pages as an image.',
  query: shownFileQuery,
  answers: 'file',
})

export const verifyPayment = endpoint('POST /api/office/payments/verify', {
  summary: 'Verifies a payment: numbers the receipt, marks the students paid and assigns exam roll nos.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
  answer: z.object({ id: z.int(), receiptNo: z.string() }),
})

export const rejectPayment = endpoint('POST /api/office/payments/reject', {
  summary: 'Rejects a payment: the amount is due again.',
  body: z.strictObject({ id: bodyId, version: bodyId, reason: text(messages.reasonRequired, 500) }),
  answer: z.object({ id: z.int() }),
})

export const reopenPayment = endpoint('POST /api/office/payments/reopen', {
  summary:
    'Undoes a rejection: the payment is to be verified again, if what it covers is still due as it was.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
  answer: z.object({ id: z.int() }),
})

/** As many as the list shows on a page. */
export const maxAtOnce = 50

const chosenPayments = z
  .array(z.strictObject({ id: bodyId, version: bodyId }))
  .check(z.minLength(1), z.maxLength(maxAtOnce))

const severalDecided = z.object({
  /** In the order they were sent; a rejected one has no receipt number */
  done: z.array(z.object({ id: z.int(), receiptNo: z.string() })),
  /** Payments that were refused, and why */
  refused: z.array(z.object({ id: z.int(), message: z.string() })),
})

export const verifyPayments = endpoint('POST /api/office/payments/verifyMany', {
  summary:
    'Verifies several payments, each on its own; skips and reports those with a doubt, already decided, or with an exact bank line.',
  body: z.strictObject({ payments: chosenPayments }),
  answer: severalDecided,
})

export const verifyExact = endpoint('POST /api/office/payments/verifyExact', {
  summary:
    'Matches payments with their exact bank lines after a minute, unless undone before. Skips and reports those no longer exact.',
  body: z.strictObject({
    payments: chosenPayments,
    /** For a single payment: whether the officer has looked at its doubts */
    looked: z.optional(z.boolean()),
  }),
  answer: z.object({
    done: z.array(z.object({ id: z.int(), lineId: z.int(), booksAt: z.string() })),
    refused: severalDecided.shape.refused,
  }),
})

export const rejectPayments = endpoint('POST /api/office/payments/rejectMany', {
  summary: 'Rejects several payments, each on its own, with one reason.',
  body: z.strictObject({ payments: chosenPayments, reason: text(messages.reasonRequired, 500) }),
  answer: severalDecided,
})
