import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { type OpenedDatabase, openDatabase } from '../src/platform/database.ts'
import { startEmbedded } from '../src/platform/embedded.ts'
import { migrate } from '../src/platform/migrate.ts'
import { emptied, type Kept, keptOf } from './database-reset.ts'
import { embeddedTemplate, migrationsHash } from './embedded-template.ts'
import { failLoudly, patient } from './patient.ts'

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

/** The address of the PostgreSQL that tests may make databases on. */
export function testPostgresUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url)
    throw new Error('TEST_DATABASE=postgres needs TEST_DATABASE_URL, a role that may create databases')
  return url
}

/** The database of this process: to make one, or to start an embedded one, costs more than most files' tests. */
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
  lane ??= await (testedKind === 'postgres' ? laneOnPostgres() : laneOnEmbedded())
  const database = await lane.open()
  atEnd(() => database.close())
  return database
}

async function laneOnEmbedded(): Promise<Lane> {
  const dataDir = await copyOfTemplate()
  const { idleInTransaction } = patient
  const running = await startEmbedded({ dataDir, idleInTransaction, sync: 'never', onEnd: failLoudly })
  const { host, port } = running
  return {
    kept: await keptOf({ host, port, user: 'postgres', database: 'postgres' }),
    open: () => openDatabase({ ...patient, dataDir: '', running, onError: failLoudly }),
    async close() {
      await running.close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function laneOnPostgres(): Promise<Lane> {
  const { url, drop } = await createdDatabase(await postgresTemplate())
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
  cpSync(join(template, 'database'), join(dataDir, 'database'), { recursive: true })
  return dataDir
}

/** A migrated database of the tested kind that no other test has, for what is about a whole one. */
export async function migratedDatabase(): Promise<OpenedDatabase> {
  if (testedKind === 'postgres') return freshPostgres(await postgresTemplate())
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

/** A new database on the test PostgreSQL, empty or from a template. */
async function createdDatabase(template?: string) {
  const name = `podium_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await asAdmin((client) => client.query(`create database ${name}${template ? ` template ${template}` : ''}`))
  return {
    url: urlOf(name),
    drop: () => asAdmin((client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

/** The same, open; dropped when the tests have ended. */
async function freshPostgres(template?: string): Promise<OpenedDatabase> {
  const { url, drop } = await createdDatabase(template)
  atEnd(drop)
  const database = await openDatabase({ ...patient, url, dataDir: '', onError: failLoudly })
  atEnd(() => database.close())
  return database
}

/** The template database, made once per set of migrations; the lock lets several test processes start at once. */
async function postgresTemplate(): Promise<string> {
  const name = `podium_template_${await migrationsHash()}`
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
