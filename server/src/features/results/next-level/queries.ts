import { className } from '@podium/contract/classes'
import type { InvitedChild, SchoolInvitations } from '@podium/contract/results/calls-next-level'
import { daysBetween, istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

interface Row extends Omit<InvitedChild, 'className' | 'answeredAt'> {
  eventYearId: number
  subjectName: string
  eventLetter: string
  level: number
  answerBy: string
  listNote: string
  examDates: string[]
  answered_at: Date | null
}

/** The invitations that a school was told of, subject by subject; nothing of an event whose results are held back. */
export async function invitationsOf(
  db: Db,
  scope: SchoolScope,
  now: Date,
  season: string,
): Promise<SchoolInvitations[]> {
  const { rows } = await sql<Row>`
    select d.event_id as "eventYearId", u.name as "subjectName", e.letter as "eventLetter", d.level,
      d.answer_by as "answerBy", d.note as "listNote", s.id as "studentId", s.name as "studentName",
      i.class_id as "classId", s.section, coalesce(r.exam_roll_no, s.exam_roll_no, '') as "nioRollNo",
      i.told = 'withdrawn' as withdrawn, i.answer, i.answer_note as note, coalesce(p.name, '') as "answeredBy",
      i.answered_at, coalesce((
        select array_agg(x.held_on::text order by x.held_on) from events n join exam_dates x on x.event_id = n.id
        where n.season = d.season and n.letter = e.letter and n.level = d.level), '{}') as "examDates"
    from next_level_invitations i join next_level_rounds d on d.event_id = i.event_id
      join events e on e.id = d.event_id join subjects u on u.letter = e.letter
      join students s on s.id = i.student_id left join users p on p.id = i.answered_by
      left join results r on r.set_id = d.set_id and r.student_id = i.student_id
    where i.school_id = ${scope.schoolId} and d.season = ${season} and i.told <> ''
      and not exists (select from result_holds h where h.event_id = i.event_id and h.school_id = i.school_id)
    order by d.answer_by < ${istDay(now)}::date, u.position, d.level, case i.class_id when 15 then -3 when 13 then -2 when 14 then -1 else i.class_id end,
      s.section, s.roll_no, s.id`.execute(db)
  const today = istDay(now)
  return [...Map.groupBy(rows, ({ eventYearId }) => eventYearId).values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const { eventYearId, subjectName, eventLetter, level, answerBy, listNote, examDates } = first
    return [
      {
        eventYearId,
        subjectName,
        eventLetter,
        level,
        answerBy,
        daysLeft: daysBetween(today, answerBy),
        note: listNote,
        examDates,
        children: of.map((row) => ({
          studentId: row.studentId,
          studentName: row.studentName,
          classId: row.classId,
          className: className(row.classId),
          section: row.section,
          nioRollNo: row.nioRollNo,
          withdrawn: row.withdrawn,
          answer: row.answer,
          note: row.note,
          answeredBy: row.answeredBy,
          answeredAt: row.answered_at?.toISOString() ?? null,
        })),
        can: { answer: answerBy < today ? 'next_level.closed' : (true as const) },
      },
    ]
  })
}
