import type { ExamSchedule } from '@podium/contract/exams/calls'
import type { ExamSlot, ScheduleFigures } from '@podium/contract/exams/calls-office'
import { messages } from '@podium/contract/messages'
import { type Season, seasonAt, startOfDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { changeRows, firstRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal, refuseField } from '#platform/errors'

/** Students of a school without a slot, in the order in which they get one. */
export interface WaitingSchool {
  schoolId: number
  studentIds: number[]
}

export interface Room extends Hours {
  slotId: number
  free: number
}

interface Hours {
  from: Date
  to: Date
}

interface SlotAssignment {
  slotId: number
  studentIds: number[]
}

/** The times of students' other online exams, by student. */
type OtherExams = ReadonlyMap<number, readonly Hours[]>

/** Whether a student has another online exam at these times. */
export const isBusy = (others: OtherExams, studentId: number, { from, to }: Hours): boolean =>
  (others.get(studentId) ?? []).some((exam) => exam.from < to && from < exam.to)

/**
 * Assigns each school the first slot with room and time for all its students; if there is none, its students fill the free
 * places in order. No student gets two exams at once. Undefined if not everyone gets a place: then no one gets a slot.
 */
export function planSlots(
  schools: readonly WaitingSchool[],
  rooms: readonly Room[],
  others: OtherExams = new Map(),
): SlotAssignment[] | undefined {
  // A slot can be overfull after its places were reduced or a file assigned more.
  const left = rooms.map((room) => ({ ...room, free: Math.max(0, room.free) }))
  const given: SlotAssignment[] = []
  for (const { studentIds } of schools) {
    const whole = left.find(
      (room) => room.free >= studentIds.length && !studentIds.some((id) => isBusy(others, id, room)),
    )
    const places = whole ? [whole] : left
    let rest = studentIds
    for (const room of places) {
      const some = rest.filter((id) => !isBusy(others, id, room)).slice(0, room.free)
      if (some.length === 0) continue
      given.push({ slotId: room.slotId, studentIds: some })
      room.free -= some.length
      const placed = new Set(some)
      rest = rest.filter((id) => !placed.has(id))
      if (rest.length === 0) break
    }
    if (rest.length > 0) return undefined
  }
  return given
}

/** The instants of an IST day and times; undefined if the end is not after the start. */
export function hoursOf(day: string | undefined, from: number | undefined, to: number | undefined) {
  if (day === undefined || from === undefined || to === undefined || to <= from) return undefined
  return { from: startOfDay(day, from), to: startOfDay(day, to) }
}

/** Names of the columns, most likely first: a file may have the roll no in the class, too. */
const headings = {
  roll: ['examrollno', 'examrollnumber', 'examroll', 'nioRollNo', 'rollno', 'rollnumber', 'roll'].map(
    (name) => name.toLowerCase(),
  ),
  day: ['examdate', 'date', 'day'],
  from: ['from', 'start', 'starttime', 'fromtime', 'begins', 'begin'],
  to: ['to', 'end', 'endtime', 'totime', 'ends', 'until'],
} as const

type HourField = keyof typeof headings

/** The index of each column of a file of exam times; undefined if one is missing. */
export function readScheduleColumns(cells: readonly string[]): Record<HourField, number> | undefined {
  const folded = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const places = Object.entries(headings).map(([field, names]) => {
    const name = names.find((name) => folded.includes(name))
    return [field, folded.findIndex((cell) => cell === name)]
  })
  return places.every(([, place]) => Number(place) >= 0)
    ? (Object.fromEntries(places) as Record<HourField, number>)
    : undefined
}

/**
 * SQL: whether the student of exam time `x` is active and still entered. One who was cancelled, or whose subject was taken
 * back once unpaid, gives up the place.
 */
export const stillEntered = sql`exists (
  select from students c join enrolments n on n.student_id = c.id and n.event_id = x.event_id
  where c.id = x.student_id and c.active)`

/** The online exams of the school's active students in a season, earliest first. */
export async function findSchedules(db: Db, scope: SchoolScope, season: Season): Promise<ExamSchedule[]> {
  const { rows } = await sql<ExamSchedule>`
    select x.id as "scheduleId", s.name as "StudentName", s.class_id as "ClassId", s.section as "Section",
      s.roll_no as "RollNo", s.parent_name as "M_F_Name", s.parent_email as "Email", e.letter as "EventLetter",
      sub.name as "subjectName", ${instant('x.from_at')} as "ExamSchedule_From",
      ${instant('x.to_at')} as "ExamSchedule_To", x.exam_status as "ExamStatus",
      x.schedule_status as "ScheduleStatus"
    from exam_schedules x
      join students s on s.id = x.student_id join events e on e.id = x.event_id join subjects sub on sub.letter = e.letter
    where s.school_id = ${scope.schoolId} and s.season = ${season} and ${stillEntered}
    order by x.from_at, s.class_id, s.section, s.roll_no, x.id`.execute(db)
  return rows
}

/** The times of these students' exams in other online olympiads than this one. */
export async function otherExams(
  tx: Tx,
  eventId: number,
  studentIds: readonly number[],
): Promise<OtherExams> {
  const { rows } = await sql<Hours & { studentId: number }>`
    select x.student_id as "studentId", x.from_at as "from", x.to_at as "to" from exam_schedules x
    where x.student_id = any(${studentIds}::bigint[]) and x.event_id <> ${eventId}
      and x.schedule_status <> 'Cancelled' and ${stillEntered}`.execute(tx)
  return Map.groupBy(rows, ({ studentId }) => studentId)
}

/** SQL: the number of students in slot `l`. */
export const placesTaken = sql<number>`(
  select count(*)::int from exam_schedules x
  where x.slot_id = l.id and x.schedule_status <> 'Cancelled' and ${stillEntered})`

/** Subject and season of an online olympiad; refuses an offline one. */
export async function onlineEvent(db: Db | Tx, eventId: number) {
  const { rows } = await sql<{ season: string; subject: string; mode: string }>`
    select e.season, u.name as subject, e.mode from events e join subjects u on u.letter = e.letter
    where e.id = ${eventId}`.execute(db)
  const event = orNotFound(rows[0])
  if (event.mode !== 'Online') throw new Refusal('schedules.not_online')
  return event
}

interface SlotsAnswer {
  slots: ExamSlot[]
  figures: ScheduleFigures
}

/**
 * The slots of an olympiad, earliest first, and the progress of its schedule. Students are found by the letters of paid
 * students, which have an index of their own with few distinct values.
 */
export async function slotsOf(db: Db | Tx, _scope: OfficeScope, eventId: number): Promise<SlotsAnswer> {
  const { rows } = await sql<SlotsAnswer>`
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
        select x.id, x.slot_id, x.notified_at, x.exam_status, s.id as student_id,
          coalesce(s.school_id, (select o.school_id from students o where o.id = x.student_id)) as school_id
        from entered s full join (
          select * from exam_schedules x
          where x.event_id = ${eventId} and x.schedule_status <> 'Cancelled' and ${stillEntered}) x on x.student_id = s.id),
      taken as (
        select slot_id, count(*)::int as taken, count(distinct school_id)::int as schools
        from hours where slot_id is not null group by slot_id)
    select coalesce((
        select json_agg(json_build_object('slotId', l.id, 'from', l.from_at, 'to', l.to_at, 'places', l.places,
          'taken', coalesce(t.taken, 0), 'schools', coalesce(t.schools, 0), 'version', l.version) order by l.from_at, l.id)
        from exam_slots l left join taken t on t.slot_id = l.id where l.event_id = ${eventId}), '[]') as slots,
      (select row_to_json(f) from (
        select count(*) as students, count(*) filter (where id is null) as waiting,
          count(*) filter (where id is not null and notified_at is null) as unnotified,
          count(distinct school_id) filter (where id is not null and notified_at is null) as "unnotifiedSchools",
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

interface Slot {
  slotId: number
  version?: number | undefined
  eventId: number
  from: Date
  to: Date
  places: number
}

async function known(tx: Tx, { slotId, eventId, from, to }: Slot): Promise<boolean> {
  const { rows } = await sql`
    select id from exam_slots where event_id = ${eventId} and from_at = ${from}::timestamptz
      and to_at = ${to}::timestamptz and id <> ${slotId}`.execute(tx)
  return rows.length > 0
}

/** A slot that has begun keeps its start; its end may still move, for an interrupted exam. */
function refuseOver(now: Date, { from, to }: Hours, before?: Hours): void {
  const moved = (name: keyof Hours, to: Date) => before?.[name].getTime() !== to.getTime()
  if (moved('from', from)) {
    if (before && (before.from <= now || from <= now)) throw new Refusal('schedules.slot_begun')
    if (from <= now) throw refuseField('from', messages.slotOver)
  }
  if (moved('to', to) && to <= now) throw refuseField('to', messages.slotOver)
}

/** Refuses times at which a student of this slot has another online exam. */
async function refuseClash(tx: Tx, { slotId, eventId, from, to }: Slot): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select x.student_id as id from exam_schedules x
    where x.slot_id = ${slotId} and x.exam_status = 'Not started' and x.schedule_status <> 'Cancelled'
      and ${stillEntered}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  const others = await otherExams(tx, eventId, ids)
  if (ids.some((id) => isBusy(others, id, { from, to }))) throw new Refusal('schedules.clash')
}

/**
 * Creates or changes a slot. If its time changes, its students are rescheduled and their schools notified again. Past times
 * can be neither set nor changed, and no student gets two exams at once.
 */
export async function saveSlot(tx: Tx, scope: OfficeScope, now: Date, slot: Slot): Promise<number> {
  const { slotId, eventId, from, to, places } = slot
  if (to <= from) throw refuseField('to', messages.slotBackwards)
  const { season } = await onlineEvent(tx, eventId)
  if (slotId === 0) {
    if (season < seasonAt(now)) throw new Refusal('schedules.season_over')
    refuseOver(now, slot)
  }
  await lockSlots(tx, eventId)
  if (await known(tx, slot)) throw new Refusal('schedules.slot_known')
  const columns = { event_id: eventId, from_at: from, to_at: to, places }
  const hours = { from: from.toISOString(), to: to.toISOString(), places }
  if (slotId === 0) {
    const { id } = await tx.insertInto('exam_slots').values(columns).returning('id').executeTakeFirstOrThrow()
    await audit(tx, now, scope, 'slot.added', { kind: 'slot', id, season }, { hours })
    return id
  }
  const before = await lockSlot(tx, slotId)
  if (before.event_id !== eventId) throw new Refusal('not_found')
  if (before.version !== slot.version) throw new Refusal('changed_meanwhile')
  refuseOver(now, slot, { from: before.from_at, to: before.to_at })
  if (places < (await takenOf(tx, slotId))) throw new Refusal('schedules.too_few_places')
  const moved = from.getTime() !== before.from_at.getTime() || to.getTime() !== before.to_at.getTime()
  // One that has begun may end later whatever comes next: the exam was interrupted.
  if (moved && before.from_at > now) await refuseClash(tx, slot)
  await changeRows(tx, 'exam_slots', {
    where: { id: slotId },
    set: { ...columns, version: before.version + 1 },
  })
  await sql`
    update exam_schedules set from_at = ${from}::timestamptz, to_at = ${to}::timestamptz,
      schedule_status = 'Rescheduled', notified_at = null
    where slot_id = ${slotId} and exam_status = 'Not started' and schedule_status <> 'Cancelled'
      and (from_at, to_at) is distinct from (${from}::timestamptz, ${to}::timestamptz)`.execute(tx)
  const was = { from: before.from_at.toISOString(), to: before.to_at.toISOString(), places: before.places }
  await audit(tx, now, scope, 'slot.changed', { kind: 'slot', id: slotId, season }, { was, hours })
  return slotId
}

/**
 * Locks the slots of a season's online olympiads: changes and assignments run one at a time and see each other's results.
 */
export async function lockSlots(tx: Tx, eventId: number): Promise<void> {
  await sql`
    select id from events
    where id = ${eventId} or season = (select season from events where id = ${eventId}) and mode = 'Online'
    order by id for no key update`.execute(tx)
}

async function lockSlot(tx: Tx, slotId: number) {
  return tx
    .selectFrom('exam_slots')
    .select(['id', 'event_id', 'from_at', 'to_at', 'places', 'version'])
    .where('id', '=', slotId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

async function takenOf(tx: Tx, slotId: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select ${placesTaken} as taken from exam_slots l where l.id = ${slotId}`.execute(tx)
  return rows[0]?.taken ?? 0
}

/** Deletes a slot without students. The exam times of students who gave up their place remain, without the slot. */
export async function deleteSlot(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { slotId, version }: { slotId: number; version: number },
): Promise<void> {
  const { event_id } = orNotFound(await firstRow(tx, 'exam_slots', { id: slotId }, ['event_id']))
  await lockSlots(tx, event_id)
  const slot = await lockSlot(tx, slotId)
  if (slot.version !== version) throw new Refusal('changed_meanwhile')
  if ((await takenOf(tx, slotId)) > 0) throw new Refusal('schedules.slot_used')
  await changeRows(tx, 'exam_schedules', { where: { slot_id: slotId }, set: { slot_id: null } })
  await tx.deleteFrom('exam_slots').where('id', '=', slotId).execute()
  const { season } = await onlineEvent(tx, slot.event_id)
  const was = { from: slot.from_at.toISOString(), to: slot.to_at.toISOString(), places: slot.places }
  await audit(tx, now, scope, 'slot.deleted', { kind: 'slot', id: slotId, season }, { was })
}
