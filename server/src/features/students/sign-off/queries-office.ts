import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'

interface ListLine {
  eventLetter: string
  subjectName: string
  students: number
  signedAt: Date | null
  signedBy: string
  reopened: number
  reason: string
}

/** Where the lists of a school stand in a season, for the office: event by event with its active students. */
export async function listsOfSchool(db: Db, schoolId: number, season: Season) {
  const { rows } = await sql<ListLine>`
    select e.letter as "eventLetter", sub.name as "subjectName", t.students, p.signed_off_at as "signedAt",
      coalesce((select o.signed_by_name from sign_offs o where o.participation_id = p.id and o.reopened_at is null), '') as "signedBy",
      (select count(*) from sign_offs o where o.participation_id = p.id and o.reopened_at is not null) as reopened,
      coalesce((select o.reason from sign_offs o where o.participation_id = p.id and o.reopened_at is not null
        order by o.id desc limit 1), '') as reason
    from participations p join events e on e.id = p.event_id join subjects sub on sub.letter = e.letter
      cross join lateral (
        select count(*) as students from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active) t
    where p.school_id = ${schoolId} and e.season = ${season} and e.level = 1 and (t.students > 0 or p.signed_off_at is not null)
    order by sub.position, e.letter`.execute(db)
  return rows.map((row) => ({ ...row, signedAt: row.signedAt?.toISOString() ?? null }))
}
