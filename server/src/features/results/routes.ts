import { messages } from '@podium/contract/messages'
import { resultEvents, searchResults as searchCall, whyResult } from '@podium/contract/results/calls'
import type { FastifyInstance } from 'fastify'
import { ownSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { type Handle, serve } from '#platform/http/http'
import { bulkCertificateRoutes } from './certificates/routes.ts'
import { resultCorrectionRoutes } from './corrections/routes.ts'
import { resultEventsOf } from './queries.ts'
import { listResults } from './queries-list.ts'
import { whatIfRoutes } from './ranking/routes-what-if.ts'
import { officeVersionRoutes } from './release/routes-versions.ts'
import { resultFileRoutes } from './routes-files.ts'
import { officeResultRoutes } from './routes-office.ts'
import { whyForSchool } from './why/queries.ts'

const actions = { 2: 'medal', 3: 'prize', 5: 'award' } as const

/** Results for schools, and the office's side of them. */
export function resultRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, resultEvents, 'school', async ({ scope, query, now }) => ({
    data: await resultEventsOf(db, scope, now, query.FYear),
  }))

  const proves = { proves: true }
  const search: Handle<typeof searchCall, 'school'> = async ({ scope, body, now, proof }) => {
    ownSchool(scope, { schCode: body.schCode })
    const wanted = {
      season: body.fyear,
      eventId: body.eventYearId,
      letter: body.eventLetter,
      level: body.examLevel,
      classId: body.classId,
      action: body.action ? actions[body.action] : undefined,
      offset: body.offset,
      limit: body.limit,
    }
    const { releasedAt, ...found } = await listResults(db, scope, now, wanted, proof)
    const message =
      found.state === 'held'
        ? messages.resultsHeld
        : found.state === 'awaited'
          ? 'The results are not out yet.'
          : ''
    return { ...found, message, releasedAt: releasedAt?.toISOString() ?? null }
  }
  serve(app, deps, searchCall, 'school', search, proves)

  serve(app, deps, whyResult, 'school', async ({ scope, query, now }) => ({
    why: await whyForSchool(db, scope, now, query.resultId),
  }))

  officeResultRoutes(app, deps)
  officeVersionRoutes(app, deps)
  resultCorrectionRoutes(app, deps)
  resultFileRoutes(app, deps)
  bulkCertificateRoutes(app, deps)
  whatIfRoutes(app, deps)
}
