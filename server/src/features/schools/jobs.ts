import type { Db } from '#platform/database'
import { Refusal } from '#platform/errors'
import type { JobHandler, JobHandlers } from '#platform/jobs'
import { mayDo, type Permission } from '#platform/policy'
import { mint, type OfficeScope } from '#platform/scope'
import { type Merge, mergeSchools } from './commands-merge.ts'

export const mergeKind = 'schools.merge'

/** Who has asked for the work, if he still may. */
export async function officerOf(db: Db, staffId: number, permission: Permission): Promise<OfficeScope> {
  const row = await db
    .selectFrom('staff')
    .select(['id', 'name', 'email', 'role'])
    .where('id', '=', staffId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row || !mayDo(row.role, permission)) throw new Refusal('access.denied')
  return mint<OfficeScope>({
    kind: 'office',
    staffId: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    session: '',
  })
}

/** The merge of two large schools: one transaction. Started again after it was done it finds that it was. */
const merge: JobHandler = async (job, { db, clock, progress }) => {
  const wanted = job.input.merge as unknown as Merge
  const gone = await db
    .selectFrom('schools')
    .select('merged_into')
    .where('id', '=', wanted.leaves)
    .executeTakeFirst()
  if (gone?.merged_into === wanted.stays) return {}
  const scope = await officerOf(db, Number(job.input.staffId), 'schools.merge')
  await progress(0, 1)
  await db.transaction().execute((tx) => mergeSchools(tx, scope, clock(), wanted))
  await progress(1, 1)
  return {}
}

/** The long work of schools. */
export function schoolJobs(): JobHandlers {
  return { [mergeKind]: merge }
}
