import { type Paise, rupees } from '@podium/contract/money'
import { type Purpose, paymentForOf } from '@podium/contract/payments/calls'
import type { Season } from '@podium/contract/season'
import { readFoundation } from '#features/office/settings/queries-foundation'
import { dueItems } from '#features/payments/queries'
import { referenceOf } from '#features/payments/rules'
import { earlierPayments, subjectOf } from '#features/payments/submission/commands'
import { coverOf } from '#features/payments/submission/commands-cover'
import { audit } from '#platform/audit'
import { type OfficeScope, reachOf } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

/** What a school owes, and the transfer that pays it. */
export interface Arrived {
  schoolId: number
  season: Season
  purpose: Purpose
  /** As it was shown: another amount by now is refused */
  amount: Paise
  day: string
  utr: string
  narration: string
}

/**
 * Enters the payment of what a school owes and has not told of, because its money is on the bank statement. It waits
 * like one that was sent, and is verified by the same command. Refuses with `changed_meanwhile`, `payments.*`.
 */
export async function enterPayment(tx: Tx, scope: OfficeScope, now: Date, arrived: Arrived): Promise<number> {
  const { schoolId, season, purpose, amount } = arrived
  const reach = reachOf(scope, schoolId)
  const due = (await dueItems(tx, reach, season)).find((item) => item.purpose === purpose)
  if (!due || due.gross - due.retained !== amount) throw new Refusal('changed_meanwhile')
  const cover = await coverOf(tx, reach, now, {
    individualRegIdList: due.ids,
    payableAmount: rupees(amount),
    paymentFor: paymentForOf(purpose),
    FYear: season,
  })
  if (cover.figures.payable !== amount) throw new Refusal('changed_meanwhile')
  const earlier = await earlierPayments(tx, reach, season, purpose)
  const { code } = found(
    await tx.selectFrom('schools').select('code').where('id', '=', schoolId).executeTakeFirst(),
  )
  const { receipt_prefix } = await readFoundation(tx)
  const payment = await tx
    .insertInto('payments')
    .values({
      school_id: schoolId,
      season,
      purpose,
      reference: referenceOf(receipt_prefix, season, code, purpose, earlier),
      ...cover.figures,
      paid_on: arrived.day,
      utr: arrived.utr,
      remarks: arrived.narration.slice(0, 500),
      proof_sha256: '',
      entered_by: scope.staffId,
      submitted_at: now,
    })
    .returning(['id', 'reference'])
    .executeTakeFirstOrThrow()
  await cover.keep(payment.id)
  await audit(tx, now, scope, 'payment.entered', subjectOf(payment.id, schoolId, season), {
    purpose,
    reference: payment.reference,
    ...cover.figures,
    paymentDate: arrived.day,
    ...cover.listed,
  })
  return payment.id
}
