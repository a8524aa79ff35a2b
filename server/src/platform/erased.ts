import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** An erasure that was carried out: numbers alone, so that the list itself names nobody. */
export interface Erasure {
  at: string
  requestId: number
  studentIds: number[]
}

const listName = 'erased.jsonl'
/** An erasure begun before a backup may have been finished after it. */
const slack = 10 * 60_000

/** Adds an erasure to the list beside the backups: a backup from before it holds the child and does not know of it. */
export async function noteErasure(folder: string, erasure: Erasure): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(join(folder, listName), 'a', 0o600)
  try {
    await file.appendFile(`${JSON.stringify(erasure)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function readList(folder: string): Promise<string[] | undefined> {
  try {
    return (await readFile(join(folder, listName), 'utf8')).split('\n').filter((line) => line !== '')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}

function erasureOf(line: string): Erasure | undefined {
  try {
    const { at, requestId, studentIds } = JSON.parse(line) as Erasure
    const whole = Number.isFinite(Date.parse(at)) && Array.isArray(studentIds)
    return whole ? { at, requestId, studentIds: studentIds.filter(Number.isSafeInteger) } : undefined
  } catch {
    return undefined
  }
}

export interface ErasuresSince {
  /** Whether any of the folders has a list */
  found: boolean
  /** Lines that can't be read */
  broken: number
  /** Those since the backup whose children are in the restored database again, with these children alone */
  again: Erasure[]
}

/** What the lists of these folders say was erased since a backup, of which the restored database knows nothing. */
export async function erasuresSince(
  db: Db,
  folders: readonly string[],
  madeAt: string,
): Promise<ErasuresSince> {
  const lists = await Promise.all([...new Set(folders)].map(readList))
  const lines = [...new Set(lists.flatMap((list) => list ?? []))]
  const erasures = lines.flatMap((line) => erasureOf(line) ?? [])
  const since = erasures.filter(({ at }) => Date.parse(at) >= Date.parse(madeAt) - slack)
  const { rows } = await sql<{ id: number }>`
    select id from students where erased_at is null
      and id = any(${since.flatMap(({ studentIds }) => studentIds)}::bigint[])`.execute(db)
  const there = new Set(rows.map(({ id }) => id))
  const again = since
    .map((one) => ({ ...one, studentIds: one.studentIds.filter((id) => there.has(id)) }))
    .filter(({ studentIds }) => studentIds.length > 0)
  return {
    found: lists.some((list) => list !== undefined),
    broken: lines.length - erasures.length,
    again,
  }
}
