import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Pool, PoolClient } from 'pg'
import type { OpenedDatabase } from './database.ts'

/** The folder of the product's own migrations. */
export const migrationsFolder: string = fileURLToPath(new URL('../../migrations/', import.meta.url))

export type Migration = { name: string; sha256: string; sql: string }

/** The database and this program do not belong together; `message` is one line for the person at the console. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** Any number that no other user of advisory locks in this database has: 'PODI' in ASCII. */
const lockKey = 0x50_4f_44_49

/** The migrations of a folder in their order. Line ends do not count, so that a checkout on Windows is the same. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = (await readFile(`${folder}/${name}`, 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database to the newest version: each file in a transaction of its own together with its record, so
 * that a kill at any moment leaves whole files done and the next start goes on. Instances that start at once wait
 * for each other. Gives the names of what it applied; throws {@link MigrationRefused} when a file that was applied
 * has changed since, or the database has a migration this program does not know. `most` stops after so many files (a
 * backup is restored into the tables of its own version).
 */
export async function migrate(
  database: Pick<OpenedDatabase, 'pool' | 'kind'>,
  folder: string = migrationsFolder,
  most = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const migrations = (await readMigrations(folder)).slice(0, most)
  const turn = (turns.get(database.pool) ?? Promise.resolve()).then(async () => {
    const client = await database.pool.connect()
    try {
      return database.kind === 'embedded'
        ? await applyMissing(client, migrations)
        : await locked(client, () => applyMissing(client, migrations))
    } finally {
      // The connection goes with its settings and its lock; the pool opens another.
      client.release(true)
    }
  })
  turns.set(
    database.pool,
    turn.catch(() => undefined),
  )
  return turn
}

/** The names of what the database lacks; changes nothing. Throws {@link MigrationRefused} as {@link migrate} does. */
export async function missingMigrations({ pool }: Pick<OpenedDatabase, 'pool'>): Promise<string[]> {
  const migrations = await readMigrations()
  const there = await pool.query<{ there: boolean }>(
    `select to_regclass('schema_migrations') is not null as there`,
  )
  const recorded = there.rows[0]?.there
    ? (
        await pool.query<{ name: string; sha256: string }>(
          'select name, sha256 from schema_migrations order by name',
        )
      ).rows
    : []
  check(migrations, recorded)
  return migrations.slice(recorded.length).map(({ name }) => name)
}

/** The callers of one process after each other: on the embedded database that is all there can be. */
const turns = new WeakMap<Pool, Promise<unknown>>()

/** Instances of several processes after each other. */
async function locked<Result>(client: PoolClient, act: () => Promise<Result>): Promise<Result> {
  // A migration may take its time, and so may the other instance that holds the lock.
  await client.query('set statement_timeout = 0; set lock_timeout = 0')
  await client.query('select pg_advisory_lock($1)', [lockKey])
  try {
    return await act()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey])
  }
}

async function applyMissing(client: PoolClient, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  const recorded = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  )
  check(migrations, recorded.rows)
  const missing = migrations.slice(recorded.rows.length)
  for (const { name, sha256, sql } of missing) {
    try {
      await client.query('begin')
      await client.query(sql)
      await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    }
  }
  return missing.map(({ name }) => name)
}

/** What is recorded must be the beginning of what there is. */
function check(
  migrations: readonly Migration[],
  recorded: readonly { name: string; sha256: string }[],
): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  for (const [index, { name, sha256 }] of recorded.entries()) {
    if (!known.has(name)) {
      throw new MigrationRefused(
        `The database has the migration ${name}, which this version does not know: it was used by a newer version. Start that one, or restore an older backup.`,
      )
    }
    if (known.get(name) !== sha256) {
      throw new MigrationRefused(
        `The migration ${name} was changed after it had been applied. Put the file back as it was; changes go into a new file.`,
      )
    }
    const expected = migrations[index]
    if (expected && expected.name !== name) {
      throw new MigrationRefused(
        `The migration ${expected.name} stands before ${name}, which is applied already. Number it after the last one.`,
      )
    }
  }
}
