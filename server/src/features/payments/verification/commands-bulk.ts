import { planMatching } from '#features/bank/matching/commands'
import type { OfficeScope } from '#platform/auth/scope'
import { eachOf } from '#platform/bulk'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { type Decision, rejectPayment, verifyPayment } from './commands.ts'
import { isDoubtful } from './queries.ts'

/** Decisions upon several payments, and the key with which a repeated request gets the first answers. */
export interface Several {
  payments: readonly Decision[]
  key: string | undefined
}

const asked = (scope: OfficeScope, { key }: Several) => ({ caller: `office:${scope.staffId}`, key })

/** `verifyPayment` by hand: a bank line that was thought to bring its money is compared anew. */
export async function verifyByHand(tx: Tx, scope: OfficeScope, now: Date, decision: Decision) {
  const { schoolId, ...verified } = await verifyPayment(tx, scope, now, decision)
  await planMatching(tx, now, [schoolId])
  return verified
}

/** `rejectPayment` by hand: a bank line that was thought to bring its money is compared anew. */
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

/** Verifies several payments; one that is doubtful is left for a look by itself. */
export function verifyPayments(db: Db, scope: OfficeScope, now: Date, several: Several) {
  return eachOf(db, now, asked(scope, several), several.payments, async (tx, decision) => {
    if (await isDoubtful(tx, decision.id)) throw new Refusal('payments.doubtful')
    return verifyByHand(tx, scope, now, decision)
  })
}

/** Rejects several payments for one reason. */
export function rejectPayments(
  db: Db,
  scope: OfficeScope,
  now: Date,
  several: Several & { reason: string },
  paymentsPage: string,
) {
  const { reason } = several
  const decisions = several.payments.map((decision) => ({ ...decision, reason }))
  return eachOf(db, now, asked(scope, several), decisions, async (tx, decision) => {
    const { id } = await rejectByHand(tx, scope, now, decision, paymentsPage)
    return { id, receiptNo: '' }
  })
}
