import { checkRows, enterRows, entryOffers } from '@podium/contract/students/calls-grid'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { refuseManyStudents } from '#platform/moved-limits'
import { ownSchool } from '#platform/own-school'
import { enterGridRows } from './commands-grid.ts'
import { checkGridRows, readOffers } from './queries-grid.ts'

/** Students typed or pasted as rows: the price list, the check, the entry. */
export function gridRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, entryOffers, 'school', ({ scope, query, now }) => {
    ownSchool(scope, query)
    return readOffers(deps.db, scope, now, query.FYear)
  })

  serve(app, deps, checkRows, 'school', async ({ scope, body, now }) => {
    ownSchool(scope, body)
    await refuseManyStudents(deps.db, body.rows.length)
    const { answer } = await checkGridRows(deps.db, scope, now, body.FYear, body.rows)
    return answer
  })

  serve(app, deps, enterRows, 'school', async ({ scope, body, now }) => {
    ownSchool(scope, body)
    await refuseManyStudents(deps.db, body.rows.length)
    const status = await enterGridRows(deps.db, scope, now, body)
    deps.nudge()
    return status
  })
}
