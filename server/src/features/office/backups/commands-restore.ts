import type { BackupStore, OpenBackup } from '#platform/backup/backup-store'
import { restoreBackup, secretsOf } from '#platform/backup/restore'
import type { Db, OpenedDatabase } from '#platform/db/database'
import { type Back, erasedInFolder, keepErasures } from '#platform/db/erased'
import { type Listed, newestListed, replacedListed } from '#platform/db/erased-elsewhere'
import type { FileStore } from '#platform/files/files'

export interface PortalRestore {
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
  eraseAgain: (db: Db, files: FileStore, now: Date) => Promise<Back[]>
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
  for (const { erasures } of lists) await keepErasures(db, erasures)
  let broken = 0
  for (const folder of new Set(folders)) {
    const old = await erasedInFolder(folder)
    if (!old) continue
    await keepErasures(db, old.erasures)
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

async function listsSince(options: PortalRestore, madeAt: string): Promise<Listed[]> {
  const { stores, replaced, say } = options
  const lists: Listed[] = []
  const read = async (name: string, list: () => Promise<Listed | undefined>) => {
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
      newestListed(store, secretsOf(options), madeAt, say),
    )
  if (replaced !== undefined) await read('the database that is given up', () => replacedListed(replaced))
  return lists
}
