import { readEntries } from '../backup/backup-entries.ts'
import { type BackupStore, backupName } from '../backup/backup-store.ts'
import { openDatabase } from './database.ts'
import { holdsEmbedded } from './embedded-folder.ts'
import { type Erasure, listedErasures } from './erased.ts'

/** What another place knows of erasures. */
export interface Listed {
  erasures: Erasure[]
  /** All erasures up to this instant are in it */
  until: string
}

/** Enough of a backup is read. */
class Enough extends Error {}

interface InBackup {
  madeAt: string
  /** undefined: of a version that kept its list elsewhere */
  erasures: Erasure[] | undefined
}

/** The list in a backup; reads no further than it stands. Each piece that is read is signed. */
async function erasuresInBackup(
  backup: AsyncIterable<Buffer>,
  secrets: readonly string[],
): Promise<InBackup> {
  let madeAt = ''
  let columns: string[] | undefined
  const rows: Array<Array<string | null>> = []
  try {
    await readEntries(backup, secrets, (entry) => {
      if (entry.kind === 'start') madeAt = entry.madeAt
      else if (entry.kind === 'rows' && columns) rows.push(...entry.rows.map((row) => JSON.parse(row)))
      else if (columns || (entry.kind !== 'table' && entry.kind !== 'rows')) throw new Enough()
      else if (entry.kind === 'table' && entry.table === 'erasures') columns = entry.columns
    })
  } catch (thrown) {
    if (!(thrown instanceof Enough)) throw thrown
  }
  if (!columns) return { madeAt, erasures: undefined }
  const at = (name: string) => columns?.indexOf(name) ?? -1
  const [student, entered, erased, request] = [at('student_id'), at('entered_at'), at('at'), at('request_id')]
  const erasures = rows.map((row) => ({
    studentId: Number(row[student]),
    enteredAt: row[entered] ?? null,
    at: row[erased] ?? madeAt,
    requestId: Number(row[request]),
  }))
  return { madeAt, erasures }
}

/**
 * The list in the newest backup of a store that was made after an instant and can be read; undefined where there is none.
 * Says which could not be read.
 */
export async function newestListed(
  store: BackupStore,
  secrets: readonly string[],
  after: string,
  say: (line: string) => void,
): Promise<Listed | undefined> {
  const own = backupName(new Date(after))
  for (const name of (await store.names()).filter((one) => one > own)) {
    try {
      const { madeAt, erasures } = await erasuresInBackup(await store.open(name), secrets)
      if (erasures) return { erasures, until: madeAt }
      say(`${store.locate(name)} is of a version whose backups have no list of erasures.`)
      return undefined
    } catch (thrown) {
      say(`${store.locate(name)} can't be read: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
  }
  return undefined
}

/** The list of the database that is given up: its address, or the data folder of an embedded one. */
export async function replacedListed(replaced: string): Promise<Listed> {
  const address = /^postgres(ql)?:/.test(replaced) ? replaced : undefined
  if (address === undefined && !holdsEmbedded(replaced))
    throw new Error(`there is no database in ${replaced}`)
  const database = await openDatabase({
    url: address,
    dataDir: replaced,
    beside: true,
    onError: () => undefined,
  })
  try {
    return { erasures: await listedErasures(database.pool), until: new Date().toISOString() }
  } finally {
    await database.close()
  }
}
