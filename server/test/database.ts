import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { type OpenedDatabase, openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './database-reset.ts'
import { failLoudly, patient } from './patient.ts'

// A migrated data folder that the tests' databases are copied from. Run as a program it creates that template: several
// test processes starting at once would each make their own.

/** Hashes the migrations: any change needs a new template. */
async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, sha256 } of await readMigrations()) hash.update(`${name} ${sha256}\n`)
  return hash.digest('hex').slice(0, 12)
}

/** The templates' folder: set by a run of all tests, because its parts have separate temporary folders. */
const templates =
  process.env.TEST_TEMPLATES ?? join(tmpdir(), `podium-test-postgres-${process.getuid?.() ?? 0}`)

/**
 * Creates the templates' folder. Refuses one that someone else has put there, also by a link: PostgreSQL would run with
 * the settings in it.
 */
function makeTemplates(): void {
  mkdirSync(templates, { recursive: true, mode: 0o700 })
  const found = lstatSync(templates)
  const uid = process.getuid?.() ?? found.uid
  if (!found.isDirectory() || found.uid !== uid)
    throw new Error(`${templates} was not made by you: delete it, or set TMPDIR to a folder of your own.`)
}

/** Returns a migrated data folder, made once per set of migrations: a copy of it opens in a fraction of the time. */
async function embeddedTemplate(): Promise<string> {
  makeTemplates()
  const folder = join(templates, await migrationsHash())
  if (existsSync(folder)) return folder
  const draft = `${folder}.${randomUUID()}`
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ ...patient, dataDir: draft, durable: false, onError: failLoudly })
  await migrate(database)
  await database.close()
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process was faster; its copy is just as good.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

// Not awaited, because test files, which load at once, import this module. A failure still ends the process.
if (import.meta.main) void embeddedTemplate()

if (process.env.TEST_DATABASE === 'none')
  throw new Error('a test that asks for a database runs among those without')

const closers: Array<() => Promise<unknown> | undefined> = []
let shared: Promise<OpenedDatabase> | undefined

/** Registers something to close before the test database; the last registered closes first. */
export function atEnd(close: () => Promise<unknown> | undefined): void {
  closers.push(close)
}

/** Closes what a test file has opened; the next file of the process starts with a database like new. */
export async function closeDatabases(): Promise<void> {
  shared = undefined
  for (const close of closers.splice(0).reverse()) await close()
}

// At the very end, not in this hook: the test files' hooks run later and may still use the database. None of this keeps
// the process alive, so the end comes by itself.
after(() => {
  process.once('beforeExit', async () => {
    await closeDatabases()
    await lane?.close()
    for (const forget of saved.values()) await forget.drop()
    await (await cluster)?.stop()
  })
})

/**
 * Returns the migrated, otherwise empty database that all tests of a file share, so each test creates its own school.
 * Fresh for each file; dropped when the tests end.
 */
export function testDatabase(): Promise<OpenedDatabase> {
  shared ??= laneDatabase()
  return shared
}

/** Makes the tests of this file share a database of their own, which they close. */
export function testsShare(database: OpenedDatabase): void {
  shared = Promise.resolve(database)
}

/** Returns test data kept outside the database, created anew for each database. */
export function perDatabase<Made>(make: () => Made): () => Made {
  const cache = new WeakMap<Promise<OpenedDatabase>, Made>()
  return () => {
    const database = testDatabase()
    const value = cache.get(database) ?? make()
    cache.set(database, value)
    return value
  }
}

interface TestCluster {
  /** Its address, with a role that may create databases. */
  url: string
  /** The migrated database that the tests' databases are copied from. */
  template: string
  stop(): Promise<void>
}

let cluster: Promise<TestCluster> | undefined

/** Returns the PostgreSQL that tests create their databases on: that of TEST_DATABASE_URL, or this process's own. */
function testCluster(): Promise<TestCluster> {
  const address = process.env.TEST_DATABASE_URL
  cluster ??= address ? givenCluster(address) : ownCluster()
  return cluster
}

async function ownCluster(): Promise<TestCluster> {
  const dataDir = await copyOfTemplate()
  const settings = ['max_connections=200', 'shared_buffers=128MB']
  const { adminUrl, close } = await startEmbedded({
    ...{ dataDir, durable: false, loopback: true, settings, onError: failLoudly },
  })
  return {
    url: adminUrl,
    template: 'podium',
    async stop() {
      await close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** The database of this process: creating one costs more than the tests of most files. */
interface Lane {
  snapshot: Snapshot
  open(): Promise<OpenedDatabase>
  close(): Promise<unknown>
}

let lane: Lane | undefined

/**
 * Returns the process's database after removing what the previous file left; if that is impossible, creates a new one.
 */
async function laneDatabase(): Promise<OpenedDatabase> {
  if (lane && !(await restoreSnapshot(lane.snapshot).catch(() => false))) {
    await lane.close()
    lane = undefined
  }
  lane ??= await newLane()
  const database = await lane.open()
  atEnd(() => database.close())
  return database
}

async function newLane(): Promise<Lane> {
  const { url, drop } = await createdDatabase((await testCluster()).template)
  return {
    snapshot: await takeSnapshot({ connectionString: url }),
    open: () => openDatabase({ ...patient, url, dataDir: '', onError: failLoudly }),
    close: drop,
  }
}

/** Returns a data folder with a migrated embedded database that is not open; removed when the tests end. */
export async function freshDataDir(): Promise<string> {
  const dataDir = await copyOfTemplate()
  atEnd(async () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  return dataDir
}

async function copyOfTemplate(): Promise<string> {
  const template = await embeddedTemplate()
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-test-'))
  cpSync(template, dataDir, { recursive: true })
  return dataDir
}

/** Creates a migrated database for one test only, if it concerns the whole database. */
export const migratedDatabase = async (): Promise<OpenedDatabase> =>
  freshDatabase((await testCluster()).template)

/** Creates a database that has not been migrated, for tests of migrating itself. */
export const emptyDatabase = (): Promise<OpenedDatabase> => freshDatabase(undefined)

/** Creates a folder that is removed when the tests end. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  atEnd(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A database and a folder of files left by a test file for later files of this process. */
interface SavedDatabase {
  database: string
  folder: string
  drop(): Promise<unknown>
}

const saved = new Map<string, SavedDatabase>()

/** Copies a database (closed meanwhile) and a folder, and keeps both under a name; returns the database, reopened. */
export async function saveDatabase(
  what: string,
  from: OpenedDatabase,
  files: string,
): Promise<OpenedDatabase> {
  const { connectionString: url = '' } = from.pool.options
  await from.close()
  const { name: database, drop } = await createdDatabase(new URL(url).pathname.slice(1))
  const folder = mkdtempSync(join(tmpdir(), 'podium-left-'))
  cpSync(files, folder, { recursive: true })
  saved.set(what, { database, folder, drop })
  const reopened = await openDatabase({ ...patient, url, dataDir: '', onError: failLoudly })
  atEnd(() => reopened.close())
  return reopened
}

/** Returns a copy of what a test file of this process has left under this name; undefined if nothing. */
export async function savedDatabase(
  what: string,
): Promise<{ database: OpenedDatabase; files: string } | undefined> {
  const copy = saved.get(what)
  if (!copy) return undefined
  const files = temporaryFolder('podium-taken-')
  cpSync(copy.folder, files, { recursive: true })
  return { database: await freshDatabase(copy.database), files }
}

/** Creates a database, empty or a copy of another. */
async function createdDatabase(from: string | undefined) {
  const { url } = await testCluster()
  const name = `podium_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await asAdmin(url, (client) =>
    client.query(`create database ${name}${from === undefined ? '' : ` template ${from}`}`),
  )
  return {
    name,
    url: urlOf(url, name),
    drop: () => asAdmin(url, (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

/** Creates and opens a database; dropped when the tests end. */
async function freshDatabase(from: string | undefined): Promise<OpenedDatabase> {
  const { url, drop } = await createdDatabase(from)
  atEnd(drop)
  const database = await openDatabase({ ...patient, url, dataDir: '', onError: failLoudly })
  atEnd(() => database.close())
  return database
}

/**
 * On a permanent PostgreSQL the template is made once per set of migrations; the lock lets several processes start at
 * once.
 */
async function givenCluster(url: string): Promise<TestCluster> {
  const template = `podium_template_${await migrationsHash()}`
  await asAdmin(url, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const existing = await client.query('select from pg_database where datname = $1', [template])
    if (existing.rowCount) return
    const draft = `podium_draft_${randomUUID().slice(0, 8)}`
    await client.query(`create database ${draft}`)
    const database = await openDatabase({
      ...{ ...patient, url: urlOf(url, draft), dataDir: '', onError: failLoudly },
    })
    await migrate(database)
    await database.close()
    await client.query(`alter database ${draft} rename to ${template}`)
  })
  return { url, template, stop: async () => undefined }
}

function urlOf(admin: string, database: string): string {
  const url = new URL(admin)
  url.pathname = `/${database}`
  return url.href
}

async function asAdmin<Result>(
  connectionString: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/**
 * Holds a statement's locks until each of these calls waits for them, in turn, so that all have begun when the first
 * continues; or until one has ended without waiting. Returns their answers.
 */
export async function whileHeld<T>(
  lockedBy: RawBuilder<unknown>,
  calls: ReadonlyArray<() => Promise<T>>,
): Promise<T[]> {
  const { db } = await testDatabase()
  const started: Array<Promise<T>> = []
  let ended = 0
  await db.transaction().execute(async (tx) => {
    await lockedBy.execute(tx)
    for (const call of calls) {
      started.push(call().finally(() => ended++))
      for (let waiting = 0; waiting < started.length && ended === 0; ) {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        waiting = rows[0]?.waiting ?? 0
      }
    }
  })
  return Promise.all(started)
}
