import type { ExamSchedule } from '@podium/contract/exams/calls-schedules'
import type { ExamSlot, ScheduleFigures } from '@podium/contract/exams/calls-schedules-office'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'

type Row = Omit<ExamSchedule, 'ExamSchedule_From' | 'ExamSchedule_To'> & { from: Date; to: Date }

/** The online exams of the school's students in a season, the earliest first; deleted students have none. */
export async function findSchedules(db: Db, scope: SchoolScope, season: Season): Promise<ExamSchedule[]> {
  const { rows } = await sql<Row>`
    select x.id as "scheduleId", s.name as "StudentName", s.class_id as "ClassId", s.section as "Section",
      s.roll_no as "RollNo", s.parent_name as "M_F_Name", s.parent_email as "Email", e.letter as "EventLetter",
      sub.name as "subjectName", x.from_at as "from", x.to_at as "to", x.exam_status as "ExamStatus",
      x.schedule_status as "ScheduleStatus"
    from exam_schedules x
      join students s on s.id = x.student_id join events e on e.id = x.event_id join subjects sub on sub.letter = e.letter
    where s.school_id = ${scope.schoolId} and s.season = ${season} and s.active
    order by x.from_at, s.class_id, s.section, s.roll_no, x.id`.execute(db)
  return rows.map(({ from, to, ...row }) => ({
    ...row,
    ExamSchedule_From: from.toISOString(),
    ExamSchedule_To: to.toISOString(),
  }))
}

/** How many places of the slot `l` students have. */
export const placesTaken = sql<number>`(
  select count(*)::int from exam_schedules x where x.slot_id = l.id and x.schedule_status <> 'Cancelled')`

/** Subject and season of an online olympiad; refuses one that is not taken online. */
export async function onlineEvent(db: Db | Tx, eventId: number) {
  const { rows } = await sql<{ season: string; subject: string; mode: string }>`
    select e.season, u.name as subject, e.mode from events e join subjects u on u.letter = e.letter
    where e.id = ${eventId}`.execute(db)
  const event = orNotFound(rows[0])
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
  const { slots, figures } = orNotFound(rows[0])
  const instant = (text: string) => new Date(text).toISOString()
  return {
    slots: slots.map((slot) => ({ ...slot, from: instant(slot.from), to: instant(slot.to) })),
    figures,
  }
}
