import { createHash } from 'node:crypto'
import { messages } from '@podium/contract/messages'
import { fromRupees, rupees } from '@podium/contract/money'
import { normaliseUtr, type Purpose, paymentForOf, purposeOf } from '@podium/contract/payments/rules'
import type { PaymentSubmission } from '@podium/contract/payments/schemas'
import { istDay, parseSeason, type Season, seasonYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolAccess, SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, findRow } from '#platform/db/rows'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files/files'
import type { StoredUpload } from '#platform/files/files-accept'
import { readFoundation } from '#platform/foundation'
import { updateSlabSharesIn } from '#platform/paid-students'
import { mailReceived } from '../commands-mails.ts'
import { type Cover, coverLibrary, isLibraryPayment } from '../library/commands.ts'
import { bankAccount, charges, isWithdrawn } from '../queries.ts'
import { type Figures, figuresOf, referenceOf } from '../rules.ts'

/** An accepted proof, and the hash of the upload: pictures are re-encoded, so their own hash differs. */
export interface Proof {
  file: StoredUpload
  sentSha256: string
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Refuses a different amount. The client's amount is only compared, never used (docs/security.md, T10). */
function checkAmount(figures: Figures, stated: number): void {
  if (fromRupees(stated) === figures.payable) return
  throw new Refusal('payments.amount_changed', {
    fields: {
      payableAmount: rupees(figures.payable),
      gross: rupees(figures.gross),
      retained: rupees(figures.retained),
    },
  })
}

/** Refuses a day after today (IST) or before the season, which the office may open before April. */
async function checkDay(tx: Tx, day: string, season: Season, now: Date): Promise<void> {
  if (day > istDay(now)) throw refuseField('paymentDate', messages.paymentDateFuture)
  if (day >= `${seasonYear(season)}-04-01`) return
  const { created_at } = await findRow(tx, 'seasons', { label: season }, ['created_at'])
  if (day < istDay(created_at)) throw refuseField('paymentDate', messages.paymentDateEarly)
}

/** The payments of this fee that were not rejected. Refuses while one is pending. */
export async function earlierPayments(
  tx: Tx,
  scope: SchoolAccess,
  season: Season,
  purpose: Purpose,
): Promise<{ reference: string }[]> {
  const earlier = await tx
    .selectFrom('payments')
    .select(['state', 'reference'])
    .where('school_id', '=', scope.schoolId)
    .where('season', '=', season)
    .where('purpose', '=', purpose)
    .where('state', '<>', 'rejected')
    .execute()
  if (earlier.some((payment) => payment.state === 'pending')) {
    throw new Refusal(purpose === 'library' ? 'payments.order_pending_first' : 'payments.pending_first')
  }
  return earlier
}

/** Checks and locks what a school pays for. Same refusals as `submitPayment`. */
export async function checkSubmission(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  submission: PaymentSubmission,
): Promise<{ cover: Cover; earlier: { reference: string }[]; earlierProof: StoredProof | undefined }> {
  const cover = await coverOf(tx, scope, now, submission)
  const { purpose, season, figures } = cover
  await checkDay(tx, submission.paymentDate, season, now)
  checkAmount(figures, submission.payableAmount)
  const earlier = await earlierPayments(tx, scope, season, purpose)
  orNotFound(await bankAccount(tx, purpose, now), 'payments.no_account')
  const earlierProof =
    submission.proofOf === undefined ? undefined : await withdrawnProof(tx, scope, cover, submission.proofOf)
  return { cover, earlier, earlierProof }
}

interface StoredProof {
  proof_file_id: string | null
  proof_sha256: string
}

/**
 * The stored proof of the school's last payment of this fee, which it withdrew. Refuses with `not_found` for another school's
 * payment, and asks for a file if the payment is any other of its own, or its proof has been deleted.
 */
async function withdrawnProof(
  tx: Tx,
  scope: SchoolScope,
  { purpose, season }: Cover,
  id: number,
): Promise<StoredProof> {
  const { rows } = await sql<StoredProof & { reusable: boolean }>`
    select p.proof_file_id, p.proof_sha256,
      ${isWithdrawn} and p.purpose = ${purpose} and p.season = ${season} and p.proof_file_id is not null
        and not exists (select from payments later where later.school_id = p.school_id and later.season = p.season
          and later.purpose = p.purpose and later.id > p.id) as reusable
    from payments p where p.id = ${id} and p.school_id = ${scope.schoolId}`.execute(tx)
  const { reusable, ...proof } = orNotFound(rows[0])
  if (!reusable) throw refuseField('attechment', messages.attachmentRequired)
  return proof
}

/**
 * Stores a school's payment for exactly the students listed, who must be active, owe the fee, and not be covered by another
 * payment; they stay locked until the foundation has decided. Without `proof`, that of a withdrawn payment is used again. A library order lists its lines instead. Amounts are computed
 * here. Refuses with `not_found`, `payments.*` or a field.
 */
export async function submitPayment(
  tx: Tx,
  files: FileStore,
  scope: SchoolScope,
  now: Date,
  submission: PaymentSubmission,
  proof: Proof | undefined,
): Promise<{ id: number; payableAmount: number }> {
  const { cover, earlier, earlierProof } = await checkSubmission(tx, scope, now, submission)
  const { purpose, season, figures } = cover
  const foundation = await readFoundation(tx)
  const stored = earlierProof ?? (await storeProof(tx, files, scope, now, submission, orNotFound(proof)))
  const payment = await addedRow(tx, 'payments', ['id', 'reference'], {
    school_id: scope.schoolId,
    season,
    purpose,
    reference: referenceOf(foundation.receipt_prefix, season, scope.schoolCode, purpose, earlier),
    ...figures,
    paid_on: submission.paymentDate,
    utr: normaliseUtr(submission.utr),
    remarks: submission.remarks,
    ...stored,
    submitted_by: scope.userId,
    submitted_at: now,
  })
  await cover.store(payment.id)
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

async function storeProof(
  tx: Tx,
  files: FileStore,
  scope: SchoolScope,
  now: Date,
  { attechmentName }: PaymentSubmission,
  { file, sentSha256 }: Proof,
): Promise<StoredProof> {
  const id = await storeFile(tx, files, now, {
    schoolId: scope.schoolId,
    kind: 'payment-proof',
    name: proofName(attechmentName, file.extension),
    mediaType: file.mediaType,
    bytes: file.bytes,
    createdBy: scope.userId,
  })
  return { proof_file_id: id, proof_sha256: sentSha256 }
}

/** The payment as subject of audit lines. */
export function subjectOf(id: number, schoolId: number, season: string) {
  return { kind: 'payment', id, schoolId, season }
}

/** The upload's file name, with the extension of its real type. */
function proofName(sent: string, extension: string): string {
  const bare = sent.replace(/\.[A-Za-z0-9]{1,8}$/, '')
  return `${bare === '' ? 'payment-proof' : bare}.${extension}`
}

/** The fields that say what is paid for. */
type SubmittedItems = Pick<
  PaymentSubmission,
  'individualRegIdList' | 'payableAmount' | 'paymentFor' | 'FYear'
>

interface Line {
  id: number
  season: string
  purpose: Purpose
  due: boolean
  covered_by: string | null
  gross: number
  retained: number
}

/**
 * Locks the school and what the submission lists, and returns what is paid for. Refuses with `not_found` (for unknown and
 * other schools' ids) or `payments.*`.
 */
export async function coverOf(
  tx: Tx,
  scope: SchoolAccess,
  now: Date,
  submission: SubmittedItems,
): Promise<Cover> {
  const ids = [...new Set(submission.individualRegIdList)]
  await sql`select id from schools where id = ${scope.schoolId} for no key update`.execute(tx)
  const { paymentFor } = submission
  const library =
    paymentFor === undefined
      ? await isLibraryPayment(tx, scope, ids, fromRupees(submission.payableAmount))
      : purposeOf(paymentFor) === 'library'
  return library
    ? coverLibrary(tx, scope, ids, submission.FYear)
    : coverStudents(tx, scope, now, ids, submission)
}

async function coverStudents(
  tx: Tx,
  scope: SchoolAccess,
  now: Date,
  ids: number[],
  submission: SubmittedItems,
): Promise<Cover> {
  const lines = await lockLines(tx, scope, now, ids)
  const season = seasonOf(lines, submission)
  const { purpose, paid } = linesPaid(lines, submission)
  checkLines(paid)
  return {
    purpose,
    season,
    figures: figuresOf(paid),
    listed: { students: ids },
    async store(paymentId) {
      await sql`
        insert into payment_lines (payment_id, student_id, purpose, gross, retained)
        select ${paymentId}, s.id, c.purpose, c.gross, c.retained
        from students s cross join ${charges}
        where s.id = any(${ids}::bigint[]) and c.purpose = ${purpose}`.execute(tx)
      await sql`update students set locked = true where id = any(${ids}::bigint[]) and not locked`.execute(tx)
    },
  }
}

/**
 * Locks the school, then the students (docs/decisions/0008), adjusts open fees to the slab of the head count, and returns what
 * each student owes for each fee.
 */
async function lockLines(tx: Tx, scope: SchoolAccess, now: Date, ids: number[]): Promise<Line[]> {
  const locked = await sql<{ season: string }>`
    select season from students where id = any(${ids}::bigint[]) and school_id = ${scope.schoolId}
    order by id for update`.execute(tx)
  if (locked.rows.length !== ids.length) throw new Refusal('not_found')
  for (const season of new Set(locked.rows.map((row) => row.season)))
    await updateSlabSharesIn(tx, now, { schoolId: scope.schoolId, season })
  const { rows } = await sql<Line>`
    select s.id, s.season, c.purpose, s.active and c.wanted as due, p.state as covered_by, c.gross, c.retained
    from students s cross join ${charges}
    left join payment_lines l on l.student_id = s.id and l.purpose = c.purpose and l.live
    left join payments p on p.id = l.payment_id
    where s.id = any(${ids}::bigint[])`.execute(tx)
  return rows
}

/** The lines of the fee being paid. If a call does not say which, the amount decides. */
function linesPaid(lines: Line[], submission: SubmittedItems): { purpose: Purpose; paid: Line[] } {
  const of = (purpose: Purpose) => lines.filter((line) => line.purpose === purpose)
  if (submission.paymentFor) {
    const purpose = purposeOf(submission.paymentFor)
    return { purpose, paid: of(purpose) }
  }
  const amount = fromRupees(submission.payableAmount)
  const fits = (paid: Line[]) =>
    paid.every((line) => line.due && line.covered_by === null) && figuresOf(paid).payable === amount
  const purpose = !fits(of('registration')) && fits(of('books')) ? 'books' : 'registration'
  return { purpose, paid: of(purpose) }
}

function seasonOf(lines: Line[], submission: SubmittedItems): Season {
  const season = parseSeason(lines[0]?.season ?? '')
  const sameSeason = lines.every((line) => line.season === season)
  if (!season || !sameSeason || (submission.FYear !== undefined && submission.FYear !== season)) {
    throw new Refusal('payments.students_changed')
  }
  return season
}

function checkLines(paid: Line[]): void {
  if (paid.length > 0 && paid.every((line) => line.covered_by === 'pending')) {
    throw new Refusal('payments.already_sent')
  }
  if (paid.some((line) => !line.due || line.covered_by !== null)) {
    throw new Refusal('payments.students_changed')
  }
}
