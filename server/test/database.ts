import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { type OpenedDatabase, openDatabase } from '../src/platform/database.ts'
import { migrate, readMigrations } from '../src/platform/migrate.ts'
import { type EmbeddedKept, emptied, keptOf } from './embedded-reset.ts'

if (process.env.TEST_DATABASE === 'none')
  throw new Error('a test that asks for a database runs among those without')

/** Which of the two databases the tests of this process run on: TEST_DATABASE, embedded unless said otherwise. */
export const testedKind: OpenedDatabase['kind'] =
  process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'embedded'

const closers: Array<() => Promise<unknown> | undefined> = []
let shared: Promise<OpenedDatabase> | undefined

/** Closes something before the test database goes, the last registered first. */
export function atEnd(close: () => Promise<unknown> | undefined): void {
  closers.push(close)
}

/** Closes what a test file has opened; the next file of the process begins with a database as new. */
export async function closeDatabases(): Promise<void> {
  shared = undefined
  for (const close of closers.splice(0).reverse()) await close()
}

// When all is done and not in the hook itself: hooks of the test files run after this one and may still use the
// database. Nothing of it keeps the process alive, so the end of all else comes by itself.
after(() => {
  process.once('beforeExit', async () => {
    await closeDatabases()
    await lane?.close()
  })
})

/**
 * The migrated, otherwise empty database that all tests of a file share, so each makes a school of its own.
 * Fresh per file, on the database that TEST_DATABASE names; gone when the tests have ended.
 */
export function testDatabase(): Promise<OpenedDatabase> {
  shared ??= testedKind === 'postgres' ? onPostgres() : onEmbedded()
  return shared
}

/** Something that test data keeps beside the database, made anew with each. */
export function perDatabase<Kept>(make: () => Kept): () => Kept {
  const kept = new WeakMap<Promise<OpenedDatabase>, Kept>()
  return () => {
    const database = testDatabase()
    const found = kept.get(database) ?? make()
    kept.set(database, found)
    return found
  }
}

function failLoudly(error: Error): void {
  throw error
}

/** Two minutes for what takes milliseconds: a machine that stands still for a while has no part in what tests say. */
export const patient = {
  acquireTimeout: 120_000,
  idleInTransaction: 120_000,
  limits: { statement: 120_000, lock: 120_000 },
}

/** The address of the PostgreSQL that tests may make databases on. */
export function testPostgresUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url)
    throw new Error('TEST_DATABASE=postgres needs TEST_DATABASE_URL, a role that may create databases')
  return url
}

/** A migration changes the hash, and with it the template the databases are copied from. */
async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, sha256 } of await readMigrations()) hash.update(`${name} ${sha256}\n`)
  return hash.digest('hex').slice(0, 12)
}

/** The embedded database of this process, whose start costs more than most files' tests. */
let lane: EmbeddedKept | undefined

/** What the file before has left is taken away; where that is not possible, the database is opened anew. */
async function onEmbedded(): Promise<OpenedDatabase> {
  if (lane && !(await emptied(lane).catch(() => false))) {
    await lane.close()
    lane = undefined
  }
  lane ??= await keptOf(await copyOfTemplate())
  const { embedded } = lane
  const database = await openDatabase({ ...patient, dataDir: '', running: embedded, onError: failLoudly })
  atEnd(() => database.close())
  return database
}

/** A data folder with a migrated embedded database that nobody has open; removed when the tests have ended. */
export async function freshDataDir(): Promise<string> {
  const dataDir = await copyOfTemplate()
  atEnd(async () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  return dataDir
}

async function copyOfTemplate(): Promise<string> {
  const template = await embeddedTemplate(await migrationsHash())
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-test-'))
  cpSync(join(template, 'database'), join(dataDir, 'database'), { recursive: true })
  return dataDir
}

/** A migrated database of the tested kind that no other test has, for what is about a whole one. */
export async function migratedDatabase(): Promise<OpenedDatabase> {
  if (testedKind === 'postgres') return onPostgres()
  const database = await openDatabase({
    ...patient,
    dataDir: await freshDataDir(),
    sync: 'never',
    onError: failLoudly,
  })
  atEnd(() => database.close())
  return database
}

/** A database of the tested kind that has not been migrated, for tests of migrating itself. */
export async function emptyDatabase(): Promise<OpenedDatabase> {
  if (testedKind === 'postgres') return freshPostgres()
  const database = await migratedDatabase()
  // Emptied and not made anew: making one takes seconds.
  await database.pool.query('drop schema public cascade; create schema public')
  return database
}

/** A folder that is removed when the tests have ended. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  atEnd(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A migrated data folder, made once per set of migrations and kept: a copy of it opens in a fraction of the time. */
async function embeddedTemplate(hash: string): Promise<string> {
  const folder = join(tmpdir(), `podium-test-templates-${process.getuid?.() ?? 0}`, hash)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${randomUUID()}`
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ ...patient, dataDir: draft, sync: 'never', onError: failLoudly })
  await migrate(database)
  await database.close()
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process was faster; its copy is as good.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

async function onPostgres(): Promise<OpenedDatabase> {
  const template = await postgresTemplate(`podium_template_${await migrationsHash()}`)
  return freshPostgres(template)
}

/** A new database on the test PostgreSQL, empty or from a template; dropped when the tests have ended. */
async function freshPostgres(template?: string): Promise<OpenedDatabase> {
  const name = `podium_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await asAdmin((client) => client.query(`create database ${name}${template ? ` template ${template}` : ''}`))
  atEnd(() => asAdmin((client) => client.query(`drop database if exists ${name} with (force)`)))
  const database = await openDatabase({ ...patient, url: urlOf(name), dataDir: '', onError: failLoudly })
  atEnd(() => database.close())
  return database
}

/** The template database, made once per set of migrations; the lock lets several test processes start at once. */
async function postgresTemplate(name: string): Promise<string> {
  await asAdmin(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount) return
    const draft = `podium_draft_${randomUUID().slice(0, 8)}`
    await client.query(`create database ${draft}`)
    const database = await openDatabase({ ...patient, url: urlOf(draft), dataDir: '', onError: failLoudly })
    await migrate(database)
    await database.close()
    await client.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

function urlOf(database: string): string {
  const url = new URL(testPostgresUrl())
  url.pathname = `/${database}`
  return url.href
}

async function asAdmin<Result>(act: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: testPostgresUrl() })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
