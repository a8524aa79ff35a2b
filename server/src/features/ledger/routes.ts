import {
  decideRefund as decideRefundCall,
  exportCredits,
  officeAccount,
  officeCredits,
  payRefund as payRefundCall,
  proposeRefund as proposeRefundCall,
  refundTransfers,
  returnRefund as returnRefundCall,
  withdrawRefund as withdrawRefundCall,
} from '@podium/contract/bank/calls-credits'
import {
  closeDay as closeCall,
  closeDays as closeDaysCall,
  exportDays,
  moneyDays,
} from '@podium/contract/ledger/calls-closing'
import {
  decideAccount as decideAccountCall,
  payAccounts,
  proposeAccount as proposeAccountCall,
  stopAccount as stopAccountCall,
  withdrawAccount as withdrawAccountCall,
} from '@podium/contract/payments/calls-accounts'
import { exportReceipts, officeReceipts } from '@podium/contract/payments/calls-receipts'
import { istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import {
  decideRefund,
  payRefund,
  proposeRefund,
  returnRefund,
  takeTransfers,
  withdrawRefund,
} from '#features/bank/credits/commands'
import { creditsFile, refundsFile, transfersFile } from '#features/bank/credits/documents'
import { accountForOffice, allCredits, allRefunds, creditsList } from '#features/bank/credits/queries'
import {
  decideAccount,
  proposeAccount,
  stopAccount,
  withdrawAccount,
} from '#features/payments/accounts/commands'
import { payAccountsOf } from '#features/payments/accounts/queries'
import { journalFile, receiptsFile } from '#features/payments/receipts/documents'
import { allReceipts, receiptsPage } from '#features/payments/receipts/queries'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import { closeDay, closeDays } from './closing/commands.ts'
import { journal, moneyDaysOf } from './closing/queries.ts'

/** The office's books: receipts, credits and refunds, closed days, and the foundation's accounts. */
export function officeBookRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, officeReceipts, 'office:payments.read', ({ scope, query }) =>
    receiptsPage(db, scope, query),
  )

  serve(app, deps, exportReceipts, 'office:payments.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const subject = { kind: 'receipts', id: 'all', season: query.FYear }
    const receipts = await reads.caughtUp((tx) => allReceipts(tx, scope, query))
    const told = { format, receipts: receipts.length, filters: query }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'receipts.exported', subject, told))
    return { file: receiptsFile(receipts, query.FYear, format) }
  })

  serve(app, deps, moneyDays, 'office:payments.read', async ({ scope, query, now }) => ({
    data: await moneyDaysOf(db, scope, query.FYear, now),
  }))

  serve(app, deps, closeCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => closeDay(tx, scope, now, body))
    return { day: body.day }
  })

  serve(app, deps, closeDaysCall, 'office:payments.decide', ({ scope, body, now }) =>
    db.transaction().execute((tx) => closeDays(tx, scope, now, body)),
  )

  serve(app, deps, exportDays, 'office:payments.read', async ({ scope, body, now }) => {
    const { from, until, format } = body
    const subject = { kind: 'money-day', id: until }
    const rows = await reads.caughtUp((tx) => journal(tx, from, until))
    const told = { from, until, format, rows: rows.length }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'money.exported', subject, told))
    return { file: journalFile(rows, from, until, format) }
  })

  creditRoutes(app, deps)
  accountRoutes(app, deps)
}

function creditRoutes(app: FastifyInstance, deps: Deps): void {
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

  serve(app, deps, proposeRefundCall, 'office:payments.decide', ({ scope, body, now, request }) =>
    db
      .transaction()
      .execute((tx) =>
        once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, () =>
          proposeRefund(tx, scope, now, body),
        ),
      ),
  )

  serve(app, deps, decideRefundCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => decideRefund(tx, scope, now, body))
    return { id: body.id }
  })

  serve(app, deps, payRefundCall, 'office:payments.decide', async ({ scope, body, now, request }) =>
    db.transaction().execute((tx) =>
      once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, async () => {
        await payRefund(tx, scope, now, body)
        return { id: body.id }
      }),
    ),
  )

  serve(app, deps, returnRefundCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => returnRefund(tx, scope, now, body))
    return { id: body.id }
  })

  serve(app, deps, refundTransfers, 'office:payments.decide', async ({ scope, body, now }) => {
    const transfers = await db.transaction().execute((tx) => takeTransfers(tx, scope, now, body))
    return { file: transfersFile(transfers, istDay(now)) }
  })

  serve(app, deps, withdrawRefundCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => withdrawRefund(tx, scope, now, body.id))
    return { id: body.id }
  })
}

function accountRoutes(app: FastifyInstance, deps: Deps): void {
  /** Writes, and lets the mails to the owners leave. */
  const write = async <Answer>(act: (tx: Tx) => Promise<Answer>): Promise<Answer> => {
    const answer = await deps.db.transaction().execute(act)
    deps.nudge()
    return answer
  }
  serve(app, deps, payAccounts, 'office:payments.read', ({ scope, now }) =>
    payAccountsOf(deps.db, scope, now),
  )

  serve(app, deps, proposeAccountCall, 'office:payments.decide', ({ scope, body, now }) =>
    write((tx) => proposeAccount(tx, scope, now, body)),
  )

  serve(app, deps, decideAccountCall, 'office:payments.decide', ({ scope, body, now }) =>
    write((tx) => decideAccount(tx, scope, now, body)),
  )

  serve(app, deps, withdrawAccountCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await write((tx) => withdrawAccount(tx, scope, now, body.id))
    return { id: body.id }
  })

  serve(app, deps, stopAccountCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await write((tx) => stopAccount(tx, scope, now, body.id, body.reason))
    return { id: body.id }
  })
}
