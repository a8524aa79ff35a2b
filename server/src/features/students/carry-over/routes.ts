import {
  carryOverOffer,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { confirmCarry } from './commands.ts'
import { carryPreview, readOffer } from './queries.ts'

/** Last season's students carried over into this one: offer, preview, confirmation. */
export function carryRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, carryOverOffer, 'school', ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return readOffer(deps.db, scope, query.FYear)
  })

  serve(app, deps, previewCarryOver, 'school', ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    return carryPreview(deps.db, scope, now, body.FYear, body.options)
  })

  serve(app, deps, confirmCarryOver, 'school', async ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    const status = await confirmCarry(deps.db, scope, now, body)
    deps.nudge()
    return status
  })
}
