import { messages } from '@podium/contract/messages'
import { acceptQuestion, declineQuestion, officeQuestions } from '@podium/contract/questions-office'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { reviewQuestion } from './commands-review.ts'
import { listQuestions } from './queries-office.ts'

/** The office's review of teachers' questions. */
export function officeQuestionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, officeQuestions, 'office:questions.read', ({ scope, query }) =>
    listQuestions(db, scope, query),
  )

  serve(app, deps, acceptQuestion, 'office:questions.write', async ({ scope, body, now }) => {
    await db
      .transaction()
      .execute((tx) => reviewQuestion(tx, scope, now, { ...body, state: 'accepted', reason: '' }))
    return { message: messages.saved }
  })

  serve(app, deps, declineQuestion, 'office:questions.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => reviewQuestion(tx, scope, now, { ...body, state: 'declined' }))
    return { message: messages.saved }
  })
}
