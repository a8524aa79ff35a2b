import type { ParsedBody } from '@podium/contract/endpoint'
import type { closeDay as closeDayCall } from '@podium/contract/ledger/calls'
import { addDays } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { addRow } from '#platform/db/rows'
import { Refusal } from '#platform/errors'
import { refuseIfChanged } from '#platform/http/idempotency'
import { figuresBetween, lastDayOver } from './closing/queries.ts'
import { stillCharged } from './queries.ts'

type DayToClose = ParsedBody<typeof closeDayCall>

/**
 * Closes a past day with its current figures. Earlier days with money must be closed first; payments without a bank line need
 * a note. Refuses with `bank.*`, and `changed_meanwhile` if the figures differ from those shown. Returns the stored note.
 */
export async function closeDay(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { day, seen, note }: DayToClose,
  onlyForDifference = false,
): Promise<string> {
  if (day > lastDayOver(now)) throw new Refusal('bank.day_not_over')
  // One closing at a time.
  await sql`select pg_advisory_xact_lock(hashtext('day_closings'))`.execute(tx)
  const { rows } = await sql<{ last: string | null; first: string | null }>`
    select (select max(day) from day_closings) as last, (
      select min(d)::date from (
        select min((decided_at at time zone 'Asia/Kolkata')::date) as d from payments where state = 'verified'
        union all select min((decided_at at time zone 'Asia/Kolkata')::date) from bank_lines) x)
        as first`.execute(tx)
  const { last = null, first = null } = rows[0] ?? {}
  if (last !== null && day <= last) throw new Refusal('bank.day_closed')
  const begin = last === null ? (first ?? day) : addDays(last, 1)
  const figures = await figuresBetween(tx, begin, day)
  const dayFigures = figures.get(day)
  if (!dayFigures) throw new Refusal('not_found')
  if (last !== null && [...figures.keys()].some((other) => other < day))
    throw new Refusal('bank.earlier_day_open')
  refuseIfChanged(seen, dayFigures)
  if (dayFigures.difference !== 0 && note === '')
    throw new Refusal('bank.note_needed', { issues: [{ path: 'note', message: sentences.dayWithoutLine }] })
  const storedNote = onlyForDifference && dayFigures.difference === 0 ? '' : note
  await addRow(tx, 'day_closings', {
    day,
    figures: JSON.stringify(dayFigures),
    note: storedNote,
    closed_by: scope.staffId,
    closed_at: now,
  })
  await audit(
    tx,
    now,
    scope,
    'money.day_closed',
    { kind: 'money-day', id: day },
    { ...dayFigures, note: storedNote },
  )
  return storedNote
}

/** Closes several days, earliest first, all or none. The note is stored with each day that has a difference, otherwise with the last. */
export async function closeDays(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { days, note }: { days: readonly Omit<DayToClose, 'note'>[]; note: string },
): Promise<{ closed: number }> {
  const inOrder = days.toSorted((a, b) => a.day.localeCompare(b.day))
  let storedNote = ''
  for (const [index, day] of inOrder.entries())
    storedNote =
      (await closeDay(tx, scope, now, { ...day, note }, storedNote !== '' || index < inOrder.length - 1)) ||
      storedNote
  return { closed: inOrder.length }
}

/** Schools counted in one transaction; and the milliseconds after which a page stops counting and reports that more are to come. */
const atOnce = 100
const longest = 400

/**
 * SQL: all sums of the schools of `places` (school_id, season), a row for each source. Same sources as the account, without
 * days.
 */
const every = sql`
  select s.school_id, s.season, count(*) filter (where s.active) as students,
    coalesce(sum(s.reg_amount) filter (where s.letters <> '' and (s.active or ${stillCharged('registration')})), 0)
      + coalesce(sum(s.book_amount) filter (where s.book_count > 0 and (s.active or ${stillCharged('books')})), 0) as gross,
    coalesce(sum(s.reg_retained) filter (where s.letters <> '' and (s.active or ${stillCharged('registration')})), 0)
      + coalesce(sum(s.book_retained) filter (where s.book_count > 0 and (s.active or ${stillCharged('books')})), 0) as retained,
    0 as paid, 0 as verifying, 0 as waived, 0 as moved, 0 as credit
  from places p join students s on s.school_id = p.school_id and s.season = p.season
  group by s.school_id, s.season
  union all
  select l.school_id, l.season, 0, sum(l.quantity * l.price), sum(l.quantity * l.retained), 0, 0, 0, 0, 0
  from places p join library_lines l on l.school_id = p.school_id and l.season = p.season and l.active
  group by l.school_id, l.season
  union all
  select y.school_id, y.season, 0, 0, 0, coalesce(sum(y.payable) filter (where y.state = 'verified'), 0),
    coalesce(sum(y.payable) filter (where y.state = 'pending'), 0), 0, 0, 0
  from places p join payments y on y.school_id = p.school_id and y.season = p.season
  group by y.school_id, y.season
  union all
  select s.school_id, w.season, 0, 0, 0, 0, 0, sum(w.gross - w.retained), 0, 0
  from places p join students s on s.school_id = p.school_id and s.season = p.season and s.active
    join waivers w on w.student_id = s.id and w.season = p.season and w.state = 'approved'
  group by s.school_id, w.season
  union all
  select m.to_school, m.season, 0, 0, 0, 0, 0, 0, sum(m.amount), 0
  from places p join student_moves m on m.to_school = p.school_id and m.season = p.season group by m.to_school, m.season
  union all
  select m.from_school, m.season, 0, 0, 0, 0, 0, 0, -sum(m.amount), 0
  from places p join student_moves m on m.from_school = p.school_id and m.season = p.season group by m.from_school, m.season
  union all
  select c.school_id, c.season, 0, 0, 0, 0, 0, 0, 0, sum(c.amount)
  from places p join school_credits c on c.school_id = p.school_id and c.season = p.season
  group by c.school_id, c.season`

async function count(tx: Tx, places: RawBuilder<unknown>): Promise<void> {
  await sql`
    with places as materialized (${places}), sources as (${every})
    insert into school_ledgers (season, school_id, students, gross, retained, paid, verifying, waived, moved, credit)
    select p.season, p.school_id, coalesce(sum(x.students), 0), coalesce(sum(x.gross), 0), coalesce(sum(x.retained), 0),
      coalesce(sum(x.paid), 0), coalesce(sum(x.verifying), 0), coalesce(sum(x.waived), 0), coalesce(sum(x.moved), 0),
      coalesce(sum(x.credit), 0)
    from places p join schools o on o.id = p.school_id left join sources x on x.school_id = p.school_id and x.season = p.season
    group by p.season, p.school_id
    on conflict (season, school_id) do update set students = excluded.students, gross = excluded.gross,
      retained = excluded.retained, paid = excluded.paid, verifying = excluded.verifying, waived = excluded.waived,
      moved = excluded.moved, credit = excluded.credit`.execute(tx)
}

/** Removes some marks, then counts. Changes committed later set a new mark. */
async function countSome(tx: Tx): Promise<number> {
  // One count at a time, so that an older one can't overwrite a newer one. Writers do not wait for it.
  await sql`select pg_advisory_xact_lock(hashtext('school_ledgers'))`.execute(tx)
  const { rows } = await sql<{ school_id: number; season: string }>`
    with chosen as (select season, school_id from ledger_stale group by season, school_id order by season, school_id
      limit ${atOnce}), gone as (
      delete from ledger_stale d using chosen s where d.season = s.season and d.school_id = s.school_id)
    select school_id, season from chosen`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map((row) => row.school_id)
  const seasons = rows.map((row) => row.season)
  await count(tx, sql`select * from unnest(${ids}::bigint[], ${seasons}::text[]) as u (school_id, season)`)
  return rows.length
}

/**
 * Recounts the sums of changed schools, a few hundred at a time. Changes during the count mark their school again. Returns how
 * many remain.
 */
export async function countLedgers(db: Db): Promise<number> {
  const until = performance.now() + longest
  while (performance.now() < until) {
    const done = await db.transaction().execute(countSome)
    if (done < atOnce) return 0
  }
  const { rows } = await sql<{ left: number }>`
    select count(distinct (season, school_id)) as left from ledger_stale`.execute(db)
  return rows[0]?.left ?? 0
}
