import * as z from 'zod/mini'
import { officerBehind } from '#platform/auth/job-askers'
import type { Deps } from '#platform/deps'
import type { JobHandler, JobHandlers } from '#platform/jobs/jobs'
import { schoolImportJobs } from '../import/jobs.ts'
import { mergeSchools, mergeWanted } from './commands.ts'

export const mergeKind = 'schools.merge'

/** The merge of two large schools: one transaction. Started again after it was done it finds that it was. */
const merge: JobHandler = async (job, context) => {
  const { db, clock, progress } = context
  const wanted = z.parse(mergeWanted, job.input.merge)
  const gone = await db
    .selectFrom('schools')
    .select('merged_into')
    .where('id', '=', wanted.leaves)
    .executeTakeFirst()
  if (gone?.merged_into === wanted.stays) return {}
  const scope = officerBehind(context)
  await progress(0, 1)
  await db.transaction().execute((tx) => mergeSchools(tx, scope, clock(), wanted))
  await progress(1, 1)
  return {}
}

/** The long work of schools. */
export function schoolJobs({ files }: Pick<Deps, 'files'>): JobHandlers {
  return { [mergeKind]: merge, ...schoolImportJobs(files) }
}
