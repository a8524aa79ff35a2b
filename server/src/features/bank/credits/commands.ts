import { fromRupees, type Paise, paise } from '@podium/contract/money'
import { bareUtr } from '@podium/contract/payments/calls'
import { seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import { refuseTooNew } from '#features/staff/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { creditsOf } from '../matching/queries-candidates.ts'

/** The season of a day, if there is one, else the newest. */
async function seasonOfDay(tx: Tx, day: string): Promise<string> {
  const season = seasonAt(new Date(`${day}T12:00:00+05:30`))
  const { rows } = await sql<{ label: string }>`
    select label from seasons order by (label = ${season}) desc, label desc limit 1`.execute(tx)
  return rows[0]?.label ?? season
}

interface Received {
  schoolId: number
  amount: Paise
  lineId: number
  day: string
  note: string
}

/** More has arrived than was paid for: it stands to the school's credit. The school is locked. */
export async function receiveCredit(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  received: Received,
): Promise<void> {
  const { schoolId, amount, lineId, note } = received
  const season = await seasonOfDay(tx, received.day)
  const { id } = await tx
    .insertInto('school_credits')
    .values({
      school_id: schoolId,
      season,
      kind: 'received',
      amount,
      line_id: lineId,
      note,
      created_by: scope.staffId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(tx, now, scope, 'credit.received', { kind: 'credit', id, schoolId, season }, { amount, lineId })
}

/** What a counter-entry takes from a school's credit: for a payment, or for a refund. */
interface Taking {
  schoolId: number
  amount: Paise
  kind: 'used' | 'refunded'
  paymentId?: number
  refundId?: number
  lineId?: number
  note: string
}

/**
 * Takes from a school's credit by counter-entries, from the oldest season on. Refuses with `credit.too_little` where
 * there is less, or the rest is promised to a refund. The school is locked.
 */
export async function takeCredit(tx: Tx, scope: OfficeScope, now: Date, taking: Taking): Promise<void> {
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
    await tx
      .insertInto('school_credits')
      .values({
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
      .execute()
  }
  if (left > 0) throw new Refusal('credit.too_little')
  const subject = { kind: 'credit', id: schoolId, schoolId }
  const { paymentId, refundId } = taking
  await audit(tx, now, scope, `credit.${taking.kind}`, subject, { amount, paymentId, refundId })
}

interface Proposal {
  schoolId: number
  /** Rupees */
  amount: number
  payTo: string
  reason: string
}

const subjectOf = (id: number, schoolId: number) => ({ kind: 'refund', id, schoolId })

async function lockSchool(tx: Tx, schoolId: number): Promise<void> {
  const { rows } = await sql`select id from schools where id = ${schoolId} for no key update`.execute(tx)
  if (rows.length === 0) throw new Refusal('not_found')
}

/** Proposes to pay credit back: from now on it can't be used for anything else. Refuses with `credit.too_little`. */
export async function proposeRefund(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  proposal: Proposal,
): Promise<{ id: number }> {
  const { schoolId, payTo, reason } = proposal
  const amount = fromRupees(proposal.amount)
  await lockSchool(tx, schoolId)
  if (((await creditsOf(tx, [schoolId])).get(schoolId) ?? 0) < amount) throw new Refusal('credit.too_little')
  const { season } = await tx
    .selectFrom('school_credits')
    .select('season')
    .where('school_id', '=', schoolId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { id } = await tx
    .insertInto('refunds')
    .values({
      school_id: schoolId,
      season,
      amount,
      pay_to: payTo,
      reason,
      proposed_by: scope.staffId,
      proposed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(tx, now, scope, 'refund.proposed', subjectOf(id, schoolId), { amount, reason })
  return { id }
}

interface Refund {
  id: number
  school_id: number
  amount: number
  proposed_by: number
}

/** Ends a refund that waits; whoever comes second is refused. */
async function end(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  id: number,
  set: { state: 'approved' | 'rejected' | 'withdrawn'; utr?: string; decision_note?: string },
): Promise<Refund> {
  const refund = await tx
    .updateTable('refunds')
    .set({ ...set, decided_by: scope.staffId, decided_at: now })
    .where('id', '=', id)
    .where('state', '=', 'proposed')
    .returning(['id', 'school_id', 'amount', 'proposed_by'])
    .executeTakeFirst()
  return orNotFound(refund, 'refund.decided')
}

/** The second person's yes or no. A yes is a counter-entry to the credit. Refuses with `refund.own`, `refund.decided`. */
export async function decideRefund(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  decision: { id: number; approve: boolean; utr: string; note: string },
): Promise<void> {
  const asked = orNotFound(
    await tx
      .selectFrom('refunds')
      .select(['school_id', 'proposed_by', 'proposed_at'])
      .where('id', '=', decision.id)
      .executeTakeFirst(),
  )
  if (asked.proposed_by === scope.staffId) throw new Refusal('refund.own')
  if (decision.approve) await refuseTooNew(tx, scope, asked.proposed_at)
  await lockSchool(tx, asked.school_id)
  const state = decision.approve ? 'approved' : 'rejected'
  const set = { state, utr: bareUtr(decision.utr), decision_note: decision.note } as const
  const refund = await end(tx, scope, now, decision.id, set)
  if (decision.approve) {
    const taking = { schoolId: refund.school_id, amount: paise(refund.amount), refundId: refund.id }
    await takeCredit(tx, scope, now, { ...taking, kind: 'refunded', note: decision.note })
  }
  const change = { from: 'proposed', to: state, amount: refund.amount, utr: set.utr, note: decision.note }
  await audit(tx, now, scope, `refund.${state}`, subjectOf(refund.id, refund.school_id), change)
}

/** Takes a refund back that nobody has decided upon: its credit is free again. */
export async function withdrawRefund(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const refund = await end(tx, scope, now, id, { state: 'withdrawn' })
  await audit(tx, now, scope, 'refund.withdrawn', subjectOf(id, refund.school_id), { amount: refund.amount })
}
