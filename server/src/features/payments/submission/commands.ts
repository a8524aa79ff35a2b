import { createHash } from 'node:crypto'
import { messages } from '@podium/contract/messages'
import { fromRupees, rupees } from '@podium/contract/money'
import { bareUtr, type PaymentSubmission, type Purpose, paymentForOf } from '@podium/contract/payments/calls'
import { istDay, type Season, seasonYear } from '@podium/contract/season'
import { readFoundation } from '#features/office/settings/queries-foundation'
import { audit } from '#platform/audit'
import type { SchoolReach, SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal, refuseField } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files/files'
import type { KeptFile } from '#platform/files/files-accept'
import { mailReceived } from '../commands-mails.ts'
import type { Cover } from '../library/commands.ts'
import { bankAccount } from '../queries.ts'
import { type Figures, referenceOf } from '../rules.ts'
import { coverOf } from './commands-cover.ts'

/** A proof that may be kept, and the hash of what was sent: a picture is written anew, so its own hash differs. */
export interface Proof {
  file: KeptFile
  sentSha256: string
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** What the client says is compared and never used (threats.md, T10). */
function checkAmount(figures: Figures, said: number): void {
  if (fromRupees(said) === figures.payable) return
  throw new Refusal('payments.amount_changed', {
    fields: {
      payableAmount: rupees(figures.payable),
      gross: rupees(figures.gross),
      retained: rupees(figures.retained),
    },
  })
}

/** Between the first day of the season and today, by the clock of India. */
function checkDay(day: string, season: Season, now: Date): void {
  if (day > istDay(now)) throw refuseField('paymentDate', messages.paymentDateFuture)
  if (day < `${seasonYear(season)}-04-01`) throw refuseField('paymentDate', messages.paymentDateEarly)
}

/** How many payments of the kind were not rejected; refuses while one of them waits. */
export async function earlierPayments(
  tx: Tx,
  scope: SchoolReach,
  season: Season,
  purpose: Purpose,
): Promise<number> {
  const earlier = await tx
    .selectFrom('payments')
    .select('state')
    .where('school_id', '=', scope.schoolId)
    .where('season', '=', season)
    .where('purpose', '=', purpose)
    .where('state', '<>', 'rejected')
    .execute()
  if (earlier.some((payment) => payment.state === 'pending')) {
    throw new Refusal(purpose === 'library' ? 'payments.order_pending_first' : 'payments.pending_first')
  }
  return earlier.length
}

/** What a school pays for, locked until the transaction ends, where it may be kept. Refuses as `submitPayment` does. */
export async function checkSubmission(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  submission: PaymentSubmission,
): Promise<{ cover: Cover; earlier: number }> {
  const cover = await coverOf(tx, scope, now, submission)
  const { purpose, season, figures } = cover
  checkDay(submission.paymentDate, season, now)
  checkAmount(figures, submission.payableAmount)
  const earlier = await earlierPayments(tx, scope, season, purpose)
  found(await bankAccount(tx, purpose, now), 'payments.no_account')
  return { cover, earlier }
}

/**
 * Keeps what a school says it has paid: for exactly the students listed, who must be active, owe it, and be covered by
 * no other payment; all of them are locked until the foundation has decided. For a library order its lines stand in the
 * students' place. Amounts are computed here. Refuses with `not_found`, `payments.*` or a field.
 */
export async function submitPayment(
  tx: Tx,
  files: FileStore,
  scope: SchoolScope,
  now: Date,
  submission: PaymentSubmission,
  proof: Proof,
): Promise<{ id: number; payableAmount: number }> {
  const { cover, earlier } = await checkSubmission(tx, scope, now, submission)
  const { purpose, season, figures } = cover
  const foundation = await readFoundation(tx)
  const fileId = await storeFile(tx, files, now, {
    schoolId: scope.schoolId,
    kind: 'payment-proof',
    name: proofName(submission.attechmentName, proof.file.extension),
    mediaType: proof.file.mediaType,
    bytes: proof.file.bytes,
    createdBy: scope.userId,
  })
  const payment = await tx
    .insertInto('payments')
    .values({
      school_id: scope.schoolId,
      season,
      purpose,
      reference: referenceOf(foundation.receipt_prefix, season, scope.schoolCode, purpose, earlier),
      ...figures,
      paid_on: submission.paymentDate,
      utr: bareUtr(submission.utr),
      remarks: submission.remarks,
      proof_file_id: fileId,
      proof_sha256: proof.sentSha256,
      submitted_by: scope.userId,
      submitted_at: now,
    })
    .returning(['id', 'reference'])
    .executeTakeFirstOrThrow()
  await cover.keep(payment.id)
  await audit(tx, now, scope, 'payment.submitted', subjectOf(payment.id, scope.schoolId, season), {
    purpose,
    reference: payment.reference,
    ...figures,
    paymentDate: submission.paymentDate,
    ...cover.listed,
  })
  const amount = rupees(figures.payable)
  await mailReceived(tx, now, {
    id: payment.id,
    schoolId: scope.schoolId,
    submittedBy: scope.userId,
    paymentFor: paymentForOf(purpose),
    amount,
    season,
    paymentDate: submission.paymentDate,
  })
  return { id: payment.id, payableAmount: amount }
}

/** The payment as the audit trail names it. */
export function subjectOf(id: number, schoolId: number, season: string) {
  return { kind: 'payment', id, schoolId, season }
}

/** The name the person gave the file, with the ending of what it really is. */
function proofName(sent: string, extension: string): string {
  const bare = sent.replace(/\.[A-Za-z0-9]{1,8}$/, '')
  return `${bare === '' ? 'payment-proof' : bare}.${extension}`
}
