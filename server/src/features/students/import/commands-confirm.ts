import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { cancelJob, enqueueJob, type JobState } from '#platform/jobs/jobs'
import { readImport } from './queries.ts'

/** The kind of job that saves the good rows of an import; see jobs.ts. */
export const importJob = 'students.import'

/**
 * Plans the saving of an import's good rows, of the revision that was seen. Asked again while it waits, runs or is done, it answers how far it is;
 * after a failure or a cancellation it goes on where it stopped.
 */
export async function confirmImport(
  db: Db,
  scope: SchoolScope,
  now: Date,
  { importId, revision }: { importId: string; revision?: number | undefined },
) {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      season: Season
      goodCount: number
      done: number
      seen: number
      state: JobState | null
    }>`
      select i.season, i.good_count as "goodCount", i.done, i.revision as seen, (select j.state from jobs j where j.id = i.job_id) as state
      from student_imports i where i.id = ${importId} and i.school_id = ${scope.schoolId} for update of i`.execute(
      tx,
    )
    const { season, goodCount, done, seen, state } = found(rows[0])
    if (state === null && revision !== undefined && revision !== seen) throw new Refusal('changed_meanwhile')
    if (goodCount === 0) throw new Refusal('enrolment.import_empty')
    if (state === null || state === 'failed' || state === 'cancelled')
      await startSaving(tx, scope, now, { importId, season, goodCount, done })
    return readImport(tx, scope, importId)
  })
}

interface Startable {
  importId: string
  season: Season
  goodCount: number
  /** Good rows dealt with by an earlier run */
  done: number
}

/** Plans the job that saves an import's good rows, or the rest of them. */
export async function startSaving(tx: Tx, scope: SchoolScope, now: Date, started: Startable): Promise<void> {
  const { importId, season, goodCount, done } = started
  const jobId = await enqueueJob(tx, now, {
    kind: importJob,
    schoolId: scope.schoolId,
    season,
    total: goodCount,
    // An officer who acts for the school stands in the audit trail of the job, too
    acting: scope.acting,
    input: { importId },
    createdBy: scope.userId,
  })
  await sql`update student_imports set job_id = ${jobId}, confirmed_at = ${now}::timestamptz where id = ${importId}`.execute(
    tx,
  )
  const subject = { kind: 'import', id: importId, season }
  await audit(tx, now, scope, 'import.confirmed', subject, { good: goodCount, from: done })
}

/** Stops an import that waits or runs; what is saved by then stays. One that has ended is answered as it is. */
export async function cancelImport(db: Db, scope: SchoolScope, now: Date, importId: string) {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ season: Season; jobId: string | null }>`
      select season, job_id as "jobId" from student_imports
      where id = ${importId} and school_id = ${scope.schoolId} for update`.execute(tx)
    const { season, jobId } = found(rows[0])
    if (jobId !== null && (await cancelJob(tx, now, jobId, { schoolId: scope.schoolId })))
      await audit(tx, now, scope, 'import.cancelled', { kind: 'import', id: importId, season })
    return readImport(tx, scope, importId)
  })
}
