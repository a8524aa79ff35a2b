import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { PoolClient } from 'pg'
import type { OpenedDatabase } from '../db/database.ts'
import { ContentMissing, type FileStore } from '../files/files.ts'
import { type BackupStore, backupName, type OpenBackup } from './backup-store.ts'
import {
  BackupDamaged,
  backedUpTables,
  type Entry,
  encrypted,
  entryBytes,
  readEntries,
  rowsOf,
  sequences,
  type TableSum,
  tableSummer,
} from './backup-tables.ts'

/** What a backup contains, for the person who made it. */
export interface BackupFacts {
  name: string
  /** Its path, or its address in a store */
  path: string
  bytes: number
  /** Hash of the whole file */
  sha256: string
  tables: number
  rows: number
  files: number
  /** Contents that a row of `files` refers to but the store lacks */
  missing: number
}

interface BackupOptions {
  database: Pick<OpenedDatabase, 'pool'>
  files: FileStore
  secret: string
  store: Pick<BackupStore, 'add' | 'locate'>
  now: Date
  /** Called between chunks; throws to stop. */
  progress?: (done: number, total: number) => Promise<void>
}

/**
 * Backs up everything the portal stores: all tables at one instant, and the contents of all files. Encrypted with a key
 * derived from SECRET. It is read back and compared before it counts as made.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupFacts> {
  const { store, secret, now } = options
  const name = backupName(now)
  const read = await store.add(
    name,
    (sink) =>
      pipeline(
        contentOf(options),
        createGzip({ level: 5 }),
        (content: AsyncIterable<Buffer>) => encrypted(secret, content),
        sink,
      ),
    (open) => verifyBackup(open, [secret]),
  )
  const { madeAt: _, migrations: __, ...facts } = read
  return { ...facts, name, path: store.locate(name) }
}

async function* contentOf(options: BackupOptions): AsyncGenerator<Buffer> {
  for await (const entry of entriesOf(options)) yield entryBytes(entry)
}

async function* entriesOf({
  database,
  files,
  now,
  progress = async () => undefined,
}: BackupOptions): AsyncGenerator<Entry> {
  const client = await database.pool.connect()
  const tables: Record<string, TableSum> = {}
  let contents: string[] = []
  try {
    // One snapshot for all tables, however long they take to read.
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    yield { kind: 'start', madeAt: now.toISOString(), migrations: await appliedMigrations(client) }
    const shapes = await backedUpTables(client)
    for (const [index, shape] of shapes.entries()) {
      yield { kind: 'table', ...shape }
      const sum = tableSummer()
      for await (const rows of rowsOf(client, shape)) {
        for (const row of rows) sum.add(row)
        yield { kind: 'rows', rows }
      }
      tables[shape.table] = sum.result()
      await progress(index, shapes.length)
    }
    for (const sequence of await sequences(client)) yield { kind: 'sequence', ...sequence }
    contents = await fileContents(client)
    await client.query('commit')
  } finally {
    // The connection may be in any state, so the next caller gets another one.
    client.release(true)
  }
  const missing: string[] = []
  for (const [index, sha256] of contents.entries()) {
    const content = await files.read(sha256).catch((thrown: unknown) => {
      // A missing file is noted in the backup; with an unavailable store no good backup is possible.
      if (thrown instanceof ContentMissing) return undefined
      throw thrown
    })
    if (content) yield { kind: 'file', sha256, content }
    else missing.push(sha256)
    if (index % 100 === 0) await progress(index, contents.length)
  }
  yield { kind: 'end', tables, files: contents.length - missing.length, missing }
}

/** Returns a database's applied migrations in order. */
async function appliedMigrations(
  client: Pick<PoolClient, 'query'>,
): Promise<Array<{ name: string; sha256: string }>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  )
  return rows
}

async function fileContents(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ sha256: string }>('select distinct sha256 from files order by sha256')
  return rows.map(({ sha256 }) => sha256)
}

/** What reading a backup returns besides its figures. */
interface BackupRead extends Omit<BackupFacts, 'name' | 'path'> {
  madeAt: string
  migrations: Array<{ name: string; sha256: string }>
}

/**
 * Reads a backup completely, decrypts it with one of these secrets, and checks that every row and file is what was
 * written. Throws {@link BackupDamaged}.
 */
export async function verifyBackup(open: OpenBackup, secrets: readonly string[]): Promise<BackupRead> {
  const sums = new Map<string, ReturnType<typeof tableSummer>>()
  let current: ReturnType<typeof tableSummer> | undefined
  let files = 0
  let rows = 0
  let missing = 0
  let start: Extract<Entry, { kind: 'start' }> | undefined
  const whole = createHash('sha256')
  let bytes = 0
  const counted = async function* (backup: AsyncIterable<Buffer>) {
    for await (const piece of backup) {
      whole.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  await readEntries(counted(await open()), secrets, (entry) => {
    if (entry.kind === 'start') start = entry
    else if (entry.kind === 'table') {
      current = tableSummer()
      sums.set(entry.table, current)
    } else if (entry.kind === 'rows') {
      for (const row of entry.rows) current?.add(row)
      rows += entry.rows.length
    } else if (entry.kind === 'file') {
      if (createHash('sha256').update(entry.content).digest('hex') !== entry.sha256)
        throw new BackupDamaged('This backup is damaged: a file in it is not as it was.')
      files++
    } else if (entry.kind === 'end') {
      compareSums(entry.tables, new Map([...sums].map(([table, sum]) => [table, sum.result()])))
      if (files !== entry.files) throw new BackupDamaged('This backup is damaged: files are missing in it.')
      missing = entry.missing.length
    }
  })
  if (!start) throw new BackupDamaged('This backup is damaged: its beginning is missing.')
  const facts = { bytes, sha256: whole.digest('hex'), tables: sums.size, rows, files, missing }
  return { ...facts, madeAt: start.madeAt, migrations: start.migrations }
}

/** Throws {@link BackupDamaged} unless both agree on every table. */
export function compareSums(
  promised: Readonly<Record<string, TableSum>>,
  actual: ReadonlyMap<string, TableSum>,
): void {
  for (const [table, { rows, sum }] of Object.entries(promised)) {
    const actualSum = actual.get(table)
    if (actualSum?.rows !== rows || actualSum.sum !== sum)
      throw new BackupDamaged(
        `The rows of ${table} are not those of the backup: ${actualSum?.rows ?? 0} of ${rows}, or others.`,
      )
  }
}
