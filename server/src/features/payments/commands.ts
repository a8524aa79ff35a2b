import { createHash } from 'node:crypto'
import { messages } from '@podium/contract/messages'
import { fromRupees, rupees } from '@podium/contract/money'
import {
  bareUtr,
  type PaymentSubmission,
  type Purpose,
  paymentForOf,
  purposeOf,
} from '@podium/contract/payments'
import { istDay, parseSeason, type Season, seasonYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { readFoundation } from '#features/foundation/queries'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal, refuseField } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files'
import type { AcceptedFile } from '#platform/files-accept'
import type { SchoolScope } from '#platform/scope'
import { mailReceived } from './commands-mails.ts'
import { bankAccount, charges } from './queries.ts'
import { type Figures, figuresOf, referenceOf } from './rules.ts'

/** A proof that may be kept, and the hash of what was sent: a picture is written anew, so its own hash differs. */
export interface Proof {
  file: AcceptedFile
  sentSha256: string
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

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
 * Locks the school, then the students (docs/decisions: the order of locks), and answers what each owes of each kind.
 * Unknown and foreign students are not found alike.
 */
async function lockLines(tx: Tx, scope: SchoolScope, ids: number[]): Promise<Line[]> {
  await sql`select id from schools where id = ${scope.schoolId} for no key update`.execute(tx)
  const locked = await sql`
    select id from students where id = any(${ids}::bigint[]) and school_id = ${scope.schoolId}
    order by id for update`.execute(tx)
  if (locked.rows.length !== ids.length) throw new Refusal('not_found')
  const { rows } = await sql<Line>`
    select s.id, s.season, c.purpose, s.active and c.wanted as due, p.state as covered_by, c.gross, c.retained
    from students s cross join ${charges}
    left join payment_lines l on l.student_id = s.id and l.purpose = c.purpose and l.live
    left join payments p on p.id = l.payment_id
    where s.id = any(${ids}::bigint[])`.execute(tx)
  return rows
}

/** The lines of the kind that is paid for. Calls that do not say which mean the kind whose amount they carry. */
function linesPaid(lines: Line[], submission: PaymentSubmission): { purpose: Purpose; paid: Line[] } {
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

function seasonOf(lines: Line[], submission: PaymentSubmission): Season {
  const season = parseSeason(lines[0]?.season ?? '')
  const one = lines.every((line) => line.season === season)
  if (!season || !one || (submission.FYear !== undefined && submission.FYear !== season)) {
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
async function earlierPayments(
  tx: Tx,
  scope: SchoolScope,
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
  if (earlier.some((payment) => payment.state === 'pending')) throw new Refusal('payments.pending_first')
  return earlier.length
}

/**
 * Keeps what a school says it has paid: for exactly the students listed, who must be active, owe it, and be covered by
 * no other payment; all of them are locked until the foundation has decided. Amounts are computed here. Refuses with
 * `not_found`, `payments.*` or a field.
 */
export async function submitPayment(
  tx: Tx,
  files: FileStore,
  scope: SchoolScope,
  now: Date,
  submission: PaymentSubmission,
  proof: Proof,
): Promise<{ id: number; payableAmount: number }> {
  const ids = [...new Set(submission.individualRegIdList)]
  const lines = await lockLines(tx, scope, ids)
  const season = seasonOf(lines, submission)
  checkDay(submission.paymentDate, season, now)
  const { purpose, paid } = linesPaid(lines, submission)
  checkLines(paid)
  const figures = figuresOf(paid)
  checkAmount(figures, submission.payableAmount)
  const earlier = await earlierPayments(tx, scope, season, purpose)
  found(await bankAccount(tx, purpose, now), 'payments.no_account')
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
  await sql`
    insert into payment_lines (payment_id, student_id, purpose, gross, retained)
    select ${payment.id}, s.id, c.purpose, c.gross, c.retained
    from students s cross join ${charges}
    where s.id = any(${ids}::bigint[]) and c.purpose = ${purpose}`.execute(tx)
  await sql`update students set locked = true where id = any(${ids}::bigint[])`.execute(tx)
  await audit(tx, now, scope, 'payment.submitted', subjectOf(payment.id, scope.schoolId, season), {
    purpose,
    reference: payment.reference,
    ...figures,
    paymentDate: submission.paymentDate,
    students: ids,
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
