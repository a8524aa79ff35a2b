import { type RawBuilder, sql } from 'kysely'

/**
 * Whether the registration fee of a student is with the foundation, to be verified. Not the same as `locked`, which a
 * payment of the books alone makes too. Only locked rows are looked up; and not with «exists», for which the planner may
 * read all lines of payments into memory first.
 */
export const registrationSent = (student: 's' | 'st' | 'students'): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${student}.${column}`)
  return sql`case when ${of('locked')} and not ${of('paid')} then coalesce((
    select true from payment_lines l
    where l.student_id = ${of('id')} and l.purpose = 'registration' and l.live), false) else false end`
}
