import * as calls from '@podium/contract/schools/calls-merge'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { enqueueJob, jobOfKind } from '#platform/jobs/jobs'
import { mergeKind } from '../import/jobs.ts'
import { mergeSchools, refuseMerge } from './commands.ts'
import { mergeCandidatesOf, mergePreview } from './queries.ts'

/** From this many students in all seasons, the merge runs as a job. */
const large = 2_000

async function isLarge(db: Db, school: number): Promise<boolean> {
  const { rows } = await sql`
    select from students where school_id = ${school} offset ${large} limit 1`.execute(db)
  return rows.length > 0
}

/** Routes for merging two records of the same school. */
export function schoolMergeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.mergeCandidates, 'office:schools.read', ({ scope, query }) =>
    mergeCandidatesOf(db, scope, query.id, query.search),
  )

  serve(app, deps, calls.previewMerge, 'office:schools.merge', ({ scope, query, now }) =>
    mergePreview(db, scope, now, query),
  )

  write(app, deps, calls.mergeSchools, 'office:schools.merge', async (tx, { scope, body, now }) => {
    if (!(await isLarge(tx, body.source))) {
      await mergeSchools(tx, scope, now, body)
      return { jobId: '' }
    }
    await refuseMerge(tx, now, body)
    const input = { merge: body }
    return {
      jobId: await enqueueJob(tx, now, { kind: mergeKind, total: 1, input, createdBy: scope.staffId }),
    }
  })

  serve(app, deps, calls.mergeJob, 'office:schools.merge', async ({ query }) => {
    const { state, error } = await jobOfKind(db, mergeKind, query.jobId)
    return { state, error }
  })
}
