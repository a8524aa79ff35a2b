import type { Tx } from '../db/database.ts'

/** Transactions that have put a mail into the outbox or planned work. */
const waking = new WeakSet<object>()

/** Notes that something waits to be done once the transaction is committed. */
export function wakesAfter(tx: Tx): void {
  waking.add(tx)
}

/** Whether outbox and jobs are to be woken now that the transaction is committed. */
export const wakes = (tx: object): boolean => waking.has(tx)
