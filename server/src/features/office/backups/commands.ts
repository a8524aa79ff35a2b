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
import { addedRow, changeRows } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import type { FileStore } from '#platform/files/files'
import { enqueueJob, lockPlanning } from '#platform/jobs/jobs'
import { startWorker, type Worker } from '#platform/jobs/worker'
import { backupDays, backupJob, nextNight, nightlyBackup, nightlyRetention, retentionJob } from './queries.ts'

/** Enqueues a job unless one of its kind is pending or running; returns the job's id. */
async function planOnce(tx: Tx, scope: OfficeScope, now: Date, kind: string, input: Record<string, unknown>) {
  await lockPlanning(tx, kind)
  const { rows } = await sql<{ id: string }>`
    select id from jobs where kind = ${kind} and state in ('waiting', 'running')
      and input @> ${JSON.stringify(input)}::jsonb limit 1`.execute(tx)
  return rows[0]?.id ?? enqueueJob(tx, now, { kind, input, createdBy: scope.staffId })
}

/** Enqueues a backup. */
export async function planBackup(tx: Tx, scope: OfficeScope, now: Date): Promise<string> {
  const job = await planOnce(tx, scope, now, backupJob, {})
  await audit(tx, now, scope, 'backup.asked', { kind: 'backup', id: job })
  return job
}

/** Enqueues a run (or dry run) of the retention. */
export async function planRetention(tx: Tx, scope: OfficeScope, now: Date, dry: boolean): Promise<string> {
  const job = await planOnce(tx, scope, now, retentionJob, { dry })
  await audit(tx, now, scope, 'retention.asked', { kind: 'retention', id: job }, { dry })
  return job
}

/** The nightly jobs with their times in IST. Retention runs first, so that expired data is not in the backup. */
const nights = [
  { kind: nightlyRetention, hours: 1, minutes: 30 },
  { kind: nightlyBackup, hours: 2, minutes: 30 },
]

/** Enqueues the next run of each nightly job, unless it is pending or running. */
export async function planNights(db: Db, now: Date): Promise<void> {
  for (const { kind, hours, minutes } of nights) {
    const due = nextNight(now, hours, minutes)
    await sql`
      insert into jobs (id, kind, state, created_at, due_at) values (${newId()}, ${kind}, 'waiting', ${now}, ${due})
      on conflict (kind) where state in ('waiting', 'running') and kind like '%.night' do nothing`.execute(db)
  }
}

/** Makes sure that the nightly jobs are enqueued, on any instance. */
export function startNights({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Worker {
  return startWorker({
    everyMs: 10 * 60_000,
    turn: async () => {
      await planNights(db, clock())
      return false
    },
    onError: (thrown) => log.error({ err: thrown }, 'nightly work could not be planned'),
  })
}

interface BackupDeps {
  database: Pick<OpenedDatabase, 'db' | 'pool'>
  files: FileStore
  secret: string
  /** Where this backup is written */
  store: BackupStore
  /** The usual location, if different: backups there are recorded by name, others by path. */
  home?: BackupStore
  clock: () => Date
  progress?: (done: number, total: number) => Promise<void>
}

interface Maker {
  madeBy: 'night' | 'office' | 'command'
  staffId?: number | undefined
}

/**
 * Makes a backup, records it for the office and deletes expired ones. A database of an older version without the table is
 * backed up without a record.
 */
export async function storeBackup(deps: BackupDeps, { madeBy, staffId }: Maker): Promise<BackupFacts> {
  const { database, clock, store, home = store } = deps
  const { db } = database
  const there = await sql<{ there: boolean }>`select to_regclass('backups') is not null as there`.execute(db)
  if (!there.rows[0]?.there) return makeBackup({ ...deps, now: clock() })
  const started = clock()
  const { id } = await addedRow(db, 'backups', ['id'], {
    made_by: madeBy,
    staff_id: staffId,
    started_at: started,
  })
  try {
    const made = await makeBackup({ ...deps, now: started })
    const { bytes, sha256, rows, files, missing } = made
    const name = store === home ? made.name : made.path
    const ended = clock()
    await changeRows(db, 'backups', {
      where: { id },
      set: { file_name: name, bytes, sha256, rows, files, missing, ended_at: ended, verified_at: ended },
    })
    await deleteOld(db, home, ended, id)
    return made
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message.slice(0, 300) : String(thrown)
    await db.updateTable('backups').set({ error, ended_at: clock() }).where('id', '=', id).execute()
    throw thrown
  }
}

/**
 * Deletes the files of expired backups; their records stay. A file that is missing or can't be deleted is not recorded as
 * deleted.
 */
async function deleteOld(db: BackupDeps['database']['db'], home: BackupStore, now: Date, except: number) {
  const until = new Date(now.getTime() - backupDays * 86_400_000)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, file_name as name from backups
    where started_at < ${until} and deleted_at is null and file_name <> '' and id <> ${except}`.execute(db)
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
  /** The previous secret, for older backups */
  secretPrevious?: string | undefined
  open: OpenBackup
  /** Locations that may hold newer backups */
  stores: readonly BackupStore[]
  /** Folders where older versions stored their list of erasures */
  folders: readonly string[]
  /** The database being replaced: a PostgreSQL address or a data folder */
  replaced?: string | undefined
  /** Erases listed children again that the restore brought back (features/privacy/requests) */
  eraseAgain: (db: Db, files: FileStore, now: Date) => Promise<RestoredErasure[]>
  clock: () => Date
  print: (line: string) => void
}

/**
 * Restores a backup and erases again everyone erased since it was made, as known from newer backups, the replaced database
 * and the lists of older versions. Prints what it did and how far that knowledge reaches. Returns whether nothing is left
 * for the operator to do.
 */
export async function restorePortal(options: PortalRestore): Promise<{ done: boolean }> {
  const { database, files, secret, secretPrevious, open, print } = options
  let broken = 0
  const restored = await restoreBackup({
    database,
    files,
    secret,
    secretPrevious,
    open,
    print,
    finish: async (db, madeAt) => {
      broken = await eraseSince(options, db, madeAt)
    },
  })
  print(`Restored: ${restored.rows} rows and ${restored.files} files as they were at ${restored.madeAt}.`)
  return { done: broken === 0 }
}

/** Returns the number of unreadable lines in old lists. */
async function eraseSince(options: PortalRestore, db: Db, madeAt: string): Promise<number> {
  const { files, folders, eraseAgain, clock, print } = options
  const lists = await listsSince(options, madeAt)
  for (const { erasures } of lists) await addErasures(db, erasures)
  let broken = 0
  for (const folder of new Set(folders)) {
    const old = await readErasedFiles(folder)
    if (!old) continue
    await addErasures(db, old.erasures)
    broken += old.broken
    print(`The list of erasures of an older version in ${folder} was read.`)
    if (old.broken > 0)
      print(`${old.broken} lines of erased.jsonl in ${folder} can't be read: look at them yourself.`)
  }
  const again = await eraseAgain(db, files, clock())
  const until = lists
    .map((list) => list.until)
    .sort()
    .at(-1)
  if (again.length > 0) print('Erased since the backup, and now erased again:')
  for (const { at, requestId, studentId } of again)
    print(`  ${at}  request ${requestId}  student ${studentId}`)
  if (again.length === 0 && until !== undefined) print('Nobody of this backup was erased since.')
  print(
    until === undefined
      ? `WHO WAS ERASED AFTER ${madeAt} IS NOT KNOWN: there is no newer backup in ${placesOf(options)}, and no database was named with --replaces.`
      : `Erasures after ${until} are not known.`,
  )
  return broken
}

const placesOf = ({ stores }: PortalRestore) => stores.map(({ place }) => place).join(' or ')

async function listsSince(options: PortalRestore, madeAt: string): Promise<ErasureList[]> {
  const { stores, replaced, print } = options
  const lists: ErasureList[] = []
  const read = async (name: string, list: () => Promise<ErasureList | undefined>) => {
    try {
      const found = await list()
      if (!found) return
      lists.push(found)
      print(
        `The erasures that ${name} lists are known: ${found.erasures.length} records up to ${found.until}.`,
      )
    } catch (thrown) {
      print(`The erasures of ${name} can't be read: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
  }
  for (const store of stores)
    await read(`the newest backup in ${store.place}`, () =>
      newestErasureList(store, secretsOf(options), madeAt, print),
    )
  if (replaced !== undefined) await read('the database that is given up', () => replacedErasureList(replaced))
  return lists
}
