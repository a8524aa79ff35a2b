import type { ExamDateSubject } from '@podium/contract/exams/calls'
import type { OfficeExam } from '@podium/contract/exams/calls-office'
import { istDay, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { nothingPayable } from '#platform/paid-students'
import { lastDayToChoose, reasonAgainst } from './rules.ts'

interface Row extends Omit<ExamDateSubject, 'can' | 'until'> {
  mode: string
  choiceDays: number
}

async function participations(db: Db | Tx, scope: SchoolScope, wanted: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.id as "eventManagementId", e.letter as "eventLetter", sub.name as "subjectName", e.level as "examLevel",
      chosen.held_on as "examDate", p.exam_date_id as "examDateId", one.id as "firstDateId", one.held_on as "firstDate",
      two.id as "secondDateId", two.held_on as "secondDate", p.version, e.mode, s.date_choice_days as "choiceDays",
      t.total as "totalStudent", t.paid as "paidStudent", t.waiting as "waitingStudent", t.free as "freeStudent", h.history
    from participations p join events e on e.id = p.event_id
      join subjects sub on sub.letter = e.letter join seasons s on s.label = e.season
      left join exam_dates one on one.event_id = e.id and one.ordinal = 1
      left join exam_dates two on two.event_id = e.id and two.ordinal = 2
      left join exam_dates chosen on chosen.id = p.exam_date_id
      cross join lateral (
        select count(*) as total, count(*) filter (where st.paid) as paid,
          count(*) filter (where not st.paid and ${nothingPayable('st')}) as free,
          count(*) filter (where not st.paid and exists (
            select from payment_lines l where l.student_id = st.id and l.purpose = 'registration' and l.live)) as waiting
        from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active) t
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'by', a.by, 'from', a.change->'from', 'to', a.change->'to')
          order by a.id desc), '[]') as history
        from (
          select id, at, change, case when actor_kind = 'account' then actor_name else '' end as by from audit
          where subject_kind = 'participation' and subject_id = p.id::text and action = 'exam_date.chosen'
          order by id desc limit 10) a) h
    where p.school_id = ${scope.schoolId} and ${wanted}
    order by e.level, sub.position, e.letter`.execute(db)
  return rows
}

/**
 * The offline events of a season in which the school has students, with dates, the choice and what stands against
 * choosing. An event whose last student was deleted is left out.
 */
export async function findExamDates(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<ExamDateSubject[]> {
  const today = istDay(now)
  const rows = await participations(
    db,
    scope,
    sql`e.season = ${season} and e.mode = 'Offline' and t.total > 0`,
  )
  return rows.map((row) => ({
    ...row,
    history: row.history.map((change) => ({ ...change, from: change.from ?? null, to: change.to ?? null })),
    can: reasonAgainst(row, today) ?? true,
    until: lastDayToChoose(row),
  }))
}

/** One participation of the school, whatever its state, to explain a refusal with; undefined when it has no such. */
export async function findParticipation(
  db: Db | Tx,
  scope: SchoolScope,
  id: number,
): Promise<Row | undefined> {
  const [row] = await participations(db, scope, sql`p.id = ${id}`)
  return row
}

/** The olympiads of a season in the order of their subjects. */
export async function listExams(db: Db, _scope: OfficeScope, season: Season): Promise<OfficeExam[]> {
  const { rows } = await sql<OfficeExam>`
    select e.id as "eventYearId", e.letter as "eventLetter", u.name as "subjectName", e.level as "examLevel",
      e.mode as "examMode",
      (select d.held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select d.held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate"
    from events e join subjects u on u.letter = e.letter
    where e.season = ${season} order by u.position, e.level`.execute(db)
  return rows
}
