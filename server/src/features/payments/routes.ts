import { messages } from '@podium/contract/messages'
import {
  paymentProof,
  paymentReceipt,
  paymentSummary,
  savePayment,
  withdrawPayment as withdrawPaymentCall,
} from '@podium/contract/payments/calls'
import {
  type AccountChange,
  type AccountPurpose,
  accountPurposes,
  decideAccount as decideAccountCall,
  payAccounts,
  proposeAccount as proposeAccountCall,
  stopAccount as stopAccountCall,
  withdrawAccount as withdrawAccountCall,
} from '@podium/contract/payments/calls-accounts'
import * as calls from '@podium/contract/payments/calls-verification'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import {
  decideAccount,
  proposeAccount,
  stopAccount,
  withdrawAccount,
} from '#features/payments/accounts/commands'
import { paymentsFile } from '#features/payments/receipts/documents'
import { receiptRoutes } from '#features/payments/receipts/routes'
import { checkSubmission, hashOf, type Proof, submitPayment } from '#features/payments/submission/commands'
import { paymentSummaryOf } from '#features/payments/submission/queries-summary'
import {
  rejectByHand,
  rejectPayments as rejectSeveral,
  verifyByHand,
  verifyPayments as verifySeveral,
  withdrawPayment,
} from '#features/payments/verification/commands'
import { reopenPayment } from '#features/payments/verification/commands-reopen'
import { allPayments, paymentQueue } from '#features/payments/verification/queries'
import { officePaymentOf } from '#features/payments/verification/queries-one'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { readStored, type StoredFile } from '#platform/files/files'
import { shownFile, storeAccepted } from '#platform/files/files-accept'
import { refuseLargeProof } from '#platform/foundation'
import { command, serve, write } from '#platform/http/http'
import { checkOrReplay, idempotent } from '#platform/http/idempotency'
import { updateSlabShares } from '#platform/paid-students'
import { storedReceipt } from './jobs.ts'
import { bankAccount, type PaymentFiles, paymentFiles } from './queries.ts'

/** The accounts that schools see now, and all changes, newest first. */
async function payAccountsOf(db: Db, scope: OfficeScope, now: Date) {
  const current = []
  for (const purpose of accountPurposes) {
    const row = await bankAccount(db, purpose, now)
    if (row) current.push({ ...row, purpose, validFrom: row.validFrom.toISOString() })
  }
  const rows = await db
    .selectFrom('bank_account_changes as c')
    .innerJoin('staff as p', 'p.id', 'c.proposed_by')
    .leftJoin('staff as d', 'd.id', 'c.decided_by')
    .select(['c.id', 'c.account_name as accountName', 'c.bank_name as bankName', 'c.account_no as accountNo'])
    .select([
      'c.ifsc',
      'c.upi_id as upiId',
      'c.reason',
      'c.decision_note as decisionNote',
      'p.name as proposedBy',
    ])
    .select([
      'c.purpose',
      'c.state',
      'c.proposed_by',
      'c.proposed_at',
      'c.decided_at',
      'c.valid_from',
      'd.name as decider',
    ])
    .orderBy('c.id', 'desc')
    .limit(100)
    .execute()
  const may = mayDo(scope.role, 'payments.decide') || 'access.denied'
  const changes: AccountChange[] = rows.map(
    ({ proposed_by, proposed_at, decided_at, decider, valid_from, ...row }) => {
      const open = row.state === 'proposed'
      const isProposer = proposed_by === scope.staffId
      const soon = row.state === 'approved' && valid_from !== null && valid_from > now
      return {
        ...row,
        purpose: row.purpose as AccountPurpose,
        state: row.state as AccountChange['state'],
        proposedAt: proposed_at.toISOString(),
        decidedBy: decider ?? '',
        decidedAt: decided_at?.toISOString() ?? null,
        validFrom: valid_from?.toISOString() ?? null,
        can: {
          decide: !open ? 'account.change_decided' : isProposer ? 'account.change_own' : may,
          withdraw: open ? may : 'account.change_decided',
          stop: soon ? may : 'account.change_decided',
        },
      }
    },
  )
  return { current, changes, can: { propose: may } }
}

/** Routes for the foundation's bank accounts. */
function payAccountRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, payAccounts, 'office:payments.read', ({ scope, now }) =>
    payAccountsOf(deps.db, scope, now),
  )

  command(app, deps, proposeAccountCall, 'office:payments.decide', proposeAccount)
  command(app, deps, decideAccountCall, 'office:payments.decide', decideAccount)

  write(app, deps, withdrawAccountCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await withdrawAccount(tx, scope, now, body.id)
    return { id: body.id }
  })

  write(app, deps, stopAccountCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await stopAccount(tx, scope, now, body.id, body.reason)
    return { id: body.id }
  })
}

/** The proof of a payment; the caller must have been allowed to see the payment. */
async function proofOf(deps: Deps, payment: PaymentFiles): Promise<StoredFile> {
  const fileId = orNotFound(payment.proof_file_id ?? undefined)
  return orNotFound(await readStored(deps.db, deps.files, fileId, { kind: 'payment-proof' }))
}

/** The receipt of a payment, created now if its job has not run yet; the caller must have been allowed to see the payment. */
async function receiptOf(deps: Deps, now: Date, payment: PaymentFiles): Promise<StoredFile> {
  const file = await storedReceipt(deps.db, deps.files, now, payment.id)
  if (payment.receipt_file_id === null) deps.wake()
  return file
}

/** Routes for the office's payments queue. */
function officePaymentRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, calls.officePayments, 'office:payments.read', ({ scope, query }) =>
    paymentQueue(deps.db, scope, query),
  )

  write(app, deps, calls.exportPayments, 'office:payments.read', async (tx, { scope, body, now }) => {
    const { format, ...query } = body
    const payments = await allPayments(tx, scope, query)
    const subject = { kind: 'payments', id: 'all', season: query.FYear }
    const change = { format, payments: payments.length, filters: query }
    await audit(tx, now, scope, 'payments.exported', subject, change)
    return { file: paymentsFile(payments, query.FYear, format) }
  })

  serve(app, deps, calls.officePaymentDetails, 'office:payments.read', async ({ scope, query }) => ({
    payment: await officePaymentOf(deps.db, scope, query.id),
  }))

  serve(app, deps, calls.officePaymentProof, 'office:payments.read', async ({ query: { id, page } }) =>
    shownFile(await proofOf(deps, orNotFound(await paymentFiles(deps.db, id))), page),
  )

  serve(app, deps, calls.officePaymentReceipt, 'office:payments.read', async ({ query: { id, page }, now }) =>
    shownFile(await receiptOf(deps, now, orNotFound(await paymentFiles(deps.db, id))), page),
  )

  write(app, deps, calls.verifyPayment, 'office:payments.decide', (tx, { scope, body, now }) =>
    verifyByHand(tx, scope, now, body),
  )

  const page = `${deps.settings.publicUrl}/Importantlink/managepayment`
  write(app, deps, calls.rejectPayment, 'office:payments.decide', (tx, { scope, body, now }) =>
    rejectByHand(tx, scope, now, body, page),
  )

  write(app, deps, calls.reopenPayment, 'office:payments.decide', (tx, { scope, body, now }) =>
    reopenPayment(tx, scope, now, body),
  )

  serve(app, deps, calls.verifyPayments, 'office:payments.decide', async ({ scope, body, now, request }) => {
    const decisions = { ...body, key: request.idempotencyKey }
    // E-mails of links sent before an error must still leave.
    return verifySeveral(deps.db, scope, now, decisions).finally(() => deps.wake())
  })

  serve(app, deps, calls.rejectPayments, 'office:payments.decide', async ({ scope, body, now, request }) => {
    const decisions = { ...body, key: request.idempotencyKey }
    const page = `${deps.settings.publicUrl}/Importantlink/managepayment`
    return rejectSeveral(deps.db, scope, now, decisions, page).finally(() => deps.wake())
  })
}

async function acceptProof(deps: Deps, bytes: Buffer): Promise<Proof> {
  await refuseLargeProof(deps.db, bytes)
  return { file: await storeAccepted(deps.files, bytes), sentSha256: hashOf(bytes) }
}

type Submission = Awaited<ReturnType<typeof submitPayment>>

/** Routes for Manage Payments, and for the office's queue, receipts and bank accounts. */
export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, paymentSummary, 'school', async ({ scope, query, now }) => {
    const season = query.FYear as Season
    await updateSlabShares(deps.db, now, { schoolId: scope.schoolId, season })
    return paymentSummaryOf(deps.db, scope, season, now)
  })

  const answerSubmission = async (scope: SchoolScope, submitted: Promise<Submission | undefined>) => {
    const answer = await submitted.catch((thrown: unknown) => {
      if (thrown instanceof Refusal && thrown.code === 'payments.amount_changed') {
        deps.log.warn({ school: scope.schoolId }, 'a payment came with another amount than is due')
      }
      throw thrown
    })
    if (answer) deps.wake()
    return answer && { ...answer, message: messages.saved }
  }

  serve(
    app,
    deps,
    savePayment,
    'school',
    async (call) => {
      const { scope, body, now } = call
      const proof = body.proofOf === undefined ? await acceptProof(deps, call.upload.bytes) : undefined
      const submitted = deps.db
        .transaction()
        .execute((tx) => idempotent(tx, call, () => submitPayment(tx, deps.files, scope, now, body, proof)))
      return orNotFound(await answerSubmission(scope, submitted))
    },
    {
      guard: async (call) => {
        const { scope, body, now } = call
        const check = (tx: Tx) => checkSubmission(tx, scope, now, body)
        return answerSubmission(scope, checkOrReplay<Submission>(deps.db, call, check))
      },
    },
  )

  command(app, deps, withdrawPaymentCall, 'school', withdrawPayment)

  serve(app, deps, paymentProof, 'school', async ({ scope, query }) =>
    shownFile(await proofOf(deps, orNotFound(await paymentFiles(deps.db, query.id, scope)))),
  )

  serve(app, deps, paymentReceipt, 'school', async ({ scope, query, now }) =>
    shownFile(await receiptOf(deps, now, orNotFound(await paymentFiles(deps.db, query.id, scope)))),
  )

  officePaymentRoutes(app, deps)
  receiptRoutes(app, deps)
  payAccountRoutes(app, deps)
}
