import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { readStored, type StoredFile } from '#platform/files/files'
import type { FileAnswer } from '#platform/http/http'
import { keptReceipt } from '../jobs.ts'
import type { PaymentFiles } from '../queries.ts'

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
export async function proofPdf(deps: Deps, payment: PaymentFiles): Promise<StoredFile> {
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
