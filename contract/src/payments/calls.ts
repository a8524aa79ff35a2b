import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'
import { paymentKinds } from './rules.ts'
import { paymentSubmission } from './schemas.ts'

export const paymentStates = ['pending', 'verified', 'rejected'] as const
export type PaymentState = (typeof paymentStates)[number]

/**
 * What a school owes in a season, in rupees, library orders included. The dashboard, the payments page and the account
 * show the same sums.
 */
export const moneyAnswer = z.object({
  /** Due, and can be paid now */
  payNow: z.number(),
  /** Due, and can be paid once the pending payment of the same fee is decided */
  payLater: z.number(),
  /** Sent and pending */
  beingVerified: z.number(),
  /** The sum of the three */
  total: z.number(),
  /** The season's credits; the balance of the account is the total less this */
  credit: z.number(),
})
export type MoneyAnswer = z.output<typeof moneyAnswer>

/** A submitted payment; its proof, if any, is at the path in `attechment`, a call that needs the session's token. */
const sentPayment = z.object({
  id: z.int(),
  paymentDate: z.string(),
  utr: z.string(),
  remarks: z.string(),
  attechment: z.string(),
  proofName: z.string(),
  /** `image/jpeg`, `image/png`, `application/pdf` */
  proofType: z.string(),
  sentBy: z.string(),
  creationDate: z.string(),
})
export type SentPayment = z.output<typeof sentPayment>

/** A card: what a school owes now, what is being verified, or that everything is paid. Amounts in rupees. */
const paymentItem = z.object({
  paymentFor: z.enum(paymentKinds),
  paymentStatus: z.enum(['Pending', 'Paid']),
  /** gross − retained */
  payableAmount: z.number(),
  accountName: z.string(),
  bankName: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  /** 1 while the foundation is verifying a payment */
  paymentStatus_For_School: z.union([z.literal(0), z.literal(1)]),
  /**
   * Ids of the students in the item; a payment names all or some of them. For a Library Book Fee: ids of the order's
   * lines, which are all paid at once.
   */
  individualRegIdList: z.array(z.int()),
  /** Collected from families */
  gross: z.number(),
  /** Kept by the school */
  retained: z.number(),
  /** For the remarks of the transfer; in the UPI code it is `tr` */
  reference: z.string(),
  upiId: z.string(),
  /** Text of the QR code, for exactly the payable amount; empty if nothing is due */
  upi: z.string(),
  /** 0 for a Library Book Fee */
  students: z.int(),
  /** Students' subjects; 0 for books */
  entries: z.int(),
  /** The price of one entry without late fees, if all cost the same */
  entryFee: z.nullable(z.number()),
  /** The late fees included in gross */
  lateFee: z.number(),
  /**
   * The school's slab, for a Registration Fee that is due: its number of students, its share of each entry in rupees,
   * and the next slab. Null if the season has no slabs.
   */
  slab: z.nullable(
    z.object({
      heads: z.int(),
      share: z.number(),
      next: z.nullable(z.object({ from: z.int(), share: z.number() })),
    }),
  ),
  /** Books; 0 for a Registration Fee */
  books: z.int(),
  /** The payment being verified */
  sent: z.nullable(sentPayment),
  /**
   * The last payment, to start the next one with: one that the school withdrew, without its proof once that was deleted,
   * or one that was rejected, without its proof
   */
  previous: z.nullable(sentPayment),
  /** Why the last payment was rejected; null also if the school withdrew it */
  rejected: z.nullable(
    z.object({
      id: z.int(),
      reason: z.string(),
      payableAmount: z.number(),
      paymentDate: z.string(),
      decidedOn: z.string(),
    }),
  ),
  can: z.object({ submit: allowance }),
})
export type PaymentItem = z.output<typeof paymentItem>

/** A verified or rejected payment. */
const paidEntry = z.object({
  id: z.int(),
  /** Empty for a payment that was never verified */
  receiptNo: z.string(),
  /** Rupees */
  payment: z.number(),
  paymentDate: z.string(),
  remarks: z.string(),
  paymentStatus: z.enum(['Verified', 'Rejected']),
  attechment: z.string(),
  creationDate: z.string(),
  paymentFor: z.enum(paymentKinds),
  utr: z.string(),
  state: z.enum(paymentStates),
  /** Why it was rejected, or that the school withdrew it */
  reason: z.string(),
  proofName: z.string(),
  proofType: z.string(),
  reference: z.string(),
  /** Path of the receipt; empty for a payment that was never verified */
  receipt: z.string(),
  /** The day (IST) on which its receipt was cancelled, because the bank returned the money */
  cancelledOn: z.nullable(z.string()),
  students: z.int(),
  /** By the school, before the foundation decided */
  withdrawn: z.boolean(),
})
export type PaidEntry = z.output<typeof paidEntry>

export const paymentSummary = endpoint('GET /api/ManageSchool/Get_DashBoard_Summary_For_Payment', {
  summary: 'What a school owes in a season, what is being verified, and what it has paid.',
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({
    dataList: z.array(paymentItem),
    paidList: z.array(paidEntry),
    money: moneyAnswer,
    /** The school's credit in rupees, which may cover part of what is due */
    credit: z.number(),
  }),
})

export const savePayment = endpoint('POST /api/ManageSchool/Save_PaymentDetails', {
  summary:
    'Submits a payment with its proof, or that of the one just withdrawn, for the listed students (or lines of the library order).',
  body: paymentSubmission,
  answer: z.object({ id: z.int(), payableAmount: z.number() }),
  fileField: 'attechment',
  // 5 MB of proof grow by a third in base64.
  bodyLimit: 7_200_000,
})

export const withdrawPayment = endpoint('POST /api/ManageSchool/WithdrawPayment', {
  summary: "Withdraws a pending payment of the caller's school, to correct it: what it covered is due again.",
  body: z.strictObject({ id: bodyId }),
})

export const paymentProof = endpoint('GET /api/ManageSchool/Get_PaymentProof', {
  summary: "The proof of a payment of the caller's school.",
  query: z.strictObject({ id: queryId }),
  answers: 'file',
})

export const paymentReceipt = endpoint('GET /api/ManageSchool/Get_PaymentReceipt', {
  summary: "The receipt of a payment of the caller's school, as PDF; a cancelled one says so.",
  query: z.strictObject({ id: queryId }),
  answers: 'file',
})

export const feeStatement = endpoint('GET /api/ManageSchool/Get_FeeStatement', {
  summary: 'What the school owes and has paid in a season, class by class, as PDF.',
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answers: 'file',
})
