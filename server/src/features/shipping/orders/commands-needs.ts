import type { Season } from '@podium/contract/season'
import type { SpareRule } from '@podium/contract/shipping/calls-orders'
import { type RawBuilder, sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { needsOfPlaces, readSpares } from './queries.ts'

/**
 * Schools counted in one transaction, which locks them (about 20 ms each after a release); and the milliseconds after which
 * a page stops counting and reports that more are to come.
 */
const atOnce = 50
const longEnough = 1_500
/** Number of differences in the sums by item at which they are merged. */
const manyItems = 20_000

type Places = RawBuilder<unknown>

const line = sql`school_id, season, contents, event_id, class_id, kind`

/** Recounts the lines of these places. Unchanged lines are not written, so the log of sums by item does not grow. */
async function count(tx: Tx, places: Places): Promise<void> {
  await sql`
    with places as (${places}), fresh as materialized (${needsOfPlaces}),
      gone as (
        delete from dispatch_needs n using places p
        where n.school_id = p.school_id and n.season = p.season
          and not exists (select from fresh f where (f.school_id, f.season, f.contents, f.event_id, f.class_id, f.kind)
            = (n.school_id, n.season, n.contents, n.event_id, n.class_id, n.kind)))
    insert into dispatch_needs as n (${line}, wanted, packed, due, spare, extra)
    select ${line}, wanted, packed, due, spare, extra from fresh
    on conflict (school_id, season, contents, event_id, class_id, kind) do update
      set wanted = excluded.wanted, packed = excluded.packed, due = excluded.due, spare = excluded.spare,
        extra = excluded.extra
      where (n.wanted, n.packed, n.due, n.spare, n.extra)
        <> (excluded.wanted, excluded.packed, excluded.due, excluded.spare, excluded.extra)`.execute(tx)
  await sumUp(tx, places)
}

/** SQL: the parts under which a line of event `e` is summed. */
const partsOf = (of: Places) => sql`(
  values ('letter:' || e.letter), ('class:' || ${of}.class_id), ('kind:' || ${of}.kind)) as parts (part)`

const figures = sql`sum(n.wanted), sum(n.packed), sum(n.due), sum(n.spare), sum(n.extra)`

async function sumUp(tx: Tx, places: Places): Promise<void> {
  await sql`
    delete from dispatch_sums n using (${places}) p
    where n.school_id = p.school_id and n.season = p.season`.execute(tx)
  await sql`
    insert into dispatch_sums (school_id, season, contents, wanted, packed, due, spare, extra)
    select n.school_id, n.season, n.contents, ${figures}
    from (${places}) p join dispatch_needs n using (school_id, season)
    group by n.school_id, n.season, n.contents`.execute(tx)
  await sql`
    delete from dispatch_parts n using (${places}) p
    where n.school_id = p.school_id and n.season = p.season`.execute(tx)
  await sql`
    insert into dispatch_parts (school_id, season, contents, part, wanted, packed, due, spare, extra)
    select n.school_id, n.season, n.contents, part, ${figures}
    from (${places}) p join dispatch_needs n using (school_id, season) join events e on e.id = n.event_id
      cross join lateral ${partsOf(sql`n`)}
    group by n.school_id, n.season, n.contents, part`.execute(tx)
}

/** Recounts what one school must get and has got. The school must be locked. */
export async function countSchool(tx: Tx, schoolId: number, season: string): Promise<void> {
  await count(tx, sql`select ${schoolId}::bigint as school_id, ${season}::text as season`)
}

/**
 * Recounts the school if it has changed since its last count, before packing. The school must be locked.
 */
export async function countIfStale(tx: Tx, schoolId: number, season: string): Promise<void> {
  const { rows } = await sql`
    delete from dispatch_stale where school_id = ${schoolId} and season = ${season} returning id`.execute(tx)
  if (rows.length > 0) await countSchool(tx, schoolId, season)
}

/** Copies of a line in a parcel. */
interface PackedLine {
  eventId: number
  classId: number
  kind: string
  quantity: number
}

/**
 * Subtracts what has just been packed from what is due; a recount would give the same. No line gets more than is due. The
 * school must be locked and counted.
 */
export async function reduceDue(
  tx: Tx,
  schoolId: number,
  season: string,
  contents: string,
  lines: readonly PackedLine[],
): Promise<void> {
  const of = <Key extends keyof PackedLine>(key: Key) => lines.map((line) => line[key])
  const ofSchool = sql`n.school_id = ${schoolId} and n.season = ${season} and n.contents = ${contents}`
  const moved = sql`packed = n.packed + p.quantity, due = n.due - p.quantity`
  await sql`
    with packed as (
      select event_id, class_id, kind, sum(quantity)::int as quantity
      from unnest(${of('eventId')}::bigint[], ${of('classId')}::int[], ${of('kind')}::text[], ${of('quantity')}::int[])
        as l (event_id, class_id, kind, quantity)
      group by event_id, class_id, kind),
    by_part as (
      select part, sum(quantity)::int as quantity
      from packed p join events e on e.id = p.event_id cross join lateral ${partsOf(sql`p`)}
      group by part),
    lines as (
      update dispatch_needs n set ${moved} from packed p
      where ${ofSchool} and (n.event_id, n.class_id, n.kind) = (p.event_id, p.class_id, p.kind)),
    parts as (update dispatch_parts n set ${moved} from by_part p where ${ofSchool} and n.part = p.part)
    update dispatch_sums n set ${moved} from (select sum(quantity)::int as quantity from packed) p
    where ${ofSchool}`.execute(tx)
}

/**
 * Picks up result versions released since the last count and marks their schools, and those of the previous version, for a
 * recount. A release takes effect at its time without an event, so every count checks first.
 */
async function takeReleases(db: Db, now: Date): Promise<void> {
  const newer = sql`
    select e.id as event_id, e.season, v.id as set_id from events e join lateral ${visibleSet(sql`e.id`, now)} v on true
      left join dispatch_releases c on c.event_id = e.id
    where c.set_id is distinct from v.id`
  const found = await sql`${newer} limit 1`.execute(db)
  if (found.rows.length === 0) return
  await sql`
    with newer as (${newer} order by e.id),
      before as (select c.* from dispatch_releases c join newer using (event_id)),
      taken as (
        insert into dispatch_releases as c (event_id, season, set_id) select event_id, season, set_id from newer
        on conflict (event_id) do update set set_id = excluded.set_id where c.set_id <> excluded.set_id
        returning event_id, season, set_id)
    insert into dispatch_stale (school_id, season)
    select distinct o.id, t.season
    from taken t left join before b using (event_id) cross join schools o
    where exists (
      select from results r
      where r.school_id = o.id and r.event_id = t.event_id and r.set_id in (t.set_id, b.set_id))`.execute(db)
}

/**
 * Recounts schools whose payments, entries, parcels or results have changed, in batches with the schools locked
 * (docs/decisions/0008). Changes during the count mark their school again. Returns how many remain.
 */
export async function countStale(db: Db, now: Date): Promise<number> {
  await takeReleases(db, now)
  const start = performance.now()
  while (performance.now() - start < longEnough) {
    const done = await db.transaction().execute(countSome)
    if (done < atOnce) {
      await foldItems(db)
      return 0
    }
  }
  await foldItems(db)
  const { rows } = await sql<{ left: number }>`
    select count(distinct school_id)::int as left from dispatch_stale`.execute(db)
  return rows[0]?.left ?? 0
}

async function countSome(tx: Tx): Promise<number> {
  await sql`set local statement_timeout = '1min'`.execute(tx)
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

/** Merges the differences in the sums by item once there are many. One instance does it, others continue. */
async function foldItems(db: Db): Promise<void> {
  const { rows } = await sql<{ many: boolean }>`
    select count(*) > ${manyItems} as many
    from (select from dispatch_items limit ${manyItems + 1}) i`.execute(db)
  if (rows[0]?.many !== true) return
  await db.transaction().execute(async (tx) => {
    const lock = await sql<{ ours: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('dispatch_items')) as ours`.execute(tx)
    if (lock.rows[0]?.ours !== true) return
    await sql`
      with gone as (delete from dispatch_items returning *)
      insert into dispatch_items (season, contents, event_id, class_id, kind, schools, wanted, packed, spare, extra,
        schools_due, wanted_due, packed_due, spare_due, due)
      select season, contents, event_id, class_id, kind, sum(schools), sum(wanted), sum(packed), sum(spare), sum(extra),
        sum(schools_due), sum(wanted_due), sum(packed_due), sum(spare_due), sum(due)
      from gone group by season, contents, event_id, class_id, kind
      having (sum(wanted), sum(packed), sum(extra)) <> (0, 0, 0)`.execute(tx)
  })
}

/**
 * Sets the number of spare question papers for a season and marks every school with papers for a recount. Refuses with
 * `changed_meanwhile`.
 */
export async function saveSpares(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { season, version, percent, minimum }: SpareRule & { season: Season; version: number },
): Promise<void> {
  await sql`select label from seasons where label = ${season} for no key update`.execute(tx)
  const from = await readSpares(tx, season)
  if (from.version !== version) throw new Refusal('changed_meanwhile')
  await sql`
    insert into dispatch_spares (season, percent, minimum) values (${season}, ${percent}, ${minimum})
    on conflict (season) do update set percent = excluded.percent, minimum = excluded.minimum,
      version = dispatch_spares.version + 1`.execute(tx)
  // Later seasons without their own rule use this one.
  await sql`
    insert into dispatch_stale (school_id, season)
    select n.school_id, n.season from dispatch_sums n
    where n.contents = 'papers' and n.season >= ${season} and not exists (
      select from dispatch_spares r where r.season > ${season} and r.season <= n.season)`.execute(tx)
  const to = { percent, minimum }
  await audit(
    tx,
    now,
    scope,
    'dispatch.spares_changed',
    { kind: 'dispatch', id: 'spares', season },
    { from: from.rule, to },
  )
}
