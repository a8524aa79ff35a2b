import type { proposeRefund as proposeRefundCall } from '@podium/contract/bank/calls-credits'
import type { ParsedBody } from '@podium/contract/endpoint'
import { sentenceOf } from '@podium/contract/errors'
import { fromRupees, type Paise, paise } from '@podium/contract/money'
import { seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import { creditsOf } from '#features/payments/queries'
import { refuseRecentJoiner } from '#features/staff/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, addRow, changeRows, findRow, firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'

/** The season of a day, or else the newest. */
async function seasonOfDay(tx: Tx, day: string): Promise<string> {
  const season = seasonAt(new Date(`${day}T12:00:00+05:30`))
  const { rows } = await sql<{ label: string }>`
    select label from seasons order by (label = ${season}) desc, label desc limit 1`.execute(tx)
  return rows[0]?.label ?? season
}

interface NewCredit {
  schoolId: number
  amount: Paise
  lineId: number
  note: string
}

/** Records an excess as the school's credit. The school must be locked. */
export async function receiveCredit(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  received: NewCredit & ({ day: string } | { season: string }),
): Promise<void> {
  const { schoolId, amount, lineId, note } = received
  const season = 'day' in received ? await seasonOfDay(tx, received.day) : received.season
  const { id } = await addedRow(tx, 'school_credits', ['id'], {
    school_id: schoolId,
    season,
    kind: 'received',
    amount,
    line_id: lineId,
    note,
    created_by: scope.staffId,
    created_at: now,
  })
  await audit(tx, now, scope, 'credit.received', { kind: 'credit', id, schoolId, season }, { amount, lineId })
}

/** A use of a school's credit: for a payment or a refund. */
interface CreditUse {
  schoolId: number
  amount: Paise
  kind: 'used' | 'refunded'
  paymentId?: number
  refundId?: number
  lineId?: number
  note: string
}

/**
 * Uses a school's credit by contra entries, oldest season first. The school must be locked. Refuses with `credit.too_little`
 * if there is less, or the rest is reserved for a refund.
 */
export async function takeCredit(tx: Tx, scope: OfficeScope, now: Date, taking: CreditUse): Promise<void> {
  const { schoolId, amount } = taking
  const free = (await creditsOf(tx, [schoolId])).get(schoolId) ?? 0
  if (free < amount) throw new Refusal('credit.too_little')
  const { rows } = await sql<{ season: string; amount: number }>`
    select season, sum(amount) as amount from school_credits where school_id = ${schoolId}
    group by season having sum(amount) > 0 order by season`.execute(tx)
  let left: number = amount
  for (const row of rows) {
    const part = Math.min(left, row.amount)
    if (part <= 0) break
    left -= part
    await addRow(tx, 'school_credits', {
      school_id: schoolId,
      season: row.season,
      kind: taking.kind,
      amount: paise(-part),
      line_id: taking.lineId,
      payment_id: taking.paymentId,
      refund_id: taking.refundId,
      note: taking.note,
      created_by: scope.staffId,
      created_at: now,
    })
  }
  if (left > 0) throw new Refusal('credit.too_little')
  const subject = { kind: 'credit', id: schoolId, schoolId }
  const { paymentId, refundId } = taking
  await audit(tx, now, scope, `credit.${taking.kind}`, subject, { amount, paymentId, refundId })
}

const subjectOf = (id: number, schoolId: number) => ({ kind: 'refund', id, schoolId })

/** Refuses a school that was merged meanwhile: its credit is the other one's, which is not locked. */
async function lockSchool(tx: Tx, schoolId: number): Promise<void> {
  const { rows } = await sql<{ merged: boolean }>`
    select merged_into is not null as merged from schools where id = ${schoolId} for no key update`.execute(
    tx,
  )
  if (orNotFound(rows[0]).merged) throw new Refusal('schools.merged')
}

/** Proposes a refund of credit, which reserves it. Refuses with `credit.too_little`. */
export async function proposeRefund(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  proposal: ParsedBody<typeof proposeRefundCall>,
): Promise<{ id: number }> {
  const { schoolId, account, reason } = proposal
  const payTo = account ? `${account.accountName}, ${account.accountNo}, ${account.ifsc}` : proposal.payTo
  const amount = fromRupees(proposal.amount)
  await lockSchool(tx, schoolId)
  if (((await creditsOf(tx, [schoolId])).get(schoolId) ?? 0) < amount) throw new Refusal('credit.too_little')
  const { season } = await tx
    .selectFrom('school_credits')
    .select('season')
    .where('school_id', '=', schoolId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { id } = await addedRow(tx, 'refunds', ['id'], {
    school_id: schoolId,
    season,
    amount,
    pay_to: payTo,
    ...(account && { account_name: account.accountName, account_no: account.accountNo, ifsc: account.ifsc }),
    reason,
    proposed_by: scope.staffId,
    proposed_at: now,
  })
  await audit(tx, now, scope, 'refund.proposed', subjectOf(id, schoolId), { amount, reason })
  return { id }
}

/** Ends a pending refund; a second officer is refused. */
async function end(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  id: number,
  set: { state: 'approved' | 'rejected' | 'withdrawn'; decision_note?: string },
): Promise<{ id: number; school_id: number; amount: number; proposed_by: number }> {
  const [refund] = await changeRows(tx, 'refunds', {
    where: { id, state: 'proposed' },
    set: { ...set, decided_by: scope.staffId, decided_at: now },
    returning: ['id', 'school_id', 'amount', 'proposed_by'],
  })
  return orNotFound(refund, 'refund.decided')
}

/** The second person's decision. After approval the credit stays reserved until the refund is paid. Refuses with `refund.own`, `refund.decided`. */
export async function decideRefund(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  decision: { id: number; approve: boolean; note: string },
): Promise<void> {
  const proposal = orNotFound(
    await firstRow(tx, 'refunds', { id: decision.id }, ['school_id', 'proposed_by', 'proposed_at']),
  )
  if (proposal.proposed_by === scope.staffId) throw new Refusal('refund.own')
  if (decision.approve) await refuseRecentJoiner(tx, scope, proposal.proposed_at)
  await lockSchool(tx, proposal.school_id)
  const state = decision.approve ? 'approved' : 'rejected'
  const refund = await end(tx, scope, now, decision.id, { state, decision_note: decision.note })
  const change = { from: 'proposed', to: state, amount: refund.amount, note: decision.note }
  await audit(tx, now, scope, `refund.${state}`, subjectOf(refund.id, refund.school_id), change)
}

/** Withdraws an undecided refund, which releases its credit. */
export async function withdrawRefund(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const refund = await end(tx, scope, now, id, { state: 'withdrawn' })
  await audit(tx, now, scope, 'refund.withdrawn', subjectOf(id, refund.school_id), { amount: refund.amount })
}

/** Locks the school, then an approved refund. */
async function takeApproved(tx: Tx, id: number) {
  const { school_id } = orNotFound(await firstRow(tx, 'refunds', { id }, ['school_id']))
  await lockSchool(tx, school_id)
  return findRow(tx, 'refunds', { id }, ['id', 'school_id', 'amount', 'state', 'utr'], { lock: true })
}

const refuseSettled = (state: string): never => {
  throw new Refusal(state === 'paid' || state === 'returned' ? 'refund.settled' : 'refund.not_approved')
}

/**
 * Records the transfer of an approved refund as a contra entry to the school's credit. Repeating it with the same UTR is
 * harmless. Refuses with `refund.*`, `credit.too_little`.
 */
export async function payRefund(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, utr }: { id: number; utr: string },
): Promise<void> {
  const refund = await takeApproved(tx, id)
  if (refund.state === 'paid' && refund.utr === utr) return
  if (refund.state !== 'approved') refuseSettled(refund.state)
  // One at a time, so that a second refund with the same UTR is refused.
  await sql`select pg_advisory_xact_lock(hashtext('refund_utr'))`.execute(tx)
  const { rows } = await sql`select from refunds where utr = ${utr} and state = 'paid'`.execute(tx)
  if (rows.length > 0)
    throw new Refusal('refund.utr_used', {
      issues: [{ path: 'utr', message: sentenceOf('refund.utr_used') }],
    })
  const { rows: taken } = await sql`
    select from school_credits where school_id = ${refund.school_id} and refund_id = ${id}`.execute(tx)
  await settle(tx, scope, now, id, { state: 'paid', utr })
  if (taken.length === 0) {
    const taking = { schoolId: refund.school_id, amount: paise(refund.amount), refundId: id }
    await takeCredit(tx, scope, now, { ...taking, kind: 'refunded', note: '' })
  }
  const change = { from: 'approved', to: 'paid', amount: refund.amount, utr }
  await audit(tx, now, scope, 'refund.paid', subjectOf(id, refund.school_id), change)
}

function settle(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  id: number,
  set: { state: 'paid'; utr: string } | { state: 'returned'; settle_note: string },
) {
  return changeRows(tx, 'refunds', {
    where: { id },
    set: { ...set, settled_by: scope.staffId, settled_at: now },
  })
}

/** Records that the bank returned the transfer, which releases the credit. Refuses with `refund.*`. */
export async function returnRefund(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  const refund = await takeApproved(tx, id)
  if (refund.state !== 'approved') refuseSettled(refund.state)
  await settle(tx, scope, now, id, { state: 'returned', settle_note: reason })
  const change = { from: 'approved', to: 'returned', amount: refund.amount, reason }
  await audit(tx, now, scope, 'refund.returned', subjectOf(id, refund.school_id), change)
}

export interface Transfer {
  id: number
  code: string
  accountName: string
  accountNo: string
  ifsc: string
  amount: Paise
}

/**
 * The refunds to transfer, marked as included in a file: only those not in a file yet, so that none is paid twice, or all of
 * them with `again`. Refuses with `refund.none_to_pay`.
 */
export async function claimRefundTransfers(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { again }: { again: boolean },
): Promise<Transfer[]> {
  const { rows } = await sql<Transfer>`
    with filed as (
      update refunds r set filed_at = ${now}
      where r.state = 'approved' and r.account_no <> '' and (${again} or r.filed_at is null) returning r.*)
    select r.id, o.code, r.account_name as "accountName", r.account_no as "accountNo", r.ifsc, r.amount
    from filed r join schools o on o.id = r.school_id order by r.id`.execute(tx)
  if (rows.length === 0) throw new Refusal('refund.none_to_pay')
  const amount = rows.reduce((sum, row) => sum + row.amount, 0)
  const change = { refunds: rows.map(({ id }) => id), amount, again }
  await audit(tx, now, scope, 'refund.filed', { kind: 'refund', id: 'all' }, change)
  return rows.map((row) => ({ ...row, amount: paise(row.amount) }))
}
