import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { type Back, erasedAndBack } from '#platform/db/erased'
import type { FileStore } from '#platform/files/files'
import { eraseChild } from './commands-erase.ts'

/**
 * Erases again whom a backup has brought back, each with an audit line, and closes the request where the backup has it
 * open. All in one transaction. Answers what was erased.
 */
export async function eraseAgain(db: Db, files: FileStore, now: Date): Promise<Back[]> {
  const scope = systemScope('Restore')
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    const back = await erasedAndBack(tx)
    // A child may have several records, which name each other: all of a request at once, as it was then.
    for (const records of Map.groupBy(back, ({ requestId, at }) => `${requestId} ${at}`).values()) {
      const ids = records.map(({ studentId }) => studentId)
      await eraseChild(tx, files, now, ids, { evenLocked: true })
      for (const { studentId, schoolId, season } of records)
        await audit(tx, now, scope, 'student.erased_again', {
          kind: 'student',
          id: studentId,
          schoolId,
          season,
        })
      await closeRequest(tx, records)
    }
    return back
  })
}

/** The request of then, where the backup has it: another one may have got its number since. */
async function closeRequest(tx: Tx, records: readonly Back[]): Promise<void> {
  const [first] = records
  if (!first) return
  await sql`
    update data_requests set state = 'done', decided_at = ${first.at}::timestamptz, done_at = ${first.at}::timestamptz,
      version = version + 1
    where id = ${first.requestId} and kind = 'erase' and state in ('asked', 'checked') and asked_at < ${first.at}::timestamptz
      and student_id = any(${records.map(({ studentId }) => studentId)}::bigint[])`.execute(tx)
}
