import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { onlineEvent } from './queries-office.ts'
import { placesTaken } from './queries-slots.ts'
import { giveSlots, type Room, type Waiting } from './rules-slots.ts'

interface Assignment {
  eventId: number
  /** Empty: all schools */
  schCode: string
  slotId?: number | undefined
}

async function waitingOf(tx: Tx, { eventId, schCode }: Assignment): Promise<Waiting[]> {
  const school = schCode === '' ? sql`true` : sql`o.code = ${schCode.toUpperCase()}`
  const { rows } = await sql<Waiting>`
    select s.school_id as "schoolId", array_agg(s.id order by s.class_id, s.section, s.roll_no, s.id) as "studentIds"
    from enrolments n join students s on s.id = n.student_id and s.active and s.paid
      join schools o on o.id = s.school_id
    where n.event_id = ${eventId} and ${school} and not exists (
      select from exam_schedules x where x.student_id = s.id and x.event_id = n.event_id
        and x.schedule_status <> 'Cancelled')
    group by s.school_id, o.name_key order by o.name_key, s.school_id`.execute(tx)
  return rows
}

async function roomsOf(tx: Tx, now: Date, { eventId, slotId }: Assignment): Promise<Room[]> {
  const one = slotId === undefined ? sql`true` : sql`l.id = ${slotId}`
  const { rows } = await sql<Room>`
    select l.id as "slotId", l.places - ${placesTaken} as free
    from exam_slots l where l.event_id = ${eventId} and l.from_at > ${now}::timestamptz and ${one}
    order by l.from_at, l.id`.execute(tx)
  return rows
}

/**
 * Gives slots that are still to come to paid students without hours. The olympiad is locked, so that two who give slots
 * at once never overfill one. Refuses with `schedules.not_online`, `schedules.nobody`, `schedules.no_room`.
 */
export async function assignSlots(tx: Tx, scope: OfficeScope, now: Date, assignment: Assignment) {
  const { eventId, schCode } = assignment
  const { season } = await onlineEvent(tx, eventId)
  await sql`select id from events where id = ${eventId} for no key update`.execute(tx)
  const schools = await waitingOf(tx, assignment)
  if (schools.length === 0) throw new Refusal('schedules.nobody')
  const given = giveSlots(schools, await roomsOf(tx, now, assignment))
  if (!given) throw new Refusal('schedules.no_room')
  for (const { slotId, studentIds } of given)
    await sql`
      insert into exam_schedules (student_id, event_id, slot_id, from_at, to_at)
      select u.id, ${eventId}, l.id, l.from_at, l.to_at
      from unnest(${studentIds}::bigint[]) as u (id) join exam_slots l on l.id = ${slotId}
      on conflict (student_id, event_id) do update set slot_id = excluded.slot_id, from_at = excluded.from_at,
        to_at = excluded.to_at, schedule_status = 'Rescheduled', exam_status = 'Not started', told_at = null`.execute(
      tx,
    )
  const students = given.reduce((sum, { studentIds }) => sum + studentIds.length, 0)
  const told = { students, schools: schools.length, ...(schCode === '' ? {} : { schCode }) }
  await audit(tx, now, scope, 'schedule.assigned', { kind: 'schedule', id: eventId, season }, told)
  return { students, schools: schools.length }
}
