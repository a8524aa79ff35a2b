// Shared by the measurements: a separate database on the PostgreSQL of TEST_DATABASE_URL, signed-in people, times.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { Role } from '../server/src/platform/auth/policy.ts'
import { openSession } from '../server/src/platform/auth/session.ts'
import { type OpenedDatabase, openDatabase } from '../server/src/platform/db/database.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'

const onError = (error: Error) => {
  throw error
}

/** Returns the address of the PostgreSQL to measure. */
function serverAddress(): string {
  const address = process.env.TEST_DATABASE_URL
  if (!address) throw new Error('Say which PostgreSQL to measure on: TEST_DATABASE_URL')
  return address
}

/** Returns the address of a database on that server. */
export function addressOf(name: string): string {
  const url = new URL(serverAddress())
  url.pathname = `/${name}`
  return url.href
}

async function asAdmin<T>(act: (admin: OpenedDatabase) => Promise<T>): Promise<T> {
  const admin = await openDatabase({ url: serverAddress(), dataDir: '', onError })
  try {
    return await act(admin)
  } finally {
    await admin.close()
  }
}

/** Opens a database of that server without changing it. */
export function openNamed(name: string): Promise<OpenedDatabase> {
  return openDatabase({ url: addressOf(name), dataDir: '', onError })
}

/** Whether the server has a database of this name. */
export function isThere(name: string): Promise<boolean> {
  return asAdmin(async ({ pool }) => {
    const { rowCount } = await pool.query('select from pg_database where datname = $1', [name])
    return rowCount === 1
  })
}

/** Creates a database with this name and all migrations; the caller drops it. */
export async function makeDatabase(name: string): Promise<OpenedDatabase> {
  await asAdmin(({ pool }) => pool.query(`create database ${name}`))
  const database = await openNamed(name)
  await migrate(database)
  return database
}

/** Drops a database with this name, even if it is in use. */
export function dropDatabase(name: string): Promise<unknown> {
  return asAdmin(({ pool }) => pool.query(`drop database if exists ${name} with (force)`))
}

/** The name of a database for one measurement. */
export const benchName = `podium_bench_${process.pid}`

/** Signs in the first officer with a role; the token goes into the header `authorization`. */
export async function officerToken({ db }: OpenedDatabase, role: Role, now = new Date()): Promise<string> {
  const staff = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', role)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const session = { kind: 'office', staffId: staff.id, source: '127.0.0.1', agent: 'bench' } as const
  return db.transaction().execute((tx) => openSession(tx, now, session))
}

/** Signs in a person of a school. */
export async function teacherToken(
  { db }: OpenedDatabase,
  schoolId: number,
  now = new Date(),
): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const session = { kind: 'account', userId: user.id, source: '127.0.0.1', agent: 'bench' } as const
  return db.transaction().execute((tx) => openSession(tx, now, session))
}

/** Opens a family's page, as if its code had been entered. */
export function familyToken({ db }: OpenedDatabase, familyLinkId: string, now = new Date()): Promise<string> {
  const session = { kind: 'family', familyLinkId, source: '127.0.0.1', agent: 'bench' } as const
  return db.transaction().execute((tx) => openSession(tx, now, session))
}

/** Deletes the students that a measurement has saved (section Z, high roll numbers), and their family links. */
export async function takeSavedAway({ pool }: OpenedDatabase): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // Nothing else refers to them: checking some twenty foreign keys for each is unnecessary.
    await client.query('set session_replication_role = replica').catch(() => undefined)
    await client.query(`
      with own as (delete from students where roll_no >= 100000 and section = 'Z' returning id, family_link_id),
        entries as (delete from enrolments where student_id in (select id from own)),
        books as (delete from book_choices where student_id in (select id from own))
      delete from family_links where id in (select family_link_id from own)`)
  } finally {
    client.release(true)
  }
}

/** Returns how long one call of `act` takes, in milliseconds. */
export async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await act()
  return performance.now() - start
}

/** Returns the value below which this share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Returns the machine's load and its number of processors. */
export function machine(): string {
  const cores = readFileSync('/proc/cpuinfo', 'utf8').match(/^processor/gm)?.length ?? 0
  return `load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')} on ${cores} cores`
}
