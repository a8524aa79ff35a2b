import { type ScheduleFileRow, scheduleOutcomes } from '@podium/contract/exams/calls-schedules-office'
import { seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { readSheet } from '#platform/sheets/spreadsheet'
import { cellText } from '#platform/sheets/spreadsheet-rows'
import { onlineEvent } from './queries-office.ts'
import { placesTaken } from './queries-slots.ts'
import { dayOf, hoursOf, minuteOf, readHourHead } from './rules-slots.ts'

interface HourRow {
  row: number
  rollNo: string
  hours: { from: Date; to: Date } | undefined
}

/** Reads a file of hours; refuses with `sheet.*`, `schedules.no_heads`. */
export async function readHours(bytes: Buffer, name: string): Promise<HourRow[]> {
  const [head, ...body] = await readSheet(bytes, name)
  const places = head && readHourHead(head.cells.map((cell) => cellText(cell)))
  if (!places) throw new Refusal('schedules.no_heads')
  return body.map(({ number: row, cells }) => {
    const text = (place: number) => cellText(cells[place]).trim()
    const hours = hoursOf(dayOf(text(places.day)), minuteOf(text(places.from)), minuteOf(text(places.to)))
    return { row, rollNo: text(places.roll).toUpperCase(), hours }
  })
}

interface Known {
  id: number
  name: string
  rollNo: string
  from: Date | null
  to: Date | null
  /** The exam is taken or being sat; one that was missed may be given another time. */
  sat: boolean
}

const keyOf = ({ from, to }: { from: Date; to: Date }) => `${from.getTime()} ${to.getTime()}`

/** Free places of the olympiad's slots by their hours; those that the file itself would leave are not counted. */
async function roomByHours(tx: Tx, eventId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ from: Date; to: Date; free: number }>`
    select l.from_at as "from", l.to_at as "to", l.places - ${placesTaken} as free
    from exam_slots l where l.event_id = ${eventId}`.execute(tx)
  return new Map(rows.map((slot) => [keyOf(slot), slot.free]))
}

/** The season of an online olympiad whose hours may still be given. */
export async function refusePastSeason(db: Db | Tx, eventId: number, now: Date): Promise<string> {
  const { season } = await onlineEvent(db, eventId)
  if (season < seasonAt(now)) throw new Refusal('schedules.season_over')
  return season
}

/**
 * What a file of hours would do, or has done. The last row of a student counts. Hours that have begun are not given, an
 * exam that was taken keeps its own, and a slot takes no more than it has places.
 */
export async function runHours(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  file: { eventId: number; rows: readonly HourRow[]; apply: boolean; name: string },
) {
  const { eventId, apply } = file
  const season = await refusePastSeason(tx, eventId, now)
  await sql`select id from events where id = ${eventId} for no key update`.execute(tx)
  const { rows: known } = await sql<Known>`
    select s.id, s.name, upper(s.exam_roll_no) as "rollNo", x.from_at as "from", x.to_at as "to",
      coalesce(x.exam_status in ('In progress', 'Completed'), false) as sat
    from students s join enrolments n on n.student_id = s.id and n.event_id = ${eventId}
      left join exam_schedules x on x.student_id = s.id and x.event_id = n.event_id
        and x.schedule_status <> 'Cancelled'
    where s.season = ${season} and s.active and s.paid
      and upper(s.exam_roll_no) = any(${file.rows.map(({ rollNo }) => rollNo)}::text[])`.execute(tx)
  const byRoll = new Map(known.map((student) => [student.rollNo, student]))
  const room = await roomByHours(tx, eventId)
  const take = (hours: { from: Date; to: Date }, places: number) => {
    const free = room.get(keyOf(hours))
    if (free !== undefined) room.set(keyOf(hours), free - places)
  }
  const write = new Map<number, { from: Date; to: Date }>()
  const rows = file.rows.map((row): ScheduleFileRow => {
    const student = byRoll.get(row.rollNo)
    const { hours } = row
    const shown = {
      row: row.row,
      examRollNo: row.rollNo,
      studentName: student?.name ?? '',
      from: hours?.from.toISOString() ?? null,
      to: hours?.to.toISOString() ?? null,
    }
    if (!student) return { ...shown, outcome: row.rollNo === '' ? 'unclear' : 'unknown' }
    if (!hours) return { ...shown, outcome: 'unclear' }
    const same =
      student.from?.getTime() === hours.from.getTime() && student.to?.getTime() === hours.to.getTime()
    if (same) return { ...shown, outcome: 'same' }
    if (student.sat || hours.from <= now) return { ...shown, outcome: 'over' }
    if ((room.get(keyOf(hours)) ?? 1) <= 0) return { ...shown, outcome: 'full' }
    const earlier = write.get(student.id)
    if (earlier) take(earlier, -1)
    take(hours, 1)
    write.set(student.id, hours)
    return { ...shown, outcome: student.from ? 'changed' : 'new' }
  })
  const counts = Object.fromEntries(
    scheduleOutcomes.map((outcome) => [outcome, rows.filter((row) => row.outcome === outcome).length]),
  )
  if (apply && write.size > 0) {
    const all = [...write]
    await sql`
      insert into exam_schedules (student_id, event_id, slot_id, from_at, to_at)
      select u.id, ${eventId}, l.id, u.from_at, u.to_at
      from unnest(${all.map(([id]) => id)}::bigint[], ${all.map(([, hours]) => hours.from)}::timestamptz[],
          ${all.map(([, hours]) => hours.to)}::timestamptz[]) as u (id, from_at, to_at)
        left join exam_slots l on l.event_id = ${eventId} and l.from_at = u.from_at and l.to_at = u.to_at
      on conflict (student_id, event_id) do update set slot_id = excluded.slot_id, from_at = excluded.from_at,
        to_at = excluded.to_at, schedule_status = 'Rescheduled', exam_status = 'Not started', told_at = null`.execute(
      tx,
    )
    const told = { file: file.name, students: write.size, ...counts }
    await audit(tx, now, scope, 'schedule.imported', { kind: 'schedule', id: eventId, season }, told)
  }
  return { counts, rows, applied: apply ? write.size : 0 }
}
