import {
  askDataAsSchool,
  schoolDataRequests,
  withdrawDataRequest,
} from '@podium/contract/privacy/calls-school'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { askAsSchool, withdrawAsSchool } from './commands-school.ts'
import { requestsOfSchool } from './queries-school.ts'

/** The school's part in requests about children's data: it passes on what a parent has told it. */
export function schoolPrivacyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, schoolDataRequests, 'school', ({ scope, query, now }) =>
    requestsOfSchool(db, scope, now, query.page),
  )

  serve(app, deps, askDataAsSchool, 'school', async ({ scope, body, now }) => ({
    id: await db.transaction().execute((tx) => askAsSchool(tx, scope, now, body)),
  }))

  serve(app, deps, withdrawDataRequest, 'school', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => withdrawAsSchool(tx, scope, now, body))
    return {}
  })
}
