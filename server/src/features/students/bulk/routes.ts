import { changeStudents } from '@podium/contract/students/calls-bulk'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import * as bulk from './commands.ts'

/** Several students changed at once. */
export function bulkRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, changeStudents, 'school', ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    const { keys } = deps
    return bulk.changeStudents(deps.db, { scope, keys, now, season: body.FYear }, body.students)
  })
}
