import { basename, dirname, isAbsolute } from 'node:path'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { newId } from '#platform/auth/secrets'
import { type BackupFacts, makeBackup } from '#platform/backup/backup'
import { type BackupStore, folderOfBackups, type OpenBackup } from '#platform/backup/backup-store'
import { restoreBackup, secretsOf } from '#platform/backup/restore'
import type { Db, OpenedDatabase, Tx } from '#platform/db/database'
import {
  addErasures,
  type ErasureList,
  newestErasureList,
  type RestoredErasure,
  readErasedFiles,
  replacedErasureList,
} from '#platform/db/erased'
import type { Deps } from '#platform/deps'
import type { FileStore } from '#platform/files/files'
import { enqueueJob, lockPlanning } from '#platform/jobs/jobs'
import { errorText } from '#platform/jobs/outbox'
import { startWorker, type Worker } from '#platform/jobs/worker'
import { backupDays, backupJob, nextNight, nightlyBackup, nightlyRetention, retentionJob } from './queries.ts'

/** Plans work that is not under way already, and answers its job. */
async function planOnce(tx: Tx, scope: OfficeScope, now: Date, kind: string, input: Record<string, unknown>) {
  await lockPlanning(tx, kind)
  const { rows } = await sql<{ id: string }>`
    select id from jobs where kind = ${kind} and state in ('waiting', 'running')
      and input @> ${JSON.stringify(input)}::jsonb limit 1`.execute(tx)
  return rows[0]?.id ?? enqueueJob(tx, now, { kind, input, createdBy: scope.staffId })
}

/** Plans a backup now. */
export async function planBackup(tx: Tx, scope: OfficeScope, now: Date): Promise<string> {
  const job = await planOnce(tx, scope, now, backupJob, {})
  await audit(tx, now, scope, 'backup.asked', { kind: 'backup', id: job })
  return job
}

/** Plans a run of the retention, or a dry one. */
export async function planRetention(tx: Tx, scope: OfficeScope, now: Date, dry: boolean): Promise<string> {
  const job = await planOnce(tx, scope, now, retentionJob, { dry })
  await audit(tx, now, scope, 'retention.asked', { kind: 'retention', id: job }, { dry })
  return job
}

/** At these times in India, hours and minutes: first what is too old goes, so that it is not in the backup. */
const nights = [
  { kind: nightlyRetention, hours: 1, minutes: 30 },
  { kind: nightlyBackup, hours: 2, minutes: 30 },
]

/** Plans the next run of each nightly work, unless it waits or runs already. */
export async function planNights(db: Db, now: Date): Promise<void> {
  for (const { kind, hours, minutes } of nights) {
    const due = nextNight(now, hours, minutes)
    await sql`
      insert into jobs (id, kind, state, created_at, due_at) values (${newId()}, ${kind}, 'waiting', ${now}, ${due})
      on conflict (kind) where state in ('waiting', 'running') and kind like '%.night' do nothing`.execute(db)
  }
}

/** Sees to it that each night has its work, on whichever instance. */
export function startNights({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Worker {
  return startWorker({
    everyMs: 10 * 60_000,
    turn: async () => {
      await planNights(db, clock())
      return false
    },
    onError: (thrown) => log.error({ error: errorText(thrown) }, 'nightly work could not be planned'),
  })
}

interface BackupDeps {
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

interface PortalRestore {
  database: OpenedDatabase
  files: FileStore
  secret: string
  /** The secret before, with which older backups were made */
  secretPrevious?: string | undefined
  open: OpenBackup
  /** Where backups are that may be newer than this one */
  stores: readonly BackupStore[]
  /** Folders in which older versions kept their list of erasures */
  folders: readonly string[]
  /** The database that is given up: an address of PostgreSQL or a data folder */
  replaced?: string | undefined
  /** Erases again who is listed and back (features/privacy/requests) */
  eraseAgain: (db: Db, files: FileStore, now: Date) => Promise<RestoredErasure[]>
  clock: () => Date
  say: (line: string) => void
}

/**
 * Restores a backup and erases again who was erased since it was made, as the newer backups, the database that is given
 * up and the lists of older versions know it. Says what it did and how far that knowledge goes. Answers whether
 * something is left for a person to do.
 */
export async function restorePortal(options: PortalRestore): Promise<{ done: boolean }> {
  const { database, files, secret, secretPrevious, open, say } = options
  let broken = 0
  const restored = await restoreBackup({
    database,
    files,
    secret,
    secretPrevious,
    open,
    say,
    finish: async (db, madeAt) => {
      broken = await eraseSince(options, db, madeAt)
    },
  })
  say(`Restored: ${restored.rows} rows and ${restored.files} files as they were at ${restored.madeAt}.`)
  return { done: broken === 0 }
}

/** Answers how many lines of old lists could not be read. */
async function eraseSince(options: PortalRestore, db: Db, madeAt: string): Promise<number> {
  const { files, folders, eraseAgain, clock, say } = options
  const lists = await listsSince(options, madeAt)
  for (const { erasures } of lists) await addErasures(db, erasures)
  let broken = 0
  for (const folder of new Set(folders)) {
    const old = await readErasedFiles(folder)
    if (!old) continue
    await addErasures(db, old.erasures)
    broken += old.broken
    say(`The list of erasures of an older version in ${folder} was read.`)
    if (old.broken > 0)
      say(`${old.broken} lines of erased.jsonl in ${folder} can't be read: look at them yourself.`)
  }
  const again = await eraseAgain(db, files, clock())
  const until = lists
    .map((list) => list.until)
    .sort()
    .at(-1)
  if (again.length > 0) say('Erased since the backup, and now erased again:')
  for (const { at, requestId, studentId } of again) say(`  ${at}  request ${requestId}  student ${studentId}`)
  if (again.length === 0 && until !== undefined) say('Nobody of this backup was erased since.')
  say(
    until === undefined
      ? `WHO WAS ERASED AFTER ${madeAt} IS NOT KNOWN: there is no newer backup in ${placesOf(options)}, and no database was named with --replaces.`
      : `Erasures after ${until} are not known.`,
  )
  return broken
}

const placesOf = ({ stores }: PortalRestore) => stores.map(({ place }) => place).join(' or ')

async function listsSince(options: PortalRestore, madeAt: string): Promise<ErasureList[]> {
  const { stores, replaced, say } = options
  const lists: ErasureList[] = []
  const read = async (name: string, list: () => Promise<ErasureList | undefined>) => {
    try {
      const found = await list()
      if (!found) return
      lists.push(found)
      say(`The erasures that ${name} lists are known: ${found.erasures.length} records up to ${found.until}.`)
    } catch (thrown) {
      say(`The erasures of ${name} can't be read: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
  }
  for (const store of stores)
    await read(`the newest backup in ${store.place}`, () =>
      newestErasureList(store, secretsOf(options), madeAt, say),
    )
  if (replaced !== undefined) await read('the database that is given up', () => replacedErasureList(replaced))
  return lists
}
