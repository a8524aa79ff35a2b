import type { ExamSlot, ScheduleFigures } from '@podium/contract/schedules-office'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import type { OfficeScope } from '#platform/scope'

/** Subject and season of an online olympiad; refuses one that is not taken online. */
export async function onlineEvent(db: Db | Tx, eventId: number) {
  const { rows } = await sql<{ season: string; subject: string; mode: string }>`
    select e.season, u.name as subject, e.mode from events e join subjects u on u.letter = e.letter
    where e.id = ${eventId}`.execute(db)
  const event = found(rows[0])
  if (event.mode !== 'Online') throw new Refusal('schedules.not_online')
  return event
}

type SlotRow = Omit<ExamSlot, 'from' | 'to'> & { from: Date; to: Date }

/** The slots of an olympiad, the earliest first. */
export async function listSlots(db: Db | Tx, _scope: OfficeScope, eventId: number): Promise<ExamSlot[]> {
  const { rows } = await sql<SlotRow>`
    select l.id as "slotId", l.from_at as "from", l.to_at as "to", l.places, l.version,
      count(x.id)::int as taken, count(distinct s.school_id)::int as schools
    from exam_slots l
      left join exam_schedules x on x.slot_id = l.id and x.schedule_status <> 'Cancelled'
      left join students s on s.id = x.student_id
    where l.event_id = ${eventId} group by l.id order by l.from_at, l.id`.execute(db)
  return rows.map(({ from, to, ...row }) => ({ ...row, from: from.toISOString(), to: to.toISOString() }))
}

/** How far the schedule of an olympiad is. */
export async function scheduleFigures(
  db: Db,
  _scope: OfficeScope,
  eventId: number,
): Promise<ScheduleFigures> {
  const { rows } = await sql<ScheduleFigures>`
    select count(*)::int as students, count(*) filter (where x.id is null)::int as waiting,
      count(*) filter (where x.id is not null and x.told_at is null)::int as untold,
      count(distinct s.school_id) filter (where x.id is not null and x.told_at is null)::int as "untoldSchools",
      count(*) filter (where x.exam_status = 'Not started')::int as "notStarted",
      count(*) filter (where x.exam_status = 'In progress')::int as "inProgress",
      count(*) filter (where x.exam_status = 'Completed')::int as completed,
      count(*) filter (where x.exam_status = 'Missed')::int as missed
    from enrolments n join students s on s.id = n.student_id and s.active and s.paid
      left join exam_schedules x on x.student_id = s.id and x.event_id = n.event_id and x.schedule_status <> 'Cancelled'
    where n.event_id = ${eventId}`.execute(db)
  return found(rows[0])
}
