import { rulesOfEvent, tryRules, whatIfState } from '@podium/contract/results/calls-what-if'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { found } from '#platform/errors'
import { serve } from '#platform/http/http'
import { readJob } from '#platform/jobs/jobs'
import { startTrial, whatIfKind } from './commands-what-if.ts'
import { rulesHistory, whatIfOutcomes } from './queries-what-if.ts'

/** The rules of an event with their versions, and trials of other rules. */
export function whatIfRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, rulesOfEvent, 'office:catalogue.read', ({ scope, query }) =>
    rulesHistory(db, scope, query.eventYearId),
  )

  serve(app, deps, tryRules, 'office:catalogue.rules', async ({ scope, body, now }) => {
    const jobId = await db.transaction().execute((tx) => startTrial(tx, scope, now, body))
    deps.nudge()
    return { jobId }
  })

  serve(app, deps, whatIfState, 'office:catalogue.rules', async ({ scope, query }) => {
    const read = await readJob(db, query.jobId)
    const job = found(read?.kind === whatIfKind ? read : undefined)
    const { id, kind, state, done, total, error } = job
    return {
      job: { jobId: id, kind, state, done, total, error },
      events: await whatIfOutcomes(db, scope, job),
    }
  })
}
