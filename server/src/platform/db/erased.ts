import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { type BackupStore, backupName } from '../backup/backup-store.ts'
import { readEntries } from '../backup/backup-tables.ts'
import { type Db, openDatabase, type Tx } from './database.ts'
import { holdsEmbedded } from './embedded-folder.ts'

/** The record of an erased student: ids and times only, so that the list itself identifies no one. */
export interface Erasure {
  studentId: number
  /** When the student was entered, as the database formats it; null in lists of older versions. */
  enteredAt: string | null
  at: string
  requestId: number
}

/** Records the students that a request has erased, in its transaction. */
export async function recordErasures(tx: Tx, now: Date, requestId: number, ids: readonly number[]) {
  await sql`
    insert into erasures (student_id, entered_at, at, request_id)
    select id, created_at, ${now}, ${requestId} from students where id = any(${ids}::bigint[]) order by id
    on conflict do nothing`.execute(tx)
}

/**
 * Adds another list's erasures. Lists of older versions lack the time of entry; of those, only unknown students are
 * added.
 */
export async function addErasures(db: Db | Tx, erasures: readonly Erasure[]): Promise<void> {
  await sql`
    insert into erasures (student_id, entered_at, at, request_id)
    select "studentId", "enteredAt", at, "requestId"
    from jsonb_to_recordset(${JSON.stringify(erasures)}::jsonb)
      as t ("studentId" bigint, "enteredAt" timestamptz, at timestamptz, "requestId" bigint)
    where "enteredAt" is not null or not exists (select from erasures e where e.student_id = "studentId")
    order by at
    on conflict do nothing`.execute(db)
}

export interface RestoredErasure extends Erasure {
  schoolId: number
  season: string
}

/** Returns erased students whose data is present again: a backup restored them. */
export async function restoredErasures(db: Db | Tx): Promise<RestoredErasure[]> {
  const { rows } = await sql<RestoredErasure>`
    select s.id as "studentId", s.created_at::text as "enteredAt", min(e.at)::text as at,
      min(e.request_id) as "requestId", s.school_id as "schoolId", s.season
    from erasures e join students s on s.id = e.student_id and s.erased_at is null
      and (s.created_at = e.entered_at or e.entered_at is null and s.created_at < e.at)
    group by s.id order by min(e.at), s.id`.execute(db)
  return rows
}

/** Reads another database's list; an older database's is read from the student records themselves. */
async function readErasures(pool: Pool): Promise<Erasure[]> {
  const there = await pool.query<{ list: boolean }>(`select to_regclass('erasures') is not null as list`)
  const { rows } = await pool.query<Erasure>(
    there.rows[0]?.list
      ? `select student_id as "studentId", entered_at::text as "enteredAt", at::text as at, request_id as "requestId"
         from erasures order by id`
      : `select id as "studentId", created_at::text as "enteredAt", erased_at::text as at, 0 as "requestId"
         from students where erased_at is not null order by id`,
  )
  return rows
}

/** The file in which older versions kept the list, beside the backups, and its name after it was imported. */
const listName = 'erased.jsonl'
const readName = 'erased.jsonl.read'

interface ErasedFile {
  erasures: Erasure[]
  /** The number of unreadable lines */
  broken: number
}

async function readLinesOf(path: string): Promise<string[] | undefined> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}

function parseErasures(line: string): Erasure[] | undefined {
  try {
    const { at, requestId, studentIds } = JSON.parse(line) as Record<string, unknown>
    if (typeof at !== 'string' || !Number.isFinite(Date.parse(at)) || !Array.isArray(studentIds))
      return undefined
    if (!Number.isSafeInteger(requestId) || !studentIds.every(Number.isSafeInteger)) return undefined
    return studentIds.map((studentId) => ({ studentId, enteredAt: null, at, requestId: requestId as number }))
  } catch {
    return undefined
  }
}

function readLines(lines: readonly string[]): ErasedFile {
  const read = lines.map(parseErasures)
  return {
    erasures: read.flatMap((erasures) => erasures ?? []),
    broken: read.filter((erasures) => erasures === undefined).length,
  }
}

/** Reads an older version's list from a folder of backups, whether it was already imported or not. */
export async function readErasedFiles(folder: string): Promise<ErasedFile | undefined> {
  const lists = await Promise.all([listName, readName].map((name) => readLinesOf(join(folder, name))))
  if (lists.every((list) => list === undefined)) return undefined
  return readLines([...new Set(lists.flatMap((list) => list ?? []))])
}

/**
 * Imports an older version's list into the table, once: the file is then renamed and only read again by a restore.
 * Returns its contents, or undefined if there is none.
 */
export async function importErasedFile(db: Db, folder: string): Promise<ErasedFile | undefined> {
  const lines = await readLinesOf(join(folder, listName))
  if (lines === undefined) return undefined
  const list = readLines(lines)
  await addErasures(db, list.erasures)
  // If it can't be renamed, the next start imports it again, which adds nothing.
  await rename(join(folder, listName), join(folder, readName)).catch(() => undefined)
  return list
}

/** Erasures known elsewhere. */
export interface ErasureList {
  erasures: Erasure[]
  /** The list holds all erasures up to this time */
  until: string
}

/** Stops the reading of a backup early. */
class StopReading extends Error {}

interface BackupErasures {
  madeAt: string
  /** undefined: from a version that kept its list elsewhere */
  erasures: Erasure[] | undefined
}

/** Reads the list from a backup, and stops after it. Each chunk is authenticated. */
async function erasuresInBackup(
  backup: AsyncIterable<Buffer>,
  secrets: readonly string[],
): Promise<BackupErasures> {
  let madeAt = ''
  let columns: string[] | undefined
  const rows: Array<Array<string | null>> = []
  try {
    await readEntries(backup, secrets, (entry) => {
      if (entry.kind === 'start') madeAt = entry.madeAt
      else if (entry.kind === 'rows' && columns) rows.push(...entry.rows.map((row) => JSON.parse(row)))
      else if (columns || (entry.kind !== 'table' && entry.kind !== 'rows')) throw new StopReading()
      else if (entry.kind === 'table' && entry.table === 'erasures') columns = entry.columns
    })
  } catch (thrown) {
    if (!(thrown instanceof StopReading)) throw thrown
  }
  if (!columns) return { madeAt, erasures: undefined }
  const columnIndex = (name: string) => columns?.indexOf(name) ?? -1
  const [student, entered, erased, request] = [
    columnIndex('student_id'),
    columnIndex('entered_at'),
    columnIndex('at'),
    columnIndex('request_id'),
  ]
  const erasures = rows.map((row) => ({
    studentId: Number(row[student]),
    enteredAt: row[entered] ?? null,
    at: row[erased] ?? madeAt,
    requestId: Number(row[request]),
  }))
  return { madeAt, erasures }
}

/**
 * Returns the list from the newest readable backup in a store made after `after`; undefined if there is none. Reports
 * unreadable backups.
 */
export async function newestErasureList(
  store: BackupStore,
  secrets: readonly string[],
  after: string,
  print: (line: string) => void,
): Promise<ErasureList | undefined> {
  const oldest = backupName(new Date(after))
  for (const name of (await store.names()).filter((item) => item > oldest)) {
    try {
      const { madeAt, erasures } = await erasuresInBackup(await store.open(name), secrets)
      if (erasures) return { erasures, until: madeAt }
      print(`${store.locate(name)} is of a version whose backups have no list of erasures.`)
      return undefined
    } catch (thrown) {
      print(`${store.locate(name)} can't be read: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
  }
  return undefined
}

/** Reads the list of the database being replaced, given its address or an embedded one's data folder. */
export async function replacedErasureList(replaced: string): Promise<ErasureList> {
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
    return { erasures: await readErasures(database.pool), until: new Date().toISOString() }
  } finally {
    await database.close()
  }
}
