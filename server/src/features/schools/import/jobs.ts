import { setImmediate } from 'node:timers/promises'
import { formatSentence } from '@podium/contract/sentences'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { officerScope } from '#platform/auth/job-requesters'
import type { Db } from '#platform/db/database'
import { changeRows, firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { type FileStore, readStored } from '#platform/files/files'
import type { Job, JobContext, JobHandler, JobHandlers, RunContext } from '#platform/jobs/jobs'
import { readRows } from '#platform/sheets/spreadsheet'
import { cellText } from '#platform/sheets/spreadsheet-rows'
import { mergeSchools, mergeWanted } from '../merge/commands.ts'
import { checkKind, endImport, importKind, importLimits, importNextBatch } from './commands.ts'
import { importRow, matchesOf, placesOf, readableRows, schoolsNear } from './queries.ts'
import { type Details, type Fault, keysOf, type Lookalike, lookalikes, readRow } from './rules.ts'

export const mergeKind = 'schools.merge'

/** Merges two large schools in one transaction. If restarted after it completed, it notices. */
const merge: JobHandler = async (job, context) => {
  const { db, clock, progress } = context
  const wanted = z.parse(mergeWanted, job.input.merge)
  const gone = await firstRow(db, 'schools', { id: wanted.source }, ['merged_into'])
  if (gone?.merged_into === wanted.target) return {}
  const scope = officerScope(context)
  await progress(0, 1)
  await db.transaction().execute((tx) => mergeSchools(tx, scope, clock(), wanted))
  await progress(1, 1)
  return {}
}

/** Jobs of schools. */
export function schoolJobs({ files }: Pick<Deps, 'files'>): JobHandlers {
  return { [mergeKind]: merge, ...schoolImportJobs(files) }
}

interface CheckedRow {
  n: number
  cells: string[]
  details: Record<string, string>
  form: Details | undefined
  faults: Fault[]
}

const atOnce = 200

/** Stores a batch of checked rows: invalid, existing, possible duplicate, or new. */
async function storeBatch(db: Db, id: string, batch: readonly CheckedRow[]): Promise<void> {
  const right = batch.flatMap(({ n, form }) => (form ? [{ n, form }] : []))
  const matches = await matchesOf(db, right)
  const rows = batch.map(({ n, cells, details, form, faults }) => {
    const match = form && matches.get(n)
    const state = !form ? 'faulty' : !match ? 'new' : match.known ? 'known' : 'likely'
    return { n, state, cells, details: form ?? details, faults, school: match?.id ?? null }
  })
  await sql`
    insert into school_import_rows (import_id, row_no, state, cells, details, faults, school_id)
    select ${id}, x.n, x.state, x.cells, x.details, x.faults, x.school
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (
      n int, state text, cells jsonb, details jsonb, faults jsonb, school bigint)
    on conflict (import_id, row_no) do nothing`.execute(db)
}

/**
 * Finds rows that may be an existing school, or another row with a different spelling, once for the whole file, among the
 * schools of its towns and PIN codes.
 */
async function markDuplicates(db: Db, id: string): Promise<void> {
  const known = lookalikes()
  const schools = await schoolsNear(db, id)
  for (const [index, { id: school, ...placed }] of schools.entries()) {
    known.add({ school }, placed)
    if (index % 1000 === 0) await setImmediate()
  }
  const found: { n: number; school: number | null; alike: Lookalike[] }[] = []
  for (const { n, rowState, school, ...placed } of await readableRows(db, id)) {
    if (rowState !== 'known') {
      const matched = school === null ? [] : [{ school }]
      const more = known.of(placed).filter((alike) => !('school' in alike) || alike.school !== school)
      const alike = [...matched, ...more].slice(0, 3)
      const first = alike.find((item) => 'school' in item)
      if (alike.length > 0) found.push({ n, school: first?.school ?? null, alike })
    }
    known.add({ row: n }, placed)
    await setImmediate()
  }
  await sql`
    update school_import_rows r set state = 'likely', school_id = x.school, alike = x.alike
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as x (n int, school bigint, alike jsonb)
    where r.import_id = ${id} and r.row_no = x.n`.execute(db)
}

/** Reads the file and checks its rows in batches, so that other requests get their turn. */
async function check(files: FileStore, job: Job, { db, progress }: JobContext) {
  const id = String(job.input.importId)
  const { file_id, file_name, fields } = await importRow(db, id)
  const { content } = orNotFound(await readStored(db, files, file_id, { kind: 'school-import' }))
  await sql`delete from school_import_rows where import_id = ${id}`.execute(db)
  const places = await placesOf(db)
  const seen = new Map<string, number>()
  let batch: CheckedRow[] = []
  let done = 0
  const flush = async () => {
    await storeBatch(db, id, batch)
    done += batch.length
    batch = []
    await progress(done)
    await setImmediate()
  }
  let head = true
  for await (const { number: n, cells } of readRows(content, file_name, importLimits)) {
    if (head) {
      head = false
      continue
    }
    const texts = cells.map(cellText)
    const row = { n, cells: texts, ...readRow(texts, fields as string[], places) }
    const keys = row.form ? keysOf(row.form) : []
    const first = keys.map((key) => seen.get(key)).find((other) => other !== undefined)
    for (const key of keys) if (first === undefined) seen.set(key, n)
    const twice = { field: '', message: formatSentence('schoolTwice', { row: first ?? 0 }) }
    batch.push(first === undefined ? row : { ...row, form: undefined, faults: [twice] })
    if (batch.length === atOnce) await flush()
  }
  if (batch.length > 0) await flush()
  await markDuplicates(db, id)
  await progress(done, done)
  await changeRows(db, 'school_imports', { where: { id, job_id: job.id }, set: { state: 'checked' } })
  return { rows: done }
}

async function make(job: Job, context: RunContext) {
  const { db, clock, progress } = context
  const id = String(job.input.importId)
  const scope = officerScope(context)
  let done = job.done
  for (;;) {
    const some = await db.transaction().execute((tx) => importNextBatch(tx, scope, clock(), id))
    if (some === 0) break
    done += some
    await progress(Math.min(done, job.total), job.total)
  }
  await endImport(db, clock(), id)
  return { rows: done }
}

/** Jobs that check and import files of schools. */
function schoolImportJobs(files: FileStore): JobHandlers {
  return { [checkKind]: (job, context) => check(files, job, context), [importKind]: make }
}
