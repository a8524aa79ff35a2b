import { getExamDates, setExamDate, setExamDateGet } from '@podium/contract/exams/calls'
import { officeExams } from '@podium/contract/exams/calls-office'
import { messages } from '@podium/contract/messages'
import { parseSeason } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { SchoolScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { serve } from '#platform/http/http'
import { chooseExamDate, findExamDates, listExams } from './commands.ts'

interface Said {
  eventManagementId: number
  examDateId?: number | '' | null | undefined
  version?: number | undefined
}

/** The exam dates of a school: what is offered, what it has chosen, and choosing. */
export function examRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, getExamDates, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    return { data: await findExamDates(db, scope, orNotFound(parseSeason(query.FYear)), now) }
  })

  async function choose(scope: SchoolScope, now: Date, { examDateId, ...said }: Said) {
    if (!examDateId) {
      const issues = [{ path: 'examDateId', message: messages.selectExamDate }]
      throw new Refusal('exam.no_date', { issues })
    }
    await db.transaction().execute((tx) => chooseExamDate(tx, scope, now, { ...said, examDateId }))
    return { message: messages.saved }
  }
  serve(app, deps, setExamDateGet, 'school', ({ scope, query, now }) => choose(scope, now, query))
  serve(app, deps, setExamDate, 'school', ({ scope, body, now }) => choose(scope, now, body))
}

/** The season's olympiads, for every filter of the office. */
export function officeExamRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, officeExams, 'office:signed-in', async ({ scope, query }) => ({
    data: await listExams(deps.db, scope, query.FYear),
  }))
}
