import { classCode } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '#platform/database'
import type { SchoolScope } from '#platform/scope'
import { youngestFirst } from './queries.ts'

interface Count {
  letter: string
  subjectName: string
  class_id: number
  count: number
}

/** Active students of the school by subject and class, counted from their wide rows alone. */
export async function countParticipation(db: Db, scope: SchoolScope, season: Season) {
  const { rows } = await sql<Count>`
    select sub.letter, sub.name as "subjectName", n.class_id, n.count
    from (
      select letter, st.class_id, count(*)::int as count
      from students st, unnest(string_to_array(st.letters, ',')) as letter
      where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active
      group by letter, st.class_id) n
      join subjects sub on sub.letter = n.letter
    order by sub.position, sub.letter, n.class_id`.execute(db)
  const bySubject = Map.groupBy(rows, (row) => row.letter)
  return [...bySubject].map(([eventLetter, counts]) => ({
    subjectName: counts[0]?.subjectName ?? '',
    eventLetter,
    totalStudent: counts.reduce((sum, { count }) => sum + count, 0),
    details: youngestFirst(counts).map(({ class_id, count }) => ({
      classCode: classCode(class_id),
      classId: class_id,
      totalStudent: count,
    })),
  }))
}

interface ClassInSubject {
  season: Season
  classId: number
  /** Letter or name */
  subject: string
}

/** The students behind one count of the summary. */
export async function findByClass(db: Db, scope: SchoolScope, { season, classId, subject }: ClassInSubject) {
  const { rows } = await sql<{ studentName: string; section: string; mobileNo: string; email: string }>`
    select name as "studentName", section, parent_mobile as "mobileNo", parent_email as email from students
    where school_id = ${scope.schoolId} and season = ${season} and class_id = ${classId} and active
      and (${subject} = any(string_to_array(letters, ',')) or ${subject} = any(string_to_array(subject_names, ',')))
    order by section, roll_no, id`.execute(db)
  return rows
}
