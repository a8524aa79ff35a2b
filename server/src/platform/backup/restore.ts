import type { Db, OpenedDatabase } from '../db/database.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import type { FileStore } from '../files/files.ts'
import { compareSums, verifyBackup } from './backup.ts'
import type { OpenBackup } from './backup-store.ts'
import {
  backedUpTables,
  columnTypes,
  insertRows,
  readEntries,
  rowsOf,
  setSequence,
  type TableShape,
  type TableSum,
  tableSummer,
  withoutConstraints,
} from './backup-tables.ts'

/** A backup can't be restored here; `message` is one line for the operator. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused'
}

interface RestoreOptions {
  database: OpenedDatabase
  files: FileStore
  secret: string
  /** The previous secret, for older backups */
  secretPrevious?: string | undefined
  open: OpenBackup
  /** Completes the restored data before it may be used */
  finish?: (db: Db, madeAt: string) => Promise<void>
  print?: (line: string) => void
}

/**
 * Restores a backup into an empty database and data folder, from whatever database it came, and migrates it to this
 * version. What was written is read back and compared with the backup before it counts. Existing data is never
 * overwritten. Throws {@link RestoreRefused}, or BackupDamaged of backup-tables.ts.
 */
export async function restoreBackup(
  options: RestoreOptions,
): Promise<{ madeAt: string; rows: number; files: number }> {
  const { database, open, finish, print = () => undefined } = options
  await refuseUnlessEmpty(database)
  // Before anything is written: a damaged file must not leave half a portal behind.
  const facts = await verifyBackup(open, secretsOf(options))
  print(`The backup is whole: ${facts.rows} rows, ${facts.files} files.`)
  const migrations = await readMigrations()
  for (const [index, migration] of facts.migrations.entries()) {
    if (migrations[index]?.name !== migration.name || migrations[index]?.sha256 !== migration.sha256)
      throw new RestoreRefused(
        `The backup has the migration ${migration.name}, which this version of Podium does not know so: restore it with the version that made it.`,
      )
  }
  await migrate(database, undefined, facts.migrations.length)
  await load(options)
  print('All rows are there, and are those of the backup.')
  await migrate(database)
  await finish?.(database.db, facts.madeAt)
  await database.pool.query(`drop table ${unfinished}`)
  return { madeAt: facts.madeAt, rows: facts.rows, files: facts.files }
}

/** Exists from when the rows are restored until the restore is completely finished. */
const unfinished = 'restore_unfinished'

/** Refuses a database with an unfinished restore: it may again contain data that was erased after the backup. */
export async function refuseUnfinished({ pool }: Pick<OpenedDatabase, 'pool'>): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    unfinished,
  ])
  if (rows[0]?.there)
    throw new RestoreRefused(
      'A restore into this database was broken off before its end: empty the database and the data folder, and restore again.',
    )
}

/**
 * Refuses a database that is in use, that is, with people or schools; an otherwise empty, migrated one may be filled.
 */
async function refuseUnlessEmpty({ pool }: OpenedDatabase): Promise<void> {
  await refuseUnfinished({ pool })
  const recorded = await pool.query<{ there: boolean }>(
    `select to_regclass('schema_migrations') is not null as there`,
  )
  if (!recorded.rows[0]?.there) return
  const used = await pool.query<{ used: boolean }>(
    'select exists (select from staff) or exists (select from users) or exists (select from schools) as used',
  )
  if (used.rows[0]?.used)
    throw new RestoreRefused(
      'This database holds data already, and a restore never overwrites any: choose an empty DATABASE_URL or another DATA_DIR.',
    )
}

/** Returns the secrets that a backup may have been made with. */
export function secretsOf({
  secret,
  secretPrevious,
}: Pick<RestoreOptions, 'secret' | 'secretPrevious'>): string[] {
  return secretPrevious === undefined ? [secret] : [secret, secretPrevious]
}

async function load(options: RestoreOptions): Promise<void> {
  const { database, files, open } = options
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query('set local lock_timeout = 0')
    const types = await columnTypes(client)
    let promised: Record<string, TableSum> = {}
    await withoutConstraints(client, async () => {
      let shape: TableShape | undefined
      await readEntries(await open(), secretsOf(options), async (entry) => {
        if (entry.kind === 'table') shape = entry
        else if (entry.kind === 'rows' && shape)
          await insertRows(client, shape, types.get(shape.table) ?? new Map(), entry.rows)
        else if (entry.kind === 'sequence') await setSequence(client, entry.name, entry.value)
        else if (entry.kind === 'file') await files.put(Buffer.from(entry.content))
        else if (entry.kind === 'end') promised = entry.tables
      })
      const sums = new Map<string, TableSum>()
      for (const table of await backedUpTables(client)) {
        const sum = tableSummer()
        for await (const rows of rowsOf(client, table)) for (const row of rows) sum.add(row)
        sums.set(table.table, sum.result())
      }
      compareSums(promised, sums)
    })
    await client.query(`create table ${unfinished} ()`)
    await client.query('commit')
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined)
    throw thrown
  } finally {
    client.release(true)
  }
}
