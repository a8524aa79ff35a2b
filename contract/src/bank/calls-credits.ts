import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel, text } from '../fields.ts'
import { accountStatement } from '../ledger/calls-statement.ts'
import { messages } from '../messages.ts'
import { hasWholePaise } from '../money.ts'
import { officeMessages } from '../office/messages.ts'
import { proposeAccount } from '../payments/calls-accounts.ts'
import { normaliseUtr } from '../payments/rules.ts'

/**
 * Schools' credits and their refunds. Amounts are rupees. A refund needs two people: one proposes, another approves.
 * An approved refund becomes `paid` with the UTR of its transfer, or `returned` if the bank refused it.
 */
const refundStates = ['proposed', 'approved', 'paid', 'returned', 'rejected', 'withdrawn'] as const

const school = { schoolId: z.int(), schCode: z.string(), schName: z.string() }

const payee = proposeAccount.body.shape

const refund = z.object({
  id: z.int(),
  ...school,
  amount: z.number(),
  payTo: z.string(),
  reason: z.string(),
  state: z.enum(refundStates),
  proposedBy: z.string(),
  proposedAt: z.string(),
  decidedBy: z.string(),
  decidedAt: z.nullable(z.string()),
  decisionNote: z.string(),
  utr: z.string(),
  /** When the bank's transfer file with this refund was made; null if it is in none */
  filedAt: z.nullable(z.string()),
  /** Who recorded it as paid or returned, when, and why */
  settledBy: z.string(),
  settledAt: z.nullable(z.string()),
  settleNote: z.string(),
  can: z.object({ decide: allowance, withdraw: allowance, settle: allowance }),
})
export type Refund = z.output<typeof refund>

const schoolCredit = z.object({
  ...school,
  /** The school's credit, and how much of it is promised to pending refunds */
  amount: z.number(),
  promised: z.number(),
})
export type CreditRow = z.output<typeof schoolCredit>

export const officeCredits = endpoint('GET /api/office/credits/list', {
  summary: 'Schools with credit, and refunds: all open ones, then the last hundred.',
  query: z.strictObject({ search: optionalText(100) }),
  answer: z.object({
    credits: z.array(schoolCredit),
    total: z.number(),
    refunds: z.array(refund),
    /** Approved and unpaid: all, those with an account that are in no transfer file yet, those without an account */
    toPay: z.object({ refunds: z.int(), amount: z.number(), fresh: z.int(), byHand: z.int() }),
    can: z.object({ propose: allowance }),
  }),
})

/** POST, because it writes to the audit log. */
export const exportCredits = endpoint('POST /api/office/credits/export', {
  summary: 'All credits of schools, or all refunds, that match the search, as a spreadsheet.',
  body: z.strictObject({
    which: z.enum(['credits', 'refunds']),
    search: optionalText(100),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const officeAccount = endpoint('GET /api/office/credits/account', {
  summary: "A school's statement of account for a season, as the school sees it.",
  query: z.strictObject({ schoolId: queryId, FYear: seasonLabel }),
  answer: z.object({ ...school, ...accountStatement.answer.shape }),
})

export const proposeRefund = endpoint('POST /api/office/credits/propose', {
  summary: 'Proposes refunding credit to a school; someone else has to approve it.',
  body: z
    .strictObject({
      schoolId: bodyId,
      amount: z
        .number(messages.amountInvalid)
        .check(
          z.minimum(0.01, messages.amountInvalid),
          z.maximum(1e9, messages.amountInvalid),
          z.refine(hasWholePaise, messages.amountInvalid),
        ),
      /** A UPI id or another way to pay by hand; ignored if there is a bank account */
      payTo: optionalText(300),
      /** For the bank's transfer file */
      account: z.optional(
        z.strictObject({ accountName: payee.accountName, accountNo: payee.accountNo, ifsc: payee.ifsc }),
      ),
      reason: text(messages.reasonRequired, 300),
    })
    .check(
      z.refine(({ payTo, account }) => account !== undefined || payTo !== '', {
        message: officeMessages.payeeRequired,
        path: ['payTo'],
      }),
    ),
  answer: z.object({ id: z.int() }),
})

export const decideRefund = endpoint('POST /api/office/credits/decide', {
  summary: 'Approves a refund, which can then be paid, or rejects it; needs a second person.',
  body: z.strictObject({ id: bodyId, approve: z.boolean(), note: optionalText(300) }),
  answer: z.object({ id: z.int() }),
})

export const withdrawRefund = endpoint('POST /api/office/credits/withdraw', {
  summary: 'Withdraws a refund that has not been decided.',
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ id: z.int() }),
})

export const payRefund = endpoint('POST /api/office/credits/pay', {
  summary:
    'Records that an approved refund was paid by the transfer with this UTR, which no other refund may have.',
  body: z.strictObject({
    id: bodyId,
    utr: z.pipe(
      z.pipe(z.string(officeMessages.utrRequired), z.transform(normaliseUtr)),
      z
        .string()
        .check(
          z.minLength(1, officeMessages.utrRequired),
          z.regex(/^[A-Z0-9]{6,40}$/, officeMessages.utrInvalid),
        ),
    ),
  }),
  answer: z.object({ id: z.int() }),
})

export const returnRefund = endpoint('POST /api/office/credits/return', {
  summary:
    'Records that an approved refund could not be paid: its credit is free again, and it must be proposed again.',
  body: z.strictObject({ id: bodyId, reason: text(messages.reasonRequired, 300) }),
  answer: z.object({ id: z.int() }),
})

/** POST, because it marks the refunds in the file. */
export const refundTransfers = endpoint('POST /api/office/credits/transfers', {
  summary:
    'The refunds to pay by bank transfer as a bulk NEFT file: those in no file yet, or all of them again.',
  body: z.strictObject({ again: z._default(z.boolean(), false) }),
  answers: 'file',
})
