import type { OfficeExam } from '@podium/contract/exams/calls-office'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

/** The olympiads of a season in the order of their subjects. */
export async function listExams(db: Db, _scope: OfficeScope, season: Season): Promise<OfficeExam[]> {
  const { rows } = await sql<OfficeExam>`
    select e.id as "eventYearId", e.letter as "eventLetter", u.name as "subjectName", e.level as "examLevel",
      e.mode as "examMode",
      (select d.held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select d.held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate"
    from events e join subjects u on u.letter = e.letter
    where e.season = ${season} order by u.position, e.level`.execute(db)
  return rows
}
