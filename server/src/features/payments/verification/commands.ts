import { rupeesOf } from '@podium/contract/money'
import { paymentForOf } from '@podium/contract/payments/rules'
import { parseSeason } from '@podium/contract/season'
import { formatSentence, sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { readFoundation } from '#platform/foundation'
import { runBulk } from '#platform/http/idempotency'
import { enqueueJob } from '#platform/jobs/jobs'
import { markForWake } from '#platform/jobs/worker'
import { lockedByPayment, markPaid, settleNothingPayable, updateSlabSharesIn } from '#platform/paid-students'
import { type MailedPayment, mailRejected, mailReversed } from '../commands-mails.ts'
import { lockLibrary, markLibraryLines } from '../library/commands.ts'
import { receiptNumber } from '../rules.ts'
import { subjectOf } from '../submission/commands.ts'
import { isDoubtful, isExact } from './queries.ts'

/** A decision on a payment; the version proves that the officer saw its latest state. */
export interface Decision {
  id: number
  version: number
}

/** Locks the school and what the payment covers, in the order used by all writes. */
export async function lock(tx: Tx, id: number): Promise<void> {
  const payment = orNotFound(await firstRow(tx, 'payments', { id }, ['school_id']))
  await sql`select id from schools where id = ${payment.school_id} for no key update`.execute(tx)
  await sql`
    select s.id from students s
    where s.id in (select student_id from payment_lines where payment_id = ${id})
    order by s.id for update`.execute(tx)
  await lockLibrary(tx, id)
}

export interface PaymentRow {
  id: number
  school_id: number
  season: string
  purpose: string
  payable: number
  submitted_by: number | null
  version: number
}

export const paymentColumns = [
  'id',
  'school_id',
  'season',
  'purpose',
  'payable',
  'submitted_by',
  'version',
] as const

/**
 * The statement that ends a pending payment; whoever comes second is told by whom and how it was decided. A payment that no
 * officer decided was withdrawn by its school.
 */
async function close(
  tx: Tx,
  now: Date,
  decision: Decision,
  outcome: { state: 'verified' | 'rejected'; reason: string; decided_by?: number },
): Promise<PaymentRow> {
  const decided = await tx
    .updateTable('payments')
    .set((set) => ({ ...outcome, decided_at: now, version: set('version', '+', 1) }))
    .where('id', '=', decision.id)
    .where('state', '=', 'pending')
    .where('version', '=', decision.version)
    .returning(paymentColumns)
    .executeTakeFirst()
  return decided ?? refuseDecided(tx, decision.id)
}

export async function refuseDecided(tx: Tx, id: number): Promise<never> {
  const payment = await tx
    .selectFrom('payments as p')
    .leftJoin('staff as o', 'o.id', 'p.decided_by')
    .select(['p.state', 'p.receipt_no', 'p.decided_by', 'o.name'])
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow()
  if (payment.state === 'pending') throw new Refusal('changed_meanwhile')
  const name = payment.name ?? sentences.somebodyElse
  const message =
    payment.state === 'verified'
      ? formatSentence('paymentVerified', { name, receipt: payment.receipt_no ?? '' })
      : payment.decided_by === null
        ? sentences.withdrawnBySchool
        : formatSentence('paymentRejected', { name })
  throw new Refusal('payments.decided', { message })
}

/** The students that a payment covers. */
const linesOf = (id: number) => sql`select student_id from payment_lines where payment_id = ${id}`

/**
 * Updates the locks of the covered students. They are locked while a payment covering them is pending and, until registration
 * is paid, while their books are covered, because changing books would change what was paid for. Also increments their
 * version.
 */
export async function relock(tx: Tx, id: number): Promise<void> {
  await sql`
    update students s set locked = ${lockedByPayment(sql`s.paid`)}, version = s.version + 1
    where s.id in (${linesOf(id)})`.execute(tx)
}

/** The next receipt number of the season. Its row stays locked until the commit, so every number is used. */
async function takeReceiptNumber(tx: Tx, season: string): Promise<string> {
  const { rows } = await sql<{ value: number }>`
    insert into counters (name, value) values (${`receipt:${season}`}, 1)
    on conflict (name) do update set value = counters.value + 1
    returning value`.execute(tx)
  const label = parseSeason(season)
  const serial = rows[0]?.value
  if (!label || serial === undefined) throw new Error(`no receipt number in ${season}`)
  return receiptNumber((await readFoundation(tx)).receipt_prefix, label, serial)
}

/** Refuses officers who also have an account at the school and sent this payment. */
async function refuseOwn(
  tx: Tx,
  scope: OfficeScope,
  id: number,
  state: 'pending' | 'verified' = 'pending',
): Promise<void> {
  const { rows } = await sql`
    select from payments p join users u on u.id = p.submitted_by
    where p.id = ${id} and p.state = ${state} and lower(u.email) = lower(${scope.email})`.execute(tx)
  if (rows.length > 0) throw new Refusal('payments.own')
}

/**
 * Verifies a pending payment: assigns the receipt number, marks students as paid and assigns exam roll numbers
 * (registration), and unlocks the students. A job enqueued in the same transaction creates and e-mails the receipt. Whether
 * books are paid follows from lines of verified payments; library order lines store it themselves. Refuses with `not_found`,
 * `payments.decided`, `payments.own`.
 */
export async function verifyPayment(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  decision: Decision,
): Promise<{ id: number; schoolId: number; receiptNo: string }> {
  await lock(tx, decision.id)
  await refuseOwn(tx, scope, decision.id)
  const payment = await close(tx, now, decision, { state: 'verified', reason: '', decided_by: scope.staffId })
  if (payment.purpose === 'registration') await markPaid(tx, linesOf(payment.id))
  else await relock(tx, payment.id)
  await markLibraryLines(tx, payment.id, 'verified')
  await enqueueReceipt(tx, now, payment)
  // Last, so that concurrent verifications wait as briefly as possible.
  const receiptNo = await takeReceiptNumber(tx, payment.season)
  await tx.updateTable('payments').set({ receipt_no: receiptNo }).where('id', '=', payment.id).execute()
  const subject = subjectOf(payment.id, payment.school_id, payment.season)
  await audit(tx, now, scope, 'payment.verified', subject, {
    from: 'pending',
    to: 'verified',
    receiptNo,
    payable: payment.payable,
  })
  return { id: payment.id, schoolId: payment.school_id, receiptNo }
}

const enqueueReceipt = (tx: Tx, now: Date, { id: paymentId, school_id: schoolId, season }: PaymentRow) =>
  enqueueJob(tx, now, { kind: 'payment-receipt', schoolId, season, input: { paymentId } })

/** Makes what a rejected payment covered due again, at the price that the school's head count now gives. */
async function release(tx: Tx, now: Date, { id, school_id: schoolId, season }: PaymentRow): Promise<void> {
  await tx.updateTable('payment_lines').set({ live: false }).where('payment_id', '=', id).execute()
  await relock(tx, id)
  await markLibraryLines(tx, id, 'rejected')
  await updateSlabSharesIn(tx, now, { schoolId, season })
  await settleNothingPayable(tx, now, { schoolId, season })
}

/** Rejects a pending payment: what it covered is due again, and the school is told why. */
export async function rejectPayment(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  decision: Decision & { reason: string },
  paymentsPage: string,
): Promise<{ id: number; schoolId: number }> {
  await lock(tx, decision.id)
  const payment = await close(tx, now, decision, {
    state: 'rejected',
    reason: decision.reason,
    decided_by: scope.staffId,
  })
  await release(tx, now, payment)
  const subject = subjectOf(payment.id, payment.school_id, payment.season)
  await audit(tx, now, scope, 'payment.rejected', subject, {
    from: 'pending',
    to: 'rejected',
    reason: decision.reason,
  })
  const { version } = payment
  await mailRejected(tx, now, { ...mailed(payment), version, reason: decision.reason, paymentsPage })
  return { id: payment.id, schoolId: payment.school_id }
}

/**
 * Withdraws a pending payment of a school, which can then correct and send it again: what it covered is due again, and a bank
 * line suggested for it is matched again. Refuses with `not_found`, `payments.decided`.
 */
export async function withdrawPayment(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { id }: { id: number },
): Promise<void> {
  const own = orNotFound(await firstRow(tx, 'payments', { id, school_id: scope.schoolId }, ['id', 'version']))
  await lock(tx, id)
  const payment = await close(tx, now, own, { state: 'rejected', reason: sentences.withdrawnBySchool })
  await release(tx, now, payment)
  const subject = subjectOf(id, payment.school_id, payment.season)
  await audit(tx, now, scope, 'payment.withdrawn', subject, { payable: payment.payable })
  await planMatching(tx, now, [payment.school_id])
}

export function mailed(payment: PaymentRow): MailedPayment {
  return {
    id: payment.id,
    schoolId: payment.school_id,
    submittedBy: payment.submitted_by,
    paymentFor: paymentForOf(payment.purpose),
    amount: rupeesOf(payment.payable),
    season: payment.season,
  }
}

/**
 * Reverses a verified payment whose money was returned: what it covered is due again, by the rules of a rejected payment. The
 * receipt number stays with it, and its verification stays in the journal; the reversal is an entry of today. Exam roll
 * numbers and anything already sent stay. Refuses with `payments.own`, `bank.return_moved`. Returns the receipt number.
 */
export async function reversePayment(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  {
    id,
    reason,
    ...returned
  }: { id: number; reason: string /** By the bank */; returnedOn: string; paymentsPage: string },
): Promise<string> {
  await lock(tx, id)
  await refuseOwn(tx, scope, id, 'verified')
  const moved = await sql`
    select from student_moves m where m.student_id in (${linesOf(id)}) and m.amount > 0
    union all
    select from school_credits c where c.student_id in (${linesOf(id)}) limit 1`.execute(tx)
  if (moved.rows.length > 0) throw new Refusal('bank.return_moved')
  const payment = await tx
    .updateTable('payments')
    .set((set) => ({
      state: 'rejected',
      reason,
      reversed_by: scope.staffId,
      reversed_at: now,
      receipt_file_id: null,
      version: set('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'verified')
    .returning([...paymentColumns, 'receipt_no'])
    .executeTakeFirstOrThrow()
  const receiptNo = payment.receipt_no ?? ''
  if (payment.purpose === 'registration')
    await sql`
      update students s set paid = false where s.id in (${linesOf(id)}) and not s.waived`.execute(tx)
  await release(tx, now, payment)
  const subject = subjectOf(id, payment.school_id, payment.season)
  const change = { from: 'verified', to: 'rejected', receiptNo, payable: payment.payable, reason }
  await audit(tx, now, scope, 'payment.reversed', subject, change)
  // Its receipt is made again, with the cancellation across it, and so is a ZIP with it that can still be downloaded.
  await enqueueReceipt(tx, now, payment)
  await sql`
    update jobs set state = 'waiting', claimed_until = null, output = null, ended_at = null
    where kind = 'receipts.zip' and state in ('waiting', 'running', 'done') and input->'ids' @> ${String(id)}::jsonb
      and created_at > ${now}::timestamptz - interval '1 day'`.execute(tx)
  await mailReversed(tx, now, { ...mailed(payment), ...returned, reason, receiptNo })
  return receiptNo
}

/** Decisions on several payments, with an idempotency key. */
interface BulkDecision {
  payments: readonly Decision[]
  key: string | undefined
}

/** `verifyPayment` by hand: a bank line suggested for it is matched again. */
export async function verifyByHand(tx: Tx, scope: OfficeScope, now: Date, decision: Decision) {
  const { schoolId, ...verified } = await verifyPayment(tx, scope, now, decision)
  await planMatching(tx, now, [schoolId])
  return verified
}

/** `rejectPayment` by hand: a bank line suggested for it is matched again. */
export async function rejectByHand(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  decision: Decision & { reason: string },
  paymentsPage: string,
) {
  const { schoolId, ...rejected } = await rejectPayment(tx, scope, now, decision, paymentsPage)
  await planMatching(tx, now, [schoolId])
  return rejected
}

/** Verifies bulk payments. Those with a warning must be opened one by one; those with an exact bank line are verified through it. */
export function verifyPayments(db: Db, scope: OfficeScope, now: Date, bulk: BulkDecision) {
  return runBulk(db, now, { scope, key: bulk.key }, bulk.payments, async (tx, decision) => {
    if (await isDoubtful(tx, decision.id)) throw new Refusal('payments.doubtful')
    // The bank line is newer than the list and would stay open: `planExact` books it.
    if (await isExact(tx, decision.id)) throw new Refusal('changed_meanwhile')
    return verifyByHand(tx, scope, now, decision)
  })
}

/** Rejects bulk payments for one reason. */
export function rejectPayments(
  db: Db,
  scope: OfficeScope,
  now: Date,
  bulk: BulkDecision & { reason: string },
  paymentsPage: string,
) {
  const { reason } = bulk
  const decisions = bulk.payments.map((decision) => ({ ...decision, reason }))
  return runBulk(db, now, { scope, key: bulk.key }, decisions, async (tx, decision) => {
    const { id } = await rejectByHand(tx, scope, now, decision, paymentsPage)
    return { id, receiptNo: '' }
  })
}

/**
 * Open bank lines suggested for these schools may have lost their match, so they are matched again, by a pending job if there
 * is one.
 */
export async function planMatching(tx: Tx, now: Date, schools: readonly number[]): Promise<void> {
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from bank_lines
    where state = 'open' and guess_school_id = any(${schools}::bigint[])`.execute(tx)
  const total = rows[0]?.lines ?? 0
  if (total === 0) return
  // The row stays locked until the commit, so that the job does not start before.
  const { numAffectedRows } = await sql`
    update jobs set total = total + ${total},
      input = case when input ? 'schools' then jsonb_set(input, '{schools}', input->'schools' || ${JSON.stringify(schools)}::jsonb)
        else input end
    where id = (
      select id from jobs where kind = 'bank-match' and state = 'waiting'
      order by created_at limit 1 for update skip locked)`.execute(tx)
  if (numAffectedRows === 0n) await enqueueJob(tx, now, { kind: 'bank-match', total, input: { schools } })
  else markForWake(tx)
}
