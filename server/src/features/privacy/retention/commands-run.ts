import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import type { FileStore } from '#platform/files/files'
import { keepToTime } from './commands.ts'

/** Runs the retention (or a dry run) and keeps what it did: counts by kind of data, and an audit line where any went. */
export async function runOfRetention(
  db: Db,
  files: FileStore,
  clock: () => Date,
  { dry, staffId }: { dry: boolean; staffId: number | null },
  progress: (done: number, total: number) => Promise<void>,
): Promise<Record<string, number>> {
  const started = clock()
  const counts = await keepToTime(db, files, started, dry, progress)
  await db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('retention_runs')
      .values({
        dry,
        counts: JSON.stringify(counts),
        staff_id: staffId,
        started_at: started,
        ended_at: clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const went = Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
    if (!dry && Object.keys(went).length > 0)
      await audit(tx, started, systemScope('Retention'), 'retention.run', { kind: 'retention', id }, went)
  })
  return counts
}
