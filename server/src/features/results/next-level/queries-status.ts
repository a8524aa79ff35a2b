import { sql } from 'kysely'

/** The statements' own words for where an invitation `i` stands. */
export const pending = sql`(case when i.wanted then i.told <> 'invited' else i.told = 'invited' end)`

export const standing = sql`case
  when i.wanted and i.told <> 'invited' then 'toInvite'
  when i.wanted and i.answer = '' then 'waiting'
  when i.wanted then i.answer
  when i.told = 'invited' then 'toWithdraw'
  when i.told = 'withdrawn' then 'withdrawn'
  else 'left' end`

/**
 * The child of an invitation `i`, and its result in the version of the list `d`: by their keys, one by one, whatever the
 * planner takes the list to be. A list is some ten thousand of a million children.
 */
export const itsStudent = sql`join lateral (select * from students where id = i.student_id limit 1) s on true`
export const itsResult = sql`left join lateral (
  select * from results where set_id = d.set_id and student_id = i.student_id limit 1) r on true`

/** The child of an invitation `i` as `r` where the rules of the version of the list `d` let it go on; one index says so. */
export const ifEligible = sql`left join results r on r.set_id = d.set_id and r.student_id = i.student_id and r.next_level`
