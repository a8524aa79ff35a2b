import { messages } from '@podium/contract/messages'
import { paymentProof, paymentReceipt, paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { exportReceipts, officeReceipts } from '@podium/contract/payments/calls-receipts'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { keepAccepted } from '#platform/files/files-accept'
import { refuseLargeProof } from '#platform/foundation'
import { serve } from '#platform/http/http'
import { once, unlessWritten } from '#platform/http/idempotency'
import { followSlabs } from '#platform/share-slabs'
import { accountRoutes as payAccountRoutes } from '../accounts/routes.ts'
import { paymentFiles } from '../queries.ts'
import { receiptsFile } from '../receipts/documents.ts'
import { allReceipts, receiptsPage } from '../receipts/queries.ts'
import { officePaymentRoutes, proofFile, receiptFile } from '../verification/routes.ts'
import { checkSubmission, hashOf, submitPayment } from './commands.ts'
import { paymentSummaryOf } from './queries-summary.ts'

/** The receipts of a season, as a list and as a file. */
function receiptRoutes(app: FastifyInstance, deps: Deps): void {
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

type Submitted = Awaited<ReturnType<typeof submitPayment>>

/** The calls of the page Manage Payments, and of the office's queue, receipts and own accounts. */
export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, paymentSummary, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    const season = query.FYear as Season
    await followSlabs(deps.db, now, { schoolId: scope.schoolId, season })
    return paymentSummaryOf(deps.db, scope, season, now)
  })

  const payer = (scope: SchoolScope) => `account:${scope.userId}`
  const saying = async (scope: SchoolScope, submitted: Promise<Submitted | undefined>) => {
    const answer = await submitted.catch((thrown: unknown) => {
      if (thrown instanceof Refusal && thrown.code === 'payments.amount_changed') {
        deps.log.warn({ school: scope.schoolId }, 'a payment came with another amount than is due')
      }
      throw thrown
    })
    if (answer) deps.nudge()
    return answer && { ...answer, message: messages.saved }
  }

  serve(
    app,
    deps,
    savePayment,
    'school',
    async ({ scope, body, now, request, upload: { bytes } }) => {
      await refuseLargeProof(deps.db, bytes)
      const proof = { file: await keepAccepted(deps.files, bytes), sentSha256: hashOf(bytes) }
      const submitted = deps.db
        .transaction()
        .execute((tx) =>
          once(tx, now, payer(scope), request.idempotencyKey, body, () =>
            submitPayment(tx, deps.files, scope, now, body, proof),
          ),
        )
      return orNotFound(await saying(scope, submitted))
    },
    {
      guard: async ({ scope, body, now, request }) => {
        requireOwnSchool(scope, body)
        const check = (tx: Tx) => checkSubmission(tx, scope, now, body)
        return saying(
          scope,
          unlessWritten<Submitted>(deps.db, payer(scope), request.idempotencyKey, body, check),
        )
      },
    },
  )

  serve(app, deps, paymentProof, 'school', async ({ scope, query }) =>
    proofFile(deps, orNotFound(await paymentFiles(deps.db, query.id, scope))),
  )

  serve(app, deps, paymentReceipt, 'school', async ({ scope, query, now }) =>
    receiptFile(deps, now, orNotFound(await paymentFiles(deps.db, query.id, scope))),
  )

  officePaymentRoutes(app, deps)
  receiptRoutes(app, deps)
  payAccountRoutes(app, deps)
}
