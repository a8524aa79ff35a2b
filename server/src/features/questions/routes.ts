import { className } from '@podium/contract/classes'
import type { ParsedQuery } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import * as calls from '@podium/contract/questions/calls'
import type { Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { notifyOfExport } from '#features/staff/commands-owners'
import { assigneeOf, isAssigned } from '#features/staff/queries'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { containing, instant, pageOf } from '#platform/db/list-queries'
import { changeRows, firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { notFound, orNotFound, Refusal, refuseField } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { runBulk } from '#platform/http/idempotency'
import { callerId } from '#platform/http/input'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'

const letters = ['A', 'B', 'C', 'D']

const columns: readonly ListColumn<calls.OfficeQuestion>[] = [
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'Class', width: 10, value: (row) => row.className },
  { title: 'Subject', width: 20, value: (row) => row.subjectName },
  { title: 'Chapter', width: 16, value: (row) => row.chapter },
  { title: 'Question', width: 60, value: (row) => row.question },
  ...letters.map(
    (letter, index): ListColumn<calls.OfficeQuestion> => ({
      title: `Option ${letter}`,
      width: 24,
      value: ({ options }) => options[index],
    }),
  ),
  { title: 'Answer', width: 10, value: (row) => letters[row.answer - 1] },
  { title: 'Sent by', width: 24, value: (row) => row.sentBy },
  { title: 'Sent', width: 18, value: (row) => timestampCell(row.creationDate) },
  { title: 'Assigned to', width: 24, value: (row) => row.assignee?.name },
  { title: 'Decided by', width: 24, value: (row) => row.reviewedBy },
  { title: 'Decided', width: 18, value: (row) => timestampCell(row.reviewedAt) },
  { title: 'Reason', width: 40, value: (row) => row.reason },
]

const titles = { sent: 'waiting', accepted: 'accepted', declined: 'declined' } as const

/** Routes for teachers: send questions and see their status. */
export function questionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, calls.getTeacherQuestions, 'school', async ({ scope, query }) => ({
    data: await findQuestions(db, scope, query.FYear),
  }))

  write(
    app,
    deps,
    calls.saveTeacherQuestion,
    'school',
    async (tx, { scope, body, now }) => {
      const question = { ...body, season: body.FYear }
      const id = await sendQuestion(tx, scope, now, question)
      return { id, message: messages.questionSent }
    },
    { count: ({ scope }) => deps.limits.take('form.per-account', callerId(scope)) },
  )

  write(app, deps, calls.withdrawQuestion, 'school', async (tx, { scope, body, now }) => {
    await withdrawQuestion(tx, scope, now, body)
    return {}
  })
}

/** The office's review of teachers' questions. */
export function officeQuestionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.officeQuestions, 'office:questions.read', ({ scope, query }) =>
    listQuestions(db, scope, query),
  )

  write(app, deps, calls.exportQuestions, 'office:questions.read', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const subject = { kind: 'question', id: 'all', season: body.FYear }
    const questions = await allQuestions(tx, scope, filters)
    const change = { format, questions: questions.length, filters }
    await audit(tx, now, scope, 'question.exported', subject, change)
    await notifyOfExport(tx, scope, now, 'the questions of teachers', questions.length)
    return { file: sheetFile(`Questions ${titles[body.status]} ${body.FYear}`, columns, questions, format) }
  })

  write(app, deps, calls.acceptQuestion, 'office:questions.write', async (tx, { scope, body, now }) => {
    await reviewQuestion(tx, scope, now, { ...body, state: 'accepted', reason: '' })
    return { message: messages.saved }
  })

  write(app, deps, calls.declineQuestion, 'office:questions.write', async (tx, { scope, body, now }) => {
    await reviewQuestion(tx, scope, now, { ...body, state: 'declined' })
    return { message: messages.saved }
  })

  serve(app, deps, calls.acceptQuestions, 'office:questions.write', ({ scope, body, now, request }) => {
    const reviews = body.questions.map((question) => ({
      ...question,
      state: 'accepted' as const,
      reason: '',
    }))
    return reviewQuestions(db, scope, now, reviews, request.idempotencyKey)
  })

  serve(app, deps, calls.declineQuestions, 'office:questions.write', ({ scope, body, now, request }) => {
    const { reason } = body
    const reviews = body.questions.map((question) => ({ ...question, state: 'declined' as const, reason }))
    return reviewQuestions(db, scope, now, reviews, request.idempotencyKey)
  })
}

const pageSize = 20

type QuestionQuery = Omit<ParsedQuery<typeof calls.officeQuestions>, 'page'>

/** Searches the question and the school's name and code. LIKE wildcards are escaped. */
function conditionsOf(scope: OfficeScope, query: QuestionQuery): RawBuilder<unknown>[] {
  const { FYear, letter, classId, search, assigned } = query
  const conditions: RawBuilder<unknown>[] = [
    sql`q.season = ${FYear}`,
    isAssigned(scope, 'question', 'q.id', assigned),
  ]
  if (letter !== '') conditions.push(sql`q.letter = ${letter}`)
  if (classId !== '') conditions.push(sql`q.class_id = ${Number(classId)}`)
  for (const word of search.split(' ').filter(Boolean)) {
    const pattern = containing(word)
    conditions.push(sql`(lower(q.question) like ${pattern} or o.search_key like ${pattern})`)
  }
  return conditions
}

/** Questions with a status: pending ones oldest first, others by decision time. */
async function questionsBy(
  db: Db | Tx,
  scope: OfficeScope,
  query: QuestionQuery,
  window: RawBuilder<unknown>,
): Promise<calls.OfficeQuestion[]> {
  const where = sql.join(conditionsOf(scope, query), sql` and `)
  const order = query.status === 'sent' ? sql`q.id` : sql`q.reviewed_at desc nulls last, q.id desc`
  const { rows } = await sql<Omit<calls.OfficeQuestion, 'className'>>`
    select q.id, q.school_id as "schoolId", o.code as "schCode", o.name as "schName", q.class_id as "classId",
      q.letter as "eventLetter", u.name as "subjectName", q.chapter, q.question, q.options, q.answer,
      q.state as status, q.reason, w.name as "sentBy", ${instant('q.created_at')} as "creationDate",
      coalesce(f.name, '') as "reviewedBy", ${instant('q.reviewed_at')} as "reviewedAt", q.version,
      ${assigneeOf('question', 'q.id')} as assignee
    from teacher_questions q join schools o on o.id = q.school_id join subjects u on u.letter = q.letter
      join users w on w.id = q.user_id left join staff f on f.id = q.reviewed_by
    where ${where} and q.state = ${query.status}
    order by ${order} ${window}`.execute(db)
  return rows.map((row) => ({ ...row, className: className(row.classId) }))
}

/** All questions with this status that match the filters, for export. */
async function allQuestions(tx: Tx, scope: OfficeScope, query: QuestionQuery) {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return questionsBy(tx, scope, query, sql``)
}

/** For questions with duplicates: how many other schools sent the same text for the same class and subject. */
async function sameAs(db: Db, ids: readonly number[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: number; same: number }>`
    select q.id, count(*)::int as same from teacher_questions q
      join teacher_questions d on d.season = q.season and d.letter = q.letter and d.class_id = q.class_id
        and md5(lower(d.question)) = md5(lower(q.question)) and d.school_id <> q.school_id and d.state <> 'declined'
    where q.id = any(${ids}::bigint[]) group by q.id`.execute(db)
  return Object.fromEntries(rows.map(({ id, same }) => [id, same]))
}

/** One page of questions with this status, and the count for each status. */
async function listQuestions(db: Db, scope: OfficeScope, query: QuestionQuery & { page: number }) {
  const where = sql.join(conditionsOf(scope, query), sql` and `)
  const counted = await sql<{ state: string; count: number }>`
    select q.state, count(*)::int as count from teacher_questions q join schools o on o.id = q.school_id
    where ${where} group by q.state`.execute(db)
  const counts = Object.fromEntries(counted.rows.map(({ state, count }) => [state, count]))
  const window = pageOf(query.page, pageSize)
  const data = await questionsBy(db, scope, query, window)
  return {
    data,
    same: await sameAs(
      db,
      data.map(({ id }) => id),
    ),
    total: counts[query.status] ?? 0,
    pageSize,
    counts,
  }
}

/** SQL: whether the school has withdrawn question `q`: it is over, and no officer decided it. */
const isWithdrawn = sql<boolean>`(q.state = 'declined' and q.reviewed_by is null)`

/** The questions sent by the school's teachers in a season, newest first. */
async function findQuestions(db: Db, scope: SchoolScope, season: Season): Promise<calls.TeacherQuestion[]> {
  const { rows } = await sql<calls.TeacherQuestion>`
    select q.id, q.class_id as "classId", q.letter as "eventLetter", sub.name as "subjectName", q.chapter, q.question,
      q.options, q.answer, q.state as status, case when ${isWithdrawn} then '' else q.reason end as reason,
      ${isWithdrawn} as withdrawn, u.name as "sentBy", ${instant('q.created_at')} as "creationDate"
    from teacher_questions q join subjects sub on sub.letter = q.letter join users u on u.id = q.user_id
    where q.school_id = ${scope.schoolId} and q.season = ${season}
    order by q.created_at desc, q.id desc`.execute(db)
  return rows
}

type Question = z.output<typeof calls.questionForm> & { season: Season }

/** Refuses questions for a past season, or for a subject that is not offered to the class. */
async function checkOffer(tx: Tx, { season, eventLetter, classId }: Question): Promise<void> {
  const { state } = orNotFound(await firstRow(tx, 'seasons', { label: season }, ['state']))
  if (state === 'closed') throw new Refusal('questions.season_closed')
  const offered = await tx
    .selectFrom('event_fees as f')
    .innerJoin('events as e', 'e.id', 'f.event_id')
    .select('e.id')
    .where('e.season', '=', season)
    .where('e.letter', '=', eventLetter)
    .where('e.level', '=', 1)
    .where('f.class_id', '=', classId)
    .executeTakeFirst()
  if (!offered) throw refuseField('eventLetter', messages.subjectNotOfClass)
}

/**
 * Sends a teacher's question to the foundation and returns its id. A duplicate for the same class and subject is refused,
 * ignoring case; a declined question may be sent again.
 */
async function sendQuestion(tx: Tx, scope: SchoolScope, now: Date, question: Question): Promise<number> {
  const duplicate = calls.duplicateOption(question)
  if (duplicate) throw refuseField(duplicate, messages.optionsAlike)
  await checkOffer(tx, question)
  const { season, eventLetter, classId, chapter, answer } = question
  const sent = await tx
    .insertInto('teacher_questions')
    .values({
      school_id: scope.schoolId,
      season,
      user_id: scope.userId,
      letter: eventLetter,
      class_id: classId,
      chapter,
      question: question.question,
      options: JSON.stringify(calls.optionNames.map((name) => question[name])),
      answer,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirstOrThrow(() => new Refusal('questions.sent_already'))
  const to = { letter: eventLetter, classId, chapter }
  await audit(tx, now, scope, 'question.sent', { kind: 'question', id: sent.id, season }, { to })
  return sent.id
}

/**
 * Withdraws a pending question of the school, which may correct it and send it again; for the office it is declined by
 * the school. Refuses with `not_found`, `questions.decided`.
 */
async function withdrawQuestion(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { id }: { id: number },
): Promise<void> {
  const own = tx.selectFrom('teacher_questions').select('id').where('id', '=', id)
  await own.where('school_id', '=', scope.schoolId).executeTakeFirstOrThrow(notFound)
  const [withdrawn] = await changeRows(tx, 'teacher_questions', {
    where: { id, state: 'sent' },
    set: {
      state: 'declined',
      reason: sentences.withdrawnBySchool,
      reviewed_at: now,
      version: sql`version + 1`,
    },
    returning: ['season'],
  })
  if (!withdrawn) throw new Refusal('questions.decided')
  const { season } = withdrawn
  await audit(tx, now, scope, 'question.withdrawn', { kind: 'question', id, season }, {})
}

interface Review {
  id: number
  version: number
  state: 'accepted' | 'declined'
  reason: string
}

/** Accepts or declines a question in one statement; a second reviewer is refused. Refuses with `not_found`, `questions.reviewed`. */
async function reviewQuestion(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, state, reason }: Review,
): Promise<void> {
  const [reviewed] = await changeRows(tx, 'teacher_questions', {
    where: { id, state: 'sent', version },
    set: { state, reason, reviewed_by: scope.staffId, reviewed_at: now, version: version + 1 },
    returning: ['school_id', 'season'],
  })
  if (!reviewed) {
    const now = await tx
      .selectFrom('teacher_questions as q')
      .select(isWithdrawn.as('withdrawn'))
      .where('q.id', '=', id)
      .executeTakeFirstOrThrow(notFound)
    throw new Refusal('questions.reviewed', now.withdrawn ? { message: sentences.withdrawnBySchool } : {})
  }
  const subject = { kind: 'question', id, schoolId: reviewed.school_id, season: reviewed.season }
  const withReason = reason === '' ? {} : { reason }
  await audit(tx, now, scope, `question.${state}`, subject, { from: 'sent', to: state, ...withReason })
}

/** Accepts or declines several questions independently. Returns which were refused, and why. */
function reviewQuestions(
  db: Db,
  scope: OfficeScope,
  now: Date,
  reviews: readonly Review[],
  key: string | undefined,
) {
  return runBulk(db, now, { scope, key }, reviews, async (tx, review) => {
    await reviewQuestion(tx, scope, now, review)
    return { id: review.id }
  })
}
