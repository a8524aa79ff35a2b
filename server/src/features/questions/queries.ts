import { className } from '@podium/contract/classes'
import type { OfficeQuestion, TeacherQuestion } from '@podium/contract/questions/calls'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { assigneeOf, isAssigned } from '#features/staff/queries'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

const pageSize = 20

interface QuestionQuery {
  FYear: Season
  status: 'sent' | 'accepted' | 'declined'
  letter: string
  classId: string
  search: string
  assigned?: string | undefined
}

interface OfficeRow extends Omit<OfficeQuestion, 'className' | 'creationDate' | 'reviewedAt'> {
  creationDate: Date
  reviewedAt: Date | null
}

/** Words are looked for in the question and in the school's name and code; LIKE's own signs mean themselves. */
function conditionsOf(scope: OfficeScope, query: QuestionQuery): RawBuilder<unknown>[] {
  const { FYear, letter, classId, search, assigned } = query
  const conditions: RawBuilder<unknown>[] = [
    sql`q.season = ${FYear}`,
    isAssigned(scope, 'question', 'q.id', assigned),
  ]
  if (letter !== '') conditions.push(sql`q.letter = ${letter}`)
  if (classId !== '') conditions.push(sql`q.class_id = ${Number(classId)}`)
  for (const word of search.toLowerCase().split(' ').filter(Boolean)) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
    conditions.push(sql`(lower(q.question) like ${pattern} or o.search_key like ${pattern})`)
  }
  return conditions
}

/** Questions in a state; those that wait come oldest first, the others as they were decided. */
async function questionsBy(
  db: Db | Tx,
  scope: OfficeScope,
  query: QuestionQuery,
  window: RawBuilder<unknown>,
): Promise<OfficeQuestion[]> {
  const where = sql.join(conditionsOf(scope, query), sql` and `)
  const order = query.status === 'sent' ? sql`q.id` : sql`q.reviewed_at desc nulls last, q.id desc`
  const { rows } = await sql<OfficeRow>`
    select q.id, q.school_id as "schoolId", o.code as "schCode", o.name as "schName", q.class_id as "classId",
      q.letter as "eventLetter", u.name as "subjectName", q.chapter, q.question, q.options, q.answer,
      q.state as status, q.reason, w.name as "sentBy", q.created_at as "creationDate",
      coalesce(f.name, '') as "reviewedBy", q.reviewed_at as "reviewedAt", q.version,
      ${assigneeOf('question', 'q.id')} as assignee
    from teacher_questions q join schools o on o.id = q.school_id join subjects u on u.letter = q.letter
      join users w on w.id = q.user_id left join staff f on f.id = q.reviewed_by
    where ${where} and q.state = ${query.status}
    order by ${order} ${window}`.execute(db)
  return rows.map((row) => ({
    ...row,
    className: className(row.classId),
    creationDate: row.creationDate.toISOString(),
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
  }))
}

/** All questions in a state that the filters leave, for a file. */
export async function allQuestions(tx: Tx, scope: OfficeScope, query: QuestionQuery) {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return questionsBy(tx, scope, query, sql``)
}

/** How many others have the same text for the same class and subject, of those questions that have any; a school counts once. */
async function sameAs(db: Db, ids: readonly number[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: number; same: number }>`
    select q.id, count(*)::int as same from teacher_questions q
      join teacher_questions d on d.season = q.season and d.letter = q.letter and d.class_id = q.class_id
        and md5(lower(d.question)) = md5(lower(q.question)) and d.school_id <> q.school_id and d.state <> 'declined'
    where q.id = any(${ids}::bigint[]) group by q.id`.execute(db)
  return Object.fromEntries(rows.map(({ id, same }) => [id, same]))
}

/** One page of questions in a state, and how many there are in each. */
export async function listQuestions(db: Db, scope: OfficeScope, query: QuestionQuery & { page: number }) {
  const where = sql.join(conditionsOf(scope, query), sql` and `)
  const counted = await sql<{ state: string; count: number }>`
    select q.state, count(*)::int as count from teacher_questions q join schools o on o.id = q.school_id
    where ${where} group by q.state`.execute(db)
  const counts = Object.fromEntries(counted.rows.map(({ state, count }) => [state, count]))
  const window = sql`limit ${pageSize} offset ${(Math.max(1, query.page) - 1) * pageSize}`
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

type Row = Omit<TeacherQuestion, 'creationDate'> & { creationDate: Date }

/** The questions that the school's teachers have sent in for a season, the newest first. */
export async function findQuestions(db: Db, scope: SchoolScope, season: Season): Promise<TeacherQuestion[]> {
  const { rows } = await sql<Row>`
    select q.id, q.class_id as "classId", q.letter as "eventLetter", sub.name as "subjectName", q.chapter, q.question,
      q.options, q.answer, q.state as status, q.reason, u.name as "sentBy", q.created_at as "creationDate"
    from teacher_questions q join subjects sub on sub.letter = q.letter join users u on u.id = q.user_id
    where q.school_id = ${scope.schoolId} and q.season = ${season}
    order by q.created_at desc, q.id desc`.execute(db)
  return rows.map((row) => ({ ...row, creationDate: row.creationDate.toISOString() }))
}
