import { messages } from '@podium/contract/messages'
import { getSignOffs, reopenList, signOffLists } from '@podium/contract/students/calls-sign-off'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { reopen, signOff } from './commands.ts'
import { findLists } from './queries.ts'

/** The school's lists of a season, signed off by its coordinator and opened again. */
export function signOffRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, getSignOffs, 'school', ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    return findLists(db, scope, now, query.FYear)
  })

  write(app, deps, signOffLists, 'school', (tx, { scope, body, now }) => signOff(tx, scope, now, body))

  write(app, deps, reopenList, 'school', async (tx, { scope, body, now }) => {
    await reopen(tx, scope, now, body)
    return { message: messages.saved }
  })
}
