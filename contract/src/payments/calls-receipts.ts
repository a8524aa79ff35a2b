import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { optionalText, queryId, seasonLabel } from '../fields.ts'
import { isDay } from '../season.ts'
import { paymentKinds } from './rules.ts'

/** Receipts and the share that schools keep, of a season and over all schools. Amounts are rupees. */
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
  /** Whether the money was found on a bank statement */
  bank: z._default(z.enum(['', 'found', 'missing']), ''),
  from: maybeDay,
  until: maybeDay,
  sort: z._default(z.enum(receiptSorts), 'newest'),
}

const receipt = z.object({
  paymentId: z.int(),
  receiptNo: z.string(),
  /** The day of the verification, India */
  day: z.string(),
  schoolId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  paymentFor: z.enum(paymentKinds),
  reference: z.string(),
  utr: z.string(),
  gross: z.number(),
  retained: z.number(),
  payableAmount: z.number(),
  verifiedBy: z.string(),
  /** Its money was found on a statement, or paid from credit */
  found: z.boolean(),
})
export type ReceiptRow = z.output<typeof receipt>

export const officeReceipts = endpoint('GET /api/office/receipts/list', {
  summary: 'Receipts of a season that the filters leave, 50 to a page, with what they add up to.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(receipt),
    total: z.int(),
    pageSize: z.int(),
    sums: z.object({ gross: z.number(), retained: z.number(), payable: z.number() }),
  }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportReceipts = endpoint('POST /api/office/receipts/export', {
  summary: 'The receipts that the filters leave, all of them, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})
