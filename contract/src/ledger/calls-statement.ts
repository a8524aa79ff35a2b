import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { queryId, seasonLabel } from '../fields.ts'
import { moneyAnswer } from '../payments/calls.ts'
import { paymentKinds } from '../payments/rules.ts'

/**
 * A school's account with the foundation in a season, and the ledger of the share that it keeps. Amounts are rupees.
 * docs/algorithms/statement.md
 */

/**
 * What a line tells: fees that were charged, late fees beside them, the school's share of them, a payment that was sent, verified or rejected.
 * One that was sent or rejected changes no balance: what counts is what has arrived. `credit` is money that has arrived
 * and is for nothing yet, `used` and `refund` its counter-entries;
 * `cancelled` is what was paid for a child that was cancelled, `waived` a fee that need not be paid, `moved-in` and
 * `moved-out` what one school had paid for a child that is another's now.
 */
export const statementKinds = [
  'charge',
  'late',
  'share',
  'sent',
  'verified',
  'rejected',
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
  /** Of fees: students (0 for a library order), and entries, books or copies */
  students: z.int(),
  items: z.int(),
  /** Of payments */
  paymentId: z.nullable(z.int()),
  reference: z.string(),
  receiptNo: z.string(),
  reason: z.string(),
  /** What a payment says it is; of fees what is charged or kept */
  amount: z.number(),
  /** Owed to the foundation */
  debit: z.number(),
  /** Kept, or arrived */
  credit: z.number(),
  /** Owed after this line: Σ debit − Σ credit so far */
  balance: z.number(),
})
export type StatementLine = z.output<typeof statementLine>

const ofSeason = z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) })

export const accountStatement = endpoint('GET /api/ManageSchool/Get_AccountStatement', {
  summary: "A school's account with the foundation in a season, line by line in the order of time.",
  query: ofSeason,
  answer: z.object({
    data: z.array(statementLine),
    /** Its total less its credit is the balance */
    money: moneyAnswer,
    totals: z.object({
      gross: z.number(),
      retained: z.number(),
      /** gross − retained */
      payable: z.number(),
      /** Verified payments */
      paid: z.number(),
      /** Sent, and neither verified nor rejected yet: part of the balance */
      beingVerified: z.number(),
      /** Fees that need not be paid */
      waived: z.number(),
      /** Paid by other schools for children that came, less what was paid for those that left */
      moved: z.number(),
      /** Arrived, and neither used nor paid back */
      credit: z.number(),
      /** payable − paid − waived − moved − credit: the last line's balance; negative where the foundation owes */
      balance: z.number(),
    }),
  }),
})
export type StatementTotals = z.output<(typeof accountStatement)['answer']>['totals']

const figures = { gross: z.number(), retained: z.number(), payable: z.number() }

const ledgerRow = z.object({
  paymentFor: z.enum(paymentKinds),
  eventLetter: z.string(),
  subjectName: z.string(),
  /** Entries for a Registration Fee, books or copies for the others, and those of them that are paid */
  heads: z.int(),
  paidHeads: z.int(),
  /** The least and the most that the school keeps of one */
  shareFrom: z.number(),
  shareTo: z.number(),
  /** Late fees of these entries, in a row of their own */
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
