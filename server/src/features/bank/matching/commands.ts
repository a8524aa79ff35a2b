import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { enqueueJob } from '#platform/jobs/jobs'

/**
 * What open lines of these schools were thought to be for may be paid or refused now: they are compared anew, by the
 * comparing that waits already where there is one.
 */
export async function planMatching(tx: Tx, now: Date, schools: readonly number[]): Promise<void> {
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from bank_lines where state = 'open' and guess_school_id = any(${schools}::bigint[])`.execute(
    tx,
  )
  const total = rows[0]?.lines ?? 0
  if (total === 0) return
  // The row stays locked until the commit, so that nobody begins that comparing before.
  const { numAffectedRows } = await sql`
    update jobs set total = total + ${total},
      input = case when input ? 'schools' then jsonb_set(input, '{schools}', input->'schools' || ${JSON.stringify(schools)}::jsonb)
        else input end
    where id = (
      select id from jobs where kind = 'bank-match' and state = 'waiting'
      order by created_at limit 1 for update skip locked)`.execute(tx)
  if (numAffectedRows === 0n) await enqueueJob(tx, now, { kind: 'bank-match', total, input: { schools } })
}
