import type { Season } from '@podium/contract/season'
import { officerBehind } from '#platform/auth/job-askers'
import { Refusal } from '#platform/errors'
import type { Job, JobHandlers, RunContext } from '#platform/jobs/jobs'
import { countStale } from '../orders/commands-needs.ts'
import { type DueQuery, dueSchoolIds } from '../orders/queries.ts'
import { packDue } from './commands.ts'

export const packKind = 'dispatch.pack'

/** The long work of dispatch: packing for many schools. */
export function dispatchJobs(): JobHandlers {
  return { [packKind]: runPack }
}

/**
 * Packs school by school, each in a transaction of its own. Started again it goes on with what is still due. A school to
 * which nothing is due any more is passed over.
 */
async function runPack(job: Job, context: RunContext) {
  const { db, clock, progress, checkpoint } = context
  const query = job.input.query as DueQuery
  const most = Number(job.input.most)
  const scope = officerBehind(context)
  // After a release all schools are to be counted: what is not counted is not due.
  for (let left = 1; left > 0; ) {
    await progress(0)
    left = await countStale(db, clock())
  }
  const ids = await dueSchoolIds(db, query)
  const before = job.output as { packets?: number; schools?: number } | null
  let packets = before?.packets ?? 0
  let schools = before?.schools ?? 0
  let skipped = 0
  for (const [at, schoolId] of ids.entries()) {
    await progress(at, ids.length)
    const packing = { schoolId, season: query.FYear as Season, contents: query.contents, filter: query, most }
    try {
      const made = await db.transaction().execute((tx) => packDue(tx, scope, clock(), packing))
      packets += made.length
      schools++
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      skipped++
    }
    if (at % 50 === 49) await checkpoint({ packets, schools, skipped })
  }
  return { packets, schools, skipped }
}
