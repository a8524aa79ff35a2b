import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import { seen } from '../queries.ts'

/** One class of a version; the amount in paise, the highest score as it is stored. */
export interface ClassFigures {
  classId: number
  present: number
  absent: number
  schools: number
  gold: number
  silver: number
  bronze: number
  medals: number
  prizes: number
  amount: number
  awards: number
  nextLevel: number
  highest: number
}

const columns = sql`set_id, class_id, present, absent, schools, gold, silver, bronze, medals, prizes, amount, awards,
  next_level, highest`

async function count(tx: Tx, setId: number, classes: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into result_figures (${columns})
    select set_id, class_id, count(*) filter (where present), count(*) filter (where not present),
      count(distinct school_id), count(*) filter (where medal = 'Gold'), count(*) filter (where medal = 'Silver'),
      count(*) filter (where medal = 'Bronze'), count(*) filter (where medal <> ''), count(*) filter (where prize <> ''),
      sum(prize_amount), count(*) filter (where award <> ''), count(*) filter (where next_level),
      coalesce(max(final_score), 0)
    from results where set_id = ${setId} and ${classes} group by set_id, class_id
    on conflict (set_id, class_id) do update set present = excluded.present, absent = excluded.absent,
      schools = excluded.schools, gold = excluded.gold, silver = excluded.silver, bronze = excluded.bronze,
      medals = excluded.medals, prizes = excluded.prizes, amount = excluded.amount, awards = excluded.awards,
      next_level = excluded.next_level, highest = excluded.highest, stale = false`.execute(tx)
}

/** The version before one that schools have seen; undefined for the first. */
async function versionBefore(
  db: Db | Tx,
  setId: number,
): Promise<{ id: number; version: number } | undefined> {
  const { rows } = await sql<{ id: number; version: number }>`
    select b.id, b.version from result_sets s join result_sets b on b.event_id = s.event_id and b.version < s.version
      and b.state in ('released', 'superseded') and b.released_at is not null
    where s.id = ${setId} order by b.version desc limit 1`.execute(db)
  return rows[0]
}

async function compare(tx: Tx, setId: number, before: number): Promise<void> {
  // Whoever changes a result of the two meanwhile comes before or takes the comparison away.
  await sql`
    select from result_figures where set_id in (${setId}, ${before}) order by set_id, class_id for share`.execute(
    tx,
  )
  await sql`
    insert into result_differences (set_id, before_id, added, removed, changed)
    select ${setId}, ${before}, count(*) filter (where old.student_id is null),
      count(*) filter (where new.student_id is null),
      count(*) filter (where old.student_id = new.student_id and (${seen('new')}) is distinct from (${seen('old')}))
    from (select * from results where set_id = ${setId}) new
      full join (select * from results where set_id = ${before}) old on old.student_id = new.student_id
    on conflict (set_id) do update set before_id = excluded.before_id, added = excluded.added,
      removed = excluded.removed, changed = excluded.changed`.execute(tx)
}

/** Writes down a version's figures, which were computed in this transaction, and what it changes for those who saw one. */
export async function keepSetFigures(tx: Tx, setId: number): Promise<void> {
  await sql`delete from result_figures where set_id = ${setId}`.execute(tx)
  await count(tx, setId, sql`true`)
  const before = await versionBefore(tx, setId)
  if (before) await compare(tx, setId, before.id)
}

/**
 * Counts the classes anew in which a result has changed since. Their lines are held meanwhile: who changes another result
 * waits, or has changed it before and is counted (migration 0041).
 */
async function countStale(db: Db, setId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select class_id as id from result_figures where set_id = ${setId} and stale order by class_id for update`.execute(
      tx,
    )
    await count(tx, setId, sql`class_id = any(${rows.map(({ id }) => id)}::int[])`)
    // Of these classes nothing is left.
    await sql`delete from result_figures where set_id = ${setId} and stale`.execute(tx)
  })
}

/** The figures of a version by class as they are now, in the order of the classes' numbers; none before it is computed. */
export async function setFigures(db: Db, setId: number): Promise<ClassFigures[]> {
  const read = sql<ClassFigures & { stale: boolean }>`
    select class_id as "classId", present, absent, schools, gold, silver, bronze, medals, prizes, amount, awards,
      next_level as "nextLevel", highest, stale
    from result_figures where set_id = ${setId} order by class_id`
  const { rows } = await read.execute(db)
  if (!rows.some(({ stale }) => stale)) return rows
  await countStale(db, setId)
  return (await read.execute(db)).rows
}

/** How many results differ from the version before that schools have seen; null where there is none. */
export async function setChanges(db: Db, setId: number) {
  const before = await versionBefore(db, setId)
  if (!before) return null
  const read = sql<{ added: number; removed: number; changed: number }>`
    select added, removed, changed from result_differences where set_id = ${setId} and before_id = ${before.id}`
  const { rows: kept } = await read.execute(db)
  if (kept[0]) return { version: before.version, ...kept[0] }
  await db.transaction().execute((tx) => compare(tx, setId, before.id))
  return { version: before.version, ...found((await read.execute(db)).rows[0]) }
}
