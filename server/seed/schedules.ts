import { sql } from 'kysely'
import type { World } from './world.ts'

/** Class 6 of one school has paid after the slots were given, and waits for them. */
const waits = { code: 'TUM0088', classId: 6 }

/**
 * The hours of the online olympiads, for the paid students of every season: each class on one of the olympiad's two
 * dates, in three turns. In the seasons that are over they were taken, but for a few.
 */
export async function makeSchedules({ db, seasons }: World): Promise<void> {
  for (const [yearsAgo, { label }] of seasons.entries()) {
    await sql`
      insert into exam_schedules (student_id, event_id, from_at, to_at, exam_status, schedule_status)
      select student_id, event_id, from_at, from_at + interval '1 hour',
        case when ${yearsAgo === 0} then 'Not started' when place % 29 = 0 then 'Missed' else 'Completed' end,
        case when place % 17 = 0 then 'Rescheduled' else 'Scheduled' end
      from (
        select n.student_id, n.event_id, row_number() over (order by s.school_id, s.class_id, s.section, s.roll_no) as place,
          (d.held_on + time '10:00' + s.roll_no % 3 * interval '90 minutes')
            at time zone 'Asia/Kolkata' as from_at
        from enrolments n join students s on s.id = n.student_id join events e on e.id = n.event_id
          join exam_dates d on d.event_id = e.id and d.ordinal = 1 + s.class_id % 2
        where e.season = ${label} and e.mode = 'Online' and s.active and s.paid
          and not (${yearsAgo === 0} and s.class_id = ${waits.classId} and s.school_id = (
            select id from schools where code = ${waits.code}))) turns`.execute(db)
  }
  await sql`
    insert into exam_slots (event_id, from_at, to_at, places)
    select event_id, from_at, to_at, greatest(40, ceil(count(*) / 20.0)::int * 20) from exam_schedules
    group by event_id, from_at, to_at order by event_id, from_at`.execute(db)
  await sql`
    update exam_schedules x set slot_id = l.id, told_at = ${seasons[0].at(0.98)}::timestamptz
    from exam_slots l where l.event_id = x.event_id and l.from_at = x.from_at and l.to_at = x.to_at`.execute(
    db,
  )
  // One school is still to be told of its hours.
  await sql`
    update exam_schedules x set told_at = null from students s join schools o on o.id = s.school_id
    where s.id = x.student_id and s.season = ${seasons[0].label} and o.code = 'UIS0007'`.execute(db)
}
