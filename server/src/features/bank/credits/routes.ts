import * as calls from '@podium/contract/bank/calls-credits'
import { fromRupees, rupees, rupeesOf, sumPaise } from '@podium/contract/money'
import { istDay, type Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { accountAnswer } from '#features/ledger/statement/queries'
import { unpaidRefunds } from '#features/payments/queries'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import { accessToSchool, type OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords, instant } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { dayCell, type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import * as commands from './commands.ts'

interface RefundRow extends Omit<calls.Refund, 'can'> {
  proposerId: number
}

/** The refund with its amount in rupees, and what the caller may do. */
function refundOf(scope: OfficeScope, { proposerId, ...row }: RefundRow): calls.Refund {
  const may = mayDo(scope.role, 'payments.decide') || 'access.denied'
  const open = row.state === 'proposed'
  const isProposer = proposerId === scope.staffId
  return {
    ...row,
    amount: rupeesOf(row.amount),
    can: {
      decide: !open ? 'refund.decided' : isProposer ? 'refund.own' : may,
      withdraw: open ? may : 'refund.decided',
      settle: row.state === 'approved' ? may : open ? 'refund.not_approved' : 'refund.settled',
    },
  }
}

async function creditsBy(
  db: Db | Tx,
  search: string,
  window: RawBuilder<unknown>,
): Promise<calls.CreditRow[]> {
  const { rows } = await sql<calls.CreditRow>`
    select o.id as "schoolId", o.code as "schCode", o.name as "schName", c.amount, coalesce(r.promised, 0) as promised
    from (select school_id, sum(amount) as amount from school_credits group by school_id having sum(amount) > 0) c
    join schools o on o.id = c.school_id
    left join (select school_id, sum(amount) as promised from ${unpaidRefunds} group by school_id) r
      on r.school_id = c.school_id
    where ${hasWords(search, sql`o.search_key`)} order by c.amount desc, o.id ${window}`.execute(db)
  return rows.map((row) => ({ ...row, amount: rupeesOf(row.amount), promised: rupeesOf(row.promised) }))
}

async function refundsBy(db: Db | Tx, scope: OfficeScope, search: string, window: RawBuilder<unknown>) {
  const { rows } = await sql<RefundRow>`
    select r.id, r.school_id as "schoolId", o.code as "schCode", o.name as "schName", r.amount, r.pay_to as "payTo", r.reason,
      r.state, p.name as "proposedBy", r.proposed_by as "proposerId", ${instant('r.proposed_at')} as "proposedAt",
      coalesce(d.name, '') as "decidedBy", ${instant('r.decided_at')} as "decidedAt", r.decision_note as "decisionNote",
      r.utr, ${instant('r.filed_at')} as "filedAt",
      coalesce(s.name, '') as "settledBy", ${instant('r.settled_at')} as "settledAt", r.settle_note as "settleNote"
    from refunds r join schools o on o.id = r.school_id join staff p on p.id = r.proposed_by
    left join staff d on d.id = r.decided_by left join staff s on s.id = r.settled_by
    where ${hasWords(search, sql`o.search_key`)}
    order by case r.state when 'proposed' then 1 when 'approved' then 2 else 3 end, r.id desc
      ${window}`.execute(db)
  return rows.map((row) => refundOf(scope, row))
}

/** All matching schools with credit, largest first. */
const allCredits = (tx: Tx, _scope: OfficeScope, search: string) => creditsBy(tx, search, sql``)

/** All matching refunds: pending ones, then the latest. */
const allRefunds = (tx: Tx, scope: OfficeScope, search: string) => refundsBy(tx, scope, search, sql``)

/** The number of approved, unpaid refunds, regardless of the search. */
async function toPayOf(db: Db) {
  const { rows } = await sql<{ refunds: number; amount: number; fresh: number; by_hand: number }>`
    select count(*) as refunds, coalesce(sum(r.amount), 0) as amount,
      count(*) filter (where r.account_no <> '' and r.filed_at is null) as fresh,
      count(*) filter (where r.account_no = '') as by_hand
    from refunds r where r.state = 'approved'`.execute(db)
  const { refunds, amount, fresh, by_hand } = rows[0] ?? { refunds: 0, amount: 0, fresh: 0, by_hand: 0 }
  return { refunds, amount: rupeesOf(amount), fresh, byHand: by_hand }
}

/** Schools with credit, largest first, at most 200; pending refunds, then the last hundred others. */
async function creditsList(db: Db, scope: OfficeScope, search: string) {
  const credits = await creditsBy(db, search, sql`limit 200`)
  return {
    credits,
    total: rupees(sumPaise(credits.map(({ amount }) => fromRupees(amount)))),
    refunds: await refundsBy(db, scope, search, sql`limit 100`),
    toPay: await toPayOf(db),
    can: { propose: mayDo(scope.role, 'payments.decide') || 'access.denied' },
  }
}

/** The account of any school, as the school sees it. */
async function accountForOffice(db: Db, scope: OfficeScope, schoolId: number, season: Season) {
  const school = orNotFound(await firstRow(db, 'schools', { id: schoolId }, ['id', 'code', 'name']))
  const account = await accountAnswer(db, accessToSchool(scope, schoolId), season)
  return { schoolId, schCode: school.code, schName: school.name, ...account }
}

const creditColumns: readonly ListColumn<calls.CreditRow>[] = [
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'In credit', kind: 'money', value: (row) => row.amount },
  { title: 'Reserved for refunds', kind: 'money', value: (row) => row.promised },
]

const refundStateNames = {
  proposed: 'Needs approval',
  approved: 'To pay',
  paid: 'Paid',
  returned: 'Sent back',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
} as const

const refundColumns: readonly ListColumn<calls.Refund>[] = [
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'Amount', kind: 'money', value: (row) => row.amount },
  { title: 'Pay to', width: 32, value: (row) => row.payTo },
  { title: 'Reason', width: 40, value: (row) => row.reason },
  { title: 'Status', value: (row) => refundStateNames[row.state] },
  { title: 'Proposed by', width: 24, value: (row) => row.proposedBy },
  { title: 'Proposed on', kind: 'date', value: (row) => dayCell(row.proposedAt) },
  { title: 'Decided by', width: 24, value: (row) => row.decidedBy },
  { title: 'Decided on', kind: 'date', value: (row) => dayCell(row.decidedAt) },
  { title: 'Decision', width: 32, value: (row) => row.decisionNote },
  { title: 'UTR', width: 24, value: (row) => row.utr },
  { title: 'Paid or sent back by', width: 24, value: (row) => row.settledBy },
  { title: 'Paid or sent back on', kind: 'date', value: (row) => dayCell(row.settledAt) },
  { title: 'Sent back because', width: 32, value: (row) => row.settleNote },
]

/** The columns of a file for bulk NEFT. */
const transferColumns: readonly ListColumn<commands.Transfer>[] = [
  { title: 'Beneficiary name', width: 36, value: (row) => row.accountName },
  { title: 'Account no.', width: 24, value: (row) => row.accountNo },
  { title: 'IFSC', width: 16, value: (row) => row.ifsc },
  { title: 'Amount', kind: 'money', value: (row) => rupees(row.amount) },
  { title: 'Remarks', width: 32, value: (row) => `REFUND ${row.id} ${row.code}` },
]

/** Routes for schools' credits, and refunds from proposal to transfer. */
export function creditRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, calls.officeCredits, 'office:payments.read', ({ scope, query }) =>
    creditsList(db, scope, query.search),
  )

  write(app, deps, calls.exportCredits, 'office:payments.read', async (tx, { scope, body, now }) => {
    const { which, search, format } = body
    const logExport = (kind: 'credit' | 'refund', rows: number) =>
      audit(tx, now, scope, `${kind}.exported`, { kind, id: 'all' }, { format, rows, filters: { search } })
    if (which === 'credits') {
      const credits = await allCredits(tx, scope, search)
      await logExport('credit', credits.length)
      return { file: sheetFile('Credits of schools', creditColumns, credits, format) }
    }
    const refunds = await allRefunds(tx, scope, search)
    await logExport('refund', refunds.length)
    await notifyOfExport(tx, scope, now, 'the refunds', refunds.length)
    return { file: sheetFile('Refunds', refundColumns, refunds, format) }
  })

  serve(app, deps, calls.officeAccount, 'office:payments.read', ({ scope, query }) =>
    accountForOffice(db, scope, query.schoolId, query.FYear),
  )

  write(app, deps, calls.proposeRefund, 'office:payments.decide', (tx, { scope, body, now }) =>
    commands.proposeRefund(tx, scope, now, body),
  )

  write(app, deps, calls.decideRefund, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await commands.decideRefund(tx, scope, now, body)
    return { id: body.id }
  })

  write(app, deps, calls.payRefund, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await commands.payRefund(tx, scope, now, body)
    return { id: body.id }
  })

  write(app, deps, calls.returnRefund, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await commands.returnRefund(tx, scope, now, body)
    return { id: body.id }
  })

  write(app, deps, calls.refundTransfers, 'office:payments.decide', async (tx, { scope, body, now }) => {
    const transfers = await commands.claimRefundTransfers(tx, scope, now, body)
    return { file: sheetFile(`Refunds to pay ${istDay(now)}`, transferColumns, transfers, 'csv') }
  })

  write(app, deps, calls.withdrawRefund, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await commands.withdrawRefund(tx, scope, now, body.id)
    return { id: body.id }
  })
}
