import { rupeesOf } from '@podium/contract/money'
import { paymentForOf } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { accessToSchool, type OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { findRow } from '#platform/db/rows'
import { Refusal } from '#platform/errors'
import { mailReopened } from '../commands-mails.ts'
import { charges } from '../queries.ts'
import { coverOf, subjectOf } from '../submission/commands.ts'
import {
  type Decision,
  lock,
  mailed,
  type PaymentRow,
  paymentColumns,
  planMatching,
  relock,
} from './commands.ts'

/**
 * Undoes a rejection: the payment is pending again, and a bank line suggested for it is matched again. Refuses with
 * `not_found`, `changed_meanwhile`, and `payments.not_as_it_was` if what it covers is no longer due as it was.
 */
export async function reopenPayment(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version }: Decision,
): Promise<{ id: number }> {
  await lock(tx, id)
  const { rows } = await sql<{
    reason: string
    payable: number
    season: string
    purpose: string
    items: number[]
  }>`
    select p.reason, p.payable, p.season, p.purpose, array(
      select student_id from payment_lines where payment_id = p.id
      union all select line_id from payment_library_lines where payment_id = p.id) as items
    from payments p
    where p.id = ${id} and p.version = ${version} and p.state = 'rejected' and p.decided_by is not null
      and p.reversed_at is null`.execute(tx)
  const [rejected] = rows
  if (!rejected) throw new Refusal('changed_meanwhile')
  await checkStillDue(tx, scope, now, { id, ...rejected })
  const payment = await tx
    .updateTable('payments')
    .set((set) => ({
      state: 'pending',
      reason: '',
      decided_by: null,
      decided_at: null,
      version: set('version', '+', 1),
    }))
    .where('id', '=', id)
    .returning(paymentColumns)
    .executeTakeFirstOrThrow()
  await tx.updateTable('payment_lines').set({ live: true }).where('payment_id', '=', id).execute()
  await relock(tx, id)
  await sql`
    update library_lines set payment_id = ${id}
    where id in (select line_id from payment_library_lines where payment_id = ${id})`.execute(tx)
  const subject = subjectOf(id, payment.school_id, payment.season)
  await audit(tx, now, scope, 'payment.reopened', subject, {
    from: 'rejected',
    to: 'pending',
    reason: rejected.reason,
  })
  await mailReopened(tx, now, { ...mailed(payment), version: payment.version })
  await planMatching(tx, now, [payment.school_id])
  return { id }
}

/** SQL: whether a student or a line of a library order that payment `id` covers costs something else than when it was sent. */
const costsOther = (id: number) => sql<boolean>`(exists (
    select from payment_lines l join students s on s.id = l.student_id cross join ${charges}
    where l.payment_id = ${id} and c.purpose = l.purpose and (c.gross, c.retained) <> (l.gross, l.retained))
  or exists (
    select from payment_library_lines l join library_lines k on k.id = l.line_id
    where l.payment_id = ${id}
      and (k.quantity, k.quantity * k.price, k.quantity * k.retained) <> (l.quantity, l.gross, l.retained)))`

/** Refuses a rejected payment that its school could not send now for the same, or has sent again. */
async function checkStillDue(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  {
    id,
    payable,
    season,
    purpose,
    items,
  }: Pick<PaymentRow, 'id' | 'payable' | 'season' | 'purpose'> & { items: number[] },
): Promise<void> {
  const { school_id: schoolId, reference } = await findRow(tx, 'payments', { id }, ['school_id', 'reference'])
  const { rows: others } = await sql`
    select from payments where school_id = ${schoolId} and state <> 'rejected'
      and (reference = ${reference}
        or state = 'pending' and season = ${season} and purpose = ${purpose})`.execute(tx)
  const due = await coverOf(tx, accessToSchool(scope, schoolId), now, {
    individualRegIdList: items,
    payableAmount: rupeesOf(payable),
    paymentFor: paymentForOf(purpose),
    FYear: season as Season,
  }).catch((cause: unknown) => {
    if (cause instanceof Refusal) return undefined
    throw cause
  })
  // Read last: `coverOf` has locked them, and adjusted open fees to the school's slab.
  const { rows } = await sql<{ other: boolean }>`select ${costsOther(id)} as other`.execute(tx)
  if (others.length > 0 || !due || rows[0]?.other !== false) throw new Refusal('payments.not_as_it_was')
}
