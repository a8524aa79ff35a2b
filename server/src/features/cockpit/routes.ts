import { nudgeList, officeWaiting, seasonProgress, sendNudges as send } from '@podium/contract/cockpit'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { once } from '#platform/idempotency'
import { isStale, planCount } from './commands-figures.ts'
import { sendNudges } from './commands-nudges.ts'
import { lastFigures, schoolsToNudge } from './queries.ts'
import { waitingFor } from './queries-waiting.ts'

/** The office's cockpit: what waits, how the season goes, and reminders to schools. */
export function cockpitRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps

  serve(app, deps, officeWaiting, 'office:signed-in', ({ scope }) => waitingFor(db, scope))

  serve(app, deps, seasonProgress, 'office:signed-in', async ({ scope, query, now }) => {
    const last = await lastFigures(db, scope, query.FYear)
    const counting = last === undefined || isStale(now, last.takenAt, last.students)
    if (counting) {
      await planCount(db, now, query.FYear)
      deps.nudge()
    }
    return { figures: last?.shown ?? null, counting }
  })

  serve(app, deps, nudgeList, 'office:schools.read', ({ scope, query, now }) =>
    schoolsToNudge(db, scope, now, query),
  )

  serve(app, deps, send, 'office:nudges.send', async ({ scope, body, now, request }) => {
    const sent = await db
      .transaction()
      .execute((tx) =>
        once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, () =>
          sendNudges(tx, scope, now, settings.publicUrl, body),
        ),
      )
    deps.nudge()
    return sent
  })
}
