import { sql } from 'kysely'
import type { Deps } from '#platform/deps'
import { noteErasure } from '#platform/erased'

/**
 * Notes an erasure beside the backups once it is carried out; of an export nothing. It can't be taken back any more, so a
 * list that can't be written is a line of the log, with the numbers that belong into it.
 */
export async function noteCarriedOut(
  { db, settings, log }: Pick<Deps, 'db' | 'settings' | 'log'>,
  requestId: number,
): Promise<void> {
  const { rows } = await sql<{ at: Date; ids: number[] }>`
    select r.done_at as at, array(select s.id from students s where s.erased_at = r.done_at order by s.id) as ids
    from data_requests r where r.id = ${requestId} and r.kind = 'erase' and r.state = 'done'`.execute(db)
  const [done] = rows
  if (!done) return
  const erasure = { at: done.at.toISOString(), requestId, studentIds: done.ids.map(Number) }
  await noteErasure(settings.backupDir, erasure).catch((err: unknown) =>
    log.error({ err, erasure }, 'an erasure could not be added to erased.jsonl beside the backups'),
  )
}
