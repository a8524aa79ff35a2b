import { readFile } from 'node:fs/promises'
import { addDays, istDay, type Season, seasonAt, seasonBefore } from '@podium/contract/season'
import { sql } from 'kysely'
import type pg from 'pg'
import { insertSeason } from '../../server/seed/catalogue.ts'
import { storeFigures } from '../../server/src/features/office/overview/commands-figures.ts'
import { computeSet } from '../../server/src/features/results/ranking/commands.ts'
import { countStale } from '../../server/src/features/shipping/orders/commands-needs.ts'
import type { OpenedDatabase } from '../../server/src/platform/db/database.ts'

interface WorldOptions {
  /** About 53 students each */
  schools: number
  now: Date
  say?: (line: string) => void
}

/** Tables whose secondary indexes are created after filling, which is several times faster. */
const large = ['students', 'enrolments', 'results', 'audit', 'book_choices', 'payment_lines', 'family_links']

/**
 * Fills a migrated, empty PostgreSQL database with a season that is nearly over: the requested schools, about 53
 * students each, twice as many entries, and related data in proportion. The same in every run except for the days,
 * which are counted back from `now`. Ranks, figures and what is to be packed are computed by the product.
 */
export async function makeWorld(
  database: OpenedDatabase,
  { schools, now, say }: WorldOptions,
): Promise<Season> {
  const { db, pool } = database
  const season = seasonAt(now)
  const today = istDay(now)
  const days = {
    closesOn: addDays(today, 30),
    firstExamOn: addDays(today, 40),
    resultsFrom: addDays(today, -1),
  }
  await db.transaction().execute((tx) => insertSeason(tx, seasonBefore(season), now, 'closed'))
  await db.transaction().execute((tx) => insertSeason(tx, season, now, 'open', days))
  const client = await pool.connect()
  const part = async (name: string, act: () => Promise<unknown>) => {
    const start = performance.now()
    await act()
    say?.(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  const run = (name: string) => part(name, () => runScript(client, name, { schools, season, now }))
  try {
    // Skips foreign key checks for each row if the role may: the statements create no dangling references.
    await client.query('set session_replication_role = replica').catch(() => undefined)
    await client.query(
      "set statement_timeout = 0; set work_mem = '128MB'; set maintenance_work_mem = '512MB'; set jit = off",
    )
    await withoutIndexes(client, part, async () => {
      await run('1-schools')
      await client.query('analyze')
      await run('2-students')
      await client.query('analyze')
      await run('3-money')
      await client.query('analyze payments, payment_lines')
      await run('4-office')
      await run('5-marks')
      await client.query('analyze')
    })
    const { rows: sets } = await client.query<{ id: number; rows: number; letter: string }>(
      'select t.id, t.rows, e.letter from result_sets t join events e on e.id = t.event_id order by t.id',
    )
    for (const { id, rows, letter } of sets)
      await part(`ranks of ${letter}, ${rows} results`, () =>
        db.transaction().execute((tx) => computeSet(tx, now, id)),
      )
    await run('6-released-and-waiting')
    await client.query('drop table big_child')
    await part('vacuum analyze', () => client.query('vacuum analyze'))
  } finally {
    client.release(true)
  }
  await part('what is to be packed', async () => {
    while ((await countStale(db, now)) > 0);
  })
  await part('figures of the season', () => storeFigures(db, now, season))
  await sql`analyze dispatch_needs, dispatch_sums, dispatch_parts, dispatch_items, school_steps`.execute(db)
  return season
}

async function runScript(
  client: pg.PoolClient,
  name: string,
  { schools, season, now }: { schools: number; season: Season; now: Date },
): Promise<void> {
  const text = await readFile(new URL(`${name}.sql`, import.meta.url), 'utf8')
  const values: Readonly<Record<string, string>> = {
    schools: String(schools),
    season: `'${season}'`,
    now: `'${now.toISOString()}'::timestamptz`,
    began: `'${season.slice(0, 4)}-04-05'::timestamptz`,
  }
  await client.query(
    text.replace(/(?<!:):(schools|season|now|began)\b/g, (_, key: string) => values[key] ?? ''),
  )
}

/** Runs `act` without the indexes that no constraint needs, and recreates them as the migrations did. */
async function withoutIndexes(
  client: pg.PoolClient,
  part: (name: string, act: () => Promise<unknown>) => Promise<void>,
  act: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid::regclass::text = any($1) and not i.indisunique order by c.relname`,
    [large],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await act()
  await part('indexes', async () => {
    for (const { definition } of rows) await client.query(definition)
  })
}
