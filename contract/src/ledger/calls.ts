import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { optionalText, queryId, seasonLabel } from '../fields.ts'

/**
 * What every school owes, has paid and keeps in a season: a row for each school with the totals of its statement of
 * account (calls-statement.ts), and what the filtered rows add up to. Amounts are rupees.
 */

/** `owes`: a balance above 0; `verifying`: something sent waits; `even`: nothing owed either way; `credit`: the foundation owes. */
export const ledgerStatuses = ['', 'owes', 'verifying', 'even', 'credit'] as const
export const ledgerSorts = ['name', 'code', 'gross', 'retained', 'paid', 'balance'] as const
export type LedgerSort = (typeof ledgerSorts)[number]

const filters = {
  FYear: seasonLabel,
  /** Words of name, city, code, pin code or phone; a school has all of them */
  search: optionalText(100),
  state: optionalText(100),
  standing: z._default(z.enum(ledgerStatuses), ''),
  sort: z._default(z.enum(ledgerSorts), 'name'),
}

const amounts = {
  /** Collected from families, and what of it the school keeps */
  gross: z.number(),
  retained: z.number(),
  /** gross − retained */
  payable: z.number(),
  /** Verified payments */
  paid: z.number(),
  /** Sent and not decided upon: part of the balance */
  verifying: z.number(),
  waived: z.number(),
  /** Paid by other schools for children that came, less what was paid for those that left */
  moved: z.number(),
  /** Arrived, and neither used nor paid back */
  credit: z.number(),
  /** payable − paid − waived − moved − credit; negative where the foundation owes */
  balance: z.number(),
}

const row = z.object({
  schoolId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  city: z.string(),
  state: z.string(),
  /** Active ones */
  students: z.int(),
  ...amounts,
})
export type OfficeLedgerRow = z.output<typeof row>

const sums = z.object({ students: z.int(), ...amounts })
export type OfficeLedgerSums = z.output<typeof sums>

export const officeLedger = endpoint('GET /api/office/ledger/list', {
  summary:
    'What each school owes, has paid and keeps in a season, 50 to a page, with the sums of all that is filtered.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(row),
    total: z.int(),
    pageSize: z.int(),
    sums,
    /** Schools whose changes are not counted in yet; more are at the next call */
    uncounted: z.int(),
  }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportLedger = endpoint('POST /api/office/ledger/export', {
  summary: 'The schools that the filters leave, all of them, with their sums, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const officeStatement = endpoint('GET /api/office/ledger/statement', {
  summary: 'The fee statement of a school in a season as PDF, as the school gets it.',
  query: z.strictObject({ schoolId: queryId, FYear: seasonLabel }),
  answers: 'file',
})
