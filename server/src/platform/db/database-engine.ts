import type { PoolClient } from 'pg'
import type { OpenedDatabase } from './database.ts'
import { DatabaseRefused } from './database-fault.ts'

/** The oldest PostgreSQL with all of these features. */
const oldest = 15

/**
 * The features our SQL needs beyond plain tables and queries (docs/operations.md, Databases). Each is tried the way it
 * is used, on a temporary table `tried (id, state, twice)`, which the first entry creates and the others need.
 */
const features: ReadonlyArray<readonly [name: string, sql: string]> = [
  [
    'temporary tables that end with their transaction, identity and stored generated columns',
    `create temp table tried (
      id int generated always as identity primary key, state text not null, twice int generated always as (2 * id) stored
    ) on commit drop; insert into tried (state) values ('waiting'), ('done')`,
  ],
  ['partial indexes', `create unique index on tried (state) where state <> 'done'`],
  ['unique indexes in which nulls are the same', 'create unique index on tried (twice) nulls not distinct'],
  ['text_pattern_ops', 'create index on tried (state text_pattern_ops)'],
  ['GIN indexes of array_to_tsvector', 'create index on tried using gin (array_to_tsvector(array[state]))'],
  ['do blocks', `do $$ begin execute format('comment on table tried is %L', 'tried'); end $$`],
  [
    'triggers with transition tables',
    `create function pg_temp.seen() returns trigger language plpgsql as
      $$ begin perform count(*) from fresh; return null; end $$;
    create trigger seen after insert on tried referencing new table as fresh
      for each statement execute function pg_temp.seen();
    insert into tried (state) values ('done')`,
  ],
  ['row locks with skip locked', 'select from tried for no key update skip locked'],
  [
    'rows by their place (ctid)',
    'delete from tried where ctid = any (array(select ctid from tried limit 1))',
  ],
  [
    'advisory locks of a transaction',
    'select pg_try_advisory_xact_lock(hashtext($$tried$$)), pg_try_advisory_xact_lock_shared(hashtext($$tried$$))',
  ],
  [
    'settings of a transaction',
    `set local statement_timeout = '30s'; set local lock_timeout = '1s'; set local enable_mergejoin = off`,
  ],
]

/**
 * Refuses an engine that speaks PostgreSQL's protocol but lacks features our SQL needs, before anything is changed:
 * throws {@link DatabaseRefused} with one line that names them all. Everything is tried in one transaction, which is
 * rolled back.
 */
export async function refuseOtherEngine({ pool }: Pick<OpenedDatabase, 'pool'>): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ version: string; encoding: string }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
    )
    const { version = '', encoding = '' } = rows[0] ?? {}
    if (Number.parseInt(version, 10) < oldest)
      throw new DatabaseRefused(`PostgreSQL ${version} is too old: ${oldest} is the least.`)
    if (encoding !== 'UTF8')
      throw new DatabaseRefused(
        `The database keeps text as ${encoding} and not as UTF8: make it anew (create database … encoding 'UTF8' template template0).`,
      )
    await client.query('begin')
    const missing = await missingFeatures(client)
    if (missing.length > 0)
      throw new DatabaseRefused(
        `The database lacks what Podium needs of PostgreSQL: ${missing.join('; ')}. See docs/operations.md, Databases.`,
      )
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}

async function missingFeatures(client: PoolClient): Promise<string[]> {
  const missing: string[] = []
  for (const [name, sql] of features) {
    await client.query('savepoint feature')
    try {
      await client.query(sql)
    } catch (error) {
      // A lost connection says nothing about the engine.
      if (!(error instanceof Error && 'severity' in error && error.severity === 'ERROR')) throw error
      missing.push(`${name} (${error.message})`)
      await client.query('rollback to savepoint feature')
      if (missing.length === 1 && name === features[0]?.[0]) return missing
    }
  }
  return missing
}
