import { checkRows, enterRows, entryOffers } from '@podium/contract/students/calls-grid'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { refuseManyStudents } from '#platform/foundation'
import { serve } from '#platform/http/http'
import { enterGridRows } from './commands.ts'
import { checkGridRows, readOffers } from './queries.ts'

/** Students typed or pasted as rows: the price list, the check, the entry. */
export function gridRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, entryOffers, 'school', ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    return readOffers(deps.db, scope, now, query.FYear)
  })

  serve(app, deps, checkRows, 'school', async ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    await refuseManyStudents(deps.db, body.rows.length)
    const { answer } = await checkGridRows(deps.db, scope, now, body.FYear, body.rows)
    return answer
  })

  serve(app, deps, enterRows, 'school', async ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    await refuseManyStudents(deps.db, body.rows.length)
    const status = await enterGridRows(deps.db, scope, now, body)
    deps.nudge()
    return status
  })
}
