import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { refuseUnseen, seenMark } from '#platform/seen'

/**
 * What a decision upon a version `s` of results is made from: its last computation, its approval, and the schools whose
 * results are held back.
 */
export const decidedUpon = sql`jsonb_build_array(s.job_id, extract(epoch from s.computed_at),
  extract(epoch from s.approved_at), array(
    select h.school_id from result_holds h where h.event_id = s.event_id order by h.school_id))`

/**
 * Locks a version and keeps what it was before the decision; the function that comes back refuses another than was shown
 * (`changed_meanwhile`). Called after the decision's own guard, so that its refusals say more.
 */
export async function lockSeen(tx: Tx, setId: number, seen: string): Promise<() => void> {
  const { rows } = await sql<{ facts: unknown }>`
    select ${decidedUpon} as facts from result_sets s where s.id = ${setId} for update of s`.execute(tx)
  return () => refuseUnseen(seen, rows[0]?.facts)
}

/** A version with the mark that its screen shows now, as a decision upon it takes both. */
export async function versionAsShown(db: Db | Tx, setId: number): Promise<{ setId: number; seen: string }> {
  const { rows } = await sql<{ facts: unknown }>`
    select ${decidedUpon} as facts from result_sets s where s.id = ${setId}`.execute(db)
  return { setId, seen: seenMark(rows[0]?.facts) }
}
