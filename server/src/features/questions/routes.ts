import { messages } from '@podium/contract/messages'
import {
  acceptQuestion,
  acceptQuestions,
  declineQuestion,
  declineQuestions,
  exportQuestions,
  getTeacherQuestions,
  type OfficeQuestion,
  officeQuestions,
  saveTeacherQuestion,
} from '@podium/contract/questions/calls'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { requireOwnSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { type FileAnswer, serve, write } from '#platform/http/http'
import {
  momentCell,
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import { reviewQuestion, reviewQuestions, sendQuestion } from './commands.ts'
import { allQuestions, findQuestions, listQuestions } from './queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'School', width: 12 },
  { title: 'Name of school', width: 36 },
  { title: 'Class', width: 10 },
  { title: 'Subject', width: 20 },
  { title: 'Chapter', width: 16 },
  { title: 'Question', width: 60 },
  { title: 'Option A', width: 24 },
  { title: 'Option B', width: 24 },
  { title: 'Option C', width: 24 },
  { title: 'Option D', width: 24 },
  { title: 'Answer', width: 10 },
  { title: 'Sent by', width: 24 },
  { title: 'Sent', width: 18 },
  { title: 'Assigned to', width: 24 },
  { title: 'Decided by', width: 24 },
  { title: 'Decided', width: 18 },
  { title: 'Reason', width: 40 },
]

const letters = ['A', 'B', 'C', 'D']

const cells = (one: OfficeQuestion): SheetValue[] => [
  ...[one.schCode, one.schName, one.className, one.subjectName, one.chapter, one.question],
  ...letters.map((_, at) => one.options[at] ?? ''),
  ...[letters[one.answer - 1] ?? '', one.sentBy, momentCell(one.creationDate)],
  ...[one.assignee?.name ?? '', one.reviewedBy, momentCell(one.reviewedAt), one.reason],
]

const titles = { sent: 'waiting', accepted: 'accepted', declined: 'declined' } as const

/** Teachers' questions of a state as a file; moments in India. */
const questionsFile = (
  questions: readonly OfficeQuestion[],
  { FYear, status }: { FYear: string; status: OfficeQuestion['status'] },
  format: SheetFormat,
): FileAnswer['file'] =>
  sheetFile(`Questions ${titles[status]} ${FYear}`, columns, questions.map(cells), format)

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
