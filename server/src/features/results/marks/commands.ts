import { type ErrorCode, errors } from '@podium/contract/errors'
import type { EventSection } from '@podium/contract/results/schemas'
import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/events/rules'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { type FileStore, type StoredContent, storeFile } from '#platform/files/files'
import type { UploadedFile } from '#platform/http/input'
import { enqueueJob } from '#platform/jobs/jobs'
import { readRows } from '#platform/sheets/spreadsheet'
import { bulkLimits } from '#platform/sheets/spreadsheet-rows'
import { type SheetSource, sourceAt } from '#platform/sheets/spreadsheet-source'
import { visibleSet } from '../queries.ts'
import { type MarkColumns, readHeader } from './rules.ts'

export const importKind = 'results.import'

/** A file of marks as the store keeps it. */
export interface MarksFile {
  name: string
  kept: StoredContent
}

/** The columns of a file of marks by its first row; refuses a file whose columns are not those of the event. */
export async function columnsOf(
  source: SheetSource,
  name: string,
  sections: readonly EventSection[],
): Promise<MarkColumns> {
  for await (const row of readRows(source, name, bulkLimits)) {
    const header = readHeader(row.cells, sections)
    if ('columns' in header) return header.columns
    const said = [
      ...header.missing.map((name) => ({ path: name, message: `The column ${name} is missing.` })),
      ...header.unknown.map((name) => ({ path: name, message: `The column ${name} is not known here.` })),
      ...header.twice.map((name) => ({ path: name, message: `The column ${name} stands there twice.` })),
    ]
    throw new Refusal('results.columns', { issues: said })
  }
  throw new Refusal('sheet.empty')
}

/** What a file of marks of this event has columns for; refuses an event that there is none of. */
export const sectionsOfEvent = async (db: Db | Tx, eventId: number) => {
  const event = await db.selectFrom('events').select('sections').where('id', '=', eventId).executeTakeFirst()
  return sectionsOf(orNotFound(event).sections)
}

/** Looks at the columns of a file before anything is kept of it. Throws `results.columns` with each column's issue. */
export async function checkMarksFile(
  db: Db,
  eventId: number,
  { name, received }: UploadedFile,
): Promise<void> {
  await columnsOf(await sourceAt(received.path), name, await sectionsOfEvent(db, eventId))
}

export interface StartedImport {
  setId: number
  version: number
  jobId: string
  /** The newest version was read from this very file, and nothing was started. */
  same: boolean
}

interface Asked {
  eventId: number
  reason?: string
  /** Why marks are imported while exams of the event are to come */
  early?: string
  /** Reads the file of the newest version once more */
  again?: boolean
}

/** Whether a file may become the next version of an event; gives the newest where that was read from this very file. */
export async function mayImport(
  db: Db | Tx,
  now: Date,
  { eventId, reason = '', early = '', again = false }: Asked,
  { sha256 }: StoredContent,
): Promise<StartedImport | undefined> {
  const read = again ? undefined : await readFrom(db, eventId, sha256)
  if (read) return read
  await refuseWhileBusy(db, now, eventId)
  await refuseSilentCorrection(db, now, eventId, reason)
  if (early === '' && (await examsToCome(db, now, eventId))) refuseWithout('early', 'results.early_marks')
  return undefined
}

/**
 * Takes a file of marks as the next version of an event's results and plans to read it. Versions that nobody has
 * released give way to it; one that waits for its release refuses it (`results.scheduled`). The file of the newest
 * version brings nothing new, unless it is to be read `again`. Where schools have seen a version the new one corrects
 * it, and needs a reason.
 */
export async function startImport(
  tx: Tx,
  files: FileStore,
  scope: OfficeScope,
  now: Date,
  input: Asked & { file: MarksFile },
): Promise<StartedImport> {
  const { eventId, file, reason = '' } = input
  const early = (await examsToCome(tx, now, eventId)) ? (input.early ?? '') : ''
  // The event's row is the lock behind its versions: numbers follow each other, and one import runs at a time.
  const event = orNotFound(
    await tx
      .selectFrom('events')
      .select(['id', 'season'])
      .where('id', '=', eventId)
      .forUpdate()
      .executeTakeFirst(),
  )
  const read = await mayImport(tx, now, input, file.kept)
  if (read) return read
  await giveWay(tx, eventId)
  const fileId = await storeFile(tx, files, now, {
    kind: 'marks',
    name: file.name,
    mediaType: 'application/octet-stream',
    bytes: file.kept,
  })
  const set = await nextSet(tx, scope, now, { eventId, reason, early, fileId })
  const jobId = await enqueueJob(tx, now, {
    kind: importKind,
    season: event.season,
    input: { setId: set.id },
    createdBy: scope.staffId,
  })
  await tx.updateTable('result_sets').set({ job_id: jobId }).where('id', '=', set.id).execute()
  const subject = { kind: 'result_set', id: set.id, season: event.season }
  await audit(tx, now, scope, 'results.imported', subject, {
    eventYearId: eventId,
    version: set.version,
    fileId,
    ...(reason === '' ? {} : { reason }),
    ...(early === '' ? {} : { early }),
  })
  return { setId: set.id, version: set.version, jobId, same: false }
}

/** The newest version of the event, where it was read from this very file. */
async function readFrom(db: Db | Tx, eventId: number, sha256: string): Promise<StartedImport | undefined> {
  const { rows } = await sql<{ id: number; version: number; job_id: string | null; sha256: string | null }>`
    select s.id, s.version, s.job_id, f.sha256 from result_sets s left join files f on f.id = s.file_id
    where s.event_id = ${eventId} and s.state not in ('failed', 'superseded')
    order by s.version desc limit 1`.execute(db)
  const [newest] = rows
  if (newest?.sha256 !== sha256) return undefined
  return { setId: newest.id, version: newest.version, jobId: newest.job_id ?? '', same: true }
}

/** Refuses to correct what schools have seen without a word why. */
export async function refuseSilentCorrection(
  tx: Db | Tx,
  now: Date,
  eventId: number,
  reason: string,
): Promise<void> {
  if (reason !== '') return
  const { rows } = await sql`select from ${visibleSet(sql`${eventId}::bigint`, now)} v`.execute(tx)
  if (rows.length === 0) return
  refuseWithout('reason', 'results.reason_missing')
}

/** Refuses what needs a reason, at the field where it is missing. */
export function refuseWithout(path: string, code: ErrorCode): never {
  throw new Refusal(code, { issues: [{ path, message: errors[code].sentence }] })
}

/** Whether the event is sat on a day after this one, by the clock of India. */
export async function examsToCome(db: Db | Tx, now: Date, eventId: number): Promise<boolean> {
  const date = await db
    .selectFrom('exam_dates')
    .select('id')
    .where('event_id', '=', eventId)
    .where('held_on', '>', istDay(now))
    .limit(1)
    .executeTakeFirst()
  return date !== undefined
}

/** Versions of an event that nobody has released give way to the one that is to be made. */
export async function giveWay(tx: Tx, eventId: number): Promise<void> {
  await sql`
    update result_sets set state = case state when 'importing' then 'failed' else 'superseded' end
    where event_id = ${eventId} and (state in ('importing', 'imported', 'computed')
      or (state = 'approved' and release_at is null))`.execute(tx)
}

/** The next version of an event, to be filled by a job. The event's row must be locked. */
export async function nextSet(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  {
    eventId,
    reason,
    early = '',
    fileId = null,
  }: { eventId: number; reason: string; early?: string; fileId?: string | null },
): Promise<{ id: number; version: number }> {
  const { rows } = await sql<{ id: number; version: number }>`
    insert into result_sets (event_id, version, state, file_id, imported_by, imported_at, reason, early_reason)
    select ${eventId}, coalesce(max(version), 0) + 1, 'importing', ${fileId}, ${scope.staffId}, ${now}, ${reason}, ${early}
    from result_sets where event_id = ${eventId}
    returning id, version`.execute(tx)
  return orNotFound(rows[0])
}

export async function refuseWhileBusy(tx: Db | Tx, now: Date, eventId: number): Promise<void> {
  const { rows } = await sql<{ state: string }>`
    select s.state from result_sets s left join jobs j on j.id = s.job_id
    where s.event_id = ${eventId} and (
      (s.state in ('importing', 'computing') and j.state in ('waiting', 'running'))
      or (s.state = 'approved' and s.release_at > ${now}))`.execute(tx)
  const [busy] = rows
  if (!busy) return
  throw new Refusal(busy.state === 'approved' ? 'results.scheduled' : 'results.import_running')
}
