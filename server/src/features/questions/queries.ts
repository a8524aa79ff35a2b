import type { TeacherQuestion } from '@podium/contract/questions/calls'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

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
