import { createHash } from 'node:crypto'
import type { BodyOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type {
  ImportPreview,
  recheckImport as recheckCall,
} from '@podium/contract/students/calls-import-preview'
import { rowFields } from '@podium/contract/students/rules-row'
import { sql } from 'kysely'
import { loadCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import { newId } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { foundationLimits } from '#platform/foundation'
import type { UploadedFile } from '#platform/http/input'
import { cancelJob, enqueueJob, type JobState } from '#platform/jobs/jobs'
import { readSheet } from '#platform/sheets/spreadsheet'
import { cellText, usualLimits } from '#platform/sheets/spreadsheet-rows'
import { readImport, readPreview } from './queries.ts'
import { type CheckResult, checkSheet, type Settings, subjectNames } from './queries-check.ts'
import { columnsToRemember, headingsKey, joinSubjectColumns, type TextRow } from './rules.ts'

const nothingSet: Settings = { columns: {}, cells: {}, choices: {}, notTaken: [], otherSheets: [] }

/** The catalogue of an open season; refuses any other. */
export async function openCatalogue(db: Db, season: Season, now: Date): Promise<SeasonCatalogue> {
  const catalogue = await loadCatalogue(db, season, now)
  if (!catalogue) throw refuseField('FYear', sentences.seasonNotValid)
  if (!catalogue.open) throw new Refusal('enrolment.season_closed')
  return catalogue
}

interface SentImport {
  id: string
  settings: Settings
  confirmed: boolean
  state: JobState | null
}

/** An import with exactly this content: a running one, otherwise one awaiting confirmation. */
async function findSent(
  db: Db,
  scope: SchoolScope,
  season: Season,
  sha256: string,
): Promise<SentImport | undefined> {
  const { rows } = await sql<SentImport>`
    select i.id, i.settings, i.confirmed_at is not null as confirmed, j.state
    from student_imports i left join jobs j on j.id = i.job_id
    where i.school_id = ${scope.schoolId} and i.season = ${season} and i.sha256 = ${sha256} and i.source = 'file'
      and (i.confirmed_at is null or j.state in ('waiting', 'running'))
    order by j.state is null limit 1`.execute(db)
  return rows[0]
}

/** The results of a check stored with the file. */
const columnsOf = ({ findings, good }: CheckResult) => {
  const { newCount, changedCount, sameCount, keptCount, askedCount, outCount, badCount } = findings
  return {
    good: JSON.stringify(good),
    preview: JSON.stringify(findings),
    counts: JSON.stringify({ newCount, changedCount, sameCount, keptCount, askedCount, outCount, badCount }),
  }
}

/**
 * Reads and checks a file of students and stores it for 30 days. The same file sent again before confirmation is the same
 * import, checked again with its settings; if it is being imported, it is returned unchanged.
 */
export async function checkImport(db: Db, scope: SchoolScope, now: Date, season: Season, file: UploadedFile) {
  const catalogue = await openCatalogue(db, season, now)
  const { importRows } = await foundationLimits(db)
  let otherSheets: string[] = []
  const sheet = await readSheet(file.bytes, file.name, { ...usualLimits, rows: importRows }, (names) => {
    otherSheets = names
  })
  const rows = joinSubjectColumns(
    sheet.map(({ number, cells }): TextRow => ({ n: number, c: cells.map(cellText) })),
    subjectNames(catalogue),
  )
  const sha256 = createHash('sha256').update(file.bytes).digest('hex')
  const sent = await findSent(db, scope, season, sha256)
  if (sent?.confirmed) return { ...(await readPreview(db, scope, sent.id)), repeated: true }
  const settings = { ...nothingSet, ...sent?.settings, otherSheets }
  const checked = await checkSheet(db, scope, now, { season, catalogue, rows, settings })
  const remembered = columnsOf(checked)
  const importId = await db.transaction().execute(async (tx) => {
    await forgetOld(tx, now)
    const { rows: inserted } = await sql<{ id: string }>`
      insert into student_imports as i (id, school_id, season, file_name, sha256, row_count, good_count, good_rows, preview, counts, sheet, settings, created_by, created_at)
      values (${newId()}, ${scope.schoolId}, ${season}, ${file.name}, ${sha256}, ${checked.findings.rowCount}, ${checked.good.length},
        ${remembered.good}::jsonb, ${remembered.preview}::jsonb, ${remembered.counts}::jsonb, ${JSON.stringify(rows)}::jsonb, ${JSON.stringify(settings)}::jsonb,
        ${scope.userId}, ${now}::timestamptz)
      on conflict (school_id, season, sha256) where source <> 'file' or confirmed_at is null do update
        set file_name = excluded.file_name, row_count = excluded.row_count, good_count = excluded.good_count, good_rows = excluded.good_rows,
          preview = excluded.preview, counts = excluded.counts, sheet = excluded.sheet, created_by = excluded.created_by,
          created_at = excluded.created_at, revision = i.revision + 1
      returning id`.execute(tx)
    const { id } = orNotFound(inserted[0])
    const change = { file: file.name, rows: checked.findings.rowCount, good: checked.good.length }
    await audit(tx, now, scope, 'import.checked', { kind: 'import', id, season }, change)
    return id
  })
  const preview = await readPreview(db, scope, importId)
  return { ...preview, repeated: sent !== undefined || preview.before !== undefined }
}

/** Deletes unconfirmed files after 30 days, and the content of imported ones; the history remains. */
async function forgetOld(tx: Tx, now: Date): Promise<void> {
  const old = sql`created_at < ${now}::timestamptz - interval '30 days'`
  await sql`delete from student_imports where confirmed_at is null and ${old}`.execute(tx)
  await sql`
    update student_imports set sheet = null, settings = '{}', good_rows = '[]', preview = '{}', refused = '[]'
    where ${old} and (sheet is not null or good_rows <> '[]')
      and not exists (select from jobs j
      where j.id = job_id and j.state in ('waiting', 'running'))`.execute(tx)
}

/**
 * After an import, keeps its unsaved rows as a new import with the same row numbers, columns and corrections. Idempotent.
 */
export async function storeUnsavedRows(
  db: Db,
  scope: SchoolScope,
  now: Date,
  importId: string,
): Promise<void> {
  const { rows: read } = await sql<StoredImport & { fileName: string }>`
    select season, file_name as "fileName", sheet as rows, settings from student_imports
    where id = ${importId} and school_id = ${scope.schoolId} and source = 'file'
    and sheet is not null`.execute(db)
  const [stored] = read
  if (!stored?.rows) return
  const { season, fileName, rows } = stored
  const catalogue = await loadCatalogue(db, season, now)
  if (!catalogue?.open) return
  const settings = { ...nothingSet, ...stored.settings }
  const { open, columns, findings } = await checkSheet(db, scope, now, { season, catalogue, rows, settings })
  if (open.size === 0) return
  // Columns guessed from many rows can't be guessed again from a few.
  for (const { index, field, by } of columns)
    if (by === 'content' || by === 'nothing') settings.columns = { ...settings.columns, [index]: field ?? '' }
  const left = rows.filter(({ n }) => n <= findings.headRow || open.has(n))
  const checked = await checkSheet(db, scope, now, { season, catalogue, rows: left, settings, part: true })
  const { good, preview, counts } = columnsOf(checked)
  const sha256 = createHash('sha256').update(`rest of ${importId}`).digest('hex')
  await db.transaction().execute(async (tx) => {
    const { rows: inserted } = await sql<{ id: string }>`
      insert into student_imports (id, rest_of, school_id, season, file_name, sha256, row_count, good_count, good_rows, preview, counts, sheet, settings, created_by, created_at)
      values (${newId()}, ${importId}, ${scope.schoolId}, ${season}, ${fileName}, ${sha256}, ${checked.findings.rowCount}, ${checked.good.length},
        ${good}::jsonb, ${preview}::jsonb, ${counts}::jsonb, ${JSON.stringify(left)}::jsonb, ${JSON.stringify(settings)}::jsonb,
        ${scope.userId}, ${now}::timestamptz)
      on conflict do nothing returning id`.execute(tx)
    const change = {
      file: fileName,
      rows: checked.findings.rowCount,
      good: checked.good.length,
      restOf: importId,
    }
    for (const { id } of inserted)
      await audit(tx, now, scope, 'import.checked', { kind: 'import', id, season }, change)
  })
}

interface StoredImport {
  season: Season
  rows: TextRow[] | null
  settings: Partial<Settings>
  revision: number
  confirmed: boolean
  part: boolean
}

type Recheck = BodyOf<typeof recheckCall>

/**
 * Checks a stored file again with the user's settings. Refuses if someone else changed settings meanwhile, and after
 * confirmation. Column choices are remembered for the school's next file with these headings.
 */
export async function recheckImport(
  db: Db,
  scope: SchoolScope,
  now: Date,
  wanted: Recheck,
): Promise<ImportPreview> {
  const { importId, revision } = wanted
  const { rows: read } = await sql<StoredImport>`
    select season, sheet as rows, settings, revision, confirmed_at is not null as confirmed, rest_of is not null as part from student_imports
    where id = ${importId} and school_id = ${scope.schoolId} and source = 'file'`.execute(db)
  const stored = orNotFound(read[0])
  const { season, rows, part } = stored
  if (rows === null) throw new Refusal('not_found')
  if (stored.confirmed) throw new Refusal('enrolment.import_used')
  if (stored.revision !== revision) throw new Refusal('changed_meanwhile')
  const catalogue = await openCatalogue(db, season, now)
  const settings = withWanted({ ...nothingSet, ...stored.settings }, wanted, rows)
  const checked = await checkSheet(db, scope, now, { season, catalogue, rows, settings, part })
  const columns = columnsOf(checked)
  await db.transaction().execute(async (tx) => {
    const { rows: moved } = await sql`
      update student_imports set settings = ${JSON.stringify(settings)}::jsonb, revision = revision + 1, row_count = ${checked.findings.rowCount},
        good_count = ${checked.good.length}, good_rows = ${columns.good}::jsonb, preview = ${columns.preview}::jsonb, counts = ${columns.counts}::jsonb
      where id = ${importId} and school_id = ${scope.schoolId} and revision = ${revision} and confirmed_at is null
      returning id`.execute(tx)
    if (moved.length === 0) throw new Refusal('changed_meanwhile')
    if (wanted.columns) await remember(tx, scope, now, checked)
  })
  return readPreview(db, scope, importId)
}

function withWanted(settings: Settings, wanted: Recheck, rows: readonly TextRow[]): Settings {
  const columns = { ...settings.columns }
  for (const { column, field } of wanted.columns ?? []) {
    if (field !== '' && !rowFields.some((rowField) => rowField === field))
      throw refuseField('columns', sentences.noFieldOfStudent)
    // Each field has one column: the previous one becomes unused.
    for (const [index, other] of Object.entries(columns))
      if (field !== '' && other === field) columns[index] = ''
    columns[column - 1] = field
  }
  const cells = { ...settings.cells }
  const texts = new Map(rows.map((row) => [row.n, row.c]))
  const set = (row: number, index: number, text: string) => {
    const before = texts.get(row)
    if (!before) return
    if (text === (before[index] ?? '')) delete cells[`${row}:${index}`]
    else cells[`${row}:${index}`] = text
  }
  for (const { row, column, text } of wanted.cells ?? []) set(row, column - 1, text)
  const choices = { ...settings.choices }
  for (const { row, choice } of wanted.choices ?? []) {
    if (choice === '') delete choices[row]
    else choices[row] = choice
  }
  const notTaken = new Set(settings.notTaken)
  for (const { written, taken } of wanted.notTaken ?? []) {
    if (taken) notTaken.delete(written.toLowerCase())
    else notTaken.add(written.toLowerCase())
  }
  return { ...settings, columns, cells, choices, notTaken: [...notTaken] }
}

async function remember(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { columns, findings }: CheckResult,
): Promise<void> {
  if (findings.headRow === 0) return
  const headings = headingsKey(columns.map(({ heading }) => heading))
  const key = createHash('sha256').update(headings).digest('hex')
  await sql`
    insert into import_mappings (school_id, headings, columns, used_at)
    values (${scope.schoolId}, ${key}, ${JSON.stringify(columnsToRemember(columns))}::jsonb, ${now}::timestamptz)
    on conflict (school_id, headings) do update
    set columns = excluded.columns, used_at = excluded.used_at`.execute(tx)
}

/** The kind of job that saves the valid rows of an import. */
export const importJob = 'students.import'

/** A separate statement, because one that waits for the lock does not see a job enqueued meanwhile. */
export async function lockImport(tx: Tx, scope: SchoolScope, importId: string): Promise<void> {
  await sql`
    select from student_imports
    where id = ${importId} and school_id = ${scope.schoolId} for update`.execute(tx)
}

/**
 * Enqueues saving of an import's valid rows, at the revision seen. Repeating it returns the progress; after a failure or
 * cancellation it continues where it stopped.
 */
export async function confirmImport(
  db: Db,
  scope: SchoolScope,
  now: Date,
  { importId, revision }: { importId: string; revision?: number | undefined },
) {
  return db.transaction().execute(async (tx) => {
    await lockImport(tx, scope, importId)
    const { rows } = await sql<{
      season: Season
      goodCount: number
      done: number
      seen: number
      state: JobState | null
    }>`
      select i.season, i.good_count as "goodCount", i.done, i.revision as seen, (select j.state from jobs j where j.id = i.job_id) as state
      from student_imports i where i.id = ${importId} and i.school_id = ${scope.schoolId}`.execute(tx)
    const { season, goodCount, done, seen, state } = orNotFound(rows[0])
    if (state === null && revision !== undefined && revision !== seen) throw new Refusal('changed_meanwhile')
    if (goodCount === 0) throw new Refusal('enrolment.import_empty')
    if (state === null || state === 'failed' || state === 'cancelled')
      await startSaving(tx, scope, now, { importId, season, goodCount, done })
    return readImport(tx, scope, importId)
  })
}

interface Startable {
  importId: string
  season: Season
  goodCount: number
  /** Valid rows processed by an earlier run */
  done: number
}

/** Enqueues the job that saves an import's valid rows, or the rest of them. */
export async function startSaving(tx: Tx, scope: SchoolScope, now: Date, started: Startable): Promise<void> {
  const { importId, season, goodCount, done } = started
  const jobId = await enqueueJob(tx, now, {
    kind: importJob,
    schoolId: scope.schoolId,
    season,
    total: goodCount,
    // The job's audit lines name an officer signed in as the school, too
    acting: scope.acting,
    input: { importId },
    createdBy: scope.userId,
  })
  await sql`update student_imports set job_id = ${jobId}, confirmed_at = ${now}::timestamptz
    where id = ${importId}`.execute(tx)
  const subject = { kind: 'import', id: importId, season }
  await audit(tx, now, scope, 'import.confirmed', subject, { good: goodCount, from: done })
}

/** Stops a pending or running import; saved rows stay. A finished one is returned unchanged. */
export async function cancelImport(db: Db, scope: SchoolScope, now: Date, importId: string) {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ season: Season; jobId: string | null }>`
      select season, job_id as "jobId" from student_imports
      where id = ${importId} and school_id = ${scope.schoolId} for update`.execute(tx)
    const { season, jobId } = orNotFound(rows[0])
    if (jobId !== null && (await cancelJob(tx, now, jobId, { schoolId: scope.schoolId })))
      await audit(tx, now, scope, 'import.cancelled', { kind: 'import', id: importId, season })
    return readImport(tx, scope, importId)
  })
}
