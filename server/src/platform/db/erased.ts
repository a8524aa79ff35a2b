import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { type BackupStore, backupName } from '../backup/backup-store.ts'
import { readEntries } from '../backup/backup-tables.ts'
import { type Db, openDatabase, type Tx } from './database.ts'
import { holdsEmbedded } from './embedded-folder.ts'

/** The record of a child that was erased: numbers alone, so that the list itself names nobody. */
export interface Erasure {
  studentId: number
  /** When the record was entered, as the database writes it; null in lists of older versions. */
  enteredAt: string | null
  at: string
  requestId: number
}

/** Lists the records that a request has erased, in its transaction. */
export async function noteErased(tx: Tx, now: Date, requestId: number, ids: readonly number[]) {
  await sql`
    insert into erasures (student_id, entered_at, at, request_id)
    select id, created_at, ${now}, ${requestId} from students where id = any(${ids}::bigint[]) order by id
    on conflict do nothing`.execute(tx)
}

/** Adds what another list knows. Lists of older versions don't say when a record was entered, and add only what is new. */
export async function keepErasures(db: Db | Tx, erasures: readonly Erasure[]): Promise<void> {
  await sql`
    insert into erasures (student_id, entered_at, at, request_id)
    select "studentId", "enteredAt", at, "requestId"
    from jsonb_to_recordset(${JSON.stringify(erasures)}::jsonb)
      as t ("studentId" bigint, "enteredAt" timestamptz, at timestamptz, "requestId" bigint)
    where "enteredAt" is not null or not exists (select from erasures e where e.student_id = "studentId")
    order by at
    on conflict do nothing`.execute(db)
}

export interface Back extends Erasure {
  schoolId: number
  season: string
}

/** Records that the list says were erased and that are there with what they held: a backup brought them back. */
export async function erasedAndBack(db: Db | Tx): Promise<Back[]> {
  const { rows } = await sql<Back>`
    select s.id as "studentId", s.created_at::text as "enteredAt", min(e.at)::text as at,
      min(e.request_id) as "requestId", s.school_id as "schoolId", s.season
    from erasures e join students s on s.id = e.student_id and s.erased_at is null
      and (s.created_at = e.entered_at or e.entered_at is null and s.created_at < e.at)
    group by s.id order by min(e.at), s.id`.execute(db)
  return rows
}

/** The list of another database, an older one's read from the records themselves. */
export async function listedErasures(pool: Pool): Promise<Erasure[]> {
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

/** The list of versions that kept it in a file beside the backups, and what it is called once it was read. */
const listName = 'erased.jsonl'
const readName = 'erased.jsonl.read'

export interface ErasedFile {
  erasures: Erasure[]
  /** Lines that can't be read */
  broken: number
}

async function linesOf(path: string): Promise<string[] | undefined> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}

function erasuresOf(line: string): Erasure[] | undefined {
  try {
    const { at, requestId, studentIds } = JSON.parse(line) as Record<string, unknown>
    if (typeof at !== 'string' || !Number.isFinite(Date.parse(at)) || !Array.isArray(studentIds))
      return undefined
    if (!Number.isSafeInteger(requestId) || !studentIds.every(Number.isSafeInteger)) return undefined
    return studentIds.map((studentId) => ({
      studentId,
      enteredAt: null,
      at,
      requestId: requestId as number,
    }))
  } catch {
    return undefined
  }
}

function readLines(lines: readonly string[]): ErasedFile {
  const read = lines.map(erasuresOf)
  return {
    erasures: read.flatMap((erasures) => erasures ?? []),
    broken: read.filter((erasures) => erasures === undefined).length,
  }
}

/** What an older version has written down in a folder of backups, whether that was taken over already or not. */
export async function erasedInFolder(folder: string): Promise<ErasedFile | undefined> {
  const lists = await Promise.all([listName, readName].map((name) => linesOf(join(folder, name))))
  if (lists.every((list) => list === undefined)) return undefined
  return readLines([...new Set(lists.flatMap((list) => list ?? []))])
}

/**
 * Takes the list of an older version into the table, once: the file has another name afterwards and is not looked at
 * again but by a restore. Answers what it held, or undefined where there is none.
 */
export async function takeOverErased(db: Db, folder: string): Promise<ErasedFile | undefined> {
  const lines = await linesOf(join(folder, listName))
  if (lines === undefined) return undefined
  const list = readLines(lines)
  await keepErasures(db, list.erasures)
  // Where it can't be renamed it is read at the next start once more, which adds nothing.
  await rename(join(folder, listName), join(folder, readName)).catch(() => undefined)
  return list
}

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
