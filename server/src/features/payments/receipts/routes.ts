import { exportReceipts, officeReceipts } from '@podium/contract/payments/calls-receipts'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { receiptsFile } from './documents.ts'
import { allReceipts, receiptsPage } from './queries.ts'

/** The receipts of a season, as a list and as a file. */
export function receiptRoutes(app: FastifyInstance, deps: Deps): void {
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
}
