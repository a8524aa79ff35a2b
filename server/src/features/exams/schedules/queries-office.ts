import type { ExamSlot, ScheduleFigures } from '@podium/contract/exams/calls-schedules-office'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

/** Subject and season of an online olympiad; refuses one that is not taken online. */
export async function onlineEvent(db: Db | Tx, eventId: number) {
  const { rows } = await sql<{ season: string; subject: string; mode: string }>`
    select e.season, u.name as subject, e.mode from events e join subjects u on u.letter = e.letter
    where e.id = ${eventId}`.execute(db)
  const event = found(rows[0])
  if (event.mode !== 'Online') throw new Refusal('schedules.not_online')
  return event
}

interface Found {
  slots: ExamSlot[]
  figures: ScheduleFigures
}

/**
 * The slots of an olympiad, the earliest first, and how far its schedule is. Who is entered is found by the letters of
 * the paid students, an index that holds nothing else: of the few choices that there are, those with this olympiad.
 */
export async function slotsOf(db: Db | Tx, _scope: OfficeScope, eventId: number): Promise<Found> {
  const { rows } = await sql<Found>`
    with recursive event as (select * from events where id = ${eventId}),
      choices as (
        select (select min(s.letters) from students s where s.season = e.season and s.active and s.paid) as letters, e.season, e.letter
        from event e
        union all
        select (select min(s.letters) from students s
          where s.season = c.season and s.active and s.paid and s.letters > c.letters), c.season, c.letter
        from choices c where c.letters is not null),
      entered as (
        select s.id, s.school_id from students s
        where s.season = (select season from event where level = 1) and s.active and s.paid
          and s.letters = any(array(select letters from choices where letter = any(string_to_array(letters, ','))))),
      hours as materialized (
        select x.id, x.slot_id, x.told_at, x.exam_status, s.id as student_id,
          coalesce(s.school_id, (select o.school_id from students o where o.id = x.student_id)) as school_id
        from entered s full join (
          select * from exam_schedules where event_id = ${eventId} and schedule_status <> 'Cancelled') x on x.student_id = s.id),
      taken as (
        select slot_id, count(*)::int as taken, count(distinct school_id)::int as schools
        from hours where slot_id is not null group by slot_id)
    select coalesce((
        select json_agg(json_build_object('slotId', l.id, 'from', l.from_at, 'to', l.to_at, 'places', l.places,
          'taken', coalesce(t.taken, 0), 'schools', coalesce(t.schools, 0), 'version', l.version) order by l.from_at, l.id)
        from exam_slots l left join taken t on t.slot_id = l.id where l.event_id = ${eventId}), '[]') as slots,
      (select row_to_json(f) from (
        select count(*) as students, count(*) filter (where id is null) as waiting,
          count(*) filter (where id is not null and told_at is null) as untold,
          count(distinct school_id) filter (where id is not null and told_at is null) as "untoldSchools",
          count(*) filter (where exam_status = 'Not started') as "notStarted",
          count(*) filter (where exam_status = 'In progress') as "inProgress",
          count(*) filter (where exam_status = 'Completed') as completed,
          count(*) filter (where exam_status = 'Missed') as missed
        from hours where student_id is not null) f) as figures`.execute(db)
  const { slots, figures } = found(rows[0])
  const instant = (text: string) => new Date(text).toISOString()
  return {
    slots: slots.map((slot) => ({ ...slot, from: instant(slot.from), to: instant(slot.to) })),
    figures,
  }
}
