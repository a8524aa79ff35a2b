import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pool, PoolClient } from 'pg'
import type { OpenedDatabase } from './database.ts'
import { DatabaseRefused } from './database-fault.ts'

/**
 * Migrations outside a transaction: indexes built while the portal is in use. PostgreSQL builds them in several steps;
 * an interrupted build leaves an index that is maintained but never used.
 */

/** The first line of such a file. */
const marker = /^-- outside a transaction\b/

const runsOutsideTransaction = (text: string): boolean => marker.test(text)

interface IndexStep {
  act: 'create' | 'drop'
  name: string
  sql: string
}

const created = /^create (?:unique )?index concurrently ([a-z_][a-z0-9_]*)\s+on\s/
const dropped = /^drop index concurrently if exists ([a-z_][a-z0-9_]*)$/

/**
 * Returns the statements of a file that runs outside a transaction, in order. It may only create and drop indexes: for
 * these it can be checked whether they are done, so the file can be restarted after any interruption.
 */
function indexSteps(text: string): IndexStep[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((sql) => {
      const make = created.exec(sql)?.[1]
      if (make) return { act: 'create', name: make, sql }
      const drop = dropped.exec(sql)?.[1]
      if (drop) return { act: 'drop', name: drop, sql }
      throw new Error(
        `outside a transaction stand «create [unique] index concurrently NAME on …» and «drop index concurrently if exists NAME» alone, not: ${sql}`,
      )
    })
}

/** Creates and drops the indexes of a file; skips complete ones and rebuilds incomplete ones. */
async function applyIndexes(
  client: PoolClient,
  text: string,
  { pooler }: Pick<OpenedDatabase, 'pooler'>,
): Promise<void> {
  const steps = indexSteps(text)
  // Behind a pooler these would reach another session; the role's limits apply.
  if (pooler === undefined) await client.query('set statement_timeout = 0; set lock_timeout = 0')
  try {
    for (const step of steps) await apply(client, step)
  } catch (error) {
    if (pooler !== undefined && error instanceof Error && 'code' in error && error.code === '57014')
      throw new Error(
        'an index takes longer than the role lets a statement take. Start one instance with the address of the database itself as DATABASE_URL and without DATABASE_POOLER, which makes it, and then this one.',
        { cause: error },
      )
    throw error
  }
}

async function apply(client: PoolClient, { act, name, sql }: IndexStep): Promise<void> {
  if (act === 'create') {
    const index = await client.query<{ valid: boolean }>(
      `select i.indisvalid and i.indisready as valid from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relname = $1 and c.relnamespace = current_schema()::regnamespace`,
      [name],
    )
    if (index.rows[0]?.valid) return
    if (index.rows.length > 0) await client.query(`drop index concurrently if exists ${name}`)
  }
  await client.query(sql)
}

/** The folder of the product's own migrations. */
export const migrationsFolder: string = fileURLToPath(new URL('../../../migrations/', import.meta.url))

type MigrationRecord = { name: string; sha256: string }
type Migration = MigrationRecord & { sql: string }

/** The database and this version don't match; `message` is one line for the operator. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** A number no other advisory lock in this database uses: 'PODI' in ASCII. */
const lockKey = 0x50_4f_44_49

/**
 * Reads a folder's migrations in order. Line ends are normalised, so that a checkout on Windows has the same checksums.
 */
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
 * Migrates the database to the newest version while instances serve: each file in its own transaction together with its
 * record, or outside one, for indexes of large tables. A kill at any moment leaves only complete files applied, and the
 * next start continues. Instances starting at once wait for each other. Returns the names of the files applied. Throws
 * {@link MigrationRefused} if an applied file has since changed, or the database has an unknown migration, or lacks one
 * and the role may not create tables (migrate.ts). `limit` limits the number of files (a backup is restored into the
 * tables of its own version).
 */
export async function migrate(
  database: MigrationTarget,
  folder: string = migrationsFolder,
  limit = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const migrations = (await readMigrations(folder)).slice(0, limit)
  if (!(await canCreateTables(database))) return refuseMissing(await missingMigrations(database))
  const missing = () => withConnection(database, (client) => applyMissing(database, client, migrations))
  return withConnection(database, (guard) => withLock(guard, missing))
}

/**
 * Returns the names of missing migrations; changes nothing. Throws {@link MigrationRefused} as {@link migrate} does.
 */
export async function missingMigrations({ pool }: Pick<OpenedDatabase, 'pool'>): Promise<string[]> {
  const migrations = await readMigrations()
  const table = await pool.query<{ there: boolean }>(
    `select to_regclass('schema_migrations') is not null as there`,
  )
  const rows = table.rows[0]?.there ? (await pool.query<MigrationRecord>(recordedMigrations)).rows : []
  const recorded = translateToBaseline(rows, migrations)
  check(migrations, recorded)
  return migrations.slice(recorded.length).map(({ name }) => name)
}

const canCreateTables = async ({ pool }: MigrationTarget): Promise<boolean> => {
  const { rows } = await pool.query<{ may: boolean }>(
    `select has_schema_privilege(current_schema(), 'create') as may`,
  )
  return rows[0]?.may === true
}

function refuseMissing(missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  throw new MigrationRefused(
    `The database lacks ${missing.length} migrations of this version, and the role of DATABASE_URL may not change its tables: run \`npm run migrate\` with DATABASE_MIGRATE_URL first.`,
  )
}

type MigrationTarget = Pick<OpenedDatabase, 'pool' | 'pooler'>

/** Runs `act` on a connection that is closed afterwards, together with its settings and locks. */
async function withConnection<Result>(
  { pool }: MigrationTarget,
  act: (client: PoolClient) => Promise<Result>,
) {
  const client = await pool.connect()
  try {
    return await act(client)
  } finally {
    client.release(true)
  }
}

/**
 * Runs callers and instances one after the other. A transaction holds the lock, because a pooler leaves it in its
 * session. The lock is polled, not waited for: a concurrent index build waits for all running statements, including one
 * that waits for this lock.
 */
async function withLock<Result>(guard: PoolClient, act: () => Promise<Result>): Promise<Result> {
  await guard.query('begin')
  try {
    await guard.query('set local idle_in_transaction_session_timeout = 0')
    for (;;) {
      // Without a parameter: a query with one keeps its snapshot until the next query.
      const lock = await guard.query<{ ours: boolean }>(
        `select pg_try_advisory_xact_lock(${lockKey}) as ours`,
      )
      if (lock.rows[0]?.ours) break
      await sleep(100)
    }
    return await act()
  } finally {
    await guard.query('rollback').catch(() => undefined)
  }
}

async function applyMissing(
  database: MigrationTarget,
  client: PoolClient,
  migrations: readonly Migration[],
): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<MigrationRecord>(recordedMigrations)
  const recorded = translateToBaseline(rows, migrations)
  check(migrations, recorded)
  if (rows.some(({ name }) => name === lastBeforeBaseline)) await rewriteRecord(client, recorded)
  const missing = migrations.slice(recorded.length)
  for (const migration of missing) {
    try {
      if (runsOutsideTransaction(migration.sql)) {
        await applyIndexes(client, migration.sql, database)
        await record(client, migration)
      } else await applyWhole(client, migration)
    } catch (error) {
      throw new Error(
        `Migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      )
    }
  }
  return missing.map(({ name }) => name)
}

/** The last of the migrations that were merged into one baseline, and the baseline's last; new ones start at 0092. */
const lastBeforeBaseline = '0091_status_filters.sql'
const lastOfBaseline = '0018_triggers.sql'

/**
 * Translates the recorded migrations to today's files: a database with all migrations before the baseline has its
 * tables, except for the names of some columns, which 0092 gives it.
 */
function translateToBaseline(
  recorded: readonly MigrationRecord[],
  migrations: readonly Migration[],
): MigrationRecord[] {
  const baseline = migrations.filter(({ name }) => name <= lastOfBaseline)
  if (baseline.at(-1)?.name !== lastOfBaseline) return [...recorded]
  const merged = recorded.filter(({ name }) => name > lastOfBaseline && name <= lastBeforeBaseline)
  if (merged.at(-1)?.name === lastBeforeBaseline)
    return [...baseline, ...recorded.filter(({ name }) => name > lastBeforeBaseline)]
  if (merged.length > 0 || isEarlierBaseline(recorded, baseline))
    throw new MigrationRefused(
      `The database was made before the migrations 0001 to 0018 were written as one, and lacks some of before: start the version whose newest is ${lastBeforeBaseline} on it first.`,
    )
  return [...recorded]
}

/** Whether the database has an earlier baseline with these names, and nothing since. */
const isEarlierBaseline = (recorded: readonly MigrationRecord[], baseline: readonly Migration[]): boolean =>
  recorded.at(-1)?.name === lastOfBaseline &&
  recorded.length === baseline.length &&
  recorded.some(({ sha256 }, index) => sha256 !== baseline[index]?.sha256)

const recordedMigrations = 'select name, sha256 from schema_migrations order by name'

async function rewriteRecord(client: PoolClient, recorded: readonly MigrationRecord[]): Promise<void> {
  await client.query('begin')
  await client.query('delete from schema_migrations')
  for (const migration of recorded) await record(client, migration)
  await client.query('commit')
}

const record = (client: PoolClient, { name, sha256 }: MigrationRecord) =>
  client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])

/**
 * Shorter than a request waits for a lock (database.ts): while a migration waits for a table, everyone else waits
 * behind it, so it backs off before they time out, and retries.
 */
const lockWait = 1_000
/** How long to retry; after that, something holds the table that won't end by itself. */
const lockTries = 10 * 60_000
/** A lock was not granted in time, or two waited for each other. */
const lockConflicts = new Set<unknown>(['55P03', '40P01'])

async function applyWhole(client: PoolClient, migration: Migration): Promise<void> {
  const until = performance.now() + lockTries
  for (;;) {
    try {
      await client.query('begin')
      await client.query(`set local statement_timeout = 0; set local lock_timeout = ${lockWait}`)
      await client.query(migration.sql)
      await record(client, migration)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const isLocked = error instanceof Error && 'code' in error && lockConflicts.has(error.code)
      if (!isLocked || performance.now() > until) throw error
      await sleep(200)
    }
  }
}

/** Checks that the recorded migrations are the first of the known ones. */
function check(migrations: readonly Migration[], recorded: readonly MigrationRecord[]): void {
  const checksums = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  for (const [index, { name, sha256 }] of recorded.entries()) {
    if (!checksums.has(name)) {
      throw new MigrationRefused(
        `The database has the migration ${name}, which this version does not know: it was used by a newer version. Start that one, or restore an older backup.`,
      )
    }
    if (checksums.get(name) !== sha256) {
      throw new MigrationRefused(
        `The migration ${name} was changed after it had been applied. Put the file back as it was; changes go into a new file.`,
      )
    }
    const expected = migrations[index]
    if (expected && expected.name !== name) {
      throw new MigrationRefused(
        `The migration ${expected.name} comes before ${name}, which this database has already, and none is put in between: every database gets them in one order. If ${expected.name} is new and your own, number it after the last one. If it came with this version, the database was made by one between two releases: restore a backup from before ${name}, or delete the folder of a demo and let it be made anew.`,
      )
    }
  }
}

/**
 * Grants for the portal's role if another role owns the tables (docs/security.md, T42): it can change rows, but no
 * structure. It may create temporary tables. It can only read the record of migrations.
 */
const grantsFor = (role: string, schema: string, database: string) => [
  `grant connect, temporary on database ${database} to ${role}`,
  `grant usage on schema ${schema} to ${role}`,
  `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  `revoke insert, update, delete on ${schema}.schema_migrations from ${role}`,
]

interface GrantTarget {
  role: string
  schema: string
  database: string
  there: boolean
  same: boolean
}

/**
 * Grants a role these rights and keeps those it has. Throws {@link DatabaseRefused} if the role doesn't exist or is the
 * owner's own.
 */
export async function grantUse(pool: Pool, role: string): Promise<void> {
  const { rows } = await pool.query<GrantTarget>(
    `select format('%I', $1::text) as role, format('%I', current_schema()) as schema,
       format('%I', current_database()) as database, $1 = current_user as same,
       exists (select from pg_roles where rolname = $1) as there`,
    [role],
  )
  for (const { there, same, ...names } of rows) {
    if (same)
      throw new DatabaseRefused(
        'DATABASE_MIGRATE_URL and DATABASE_URL name the same role: leave the first one out, or make a role for the portal.',
      )
    if (!there)
      throw new DatabaseRefused(
        `The database has no role ${names.role}, which DATABASE_URL names: create role ${names.role} login password '…';`,
      )
    for (const right of grantsFor(names.role, names.schema, names.database)) await pool.query(right)
  }
}
