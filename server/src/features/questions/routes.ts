import { messages } from '@podium/contract/messages'
import { getTeacherQuestions, saveTeacherQuestion } from '@podium/contract/questions/calls'
import {
  acceptQuestion,
  acceptQuestions,
  declineQuestion,
  declineQuestions,
  exportQuestions,
  officeQuestions,
} from '@podium/contract/questions/calls-office'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { reviewQuestion, reviewQuestions, sendQuestion } from './commands.ts'
import { questionsFile } from './documents.ts'
import { findQuestions } from './queries.ts'
import { allQuestions, listQuestions } from './queries-office.ts'

/** Questions that teachers send in, and what became of them. */
export function questionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getTeacherQuestions, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: await findQuestions(db, scope, query.FYear) }
  })

  write(app, deps, saveTeacherQuestion, 'school', async (tx, { scope, body, now }) => {
    requireOwnSchool(scope, body)
    const question = { ...body, season: body.FYear }
    const id = await sendQuestion(tx, scope, now, question)
    return { id, message: messages.questionSent }
  })
}

/** The office's review of teachers' questions. */
export function officeQuestionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, officeQuestions, 'office:questions.read', ({ scope, query }) =>
    listQuestions(db, scope, query),
  )

  serve(app, deps, exportQuestions, 'office:questions.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const subject = { kind: 'question', id: 'all', season: body.FYear }
    const questions = await db.transaction().execute(async (tx) => {
      const chosen = await allQuestions(tx, scope, filters)
      const told = { format, questions: chosen.length, filters }
      await audit(tx, now, scope, 'question.exported', subject, told)
      await tellOfFile(tx, scope, now, 'the questions of teachers', chosen.length)
      return chosen
    })
    return { file: questionsFile(questions, filters, format) }
  })

  write(app, deps, acceptQuestion, 'office:questions.write', async (tx, { scope, body, now }) => {
    await reviewQuestion(tx, scope, now, { ...body, state: 'accepted', reason: '' })
    return { message: messages.saved }
  })

  write(app, deps, declineQuestion, 'office:questions.write', async (tx, { scope, body, now }) => {
    await reviewQuestion(tx, scope, now, { ...body, state: 'declined' })
    return { message: messages.saved }
  })

  serve(app, deps, acceptQuestions, 'office:questions.write', ({ scope, body, now, request }) => {
    const reviews = body.questions.map((one) => ({ ...one, state: 'accepted' as const, reason: '' }))
    return reviewQuestions(db, scope, now, reviews, request.idempotencyKey)
  })

  serve(app, deps, declineQuestions, 'office:questions.write', ({ scope, body, now, request }) => {
    const { reason } = body
    const reviews = body.questions.map((one) => ({ ...one, state: 'declined' as const, reason }))
    return reviewQuestions(db, scope, now, reviews, request.idempotencyKey)
  })
}
