import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { allowance } from '../envelope.ts'
import { bodyId, optionalText, queryId, seasonLabel, text } from '../fields.ts'
import { accountStatement } from '../ledger/calls-statement.ts'
import { messages } from '../messages.ts'
import { hasWholePaise } from '../money.ts'

/** Credits of schools and refunds of them. Amounts are rupees. A refund needs two people: who proposes, and who approves. */
export const refundStates = ['proposed', 'approved', 'rejected', 'withdrawn'] as const

const school = { schoolId: z.int(), schCode: z.string(), schName: z.string() }

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
  can: z.object({ decide: allowance, withdraw: allowance }),
})
export type Refund = z.output<typeof refund>

const schoolCredit = z.object({
  ...school,
  /** Stands to its credit; of that, promised to refunds that wait */
  amount: z.number(),
  promised: z.number(),
})
export type CreditRow = z.output<typeof schoolCredit>

export const officeCredits = endpoint({
  method: 'GET',
  path: '/api/office/credits/list',
  summary: 'Schools with money to their credit, and refunds: those that wait, then the last hundred.',
  query: z.strictObject({ search: optionalText(100) }),
  answer: z.object({
    credits: z.array(schoolCredit),
    total: z.number(),
    refunds: z.array(refund),
    can: z.object({ propose: allowance }),
  }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportCredits = endpoint({
  method: 'POST',
  path: '/api/office/credits/export',
  summary: 'All credits of schools, or all refunds, that the search leaves, as a spreadsheet.',
  body: z.strictObject({
    which: z.enum(['credits', 'refunds']),
    search: optionalText(100),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const officeAccount = endpoint({
  method: 'GET',
  path: '/api/office/credits/account',
  summary: 'The statement of account of a school in a season, as the school sees it.',
  query: z.strictObject({ schoolId: queryId, FYear: seasonLabel }),
  answer: z.object({ ...school, ...accountStatement.answer.shape }),
})

export const proposeRefund = endpoint({
  method: 'POST',
  path: '/api/office/credits/propose',
  summary: 'Proposes to pay credit back to a school; somebody else has to approve it.',
  body: z.strictObject({
    schoolId: bodyId,
    amount: z
      .number(messages.amountInvalid)
      .check(
        z.minimum(0.01, messages.amountInvalid),
        z.maximum(1e9, messages.amountInvalid),
        z.refine(hasWholePaise, messages.amountInvalid),
      ),
    payTo: text('Say where the money goes.', 300),
    reason: text(messages.reasonRequired, 300),
  }),
  answer: z.object({ id: z.int() }),
})

export const decideRefund = endpoint({
  method: 'POST',
  path: '/api/office/credits/decide',
  summary: 'A second person approves a refund, with the UTR of the transfer, or rejects it.',
  body: z.strictObject({ id: bodyId, approve: z.boolean(), utr: optionalText(40), note: optionalText(300) }),
  answer: z.object({ id: z.int() }),
})

export const withdrawRefund = endpoint({
  method: 'POST',
  path: '/api/office/credits/withdraw',
  summary: 'Takes back a refund that nobody has decided upon.',
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ id: z.int() }),
})
