import type { ExamSchedule } from '@podium/contract/exams/calls-schedules'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

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
