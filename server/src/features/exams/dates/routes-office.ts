import { officeExams } from '@podium/contract/exams/calls-office'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { listExams } from './queries-office.ts'

/** The season's olympiads, for every filter of the office. */
export function officeExamRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, officeExams, 'office:signed-in', async ({ scope, query }) => ({
    data: await listExams(deps.db, scope, query.FYear),
  }))
}
