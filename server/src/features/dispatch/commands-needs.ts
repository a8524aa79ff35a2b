import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/database'

/** Schools that are counted in one transaction, and how often a page does so before it says that more are to come. */
const atOnce = 200
const rounds = 10

/** What schools of `places` (school_id, season) must get: paid books of children, paid copies of libraries, papers. */
const wanted = sql`
  select s.school_id, s.season, 'books' as contents, b.event_id, b.class_id, b.kind, count(*)::int as copies
  from places p join students s on s.school_id = p.school_id and s.season = p.season and s.active
    join book_choices b on b.student_id = s.id
  where exists (
    select from payment_lines l join payments y on y.id = l.payment_id
    where l.student_id = s.id and l.purpose = 'books' and l.live and y.state = 'verified')
  group by s.school_id, s.season, b.event_id, b.class_id, b.kind
  union all
  select l.school_id, l.season, 'books', l.event_id, l.class_id, l.kind, sum(l.quantity)::int
  from places p join library_lines l on l.school_id = p.school_id and l.season = p.season and l.active and l.paid
  group by l.school_id, l.season, l.event_id, l.class_id, l.kind
  union all
  select s.school_id, s.season, 'papers', n.event_id, n.class_id, 'paper', count(*)::int
  from places p join students s on s.school_id = p.school_id and s.season = p.season and s.active and s.paid
    join enrolments n on n.student_id = s.id join events e on e.id = n.event_id and e.mode = 'Offline'
  group by s.school_id, s.season, n.event_id, n.class_id`

const packed = sql`
  select k.school_id, k.season, k.contents, l.event_id, l.class_id, l.kind, sum(l.quantity)::int as copies
  from places p join packets k on k.school_id = p.school_id and k.season = p.season and k.counts
    join packet_lines l on l.packet_id = k.id
  where k.contents in ('books', 'papers')
  group by k.school_id, k.season, k.contents, l.event_id, l.class_id, l.kind`

async function count(tx: Tx, places: RawBuilder<unknown>): Promise<void> {
  await sql`delete from dispatch_needs n using (${places}) p where n.school_id = p.school_id and n.season = p.season`.execute(
    tx,
  )
  await sql`
    with places as (${places}), every as (
      select school_id, season, contents, event_id, class_id, kind, sum(wanted) as wanted, sum(packed) as packed
      from (select *, copies as wanted, 0 as packed from (${wanted}) w
        union all select *, 0, copies from (${packed}) k) both_sides
      group by school_id, season, contents, event_id, class_id, kind)
    insert into dispatch_needs (school_id, season, contents, event_id, class_id, kind, wanted, packed, due)
    select school_id, season, contents, event_id, class_id, kind, wanted, packed, greatest(wanted - packed, 0) from every`.execute(
    tx,
  )
  await sumUp(tx, places)
}

async function sumUp(tx: Tx, places: RawBuilder<unknown>): Promise<void> {
  await sql`delete from dispatch_sums n using (${places}) p where n.school_id = p.school_id and n.season = p.season`.execute(
    tx,
  )
  await sql`
    insert into dispatch_sums (school_id, season, contents, wanted, packed, due)
    select n.school_id, n.season, n.contents, sum(n.wanted), sum(n.packed), sum(n.due)
    from (${places}) p join dispatch_needs n on n.school_id = p.school_id and n.season = p.season
    group by n.school_id, n.season, n.contents`.execute(tx)
}

/** Counts anew what one school must get and has got. The school must be locked. */
export async function countSchool(tx: Tx, schoolId: number, season: string): Promise<void> {
  await count(tx, sql`select ${schoolId}::bigint as school_id, ${season}::text as season`)
}

/**
 * Counts the schools anew whose payments, entries or parcels have changed since, a few hundred at a time, each with the
 * school locked (docs/decisions/0008). What changes meanwhile marks its school again. Gives how many are left for the
 * next time.
 */
export async function countStale(db: Db): Promise<number> {
  for (let round = 0; round < rounds; round++) {
    const done = await db.transaction().execute(countSome)
    if (done < atOnce) return 0
  }
  const { rows } = await sql<{ left: number }>`
    select count(distinct school_id)::int as left from dispatch_stale`.execute(db)
  return rows[0]?.left ?? 0
}

async function countSome(tx: Tx): Promise<number> {
  const { rows } = await sql<{ school_id: number; season: string; last: number }>`
    select school_id, season, max(id) as last from dispatch_stale group by school_id, season
    order by school_id limit ${atOnce}`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map((row) => row.school_id)
  const seasons = rows.map((row) => row.season)
  const places = sql`select * from unnest(${ids}::bigint[], ${seasons}::text[]) as u (school_id, season)`
  await sql`select id from schools where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx)
  await sql`
    delete from dispatch_stale d using unnest(${ids}::bigint[], ${seasons}::text[],
      ${rows.map((row) => row.last)}::bigint[]) as u (school_id, season, last)
    where d.school_id = u.school_id and d.season = u.season and d.id <= u.last`.execute(tx)
  await count(tx, places)
  return rows.length
}
