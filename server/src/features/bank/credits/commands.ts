import { type Paise, paise } from '@podium/contract/money'
import { seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
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
