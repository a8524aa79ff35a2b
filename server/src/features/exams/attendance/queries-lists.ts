import { className } from '@podium/contract/classes'
import type { AttendanceEvent } from '@podium/contract/exams/calls-attendance-lists'
import { istDay, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

export interface ListRow {
  participationId: number
  eventId: number
  letter: string
  subject: string
  level: number
  season: string
  examDate: string | null
  released: boolean
  classId: number
  students: number
  absent: number | null
  savedAt: Date | null
  version: number | null
}

/** The class lists of the school: a line for each class of an event with paid students. */
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
      n.class_id as "classId", n.students, l.absent, l.saved_at as "savedAt", l.version
    from participations p join events e on e.id = p.event_id join subjects sub on sub.letter = e.letter
      left join exam_dates chosen on chosen.id = p.exam_date_id
      cross join lateral (
        select n.class_id, count(*) as students from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active and st.paid
        group by n.class_id) n
      left join attendance_lists l on l.participation_id = p.id and l.class_id = n.class_id
    where p.school_id = ${scope.schoolId} and ${which}
    order by e.level, sub.position, e.letter, n.class_id > 12 desc, n.class_id`.execute(db)
  return rows
}

/** What stands against entering a list now; undefined: nothing. */
export function reasonAgainst(row: Pick<ListRow, 'examDate' | 'released'>, now: Date) {
  if (row.examDate === null || row.examDate > istDay(now)) return 'attendance.too_early'
  return row.released ? 'attendance.closed' : undefined
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
      savedAt: row.savedAt?.toISOString() ?? null,
      version: row.version ?? 0,
    })
    events.set(row.participationId, event)
  }
  return [...events.values()]
}

/** The students of one class list in the order of the sheet. */
export async function studentsOfList(
  db: Db | Tx,
  scope: SchoolScope,
  { eventManagementId, classId }: { eventManagementId: number; classId: number },
) {
  const { rows } = await sql<{
    studentId: number
    studentName: string
    section: string
    rollNo: number
    nioRollNo: string
    absent: boolean
  }>`
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
