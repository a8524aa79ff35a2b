import { basename, dirname, isAbsolute } from 'node:path'
import { sql } from 'kysely'
import { type BackupFacts, makeBackup } from '#platform/backup/backup'
import { type BackupStore, folderOfBackups } from '#platform/backup/backup-store'
import type { OpenedDatabase } from '#platform/db/database'
import type { FileStore } from '#platform/files/files'
import { backupDays } from './rules.ts'

export interface BackupDeps {
  database: Pick<OpenedDatabase, 'db' | 'pool'>
  files: FileStore
  secret: string
  /** Where this one goes */
  store: BackupStore
  /** Where backups usually are, if that is elsewhere: those in it stand in the record by name, others by path. */
  home?: BackupStore
  clock: () => Date
  progress?: (done: number, total: number) => Promise<void>
}

interface Maker {
  madeBy: 'night' | 'office' | 'command'
  staffId?: number | undefined
}

/**
 * Makes a backup, keeps a record of it for the office and deletes those whose time is over. A database of an older
 * version, which has no place for the record, is backed up without one.
 */
export async function keepBackup(deps: BackupDeps, { madeBy, staffId }: Maker): Promise<BackupFacts> {
  const { database, clock, store, home = store } = deps
  const { db } = database
  const there = await sql<{ there: boolean }>`select to_regclass('backups') is not null as there`.execute(db)
  if (!there.rows[0]?.there) return makeBackup({ ...deps, now: clock() })
  const started = clock()
  const { id } = await db
    .insertInto('backups')
    .values({ made_by: madeBy, staff_id: staffId, started_at: started })
    .returning('id')
    .executeTakeFirstOrThrow()
  try {
    const made = await makeBackup({ ...deps, now: started })
    const { bytes, sha256, rows, files, missing } = made
    const name = store === home ? made.name : made.path
    const ended = clock()
    await db
      .updateTable('backups')
      .set({ file_name: name, bytes, sha256, rows, files, missing, ended_at: ended, verified_at: ended })
      .where('id', '=', id)
      .execute()
    await deleteOld(db, home, ended, id)
    return made
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message.slice(0, 300) : String(thrown)
    await db.updateTable('backups').set({ error, ended_at: clock() }).where('id', '=', id).execute()
    throw thrown
  }
}

/**
 * Deletes the files of backups that are older than they may get; their records stay. One that is not where its record
 * says, or can't be deleted, is not said to be deleted.
 */
async function deleteOld(db: BackupDeps['database']['db'], home: BackupStore, now: Date, kept: number) {
  const until = new Date(now.getTime() - backupDays * 86_400_000)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, file_name as name from backups
    where started_at < ${until} and deleted_at is null and file_name <> '' and id <> ${kept}`.execute(db)
  for (const { id, name } of rows) {
    const gone = isAbsolute(name)
      ? await folderOfBackups(dirname(name)).remove(basename(name))
      : await home.remove(name)
    if (!gone) continue
    await db.updateTable('backups').set({ deleted_at: now }).where('id', '=', id).execute()
  }
}
