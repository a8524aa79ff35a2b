import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { olympiad, queryId, seasonLabel } from '../fields.ts'
import { moneyAnswer } from '../payments/calls.ts'
import { paymentKinds } from '../payments/rules.ts'

/**
 * A school's statement of account for a season, and the ledger of its share. Amounts are rupees.
 * docs/algorithms/statement.md
 */

/**
 * Kinds of lines: charged fees, late fees, the school's share of them, and payments sent, verified, rejected by
 * the foundation or withdrawn by the school. Only received money changes the balance. `credit` is money received for nothing
 * yet, `used` and `refund` its counter-entries, a refund with a `reason` what the bank has returned; `cancelled` is what was
 * paid for a cancelled student, `waived` a fee that need not be paid; `moved-in` and `moved-out` are what one school paid for
 * a student who is now another's.
 */
const statementKinds = [
  'charge',
  'late',
  'share',
  'sent',
  'verified',
  'rejected',
  'withdrawn',
  'reversed',
  'credit',
  'used',
  'refund',
  'cancelled',
  'waived',
  'moved-in',
  'moved-out',
] as const
export type StatementKind = (typeof statementKinds)[number]

const statementLine = z.object({
  /** IST day, `2026-11-18` */
  day: z.string(),
  kind: z.enum(statementKinds),
  paymentFor: z.enum(paymentKinds),
  /** For fees: students (0 for a library order), and entries, books or copies */
  students: z.int(),
  items: z.int(),
  /** For payments */
  paymentId: z.nullable(z.int()),
  reference: z.string(),
  receiptNo: z.string(),
  reason: z.string(),
  /** For a payment, the amount stated in it; for fees, what is charged or kept */
  amount: z.number(),
  /** Owed to the foundation */
  debit: z.number(),
  /** Kept or received */
  credit: z.number(),
  /** Owed after this line: Σ debit − Σ credit up to here */
  balance: z.number(),
})
export type StatementLine = z.output<typeof statementLine>

const ofSeason = z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) })

export const accountStatement = endpoint('GET /api/ManageSchool/Get_AccountStatement', {
  summary: "A school's account with the foundation in a season, line by line in chronological order.",
  query: ofSeason,
  answer: z.object({
    data: z.array(statementLine),
    /** The balance is its total less its credit */
    money: moneyAnswer,
    totals: z.object({
      gross: z.number(),
      retained: z.number(),
      /** gross − retained */
      payable: z.number(),
      /** Verified payments */
      paid: z.number(),
      /** Sent, and neither verified nor rejected yet; part of the balance */
      beingVerified: z.number(),
      /** Fees that need not be paid */
      waived: z.number(),
      /** Paid by other schools for students who came, less what was paid for those who left */
      moved: z.number(),
      /** Received, and neither used nor refunded */
      credit: z.number(),
      /** payable − paid − waived − moved − credit: the final balance; negative if the foundation owes the school */
      balance: z.number(),
    }),
  }),
})
export type StatementTotals = z.output<(typeof accountStatement)['answer']>['totals']

const figures = { gross: z.number(), retained: z.number(), payable: z.number() }

const ledgerRow = z.object({
  paymentFor: z.enum(paymentKinds),
  ...olympiad,
  /** Entries for a Registration Fee, otherwise books or copies; and how many of them are paid */
  heads: z.int(),
  paidHeads: z.int(),
  /** Lowest and highest share the school keeps of one */
  shareFrom: z.number(),
  shareTo: z.number(),
  /** Whether these are the late fees of the entries, which have their own row */
  late: z.boolean(),
  ...figures,
})
export type LedgerRow = z.output<typeof ledgerRow>

const seasonFigures = z.object({ season: z.string(), ...figures })
export type SeasonFigures = z.output<typeof seasonFigures>

export const shareLedger = endpoint('GET /api/ManageSchool/Get_ShareLedger', {
  summary:
    'What a school collects, keeps and owes in a season, by kind of fee and subject; and season by season.',
  query: ofSeason,
  answer: z.object({ data: z.array(ledgerRow), totals: z.object(figures), seasons: z.array(seasonFigures) }),
})
