import {
  exportPayments,
  officePaymentOne,
  officePaymentProof,
  officePaymentReceipt,
  officePayments,
  officeProofPage,
  officeProofPages,
  rejectPayment,
  rejectPayments,
  verifyPayment,
  verifyPayments,
} from '@podium/contract/payments/calls-verification'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { readStored, type StoredFile } from '#platform/files/files'
import { pageOf } from '#platform/files/files-accept'
import { type FileAnswer, serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import { keptReceipt } from '../jobs.ts'
import { type PaymentFiles, paymentFiles } from '../queries.ts'
import { paymentsFile } from '../receipts/documents.ts'
import {
  rejectByHand,
  rejectPayments as rejectSeveral,
  verifyByHand,
  verifyPayments as verifySeveral,
} from './commands.ts'
import { allPayments, paymentQueue } from './queries.ts'
import { officePaymentOf } from './queries-one.ts'

/** Pictures of our own encoding may be shown in place; a PDF that somebody sent is downloaded (docs/security.md, T29). */
function answerOf(file: StoredFile): FileAnswer {
  const inline = file.mediaType.startsWith('image/')
  return { file: { name: file.name, mediaType: file.mediaType, content: file.content, inline } }
}

/** The proof of a payment that the caller may see. */
export async function proofFile(deps: Deps, payment: PaymentFiles): Promise<FileAnswer> {
  const fileId = orNotFound(payment.proof_file_id ?? undefined)
  return answerOf(orNotFound(await readStored(deps.db, deps.files, fileId, { kind: 'payment-proof' })))
}

/** The same where it is a PDF, whose pages can be drawn. */
async function proofPdf(deps: Deps, payment: PaymentFiles): Promise<StoredFile> {
  const fileId = orNotFound(payment.proof_file_id ?? undefined)
  const file = orNotFound(await readStored(deps.db, deps.files, fileId, { kind: 'payment-proof' }))
  return orNotFound(file.mediaType === 'application/pdf' ? file : undefined)
}

/** The receipt of a payment that the caller may see; made now where its job has not come to it yet. */
export async function receiptFile(deps: Deps, now: Date, payment: PaymentFiles): Promise<FileAnswer> {
  const file = await keptReceipt(deps.db, deps.files, now, payment.id)
  if (payment.receipt_file_id === null) deps.nudge()
  return answerOf(file)
}

/** The office's queue of payments: who may read sees everything, who may decide ends a payment once. */
export function officePaymentRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, officePayments, 'office:payments.read', ({ scope, query }) =>
    paymentQueue(deps.db, scope, query),
  )

  serve(app, deps, exportPayments, 'office:payments.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const rows = await deps.db.transaction().execute(async (tx) => {
      const found = await allPayments(tx, scope, query)
      const told = { format, payments: found.length, filters: query }
      await audit(
        tx,
        now,
        scope,
        'payments.exported',
        { kind: 'payments', id: 'all', season: query.FYear },
        told,
      )
      return found
    })
    return { file: paymentsFile(rows, query.FYear, format) }
  })

  serve(app, deps, officePaymentOne, 'office:payments.read', async ({ scope, query }) => ({
    payment: await officePaymentOf(deps.db, scope, query.id),
  }))

  serve(app, deps, officePaymentProof, 'office:payments.read', async ({ query }) =>
    proofFile(deps, orNotFound(await paymentFiles(deps.db, query.id))),
  )

  serve(app, deps, officeProofPages, 'office:payments.read', async ({ query }) => {
    const proof = await proofPdf(deps, orNotFound(await paymentFiles(deps.db, query.id)))
    const { pages = 0 } = await pageOf(proof.content, 0)
    return { pages }
  })

  serve(app, deps, officeProofPage, 'office:payments.read', async ({ query }) => {
    const proof = await proofPdf(deps, orNotFound(await paymentFiles(deps.db, query.id)))
    const { bytes } = await pageOf(proof.content, query.page)
    if (bytes.length === 0) throw new Refusal('not_found')
    const name = `${proof.name.replace(/\.pdf$/i, '')}-${query.page}.jpg`
    return { file: { name, mediaType: 'image/jpeg', content: bytes, inline: true } }
  })

  serve(app, deps, officePaymentReceipt, 'office:payments.read', async ({ query, now }) =>
    receiptFile(deps, now, orNotFound(await paymentFiles(deps.db, query.id))),
  )

  write(app, deps, verifyPayment, 'office:payments.decide', async (tx, { scope, body, now, request }) => {
    const caller = `office:${scope.staffId}`
    return once(tx, now, caller, request.idempotencyKey, body, () => verifyByHand(tx, scope, now, body))
  })

  write(app, deps, rejectPayment, 'office:payments.decide', async (tx, { scope, body, now, request }) => {
    const caller = `office:${scope.staffId}`
    const page = `${deps.settings.publicUrl}/Importantlink/managepayment`
    return once(tx, now, caller, request.idempotencyKey, body, () => rejectByHand(tx, scope, now, body, page))
  })

  serve(app, deps, verifyPayments, 'office:payments.decide', async ({ scope, body, now, request }) => {
    const several = { ...body, key: request.idempotencyKey }
    // What was done before a fault is done: its mails leave.
    return verifySeveral(deps.db, scope, now, several).finally(() => deps.nudge())
  })

  serve(app, deps, rejectPayments, 'office:payments.decide', async ({ scope, body, now, request }) => {
    const several = { ...body, key: request.idempotencyKey }
    const page = `${deps.settings.publicUrl}/Importantlink/managepayment`
    return rejectSeveral(deps.db, scope, now, several, page).finally(() => deps.nudge())
  })
}
