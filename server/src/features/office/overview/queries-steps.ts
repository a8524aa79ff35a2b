import type { NextStepKind } from '@podium/contract/office/calls-overview'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { duesForStudents, owedForStudents } from '#features/schools/register/queries'
import type { Tx } from '#platform/db/database'

/** What a school has to do next; `until` is an IST day, `due` in paise. */
export interface SchoolStep {
  school_id: number
  step: NextStepKind
  until: string | null
  students: number
  due: number
}

/**
 * The next step of active schools, of all or of some: to enter students while entries are open, else to pay what is
 * due, else to choose the dates of the olympiads of a school that has paid. Schools with nothing to do are left out.
 * A library's order is the school's own affair and holds up no step.
 */
export function nextStepsOf(season: Season, today: string, ids?: readonly number[]) {
  const wanted = ids === undefined ? sql`` : sql`and o.id = any(${ids}::bigint[])`
  const ofThem = ids === undefined ? sql`` : sql`and s.school_id = any(${ids}::bigint[])`
  const ofTheirs = ids === undefined ? sql`` : sql`and p.school_id = any(${ids}::bigint[])`
  const dues = ids === undefined ? sql`left join ${duesForStudents(season)} d on d.school_id = o.id` : sql``
  const due = ids === undefined ? sql`coalesce(d.due, 0)` : owedForStudents(season)
  return sql`
    select f.school_id, f.step, f.students, f.due,
      case f.step when 'enrol' then q.entries when 'pay' then q.fees else f.choice end as until
    from (
      select g.*, case when g.students = 0 then 'enrol' when g.due > 0 then 'pay'
        when g.paid = g.students and g.choice is not null then 'choose-dates' end as step
      from (
        select o.id as school_id, coalesce(h.students, 0) as students, coalesce(h.paid, 0) as paid, ${due} as due, x.choice
        from schools o
          left join (
            select s.school_id, count(*) as students, count(*) filter (where s.paid) as paid
            from students s where s.season = ${season} and s.active ${ofThem} group by s.school_id) h on h.school_id = o.id
          ${dues}
          left join (
            select p.school_id, min(t.held_on - n.date_choice_days) as choice
            from participations p
              join events e on e.id = p.event_id and e.season = ${season} and e.mode = 'Offline' and e.level = 1
              join exam_dates t on t.event_id = e.id and t.ordinal = 1
              join seasons n on n.label = e.season
            where p.exam_date_id is null and t.held_on - n.date_choice_days >= ${today}::date ${ofTheirs}
            group by p.school_id) x on x.school_id = o.id
        where o.active ${wanted}) g) f
      cross join (
        select n.fee_due_on as fees, n.state = 'open' as open,
          (select max(e.closes_on) from events e where e.season = n.label and e.level = 1) as entries
        from seasons n where n.label = ${season}) q
    where f.step is not null and (f.step <> 'enrol' or (q.open and q.entries >= ${today}::date))`
}

/** The next steps of some schools as they are at this moment. */
export async function stepsNow(tx: Tx, season: Season, today: string, ids: readonly number[]) {
  const { rows } = await sql<SchoolStep>`
    select y.school_id, y.step, y.until::text as until, y.students, y.due
    from (${nextStepsOf(season, today, ids)}) y order by y.school_id`.execute(tx)
  return rows
}
