import { correctResults, officeResultChanges, resultCorrections } from '@podium/contract/results-corrections'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { startCorrection } from './commands-corrections.ts'
import { correctionsOf, officeChanges } from './queries-corrections.ts'

/** Corrections after the release: made in the office, told to the schools whose results they change. */
export function resultCorrectionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, correctResults, 'office:results.import', async ({ scope, body, now }) => {
    const { eventYearId: eventId, reason, rows } = body
    const started = await db
      .transaction()
      .execute((tx) => startCorrection(tx, scope, now, { eventId, reason, rows }))
    deps.nudge()
    return started
  })

  serve(app, deps, officeResultChanges, 'office:results.read', ({ scope, query }) =>
    officeChanges(db, scope, query),
  )

  serve(app, deps, resultCorrections, 'school', async ({ scope, query, now }) => ({
    data: await correctionsOf(db, scope, now, query.eventYearId),
  }))
}
