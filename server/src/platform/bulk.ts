import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { once } from '#platform/http/idempotency'

export interface Refused {
  id: number
  message: string
}

/** Who asks, and the Idempotency-Key with which a repeated request gets the first answers. */
interface Asked {
  caller: string
  key: string | undefined
}

/**
 * Does the same with several records, each in a transaction of its own, with its own lines in the record: what is refused
 * stays as it is and is told, the rest is done. One that is named twice is done once. Everything of a record that its
 * write depends on belongs in it: the key goes by it.
 */
export async function runBulk<One extends { id: number }, Done extends object>(
  db: Db,
  now: Date,
  { caller, key }: Asked,
  ones: readonly One[],
  write: (tx: Tx, one: One) => Promise<Done>,
): Promise<{ done: Done[]; refused: Refused[] }> {
  const done: Done[] = []
  const refused: Refused[] = []
  for (const one of new Map(ones.map((its) => [its.id, its])).values()) {
    try {
      const answer = await db
        .transaction()
        .execute((tx) => once(tx, now, caller, key && `${key}:${one.id}`, one, () => write(tx, one)))
      done.push(answer)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      refused.push({ id: one.id, message: thrown.message })
    }
  }
  return { done, refused }
}
