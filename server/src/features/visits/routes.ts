import { endVisit as end, schoolVisits, startVisit as start } from '@podium/contract/visits'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { readUserDetails } from '../accounts/queries.ts'
import { endVisit, startVisit } from './commands.ts'
import { visitsOf } from './queries.ts'

/** The office in a school's portal: coming, leaving, and what the school sees of it. */
export function visitRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, start, 'office:schools.act', async ({ scope, body, now, request }) => {
    const visit = await db.transaction().execute((tx) => startVisit(tx, scope, now, body, request))
    return {
      token: visit.token,
      userDetails: await readUserDetails(db, visit.userId),
      officer: scope.name,
      until: visit.until.toISOString(),
    }
  })

  serve(app, deps, end, 'account', async ({ scope, now }) => {
    await db.transaction().execute((tx) => endVisit(tx, scope, now))
    return {}
  })

  serve(app, deps, schoolVisits, 'school', async ({ scope, now }) => ({
    data: await visitsOf(db, scope, now),
  }))
}
