import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { jobProgress, optionalText, pages, queryId, schoolName, seasonLabel } from '../fields.ts'
import { isDay } from '../season.ts'
import { paymentKinds } from './rules.ts'

/** A season's receipts and the schools' share, over all schools. Amounts are rupees. */
export const receiptSorts = ['newest', 'oldest', 'amount', 'school'] as const
export type ReceiptSort = (typeof receiptSorts)[number]

const maybeDay = z._default(
  z.string().check(z.refine((typed) => typed === '' || (typed.startsWith('20') && isDay(typed)))),
  '',
)

const filters = {
  FYear: seasonLabel,
  /** School, code, receipt, reference or UTR */
  search: optionalText(100),
  paymentFor: z._default(z.enum(['', ...paymentKinds]), ''),
  /** Whether the money was found on a bank statement, or was returned by the bank */
  bank: z._default(z.enum(['', 'found', 'missing', 'cancelled']), ''),
  from: maybeDay,
  until: maybeDay,
  sort: z._default(z.enum(receiptSorts), 'newest'),
}

const receipt = z.object({
  paymentId: z.int(),
  receiptNo: z.string(),
  /** The day of the verification (IST) */
  day: z.string(),
  schoolId: z.int(),
  ...schoolName,
  paymentFor: z.enum(paymentKinds),
  reference: z.string(),
  utr: z.string(),
  gross: z.number(),
  retained: z.number(),
  payableAmount: z.number(),
  verifiedBy: z.string(),
  /** Whether its money was found on a statement or taken from credit */
  found: z.boolean(),
  /** The day (IST) on which it was cancelled, because the bank returned the money */
  cancelledOn: z.nullable(z.string()),
  /** Why it was cancelled */
  reason: z.string(),
})
export type ReceiptRow = z.output<typeof receipt>

export const officeReceipts = endpoint('GET /api/office/receipts/list', {
  summary: "A season's receipts that match the filters, 50 a page. Cancelled ones are not in the sums.",
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(receipt),
    ...pages,
    sums: z.object({ gross: z.number(), retained: z.number(), payable: z.number() }),
  }),
})

/** POST, because it writes to the audit log. */
export const exportReceipts = endpoint('POST /api/office/receipts/export', {
  summary: 'All receipts that match the filters, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

/** Most receipts in one ZIP; for more, days must be chosen. */
export const maxZippedReceipts = 10_000

const zipJob = z.object({
  jobId: z.string(),
  season: z.string(),
  /** Until when its file can be downloaded */
  until: z.string(),
  /** Numbers of receipts */
  ...jobProgress,
  /** Null until it is ready */
  file: z.nullable(z.object({ name: z.string(), bytes: z.int() })),
})

const jobId = z.string().check(z.maxLength(40))

export const startReceiptsZip = endpoint('POST /api/office/receipts/startZip', {
  summary: 'Puts the receipts that match the filters into a ZIP of PDFs, as a background job.',
  body: z.strictObject(filters),
  answer: z.object({ jobId: z.string() }),
})

export const receiptsZip = endpoint('GET /api/office/receipts/zip', {
  summary: 'Progress of the ZIP of receipts; by default the newest job of the last day.',
  answer: z.object({ job: z.nullable(zipJob) }),
})

export const cancelReceiptsZip = endpoint('POST /api/office/receipts/cancelZip', {
  summary: 'Stops making a ZIP of receipts.',
  body: z.strictObject({ jobId }),
})

export const receiptsZipFile = endpoint('POST /api/office/receipts/zipFile', {
  summary: 'The ZIP a job has made; available for a day.',
  body: z.strictObject({ jobId }),
  answers: 'file',
})
