import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { type OpenedDatabase, openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { emptied, type Kept, keptOf } from './database-reset.ts'
import { failLoudly, patient } from './patient.ts'

// A data folder with a migrated database that those of the tests are copies of. Started as a program it makes one: several processes
// of tests that begin at the same time would each make their own.

/** A migration changes the hash, and with it the template the databases are copied from. */
async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, sha256 } of await readMigrations()) hash.update(`${name} ${sha256}\n`)
  return hash.digest('hex').slice(0, 12)
}

/** Where templates are kept: where a run says, for its parts have folders for temporary files of their own. */
const templates =
  process.env.TEST_TEMPLATES ?? join(tmpdir(), `podium-test-postgres-${process.getuid?.() ?? 0}`)

/** A migrated data folder, made once per set of migrations and kept: a copy of it opens in a fraction of the time. */
async function embeddedTemplate(): Promise<string> {
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
    // Another process was faster; its copy is as good.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

// Not awaited: test files, which are loaded at once, import this one. What fails here ends the process all the same.
if (import.meta.main) void embeddedTemplate()

if (process.env.TEST_DATABASE === 'none')
  throw new Error('a test that asks for a database runs among those without')

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
    for (const forget of left.values()) await forget.drop()
    await (await cluster)?.stop()
  })
})

/**
 * The migrated, otherwise empty database that all tests of a file share, so each makes a school of its own.
 * Fresh per file; gone when the tests have ended.
 */
export function testDatabase(): Promise<OpenedDatabase> {
  shared ??= ofLane()
  return shared
}

/** Has the tests of this file share a database of their own making, which they close. */
export function testsShare(database: OpenedDatabase): void {
  shared = Promise.resolve(database)
}

/** Something that test data keeps beside the database, made anew with each. */
export function perDatabase<Made>(make: () => Made): () => Made {
  const kept = new WeakMap<Promise<OpenedDatabase>, Made>()
  return () => {
    const database = testDatabase()
    const found = kept.get(database) ?? make()
    kept.set(database, found)
    return found
  }
}

interface TestCluster {
  /** Its address, as a role that may create databases. */
  url: string
  /** The migrated database that those of the tests are made from. */
  template: string
  stop(): Promise<void>
}

let cluster: Promise<TestCluster> | undefined

/** The PostgreSQL that tests make their databases on: that of TEST_DATABASE_URL, or one of this process. */
function testCluster(): Promise<TestCluster> {
  const given = process.env.TEST_DATABASE_URL
  cluster ??= given ? givenCluster(given) : ownCluster()
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

/** The database of this process: to make one costs more than most files' tests. */
interface Lane {
  kept: Kept
  open(): Promise<OpenedDatabase>
  close(): Promise<unknown>
}

let lane: Lane | undefined

/** What the file before has left is taken away; where that is not possible, a database is made anew. */
async function ofLane(): Promise<OpenedDatabase> {
  if (lane && !(await emptied(lane.kept).catch(() => false))) {
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
    kept: await keptOf({ connectionString: url }),
    open: () => openDatabase({ ...patient, url, dataDir: '', onError: failLoudly }),
    close: drop,
  }
}

/** A data folder with a migrated embedded database that nobody has open; removed when the tests have ended. */
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

/** A migrated database that no other test has, for what is about a whole one. */
export const migratedDatabase = async (): Promise<OpenedDatabase> =>
  freshDatabase((await testCluster()).template)

/** A database that has not been migrated, for tests of migrating itself. */
export const emptyDatabase = (): Promise<OpenedDatabase> => freshDatabase(undefined)

/** A folder that is removed when the tests have ended. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  atEnd(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A database and a folder of files as a test file has left them, for later files of this process. */
interface Left {
  database: string
  folder: string
  drop(): Promise<unknown>
}

const left = new Map<string, Left>()

/** Copies a database, which is closed for that, and a folder, and keeps both by a name; answers the database, open again. */
export async function leave(what: string, from: OpenedDatabase, files: string): Promise<OpenedDatabase> {
  const { connectionString: url = '' } = from.pool.options
  await from.close()
  const { name: database, drop } = await createdDatabase(new URL(url).pathname.slice(1))
  const folder = mkdtempSync(join(tmpdir(), 'podium-left-'))
  cpSync(files, folder, { recursive: true })
  left.set(what, { database, folder, drop })
  const again = await openDatabase({ ...patient, url, dataDir: '', onError: failLoudly })
  atEnd(() => again.close())
  return again
}

/** A copy of what a test file of this process has left by this name; undefined where none has. */
export async function takenOver(
  what: string,
): Promise<{ database: OpenedDatabase; files: string } | undefined> {
  const found = left.get(what)
  if (!found) return undefined
  const files = temporaryFolder('podium-taken-')
  cpSync(found.folder, files, { recursive: true })
  return { database: await freshDatabase(found.database), files }
}

/** A new database, empty or a copy of another. */
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

/** The same, open; dropped when the tests have ended. */
async function freshDatabase(from: string | undefined): Promise<OpenedDatabase> {
  const { url, drop } = await createdDatabase(from)
  atEnd(drop)
  const database = await openDatabase({ ...patient, url, dataDir: '', onError: failLoudly })
  atEnd(() => database.close())
  return database
}

/** On a PostgreSQL that lasts a template is made once per set of migrations; the lock lets several processes start at once. */
async function givenCluster(url: string): Promise<TestCluster> {
  const template = `podium_template_${await migrationsHash()}`
  await asAdmin(url, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const found = await client.query('select from pg_database where datname = $1', [template])
    if (found.rowCount) return
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
 * Holds what a statement locks until each of these calls waits for it, one after the other, so that all of them have begun
 * when the first goes on; or until one has ended without waiting. Gives their answers.
 */
export async function whileHeld<T>(
  held: RawBuilder<unknown>,
  calls: ReadonlyArray<() => Promise<T>>,
): Promise<T[]> {
  const { db } = await testDatabase()
  const started: Array<Promise<T>> = []
  let ended = 0
  await db.transaction().execute(async (tx) => {
    await held.execute(tx)
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
