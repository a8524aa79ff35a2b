import { assign, assignees, lookAt } from '@podium/contract/staff/calls-assignments'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { assignItems } from './commands.ts'
import { assigneesOf, look } from './queries.ts'

/** Who works on what waits. Behind each call stands the permission of the kind that it names. */
export function assignmentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, assignees, 'office:signed-in', async ({ scope, query }) => ({
    data: await assigneesOf(db, scope, query.kind),
  }))

  write(app, deps, assign, 'office:signed-in', (tx, { scope, body, now }) =>
    assignItems(tx, scope, now, body),
  )

  serve(app, deps, lookAt, 'office:signed-in', async ({ scope, body, now }) => ({
    others: await look(db, scope, now, body),
  }))
}
