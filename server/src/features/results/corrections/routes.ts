import {
  correctMarksRow,
  correctResults,
  officeResultChanges,
  resultCorrections,
  resultOnRecord,
  searchCandidates,
} from '@podium/contract/results/calls-corrections'
import { decidePapers, resultPapers } from '@podium/contract/results/calls-paper-comparison'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { decideOnPapers } from '../ranking/commands-paper-comparison.ts'
import { papersOf } from '../ranking/queries-paper-comparison.ts'
import { correctRow, startCorrection } from './commands.ts'
import { candidatesLike, correctionsOf, officeChanges, onRecord } from './queries.ts'

/** What somebody has to decide upon beside the way of a version: papers that differ, and corrections after the release. */
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

  serve(app, deps, resultOnRecord, 'office:results.read', ({ scope, query, now }) =>
    onRecord(db, scope, now, query),
  )

  serve(app, deps, correctMarksRow, 'office:results.import', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => correctRow(tx, scope, now, body))
    return {}
  })

  serve(app, deps, searchCandidates, 'office:results.read', ({ scope, query }) =>
    candidatesLike(db, scope, query),
  )

  serve(app, deps, resultPapers, 'office:results.read', ({ scope, query }) =>
    papersOf(db, scope, query.setId),
  )

  serve(app, deps, decidePapers, 'office:results.import', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => decideOnPapers(tx, scope, now, body))
    return {}
  })

  serve(app, deps, officeResultChanges, 'office:results.read', ({ scope, query }) =>
    officeChanges(db, scope, query),
  )

  serve(app, deps, resultCorrections, 'school', async ({ scope, query, now }) => ({
    data: await correctionsOf(db, scope, now, query.eventYearId),
  }))
}
