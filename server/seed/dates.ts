import { sql } from 'kysely'
import { audit } from '../src/platform/audit.ts'
import type { DemoSeason } from './calendar.ts'
import type { School, World } from './world.ts'

/** Chooses exam dates of a school in a season: the first date, or the second of every third event. `most` leaves the rest open. */
export async function chooseDates(
  { db }: World,
  school: School,
  season: DemoSeason,
  now: Date,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; letter: string; dates: number[]; days: string[] }>`
      select p.id, e.letter, array_agg(d.id order by d.ordinal) as dates, array_agg(d.held_on::text order by d.ordinal) as days
      from participations p join events e on e.id = p.event_id join exam_dates d on d.event_id = e.id
      where p.school_id = ${school.id} and e.season = ${season.label} and e.mode = 'Offline'
      group by p.id, e.letter order by e.letter`.execute(tx)
    for (const [index, { id, letter, dates, days }] of rows.slice(0, most).entries()) {
      const chosen = index % 3 === 2 ? 1 : 0
      await tx
        .updateTable('participations')
        .set((values) => ({ exam_date_id: dates[chosen] ?? null, version: values('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      const subject = { kind: 'participation', id, schoolId: school.id, season: season.label }
      await audit(tx, now, school.scope, 'exam_date.chosen', subject, { letter, to: days[chosen] })
    }
  })
}
