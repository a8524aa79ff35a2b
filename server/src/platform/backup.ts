import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { PoolClient } from 'pg'
import { type Entry, entryBytes, readEntries } from './backup-entries.ts'
import { BackupDamaged, encrypted } from './backup-stream.ts'
import { keptTables, rowsOf, sequences, type TableSum, tableSummer } from './backup-tables.ts'
import type { OpenedDatabase } from './database.ts'
import type { FileStore } from './files.ts'

/** What a backup holds, for the person who made it. */
export interface BackupFacts {
  path: string
  name: string
  bytes: number
  /** Of the whole file */
  sha256: string
  tables: number
  rows: number
  files: number
  /** Contents that a row of `files` names and that are not in the data folder */
  missing: number
}

export interface BackupOptions {
  database: Pick<OpenedDatabase, 'pool' | 'kind'>
  files: FileStore
  secret: string
  folder: string
  now: Date
  /** Called between the pieces; throws to stop. */
  progress?: (done: number, total: number) => Promise<void>
}

/**
 * Writes everything the portal keeps into one file: all tables as they were at one instant, and the contents of all
 * files. Encrypted with a key made of SECRET. It is read back whole and compared before it counts as made.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupFacts> {
  const { folder, now } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')
  const name = `podium-${stamp}.backup`
  const path = join(folder, name)
  const draft = `${path}.part`
  try {
    const target = await open(draft, 'wx', 0o600)
    try {
      await pipeline(
        contentOf(options),
        createGzip({ level: 5 }),
        (content) => encrypted(options.secret, content),
        async (pieces: AsyncIterable<Buffer>) => {
          for await (const piece of pieces) await target.writeFile(piece)
        },
      )
      await target.sync()
    } finally {
      await target.close()
    }
    const { madeAt: _, migrations: __, ...facts } = await verifyBackup(draft, [options.secret])
    await rename(draft, path)
    const directory = await open(folder, 'r')
    await directory.sync().finally(() => directory.close())
    return { ...facts, path, name }
  } catch (thrown) {
    await rm(draft, { force: true })
    throw thrown
  }
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
    // One instant for all tables, however long they take to read.
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    yield { kind: 'start', madeAt: now.toISOString(), migrations: await appliedMigrations(client) }
    const shapes = await keptTables(client)
    for (const [at, shape] of shapes.entries()) {
      yield { kind: 'table', ...shape }
      const sum = tableSummer()
      for await (const rows of rowsOf(client, shape)) {
        for (const row of rows) sum.add(row)
        yield { kind: 'rows', rows }
      }
      tables[shape.table] = sum.result()
      // The embedded database has one session, and this transaction has it: nobody may wait for another now.
      if (database.kind === 'postgres') await progress(at, shapes.length)
    }
    for (const sequence of await sequences(client)) yield { kind: 'sequence', ...sequence }
    contents = await fileContents(client)
    await client.query('commit')
  } finally {
    // Whatever happened in it, the next caller gets another connection.
    client.release(true)
  }
  const missing: string[] = []
  for (const [at, sha256] of contents.entries()) {
    const content = await files.read(sha256).catch(() => undefined)
    if (content) yield { kind: 'file', sha256, content }
    else missing.push(sha256)
    if (at % 100 === 0) await progress(at, contents.length)
  }
  yield { kind: 'end', tables, files: contents.length - missing.length, missing }
}

/** The migrations that a database has, in their order. */
export async function appliedMigrations(
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

/** What reading a backup says beside its figures. */
export interface BackupRead extends BackupFacts {
  madeAt: string
  migrations: Array<{ name: string; sha256: string }>
}

/** Reads a backup that was made with one of these secrets whole: every piece decrypts, every row and file is what was written. Throws {@link BackupDamaged}. */
export async function verifyBackup(path: string, secrets: readonly string[]): Promise<BackupRead> {
  const sums = new Map<string, ReturnType<typeof tableSummer>>()
  let current: ReturnType<typeof tableSummer> | undefined
  let files = 0
  let rows = 0
  let missing = 0
  let start: Extract<Entry, { kind: 'start' }> | undefined
  await readEntries(path, secrets, (entry) => {
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
  const { size } = await stat(path)
  const facts = { bytes: size, sha256: await fileSha256(path), tables: sums.size, rows, files, missing }
  return { path, name: basename(path), ...facts, madeAt: start.madeAt, migrations: start.migrations }
}

/** Throws {@link BackupDamaged} unless both say the same of every table. */
export function compareSums(
  promised: Readonly<Record<string, TableSum>>,
  found: ReadonlyMap<string, TableSum>,
): void {
  for (const [table, { rows, sum }] of Object.entries(promised)) {
    const there = found.get(table)
    if (there?.rows !== rows || there.sum !== sum)
      throw new BackupDamaged(
        `The rows of ${table} are not those of the backup: ${there?.rows ?? 0} of ${rows}, or others.`,
      )
  }
}

async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
