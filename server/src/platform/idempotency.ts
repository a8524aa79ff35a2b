import { createHash } from 'node:crypto'
import type { Tx } from './database.ts'
import { Refusal } from './errors.ts'

/**
 * Runs a write once for a client's Idempotency-Key: a repeated request gets the first one's answer.
 * The key is kept in the transaction of the write, so that both stand or fall together. Same key with another body:
 * 422; while the first is still running the second waits for its row and then gets its answer.
 */
export async function once<Answer extends object>(
  tx: Tx,
  now: Date,
  caller: string,
  key: string | undefined,
  request: unknown,
  write: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return write()
  const sha256 = createHash('sha256').update(JSON.stringify(request)).digest('base64url')
  const mine = await tx
    .insertInto('idempotency_keys')
    .values({ scope: caller, key, request_sha256: sha256, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!mine) {
    const first = await tx
      .selectFrom('idempotency_keys')
      .select(['request_sha256', 'answer'])
      .where('scope', '=', caller)
      .where('key', '=', key)
      .executeTakeFirst()
    if (!first || first.answer === null) throw new Refusal('request.in_progress')
    if (first.request_sha256 !== sha256) throw new Refusal('request.repeated_differently')
    return first.answer as unknown as Answer
  }
  const answer = await write()
  await tx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('scope', '=', caller)
    .where('key', '=', key)
    .execute()
  return answer
}
