import {
  type CreditRow,
  decideRefund as decideRefundCall,
  exportCredits,
  officeAccount,
  officeCredits,
  payRefund as payRefundCall,
  proposeRefund as proposeRefundCall,
  type Refund,
  refundTransfers,
  returnRefund as returnRefundCall,
  withdrawRefund as withdrawRefundCall,
} from '@podium/contract/bank/calls-credits'
import { rupees } from '@podium/contract/money'
import { istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { type FileAnswer, serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import {
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import {
  decideRefund,
  payRefund,
  proposeRefund,
  returnRefund,
  type Transfer,
  takeTransfers,
  withdrawRefund,
} from './commands.ts'
import { accountForOffice, allCredits, allRefunds, creditsList } from './queries.ts'

const creditColumns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'In credit', kind: 'money' },
  { title: 'Reserved for refunds', kind: 'money' },
]

/** Credits of schools as a file; amounts in rupees. */
function creditsFile(credits: readonly CreditRow[], format: SheetFormat): FileAnswer['file'] {
  const rows = credits.map((row): SheetValue[] => [row.schCode, row.schName, row.amount, row.promised])
  return sheetFile('Credits of schools', creditColumns, rows, format)
}

const refundColumns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'Amount', kind: 'money' },
  { title: 'Pay to', width: 32 },
  { title: 'Reason', width: 40 },
  { title: 'State' },
  { title: 'Proposed by', width: 24 },
  { title: 'Proposed on', kind: 'date' },
  { title: 'Decided by', width: 24 },
  { title: 'Decided on', kind: 'date' },
  { title: 'Decision', width: 32 },
  { title: 'UTR', width: 24 },
  { title: 'Paid or sent back by', width: 24 },
  { title: 'Paid or sent back on', kind: 'date' },
  { title: 'Sent back because', width: 32 },
]

const dayOf = (at: string | null) => (at === null ? '' : istDay(new Date(at)))

/** Refunds as a file; amounts in rupees, days in India. */
function refundsFile(refunds: readonly Refund[], format: SheetFormat): FileAnswer['file'] {
  const rows = refunds.map((row): SheetValue[] => [
    ...[row.schCode, row.schName, row.amount, row.payTo, row.reason, row.state],
    ...[row.proposedBy, dayOf(row.proposedAt), row.decidedBy, dayOf(row.decidedAt)],
    ...[row.decisionNote, row.utr, row.settledBy, dayOf(row.settledAt), row.settleNote],
  ])
  return sheetFile('Refunds', refundColumns, rows, format)
}

const transferColumns: readonly SheetColumn[] = [
  { title: 'Beneficiary name', width: 36 },
  { title: 'Account no.', width: 24 },
  { title: 'IFSC', width: 16 },
  { title: 'Amount', kind: 'money' },
  { title: 'Remarks', width: 32 },
]

/** Refunds to pay as a file for bulk NEFT; amounts in rupees. */
function transfersFile(transfers: readonly Transfer[], day: string): FileAnswer['file'] {
  const rows = transfers.map((row): SheetValue[] => [
    ...[row.accountName, row.accountNo, row.ifsc, rupees(row.amount), `REFUND ${row.id} ${row.code}`],
  ])
  return sheetFile(`Refunds to pay ${day}`, transferColumns, rows, 'csv')
}

/** What schools have paid too much: their credits, and refunds from the proposal to the transfer. */
export function creditRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, officeCredits, 'office:payments.read', ({ scope, query }) =>
    creditsList(db, scope, query.search),
  )

  serve(app, deps, exportCredits, 'office:payments.read', async ({ scope, body, now }) => {
    const { which, search, format } = body
    const file = await db.transaction().execute(async (tx) => {
      const tell = (kind: 'credit' | 'refund', rows: number) =>
        audit(tx, now, scope, `${kind}.exported`, { kind, id: 'all' }, { format, rows, filters: { search } })
      if (which === 'credits') {
        const credits = await allCredits(tx, scope, search)
        await tell('credit', credits.length)
        return creditsFile(credits, format)
      }
      const refunds = await allRefunds(tx, scope, search)
      await tell('refund', refunds.length)
      await tellOfFile(tx, scope, now, 'the refunds', refunds.length)
      return refundsFile(refunds, format)
    })
    return { file }
  })

  serve(app, deps, officeAccount, 'office:payments.read', ({ scope, query }) =>
    accountForOffice(db, scope, query.schoolId, query.FYear),
  )

  write(app, deps, proposeRefundCall, 'office:payments.decide', (tx, { scope, body, now, request }) =>
    once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, () =>
      proposeRefund(tx, scope, now, body),
    ),
  )

  write(app, deps, decideRefundCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await decideRefund(tx, scope, now, body)
    return { id: body.id }
  })

  write(app, deps, payRefundCall, 'office:payments.decide', (tx, { scope, body, now, request }) =>
    once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, async () => {
      await payRefund(tx, scope, now, body)
      return { id: body.id }
    }),
  )

  write(app, deps, returnRefundCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await returnRefund(tx, scope, now, body)
    return { id: body.id }
  })

  write(app, deps, refundTransfers, 'office:payments.decide', async (tx, { scope, body, now }) => {
    const transfers = await takeTransfers(tx, scope, now, body)
    return { file: transfersFile(transfers, istDay(now)) }
  })

  write(app, deps, withdrawRefundCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await withdrawRefund(tx, scope, now, body.id)
    return { id: body.id }
  })
}
