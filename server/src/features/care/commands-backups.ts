import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type BackupFacts, makeBackup } from '#platform/backup'
import type { OpenedDatabase } from '#platform/database'
import type { FileStore } from '#platform/files'
import { backupDays } from './rules.ts'

export interface BackupDeps {
  database: Pick<OpenedDatabase, 'db' | 'pool' | 'kind'>
  files: FileStore
  secret: string
  folder: string
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
  const { database, clock, folder } = deps
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
    const { name, bytes, sha256, rows, files, missing } = made
    const ended = clock()
    await db
      .updateTable('backups')
      .set({ file_name: name, bytes, sha256, rows, files, missing, ended_at: ended, verified_at: ended })
      .where('id', '=', id)
      .execute()
    await deleteOld(db, folder, ended, id)
    return made
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message.slice(0, 300) : String(thrown)
    await db.updateTable('backups').set({ error, ended_at: clock() }).where('id', '=', id).execute()
    throw thrown
  }
}

/** Deletes the files of backups that are older than they may get; their records stay. */
async function deleteOld(db: BackupDeps['database']['db'], folder: string, now: Date, kept: number) {
  const until = new Date(now.getTime() - backupDays * 86_400_000)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, file_name as name from backups
    where started_at < ${until} and deleted_at is null and file_name <> '' and id <> ${kept}`.execute(db)
  for (const { id, name } of rows) {
    await rm(join(folder, name), { force: true })
    await db.updateTable('backups').set({ deleted_at: now }).where('id', '=', id).execute()
  }
}
