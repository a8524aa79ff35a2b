import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { duesBySchool } from '#features/schools/register/queries'
import type { ReadTx } from '#platform/db/database'

/** The figures of a season as they are kept; amounts in paise. */
export interface KeptFigures {
  schools: number
  entered: number
  students: number
  paid: number
  entries: number
  received: number
  verifying: number
  outstanding: number
  days: Array<{ day: string; students: number; received: number }>
  states: Array<{ state: string; schools: number; students: number; paid: number }>
  subjects: Array<{ letter: string; name: string; students: number; paid: number }>
}

const shownDays = 30

/** Counts a whole season: five looks over its students, so a job's work. `today` is a day in IST. */
export async function countSeason(tx: ReadTx, season: Season, today: string): Promise<KeptFigures> {
  const { rows } = await sql<Omit<KeptFigures, 'days' | 'states' | 'subjects' | 'outstanding'>>`
    select (select count(*) from schools where active) as schools,
      count(distinct s.school_id) as entered, count(*) as students, count(*) filter (where s.paid) as paid,
      coalesce(sum(cardinality(string_to_array(s.letters, ','))), 0) as entries,
      (select coalesce(sum(p.payable), 0) from payments p where p.season = ${season} and p.state = 'verified') as received,
      (select coalesce(sum(p.payable), 0) from payments p where p.season = ${season} and p.state = 'pending') as verifying
    from students s where s.season = ${season} and s.active`.execute(tx)
  const [totals] = rows
  if (!totals) throw new Error('totals always have a row')
  const owed = await sql<{ due: number }>`
    select coalesce(sum(d.due), 0) as due from ${duesBySchool(season)} d`.execute(tx)
  return {
    ...totals,
    outstanding: owed.rows[0]?.due ?? 0,
    days: await countDays(tx, season, today),
    states: await countStates(tx, season),
    subjects: await countSubjects(tx, season),
  }
}

async function countDays(tx: ReadTx, season: Season, today: string) {
  const { rows } = await sql<KeptFigures['days'][number]>`
    with days as (
      select d::date as day from generate_series(${today}::date - ${shownDays - 1}::int, ${today}::date, interval '1 day') d
    ), entered as (
      select (s.created_at at time zone 'Asia/Kolkata')::date as day, count(*) as n from students s
      where s.season = ${season} and s.active
        and s.created_at >= (${today}::date - ${shownDays - 1}::int)::timestamp at time zone 'Asia/Kolkata'
      group by 1
    ), came as (
      select (p.decided_at at time zone 'Asia/Kolkata')::date as day, sum(p.payable) as amount from payments p
      where p.season = ${season} and p.state = 'verified'
        and p.decided_at >= (${today}::date - ${shownDays - 1}::int)::timestamp at time zone 'Asia/Kolkata'
      group by 1
    )
    select days.day::text as day, coalesce(entered.n, 0) as students, coalesce(came.amount, 0) as received
    from days left join entered using (day) left join came using (day) order by days.day`.execute(tx)
  return rows
}

async function countStates(tx: ReadTx, season: Season) {
  const { rows } = await sql<KeptFigures['states'][number]>`
    select case when o.country = 'India' then o.state else o.country end as state,
      count(*) as schools, sum(h.students) as students, sum(h.paid) as paid
    from (
      select s.school_id, count(*) as students, count(*) filter (where s.paid) as paid
      from students s where s.season = ${season} and s.active group by s.school_id) h
      join schools o on o.id = h.school_id
    group by 1 order by 3 desc, 1`.execute(tx)
  return rows
}

async function countSubjects(tx: ReadTx, season: Season) {
  const { rows } = await sql<KeptFigures['subjects'][number]>`
    select sub.letter, sub.name, n.students, n.paid
    from (
      select x.letter, sum(x.students) as students, sum(x.paid) as paid
      from (
        select s.letters, count(*) as students, count(*) filter (where s.paid) as paid
        from students s where s.season = ${season} and s.active group by s.letters) g
        cross join lateral (select unnest(string_to_array(g.letters, ',')) as letter, g.students, g.paid) x
      group by x.letter) n
      join subjects sub on sub.letter = n.letter
    order by n.students desc, sub.position`.execute(tx)
  return rows
}
