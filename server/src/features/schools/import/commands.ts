import { randomBytes } from 'node:crypto'
import type { ParsedBody } from '@podium/contract/endpoint'
import { cutText } from '@podium/contract/fields'
import {
  type decideSchoolImport,
  type ImportField,
  maxImportRows,
} from '@podium/contract/schools/calls-import'
import { sql } from 'kysely'
import { columnsOf } from '#features/schools/register/commands'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { addRow, changeRows } from '#platform/db/rows'
import { Refusal } from '#platform/errors'
import { type FileStore, type StoredContent, storeFile } from '#platform/files/files'
import { enqueueJob } from '#platform/jobs/jobs'
import { readRows } from '#platform/sheets/spreadsheet'
import { bulkLimits, cellText } from '#platform/sheets/spreadsheet-rows'
import { makeSchool } from '../commands.ts'
import { type Heading, importRow, matchesOf, rememberedFields } from './queries.ts'
import { type Details, guessFields, layoutKey } from './rules.ts'

export const importLimits = {
  ...bulkLimits,
  rows: maxImportRows,
  columns: 60,
  bytes: 20 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  megabytes: 512,
  seconds: 60,
}
export const checkKind = 'schools.import_check'
export const importKind = 'schools.import'

/** Reads the headings of a file with the first rows below. Refuses an unreadable or empty file (`sheet.*`). */
export async function readHead(file: { name: string; bytes: Buffer }): Promise<Heading[]> {
  const head: string[][] = []
  for await (const { cells } of readRows(file.bytes, file.name, importLimits)) {
    head.push(cells.map((cell) => cutText(cellText(cell), 80)))
    if (head.length === 4) break
  }
  const [headings, ...samples] = head
  if (!headings || samples.length === 0) throw new Refusal('sheet.empty')
  return headings.map((heading, index) => ({ heading, samples: samples.map((row) => row[index] ?? '') }))
}

/** Stores the file and starts checking its rows. */
export async function startImport(
  tx: Tx,
  files: FileStore,
  scope: OfficeScope,
  now: Date,
  file: { name: string; stored: StoredContent },
  headings: Heading[],
): Promise<string> {
  const id = randomBytes(12).toString('base64url')
  const fileId = await storeFile(tx, files, now, {
    kind: 'school-import',
    name: file.name,
    mediaType: 'application/octet-stream',
    bytes: file.stored,
    createdBy: scope.staffId,
  })
  const titles = headings.map(({ heading }) => heading)
  const remembered = await rememberedFields(tx, titles)
  const fields = remembered ?? guessFields(titles)
  const jobId = await enqueueJob(tx, now, {
    kind: checkKind,
    input: { importId: id },
    createdBy: scope.staffId,
  })
  await addRow(tx, 'school_imports', {
    id,
    file_name: file.name,
    file_id: fileId,
    headings: JSON.stringify(headings),
    fields: JSON.stringify(fields),
    remembered: remembered !== undefined,
    state: 'checking',
    job_id: jobId,
    created_by: scope.staffId,
    created_at: now,
  })
  await audit(tx, now, scope, 'schools.import_checked', { kind: 'schools', id }, { file: file.name })
  return id
}

async function inState(tx: Tx, id: string, states: readonly string[]) {
  await sql`select from school_imports where id = ${id} for update`.execute(tx)
  const row = await importRow(tx, id)
  if (!states.includes(row.state)) throw new Refusal('schools.import_busy')
  return row
}

/** Remembers the column mapping for the next file with these headings. */
async function rememberFields(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { headings }: { headings: unknown },
  fields: readonly ('' | ImportField)[],
): Promise<void> {
  const key = layoutKey((headings as Heading[]).map(({ heading }) => heading))
  const values = { fields: JSON.stringify(fields), updated_by: scope.staffId, updated_at: now }
  await tx
    .insertInto('school_layouts')
    .values({ headings: key, ...values })
    .onConflict((conflict) => conflict.column('headings').doUpdateSet(values))
    .execute()
}

/** Changes the column mapping and checks the file again. */
export async function mapImport(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, fields }: { id: string; fields: readonly ('' | ImportField)[] },
): Promise<void> {
  const row = await inState(tx, id, ['checked'])
  const width = (row.headings as unknown[]).length
  const once = fields.slice(0, width).map((field, index) => (fields.indexOf(field) === index ? field : ''))
  const jobId = await enqueueJob(tx, now, {
    kind: checkKind,
    input: { importId: id },
    createdBy: scope.staffId,
  })
  await rememberFields(tx, scope, now, row, once)
  await changeRows(tx, 'school_imports', {
    where: { id },
    set: { fields: JSON.stringify(once), state: 'checking', job_id: jobId },
  })
  await audit(tx, now, scope, 'schools.import_checked', { kind: 'schools', id }, { file: row.file_name })
}

type RowDecision = ParsedBody<typeof decideSchoolImport>

/**
 * Decides for possible duplicates whether they are the existing school; decisions can change until schools are created.
 * Refuses with `schools.import_busy`, `schools.import_not_alike`.
 */
export async function decideRows(tx: Tx, scope: OfficeScope, now: Date, decided: RowDecision): Promise<void> {
  const { id, rows, decision } = decided
  const { file_name } = await inState(tx, id, ['checked', 'done'])
  const { numAffectedRows } = await sql`
    update school_import_rows set decision = ${decision}
    where import_id = ${id} and state = 'likely' and row_no = any(${rows}::int[])`.execute(tx)
  if (Number(numAffectedRows) !== new Set(rows).size) throw new Refusal('schools.import_not_alike')
  const change = { file: file_name, rows: rows.length, decision }
  await audit(tx, now, scope, 'schools.import_decided', { kind: 'schools', id }, change)
}

/**
 * Starts creating the new schools and the possible duplicates decided to be different. Undecided ones remain and can be
 * created later.
 */
export async function confirmImport(tx: Tx, scope: OfficeScope, now: Date, id: string): Promise<void> {
  const row = await inState(tx, id, ['checked', 'done'])
  const alike = await sql`
    update school_import_rows set state = case decision when 'same' then 'known' else 'new' end
    where import_id = ${id} and state = 'likely' and decision <> ''`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from school_import_rows where import_id = ${id} and state = 'new'`.execute(tx)
  const total = rows[0]?.n ?? 0
  if (total === 0) throw new Refusal('schools.import_nothing')
  const input = { importId: id }
  const jobId = await enqueueJob(tx, now, { kind: importKind, total, input, createdBy: scope.staffId })
  await changeRows(tx, 'school_imports', { where: { id }, set: { state: 'importing', job_id: jobId } })
  await rememberFields(tx, scope, now, row, row.fields as ('' | ImportField)[])
  const change = { file: row.file_name, schools: total, alike: Number(alike.numAffectedRows) }
  await audit(tx, now, scope, 'schools.import_confirmed', { kind: 'schools', id }, change)
}

const atOnce = 50

/**
 * Creates the next schools of a file, in one transaction with their audit lines. Returns the number of rows processed; 0 when
 * done. A school created meanwhile is recognised and not created again.
 */
export async function importNextBatch(tx: Tx, scope: OfficeScope, now: Date, id: string): Promise<number> {
  const { rows } = await sql<{ n: number; details: Details }>`
    select row_no as n, details from school_import_rows where import_id = ${id} and state = 'new'
    order by row_no limit ${atOnce} for update`.execute(tx)
  const matches = await matchesOf(
    tx,
    rows.map(({ n, details: form }) => ({ n, form })),
  )
  for (const { n, details } of rows) {
    const match = matches.get(n)
    const settled = match?.known
      ? { state: 'known', school_id: match.id }
      : await addSchool(tx, scope, now, details)
    await changeRows(tx, 'school_import_rows', { where: { import_id: id, row_no: n }, set: settled })
  }
  return rows.length
}

async function addSchool(tx: Tx, scope: OfficeScope, now: Date, details: Details) {
  try {
    const columns = columnsOf(details)
    const chosen = details.schCode === '' ? undefined : details.schCode
    const school = await makeSchool(tx, now, columns, chosen)
    const subject = { kind: 'school', id: school.id, schoolId: school.id }
    await audit(tx, now, scope, 'school.created', subject, { to: { code: school.code, ...columns } })
    return { state: 'created', school_id: school.id }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { state: 'faulty', faults: JSON.stringify([{ field: '', message: thrown.message }]) }
  }
}

/** Marks the import as completed. */
export async function endImport(db: Db, now: Date, id: string): Promise<void> {
  await changeRows(db, 'school_imports', {
    where: { id, state: 'importing' },
    set: { state: 'done', imported_at: now },
  })
}
