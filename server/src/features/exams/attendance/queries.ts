import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { AttendanceEvent, attendanceList, PaperSchool } from '@podium/contract/exams/calls-attendance'
import { seasonLabel } from '@podium/contract/fields'
import { istDay, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { usesCachedSums } from '#features/catalogue/seasons/queries'
import { visibleSet } from '#features/results/queries'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords } from '#platform/db/list-queries'
import { orNotFound } from '#platform/errors'

const pageSize = 50

/** The filters that select papers. */
export const paperQuery = z.object({
  FYear: seasonLabel,
  eventYearId: z.int(),
  search: z.string(),
  state: z.string(),
  classId: z.string(),
})
export type PaperQuery = z.output<typeof paperQuery>

/** Conditions on the entries `n` of students `s`. */
function entered({ FYear, eventYearId, classId }: PaperQuery): RawBuilder<unknown>[] {
  const conditions = [sql`n.event_id = ${eventYearId}`, sql`s.season = ${FYear}`, sql`s.active`, sql`s.paid`]
  if (classId !== '') conditions.push(sql`n.class_id = ${Number(classId)}`)
  return conditions
}

/** Conditions on the schools `o`. */
function placed({ search, state }: PaperQuery): RawBuilder<unknown>[] {
  const conditions = [hasWords(search, sql`o.search_key`)]
  if (state !== '') conditions.push(sql`o.state = ${state}`)
  return conditions
}

const all = (conditions: readonly RawBuilder<unknown>[]) => sql.join([...conditions], sql` and `)

const entries = (query: PaperQuery) => sql`
  from enrolments n join students s on s.id = n.student_id join schools o on o.id = n.school_id
  where ${all([...entered(query), ...placed(query)])}`

/** From this many schools, or this deep a page, a large season uses its last count; otherwise it is counted now. */
const manySchools = 500
const farDown = 1_000

interface Sums {
  total: number
  students: number
}

/** Whether search and state match too many schools to count one by one. */
async function leavesMany(db: Db, query: PaperQuery): Promise<boolean> {
  const { rows } = await sql<{ many: boolean }>`
    select count(*) > ${manySchools} as many from (
      select from schools o where ${all(placed(query))} limit ${manySchools + 1}) o`.execute(db)
  return rows[0]?.many === true
}

/** The number of schools and paid students. */
async function sumsOf(db: Db, query: PaperQuery, cached: boolean): Promise<Sums | undefined> {
  const { FYear, eventYearId, classId, search, state } = query
  const ofEvent = sql`select from events e where e.id = ${eventYearId} and e.season = ${FYear}`
  if (cached && search === '' && state === '') {
    const { rows } = await sql<Sums>`
      select k.schools as total, k.students - k.unpaid as students from event_figures k
      where k.event_id = ${eventYearId} and k.class_id = ${Number(classId)}
      and exists (${ofEvent})`.execute(db)
    return rows[0]
  }
  const { rows } = await (cached && classId === '' && (await leavesMany(db, query))
    ? sql<Sums>`
        select count(*)::int as total, coalesce(sum(k.students), 0)::int as students
        from event_school_figures k join schools o on o.id = k.school_id
        where k.event_id = ${eventYearId} and exists (${ofEvent}) and ${all(placed(query))}`
    : sql<Sums>`
        select count(*)::int as total, coalesce(sum(x.students), 0)::int as students from (
          select count(*) as students ${entries(query)} group by n.school_id) x`
  ).execute(db)
  return rows[0]
}

/**
 * SQL: the schools `o` with paid students, to be ordered and limited. Asks each school for just one student, because for a
 * deep page the planner would otherwise scan all students.
 */
const taking = (query: PaperQuery, cached: boolean) =>
  cached && query.classId === ''
    ? sql`from event_school_figures k join schools o on o.id = k.school_id
        where k.event_id = ${query.eventYearId} and ${all(placed(query))}`
    : sql`from schools o cross join lateral (
          select from enrolments n join students s on s.id = n.student_id
          where n.school_id = o.id and ${all(entered(query))} limit 1) one
        where ${all(placed(query))}`

/** One page of schools taking an olympiad, with their paid students. */
export async function paperSchools(db: Db, _scope: OfficeScope, query: PaperQuery & { page: number }) {
  const cached = await usesCachedSums(db, query.FYear)
  const sums = await sumsOf(db, query, cached)
  const before = (Math.max(1, query.page) - 1) * pageSize
  const { rows } = await sql<PaperSchool>`
    select c.*, h.*, d.held_on as "examDate" from (
      select o.id as "schoolId", o.code as "schCode", o.name as "schName", o.city, o.state, o.name_key
      ${taking(query, cached && before >= farDown)}
      order by o.name_key, o.id limit ${pageSize} offset ${before}) c
      cross join lateral (
        select count(*)::int as students, count(*) filter (where s.exam_roll_no is null)::int as numberless,
          count(distinct n.class_id)::int as classes
        from enrolments n join students s on s.id = n.student_id
        where n.school_id = c."schoolId" and ${all(entered(query))}) h
      left join participations p on p.school_id = c."schoolId" and p.event_id = ${query.eventYearId}
      left join exam_dates d on d.id = p.exam_date_id
    order by c.name_key, c."schoolId"`.execute(db)
  const { total = 0, students = 0 } = sums ?? {}
  return { data: rows, total, pageSize, students }
}

/** SQL order: Nursery, LKG, UKG, then Class 1 to 12, of `enrolments n`. */
const classOrder = sql`case n.class_id when 15 then -2 when 13 then -1 when 14 then 0 else n.class_id end`

/** The number of students with an exam roll number in each class, in the order in which a job makes their papers. */
export async function paperClasses(db: Db | Tx, query: PaperQuery) {
  const { rows } = await sql<{ classId: number; students: number }>`
    select n.class_id as "classId", count(*)::int as students ${entries(query)} and s.exam_roll_no is not null
    group by n.class_id order by ${classOrder}`.execute(db)
  return rows
}

export interface PaperStudent {
  schoolId: number
  classId: number
  name: string
  section: string
  rollNo: number
  examRollNo: string
  /** Time slot of an online olympiad */
  from: Date | null
  to: Date | null
}

export interface PaperGroup {
  school: { code: string; name: string; address: string; city: string; state: string }
  classId: number
  className: string
  /** The date chosen by the school; null before */
  examDate: string | null
  students: PaperStudent[]
}

interface Row extends PaperStudent {
  code: string
  schName: string
  address: string
  city: string
  state: string
  examDate: string | null
}

function grouped(rows: readonly Row[]): PaperGroup[] {
  const groups: PaperGroup[] = []
  for (const { code, schName: name, address, city, state, examDate, ...student } of rows) {
    const last = groups.at(-1)
    if (last && last.school.code === code && last.classId === student.classId) last.students.push(student)
    else
      groups.push({
        school: { code, name, address, city, state },
        classId: student.classId,
        className: className(student.classId),
        examDate,
        students: [student],
      })
  }
  return groups
}

async function readRows(db: Db, eventId: number, where: RawBuilder<unknown>, limit: RawBuilder<unknown>) {
  const { rows } = await sql<Row>`
    select n.school_id as "schoolId", n.class_id as "classId", s.name, s.section, s.roll_no as "rollNo",
      s.exam_roll_no as "examRollNo", o.code, o.name as "schName", o.address, o.city, o.state,
      d.held_on as "examDate", x.from_at as "from", x.to_at as "to"
    from (${where}) n join students s on s.id = n.student_id join schools o on o.id = n.school_id
      left join participations p on p.school_id = n.school_id and p.event_id = ${eventId}
      left join exam_dates d on d.id = p.exam_date_id
      left join exam_schedules x on x.student_id = s.id and x.event_id = ${eventId} and x.schedule_status <> 'Cancelled'
    order by o.state, o.name_key, o.id, ${classOrder},
      s.section, s.roll_no, s.id ${limit}`.execute(db)
  return rows
}

const ofSchool = (schoolId: number, eventId: number, season: Season, classId: string) => sql`
  select n.student_id, n.school_id, n.class_id, n.event_id from enrolments n join students s on s.id = n.student_id
  where n.school_id = ${schoolId} and n.event_id = ${eventId} and s.season = ${season} and s.active and s.paid
    and s.exam_roll_no is not null ${classId === '' ? sql`` : sql`and n.class_id = ${Number(classId)}`}`

/** The paid students of one school in an olympiad, class by class. */
export async function papersOfSchool(
  db: Db,
  scope: OfficeScope | SchoolScope,
  of: { schoolId: number; eventId: number; season: Season; classId: string },
): Promise<PaperGroup[]> {
  const schoolId = scope.kind === 'school' ? scope.schoolId : of.schoolId
  return grouped(await readRows(db, of.eventId, ofSchool(schoolId, of.eventId, of.season, of.classId), sql``))
}

/** Ids of the schools that match the filters and have students of the class, in the order of the papers. */
export async function paperSchoolIds(db: Db, query: PaperQuery): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id ${entries(query)} and s.exam_roll_no is not null
    group by o.id order by o.state, o.name_key, o.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The students of a class at these schools, in the order of the ids. */
export async function papersOfSchools(
  db: Db,
  query: PaperQuery,
  ids: readonly number[],
): Promise<PaperGroup[]> {
  const some = sql`select n.student_id, n.school_id, n.class_id, n.event_id ${entries(query)} and s.exam_roll_no is not null and o.id = any(${[...ids]}::bigint[])`
  return grouped(await readRows(db, query.eventYearId, some, sql``))
}

/** Subject, season and mode of an olympiad of the season. */
export async function paperEvent(db: Db, eventId: number, season: Season) {
  const { rows } = await sql<{ letter: string; subject: string; level: number; mode: string }>`
    select e.letter, u.name as subject, e.level, e.mode from events e join subjects u on u.letter = e.letter
    where e.id = ${eventId} and e.season = ${season}`.execute(db)
  return orNotFound(rows[0])
}

/** The olympiad of one of the school's participations; another school's is not found. */
export async function ownEvent(db: Db, scope: SchoolScope, participationId: number) {
  const { rows } = await sql<{ eventId: number; season: Season }>`
    select e.id as "eventId", e.season from participations p join events e on e.id = p.event_id
    where p.id = ${participationId} and p.school_id = ${scope.schoolId}`.execute(db)
  return orNotFound(rows[0])
}

interface ListRow {
  participationId: number
  eventId: number
  letter: string
  subject: string
  level: number
  season: string
  examDate: string | null
  released: boolean
  /** Approved results wait for the time of their release, compared with the attendance as it is */
  scheduled: boolean
  classId: number
  students: number
  absent: number | null
  /** Students who were not on the list yet when it was saved */
  added: number
  savedAt: Date | null
  version: number | null
}

/** The school's class lists: a row for each event and class with paid students. */
export async function listRows(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  which: RawBuilder<unknown>,
): Promise<ListRow[]> {
  const { rows } = await sql<ListRow>`
    select p.id as "participationId", e.id as "eventId", e.letter, sub.name as subject, e.level, e.season,
      coalesce(chosen.held_on, (select max(held_on) from exam_dates d where d.event_id = e.id))::text as "examDate",
      exists (select from ${visibleSet(sql`e.id`, now)} v) as released,
      exists (
        select from result_sets r where r.event_id = e.id and r.state = 'approved' and r.release_at is not null) as scheduled,
      n.class_id as "classId", n.students, case when l.version is not null then n.absent end as absent,
      greatest(n.students - coalesce(l.students, n.students), 0)::int as added, l.saved_at as "savedAt", l.version
    from participations p join events e on e.id = p.event_id join subjects sub on sub.letter = e.letter
      left join exam_dates chosen on chosen.id = p.exam_date_id
      cross join lateral (
        select n.class_id, count(*)::int as students, count(a.student_id)::int as absent
        from enrolments n join students st on st.id = n.student_id
          left join attendance_absences a on a.event_id = n.event_id and a.student_id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active and st.paid
        group by n.class_id) n
      left join attendance_lists l on l.participation_id = p.id and l.class_id = n.class_id
    where p.school_id = ${scope.schoolId} and ${which}
    order by e.level, sub.position, e.letter, n.class_id > 12 desc, n.class_id`.execute(db)
  return rows
}

/** Why a list can't be entered now; undefined if it can. */
export function reasonAgainst(row: Pick<ListRow, 'examDate' | 'released' | 'scheduled'>, now: Date) {
  if (row.examDate === null || row.examDate > istDay(now)) return 'attendance.too_early'
  if (row.released) return 'attendance.closed'
  return row.scheduled ? 'attendance.scheduled' : undefined
}

export async function attendanceOf(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<AttendanceEvent[]> {
  const events = new Map<number, AttendanceEvent>()
  for (const row of await listRows(db, scope, now, sql`e.season = ${season}`)) {
    const event = events.get(row.participationId) ?? {
      eventManagementId: row.participationId,
      eventLetter: row.letter,
      subjectName: row.subject,
      examLevel: row.level,
      examDate: row.examDate,
      can: reasonAgainst(row, now) ?? true,
      classes: [],
    }
    event.classes.push({
      classId: row.classId,
      className: className(row.classId),
      students: row.students,
      absent: row.absent,
      added: row.added,
      savedAt: row.savedAt?.toISOString() ?? null,
      version: row.version ?? 0,
    })
    events.set(row.participationId, event)
  }
  return [...events.values()]
}

/** Counts the class lists whose attendance can be entered and is not, or not for all students. */
export async function countListsToEnter(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<number> {
  const rows = await listRows(db, scope, now, sql`e.season = ${season}`)
  return rows.filter(
    (row) => (row.savedAt === null || row.added > 0) && reasonAgainst(row, now) === undefined,
  ).length
}

/** The students of a class list, in the order of the sheet. */
export async function studentsOfList(
  db: Db | Tx,
  scope: SchoolScope,
  { eventManagementId, classId }: { eventManagementId: number; classId: number },
) {
  const { rows } = await sql<AnswerOf<typeof attendanceList>['students'][number]>`
    select st.id as "studentId", st.name as "studentName", st.section, st.roll_no as "rollNo",
      coalesce(st.exam_roll_no, '') as "nioRollNo", a.student_id is not null as absent
    from participations p join enrolments n on n.school_id = p.school_id and n.event_id = p.event_id
      join students st on st.id = n.student_id
      left join attendance_absences a on a.event_id = p.event_id and a.student_id = st.id
    where p.id = ${eventManagementId} and p.school_id = ${scope.schoolId} and n.class_id = ${classId}
      and st.active and st.paid
    order by st.section, st.roll_no, st.id`.execute(db)
  return rows
}
