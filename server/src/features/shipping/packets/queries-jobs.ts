import type { Db } from '#platform/db/database'
import { type Job, readJob } from '#platform/jobs/jobs'

const day = 24 * 3_600_000

/** The newest job of a kind within the last day, so that a page which was left finds its work again. */
export async function newestJob(db: Db, kind: string, now: Date): Promise<Job | undefined> {
  const newest = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('created_at', '>', new Date(now.getTime() - day))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && readJob(db, newest.id)
}
