import { getSchool } from '@podium/contract/schools/calls'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { readSchool } from './queries.ts'

/** What a school sees of itself. */
export function schoolDetailsRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, getSchool, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: [await readSchool(deps.db, scope)] }
  })
}
