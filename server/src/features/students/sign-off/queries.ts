import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

/**
 * Two parts of a statement that writes enrolments of these events: `lists`, the school's lists of them, and
 * `open_lists`, those that are open, held until the transaction ends. A list that is being signed off is waited for and
 * then found closed, so that whoever signs counts everybody and nobody comes after. The statement goes on where
 * `listsOpen` holds.
 */
export const heldLists = (scope: SchoolScope, events: RawBuilder<unknown>) => sql`
    lists as (
      select p.event_id from participations p where p.school_id = ${scope.schoolId} and p.event_id in (${events})
    ), open_lists as (
      select p.event_id from participations p
      where p.school_id = ${scope.schoolId} and p.event_id in (${events}) and p.signed_off_at is null
      for share of p
    )`

/** No list of `heldLists` is signed off. */
export const listsOpen = sql`(select count(*) from lists) = (select count(*) from open_lists)`

/** Letters of a school's lists of a season that are signed off, joined by commas, as an expression of a statement. */
export const signedOffLetters = (schoolId: number, season: Season) => sql<string>`(
  select coalesce(string_agg(e.letter, ','), '') from participations p join events e on e.id = p.event_id
  where p.school_id = ${schoolId} and p.signed_off_at is not null and e.season = ${season} and e.level = 1)`

/** The letters of a season's subjects whose list the school has signed off. */
export async function signedOff(db: Db | Tx, schoolId: number, season: Season): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    letters: string
  }>`select ${signedOffLetters(schoolId, season)} as letters`.execute(db)
  return lettersOf(rows[0]?.letters ?? '')
}

export const lettersOf = (joined: string): ReadonlySet<string> =>
  new Set(joined === '' ? [] : joined.split(','))

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
