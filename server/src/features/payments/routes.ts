import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { messages } from '@podium/contract/messages'
import {
  feeStatement,
  paymentProof,
  paymentReceipt,
  paymentSummary,
  savePayment,
} from '@podium/contract/payments/calls'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { letterhead } from '#features/foundation/queries'
import type { Tx } from '#platform/database'
import type { Deps } from '#platform/deps'
import { found, Refusal } from '#platform/errors'
import { keepAccepted } from '#platform/files-accept'
import { serve } from '#platform/http'
import { once, unlessWritten } from '#platform/idempotency'
import { refuseLargeProof } from '#platform/moved-limits'
import { ownSchool } from '#platform/own-school'
import type { SchoolScope } from '#platform/scope'
import { followSlabs } from '#platform/share-slabs'
import { checkSubmission, hashOf, submitPayment } from './commands.ts'
import { statementPdf } from './documents-statement.ts'
import { paymentFiles } from './queries.ts'
import { accountAnswer } from './queries-account.ts'
import { ledgerAnswer } from './queries-ledger.ts'
import { statementOf } from './queries-statement.ts'
import { paymentSummaryOf } from './queries-summary.ts'
import { bankRoutes } from './routes-bank.ts'
import { officeBookRoutes } from './routes-books.ts'
import { proofFile, receiptFile } from './routes-files.ts'
import { ledgerRoutes } from './routes-ledger.ts'
import { officePaymentRoutes } from './routes-office.ts'

type Submitted = Awaited<ReturnType<typeof submitPayment>>

/** The calls of the page Manage Payments, and of the office's queue. */
export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, paymentSummary, 'school', async ({ scope, query, now }) => {
    ownSchool(scope, query)
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
      return found(await saying(scope, submitted))
    },
    {
      guard: async ({ scope, body, now, request }) => {
        ownSchool(scope, body)
        const check = (tx: Tx) => checkSubmission(tx, scope, now, body)
        return saying(
          scope,
          unlessWritten<Submitted>(deps.db, payer(scope), request.idempotencyKey, body, check),
        )
      },
    },
  )

  serve(app, deps, paymentProof, 'school', async ({ scope, query }) =>
    proofFile(deps, found(await paymentFiles(deps.db, query.id, scope))),
  )

  serve(app, deps, paymentReceipt, 'school', async ({ scope, query, now }) =>
    receiptFile(deps, now, found(await paymentFiles(deps.db, query.id, scope))),
  )

  serve(app, deps, feeStatement, 'school', async ({ scope, query, now }) => {
    ownSchool(scope, query)
    const statement = await statementOf(deps.db, scope, query.FYear as Season)
    const content = await statementPdf(statement, await letterhead(deps.db, deps.files), now)
    const name = `Fee-statement-${scope.schoolCode}-${query.FYear}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, accountStatement, 'school', async ({ scope, query }) => {
    ownSchool(scope, query)
    return accountAnswer(deps.db, scope, query.FYear)
  })

  serve(app, deps, shareLedger, 'school', async ({ scope, query }) => {
    ownSchool(scope, query)
    return ledgerAnswer(deps.db, scope, query.FYear)
  })

  ledgerRoutes(app, deps)
  officePaymentRoutes(app, deps)
  bankRoutes(app, deps)
  officeBookRoutes(app, deps)
}
