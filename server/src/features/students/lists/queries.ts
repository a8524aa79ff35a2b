import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'

/** What stands at the head of a school's paper. */
export interface PaperSchool {
  code: string
  name: string
  city: string
}

export async function readPaperSchool(db: Db, schoolId: number): Promise<PaperSchool> {
  return db
    .selectFrom('schools')
    .select(['code', 'name', 'city'])
    .where('id', '=', schoolId)
    .executeTakeFirstOrThrow()
}

export interface PaperDates {
  letter: string
  online: boolean
  /** `2026-12-03`, the chosen one where the school has chosen, else what is offered */
  days: string[]
}

/** When the school's children sit each subject, as far as it is known. */
export async function readPaperDates(db: Db, schoolId: number, season: Season): Promise<PaperDates[]> {
  const { rows } = await sql<PaperDates>`
    select e.letter, e.mode = 'Online' as online, coalesce((
        select jsonb_agg(d.held_on::text order by d.ordinal) from exam_dates d
        where d.event_id = e.id and (p.exam_date_id is null or d.id = p.exam_date_id)), '[]') as days
    from events e left join participations p on p.event_id = e.id and p.school_id = ${schoolId}
    where e.season = ${season} and e.level = 1`.execute(db)
  return rows
}
