import { type ScheduleFileRow, scheduleOutcomes } from '@podium/contract/exams/calls-office'
import { formatMoment, readDay, readTime, seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import { namesFor } from '#features/catalogue/lists/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { runBulk } from '#platform/http/idempotency'
import { pageOfSeason } from '#platform/mail/mail-templates'
import { mailPeople } from '#platform/mail/mail-texts'
import { readSheet } from '#platform/sheets/spreadsheet'
import { cellText } from '#platform/sheets/spreadsheet-rows'
import * as commands from './commands.ts'

interface HourRow {
  row: number
  rollNo: string
  hours: { from: Date; to: Date } | undefined
}

/** Reads a file of exam times. Refuses with `sheet.*`, `schedules.no_heads`. */
export async function readHours(bytes: Buffer, name: string): Promise<HourRow[]> {
  const [head, ...body] = await readSheet(bytes, name)
  const places = head && commands.readScheduleColumns(head.cells.map((cell) => cellText(cell)))
  if (!places) throw new Refusal('schedules.no_heads')
  return body.map(({ number: row, cells }) => {
    const text = (place: number) => cellText(cells[place]).trim()
    const hours = commands.hoursOf(
      readDay(text(places.day)),
      readTime(text(places.from)),
      readTime(text(places.to)),
    )
    return { row, rollNo: text(places.roll).toUpperCase(), hours }
  })
}

interface SlotStudent {
  id: number
  name: string
  rollNo: string
  from: Date | null
  to: Date | null
  /** The time is a place of a slot */
  placed: boolean
  /** The exam was taken or is in progress; a missed one can get another time */
  sat: boolean
}

const keyOf = ({ from, to }: { from: Date | null; to: Date | null }) => `${from?.getTime()} ${to?.getTime()}`

/** Free places of the olympiad's slots by time */
async function roomByHours(tx: Tx, eventId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ from: Date; to: Date; free: number }>`
    select l.from_at as "from", l.to_at as "to", l.places - ${commands.placesTaken} as free
    from exam_slots l where l.event_id = ${eventId}`.execute(tx)
  return new Map(rows.map((slot) => [keyOf(slot), slot.free]))
}

/** Returns the season of an online olympiad; refuses a past one. */
export async function refusePastSeason(db: Db | Tx, eventId: number, now: Date): Promise<string> {
  const { season } = await commands.onlineEvent(db, eventId)
  if (season < seasonAt(now)) throw new Refusal('schedules.season_over')
  return season
}

/**
 * Checks or applies a file of exam times. The last row of a student counts. Times that have begun are not assigned, a
 * completed exam keeps its time, a slot takes no more students than it has places, and no student two exams at once.
 */
export async function runHours(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  file: { eventId: number; rows: readonly HourRow[]; apply: boolean; name: string },
) {
  const { eventId, apply } = file
  const season = await refusePastSeason(tx, eventId, now)
  await commands.lockSlots(tx, eventId)
  const { rows: known } = await sql<SlotStudent>`
    select s.id, s.name, upper(s.exam_roll_no) as "rollNo", x.from_at as "from", x.to_at as "to",
      x.slot_id is not null as placed, coalesce(x.exam_status in ('In progress', 'Completed'), false) as sat
    from students s join enrolments n on n.student_id = s.id and n.event_id = ${eventId}
      left join exam_schedules x on x.student_id = s.id and x.event_id = n.event_id
        and x.schedule_status <> 'Cancelled'
    where s.season = ${season} and s.active and s.paid
      and upper(s.exam_roll_no) = any(${file.rows.map(({ rollNo }) => rollNo)}::text[])`.execute(tx)
  const byRoll = new Map(known.map((student) => [student.rollNo, student]))
  const places = await roomByHours(tx, eventId)
  const others = await commands.otherExams(
    tx,
    eventId,
    known.map(({ id }) => id),
  )
  const assign = (leaving: ReadonlySet<number>) => {
    const room = new Map(places)
    const take = (hours: { from: Date | null; to: Date | null }, n: number) => {
      const free = room.get(keyOf(hours))
      if (free !== undefined) room.set(keyOf(hours), free - n)
    }
    for (const student of known) if (leaving.has(student.id)) take(student, -1)
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
      const earlier = write.get(student.id)
      if (same && earlier) {
        take(earlier, -1)
        write.delete(student.id)
      }
      if (same) return { ...shown, outcome: 'same' }
      if (student.sat || hours.from <= now) return { ...shown, outcome: 'over' }
      if (commands.isBusy(others, student.id, hours)) return { ...shown, outcome: 'clash' }
      if ((room.get(keyOf(hours)) ?? 1) <= 0) return { ...shown, outcome: 'full' }
      if (earlier) take(earlier, -1)
      take(hours, 1)
      write.set(student.id, hours)
      return { ...shown, outcome: student.from ? 'changed' : 'new' }
    })
    return { rows, write }
  }
  // Whoever gets another time leaves a place to others of the file, and keeps it otherwise.
  const leaving = new Set(known.filter(({ placed }) => placed).map(({ id }) => id))
  let assigned = assign(leaving)
  for (let staying = leaving.size; staying > 0; ) {
    const kept = [...leaving].filter((id) => !assigned.write.has(id))
    for (const id of kept) leaving.delete(id)
    staying = kept.length
    if (staying > 0) assigned = assign(leaving)
  }
  const { rows, write } = assigned
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
        to_at = excluded.to_at, schedule_status = 'Rescheduled', exam_status = 'Not started',
        notified_at = null`.execute(tx)
    const change = { file: file.name, students: write.size, ...counts }
    await audit(tx, now, scope, 'schedule.imported', { kind: 'schedule', id: eventId, season }, change)
  }
  return { counts, rows, applied: apply ? write.size : 0 }
}

interface Assignment {
  eventId: number
  /** Empty: all schools */
  schCode: string
  slotId?: number | undefined
}

async function waitingOf(tx: Tx, { eventId, schCode }: Assignment): Promise<commands.WaitingSchool[]> {
  const school = schCode === '' ? sql`true` : sql`o.code = ${schCode.toUpperCase()}`
  const { rows } = await sql<commands.WaitingSchool>`
    select s.school_id as "schoolId", array_agg(s.id order by s.class_id, s.section, s.roll_no, s.id) as "studentIds"
    from enrolments n join students s on s.id = n.student_id and s.active and s.paid
      join schools o on o.id = s.school_id
    where n.event_id = ${eventId} and ${school} and not exists (
      select from exam_schedules x where x.student_id = s.id and x.event_id = n.event_id
        and x.schedule_status <> 'Cancelled')
    group by s.school_id, o.name_key order by o.name_key, s.school_id`.execute(tx)
  return rows
}

async function roomsOf(tx: Tx, now: Date, { eventId, slotId }: Assignment): Promise<commands.Room[]> {
  const chosen = slotId === undefined ? sql`true` : sql`l.id = ${slotId}`
  const { rows } = await sql<commands.Room>`
    select l.id as "slotId", l.from_at as "from", l.to_at as "to", l.places - ${commands.placesTaken} as free
    from exam_slots l where l.event_id = ${eventId} and l.from_at > ${now}::timestamptz and ${chosen}
    order by l.from_at, l.id`.execute(tx)
  return rows
}

/**
 * Assigns future slots to paid students without one. The olympiad is locked, so concurrent assignments cannot overfill a
 * slot. Refuses with `schedules.not_online`, `schedules.nobody`, `schedules.no_room`, `schedules.clash`.
 */
export async function assignSlots(tx: Tx, scope: OfficeScope, now: Date, assignment: Assignment) {
  const { eventId, schCode } = assignment
  const { season } = await commands.onlineEvent(tx, eventId)
  await commands.lockSlots(tx, eventId)
  const schools = await waitingOf(tx, assignment)
  if (schools.length === 0) throw new Refusal('schedules.nobody')
  const rooms = await roomsOf(tx, now, assignment)
  const others = await commands.otherExams(
    tx,
    eventId,
    schools.flatMap(({ studentIds }) => studentIds),
  )
  const given = commands.planSlots(schools, rooms, others)
  if (!given) throw new Refusal(commands.planSlots(schools, rooms) ? 'schedules.clash' : 'schedules.no_room')
  for (const { slotId, studentIds } of given)
    await sql`
      insert into exam_schedules (student_id, event_id, slot_id, from_at, to_at)
      select u.id, ${eventId}, l.id, l.from_at, l.to_at
      from unnest(${studentIds}::bigint[]) as u (id) join exam_slots l on l.id = ${slotId}
      on conflict (student_id, event_id) do update set slot_id = excluded.slot_id, from_at = excluded.from_at,
        to_at = excluded.to_at, schedule_status = 'Rescheduled', exam_status = 'Not started',
        notified_at = null`.execute(tx)
  const students = given.reduce((sum, { studentIds }) => sum + studentIds.length, 0)
  const change = { students, schools: schools.length, ...(schCode === '' ? {} : { schCode }) }
  await audit(tx, now, scope, 'schedule.assigned', { kind: 'schedule', id: eventId, season }, change)
  return { students, schools: schools.length }
}

/** Notifies every school with new or changed exam times. */
export async function notifySchools(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { eventId, page }: { eventId: number; page: string },
) {
  const { season, subject } = await commands.onlineEvent(tx, eventId)
  const { rows: schools } = await sql<{ schoolId: number; students: number; first: Date; last: Date }>`
    with notified as (
      update exam_schedules x set notified_at = ${now}::timestamptz from students s
      where s.id = x.student_id and x.event_id = ${eventId} and x.notified_at is null
        and x.schedule_status <> 'Cancelled' and ${commands.stillEntered}
      returning s.school_id, x.from_at, x.to_at)
    select school_id as "schoolId", count(*)::int as students, min(from_at) as first, max(to_at) as last
    from notified group by school_id order by school_id`.execute(tx)
  if (schools.length === 0) throw new Refusal('schedules.nobody')
  const people = await readersOf(
    tx,
    schools.map(({ schoolId }) => schoolId),
  )
  const nameFor = await namesFor(tx, people)
  const bySchool = new Map(schools.map((school) => [school.schoolId, school]))
  await mailPeople(tx, now, people, (person, language) => {
    const school = bySchool.get(person.schoolId)
    return (
      school && {
        key: `schedule:${eventId}:${now.getTime()}:${person.id}`,
        kind: 'exam-schedule',
        mail: 'exam-times',
        values: {
          subject: nameFor(language, subject),
          season,
          students: school.students,
          first: formatMoment(school.first),
          last: formatMoment(school.last),
          page: pageOfSeason(page, season),
        },
      }
    )
  })
  const students = schools.reduce((sum, school) => sum + school.students, 0)
  const change = { schools: schools.length, students }
  await audit(tx, now, scope, 'schedule.notified', { kind: 'schedule', id: eventId, season }, change)
  return change
}

interface SlotVersion {
  id: number
  version: number
}

interface Changes {
  slots: readonly SlotVersion[]
  /** Days later; negative: earlier */
  days: number
  places?: number | undefined
}

const dayMs = 86_400_000

/**
 * Moves several slots by days and sets their places, each independently. Returns which were refused, and why. When moving
 * later, the last slot goes first, and vice versa, so that no slot collides with one that is about to move.
 */
export async function changeSlots(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { slots, days, places }: Changes,
  key: string | undefined,
) {
  const ids = slots.map(({ id }) => id)
  const inTime = await db
    .selectFrom('exam_slots')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('from_at', days > 0 ? 'desc' : 'asc')
    .execute()
  const rank = new Map(inTime.map(({ id }, index) => [id, index]))
  const rankOf = ({ id }: SlotVersion) => rank.get(id) ?? slots.length
  const changes = slots.toSorted((a, b) => rankOf(a) - rankOf(b)).map((slot) => ({ ...slot, days, places }))
  return runBulk(db, now, { scope, key }, changes, (tx, change) => changeSlot(tx, scope, now, change))
}

async function changeSlot(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, days, places: newPlaces }: SlotVersion & Omit<Changes, 'slots'>,
) {
  const slot = orNotFound(
    await firstRow(tx, 'exam_slots', { id }, ['id', 'event_id', 'from_at', 'to_at', 'places', 'version']),
  )
  const places = newPlaces ?? slot.places
  if (days === 0 && places === slot.places) return { id }
  const moved = (at: Date) => new Date(at.getTime() + days * dayMs)
  const [from, to] = [moved(slot.from_at), moved(slot.to_at)]
  await commands.saveSlot(tx, scope, now, { slotId: id, version, eventId: slot.event_id, from, to, places })
  return { id }
}

/** Deletes several slots independently; a slot with students is refused. */
export function deleteSlots(
  db: Db,
  scope: OfficeScope,
  now: Date,
  slots: readonly SlotVersion[],
  key: string | undefined,
) {
  return runBulk(db, now, { scope, key }, slots, async (tx, { id, version }) => {
    await commands.deleteSlot(tx, scope, now, { slotId: id, version })
    return { id }
  })
}
