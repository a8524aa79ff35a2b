import { className } from '@podium/contract/classes'
import type { DifferenceRow } from '@podium/contract/results/calls-next-level-list'
import { type RawBuilder, sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

export const pageSize = 50

/**
 * What another version of the results changes in the list of an event, as a subquery `student_id, change`: who is
 * eligible and not invited, unless a person left the child out; who is invited by the rules alone and no longer eligible.
 */
export const changesOfList = (
  eventId: number | RawBuilder<unknown>,
  setId: number | RawBuilder<unknown>,
) => sql`(
  select r.student_id, 'added' as change
  from results r join students s on s.id = r.student_id and s.active
    left join next_level_invitations i on i.event_id = ${eventId} and i.student_id = r.student_id
  where r.set_id = ${setId} and r.next_level and (i.student_id is null or (not i.wanted and not i.by_hand))
  union all
  select i.student_id, 'removed' from next_level_invitations i
  where i.event_id = ${eventId} and i.wanted and not i.by_hand and not exists (
    select from results r where r.set_id = ${setId} and r.student_id = i.student_id and r.next_level))`

interface Line extends Omit<DifferenceRow, 'className'> {
  classId: number
  total: number
}

/** A page of what the version that schools see now would change in the list of an event. */
export async function differenceOf(
  db: Db,
  _scope: OfficeScope,
  now: Date,
  { eventYearId: eventId, page }: { eventYearId: number; page: number },
) {
  const { rows: heads } = await sql<{ list: number; list_version: number; id: number; version: number }>`
    select d.set_id as list, l.version as list_version, v.id, v.version from next_level_rounds d
      join result_sets l on l.id = d.set_id join lateral ${visibleSet(sql`d.event_id`, now)} v on true
    where d.event_id = ${eventId}`.execute(db)
  const head = found(heads[0], 'next_level.no_list')
  if (head.list === head.id) throw new Refusal('next_level.no_difference')
  const { rows } = await sql<Line>`
    select s.id as "studentId", s.name as "studentName", coalesce(b.exam_roll_no, a.exam_roll_no, '') as "nioRollNo",
      coalesce(b.class_id, a.class_id) as "classId", o.code as "schCode", o.name as "schName", c.change,
      coalesce(i.told = 'invited', false) as told, a.olympiad_rank as before, b.olympiad_rank as after,
      count(*) over ()::int as total
    from ${changesOfList(eventId, head.id)} c join students s on s.id = c.student_id
      left join results a on a.set_id = ${head.list} and a.student_id = c.student_id
      left join results b on b.set_id = ${head.id} and b.student_id = c.student_id
      left join next_level_invitations i on i.event_id = ${eventId} and i.student_id = c.student_id
      join schools o on o.id = coalesce(b.school_id, a.school_id, i.school_id)
    order by c.change desc, coalesce(b.class_id, a.class_id), coalesce(b.olympiad_rank, a.olympiad_rank), s.id
    limit ${pageSize} offset ${(Math.max(1, page) - 1) * pageSize}`.execute(db)
  return {
    listVersion: head.list_version,
    visibleVersion: head.version,
    total: rows[0]?.total ?? 0,
    pageSize,
    data: rows.map(({ classId, total: _, ...row }) => ({ ...row, className: className(classId) })),
  }
}
