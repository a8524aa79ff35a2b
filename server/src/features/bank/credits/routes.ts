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
import { istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import {
  decideRefund,
  payRefund,
  proposeRefund,
  returnRefund,
  takeTransfers,
  withdrawRefund,
} from './commands.ts'
import { creditsFile, refundsFile, transfersFile } from './documents.ts'
import { accountForOffice, allCredits, allRefunds, creditsList } from './queries.ts'

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
