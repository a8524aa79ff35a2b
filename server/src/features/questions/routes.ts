import { messages } from '@podium/contract/messages'
import { getTeacherQuestions, saveTeacherQuestion } from '@podium/contract/questions/calls'
import type { FastifyInstance } from 'fastify'
import { ownSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { sendQuestion } from './commands.ts'
import { findQuestions } from './queries.ts'

/** Questions that teachers send in, and what became of them. */
export function questionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getTeacherQuestions, 'school', async ({ scope, query }) => {
    ownSchool(scope, query)
    return { data: await findQuestions(db, scope, query.FYear) }
  })

  serve(app, deps, saveTeacherQuestion, 'school', async ({ scope, body, now }) => {
    ownSchool(scope, body)
    const question = { ...body, season: body.FYear }
    const id = await db.transaction().execute((tx) => sendQuestion(tx, scope, now, question))
    return { id, message: messages.questionSent }
  })
}
