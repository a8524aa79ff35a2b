import { getOnlineExamSchedule } from '@podium/contract/exams/calls-schedules'
import { parseSeason } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { ownSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { found } from '#platform/errors'
import { serve } from '#platform/http/http'
import { findSchedules } from './queries.ts'

/** When the students of a school take their online exams. */
export function scheduleRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, getOnlineExamSchedule, 'school', async ({ scope, query }) => {
    ownSchool(scope, { schId: query.SchId })
    return { data: await findSchedules(deps.db, scope, found(parseSeason(query.FYear))) }
  })
}
