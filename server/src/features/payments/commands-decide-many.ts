import type { Db, Tx } from '#platform/database'
import { Refusal } from '#platform/errors'
import { once } from '#platform/idempotency'
import type { OfficeScope } from '#platform/scope'
import { type Decision, rejectPayment, verifyPayment } from './commands-decide.ts'
import { isDoubtful } from './queries-office.ts'

interface Done {
  id: number
  receiptNo: string
}

/** Decisions upon several payments, and the key with which a repeated request gets the first answers. */
export interface Several {
  payments: readonly Decision[]
  key: string | undefined
  /** Given to all that are rejected */
  reason?: string
}

/**
 * Each payment in a transaction of its own, with its own lines in the record: what is refused stays as it is and is told,
 * the rest is done.
 */
async function each(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { payments, key, reason }: Several,
  decide: (tx: Tx, decision: Decision) => Promise<Done>,
): Promise<{ done: Done[]; refused: { id: number; message: string }[] }> {
  const done: Done[] = []
  const refused: { id: number; message: string }[] = []
  const distinct = new Map(payments.map((decision) => [decision.id, decision]))
  for (const decision of distinct.values()) {
    try {
      const its = await db
        .transaction()
        .execute((tx) =>
          once(
            tx,
            now,
            `office:${scope.staffId}`,
            key && `${key}:${decision.id}`,
            { ...decision, reason },
            () => decide(tx, decision),
          ),
        )
      done.push(its)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      refused.push({ id: decision.id, message: thrown.message })
    }
  }
  return { done, refused }
}

/** Verifies several payments; one that is doubtful is left for a look by itself. */
export function verifyPayments(db: Db, scope: OfficeScope, now: Date, several: Several) {
  return each(db, scope, now, several, async (tx, decision) => {
    if (await isDoubtful(tx, decision.id)) throw new Refusal('payments.doubtful')
    return verifyPayment(tx, scope, now, decision)
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
  return each(db, scope, now, several, async (tx, decision) => {
    const { id } = await rejectPayment(tx, scope, now, { ...decision, reason }, paymentsPage)
    return { id, receiptNo: '' }
  })
}
