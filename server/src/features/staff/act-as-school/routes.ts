import { endVisit as end, schoolVisits } from '@podium/contract/staff/calls-act-as-school'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { endVisit } from './commands.ts'
import { visitsOf } from './queries.ts'

/** The office in a school's portal: leaving, and what the school sees of it; coming is a sign-in. */
export function actAsSchoolRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  write(app, deps, end, 'account', (tx, { scope, now }) => endVisit(tx, scope, now))

  serve(app, deps, schoolVisits, 'school', async ({ scope, now }) => ({
    data: await visitsOf(db, scope, now),
  }))
}
