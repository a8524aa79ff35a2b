import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { lateFeesOf } from '#features/catalogue/fees/queries-late'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import type { DeadlineFacts } from './rules-deadlines.ts'

/** The last days of a season that concern one school, all but what is due; undefined where there is no such season. */
export async function readDeadlineFacts(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<Omit<DeadlineFacts, 'payable'> | undefined> {
  const { rows } = await sql<Omit<DeadlineFacts, 'payable' | 'lateFees'>>`
    select s.state = 'open' as open, s.fee_due_on as "feeDueOn",
      coalesce((
        select jsonb_agg(jsonb_build_object('name', sub.name, 'day', e.closes_on) order by sub.position)
        from events e join subjects sub on sub.letter = e.letter
        where e.season = s.label and e.level = 1), '[]') as closings,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', sub.name, 'firstDate', d.held_on,
          'choiceDays', s.date_choice_days, 'paid', t.paid = t.total) order by sub.position)
        from participations p join events e on e.id = p.event_id and e.season = s.label and e.mode = 'Offline'
          join subjects sub on sub.letter = e.letter
          left join exam_dates d on d.event_id = e.id and d.ordinal = 1
          cross join lateral (
            select count(*) as total, count(*) filter (where st.paid) as paid
            from enrolments n join students st on st.id = n.student_id
            where n.school_id = p.school_id and n.event_id = p.event_id and st.active) t
        where p.school_id = ${scope.schoolId} and p.exam_date_id is null and t.total > 0), '[]') as undated,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', sub.name, 'day', d.answer_by) order by sub.position)
        from next_level_rounds d join events e on e.id = d.event_id join subjects sub on sub.letter = e.letter
        where d.season = s.label and exists (
          select from next_level_invitations i
          where i.school_id = ${scope.schoolId} and i.event_id = d.event_id and i.told = 'invited' and i.answer = '')
          and not exists (
            select from result_holds h where h.event_id = d.event_id and h.school_id = ${scope.schoolId})), '[]') as unanswered
    from seasons s where s.label = ${season}`.execute(db)
  const [facts] = rows
  return facts && { ...facts, lateFees: await lateFeesOf(db, season, now) }
}
