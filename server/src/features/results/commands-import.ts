import type { EventSection } from '@podium/contract/results-rules'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Db, Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files'
import { enqueueJob } from '#platform/jobs'
import type { OfficeScope } from '#platform/scope'
import { readRows } from '#platform/spreadsheet'
import { bulkLimits } from '#platform/spreadsheet-rows'
import { sectionsOf } from './rules.ts'
import { type MarkColumns, readHeader } from './rules-marks.ts'

export const importKind = 'results.import'

export interface MarksFile {
  name: string
  bytes: Buffer
}

/** The columns of a file of marks by its first row; refuses a file whose columns are not those of the event. */
export async function columnsOf(file: MarksFile, sections: readonly EventSection[]): Promise<MarkColumns> {
  for await (const row of readRows(file.bytes, file.name, bulkLimits)) {
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

const sectionsOfEvent = async (db: Db | Tx, eventId: number) => {
  const event = await db.selectFrom('events').select('sections').where('id', '=', eventId).executeTakeFirst()
  return sectionsOf(found(event).sections)
}

/** Looks at the columns of a file before anything is kept of it. Throws `results.columns` with each column's issue. */
export async function checkMarksFile(db: Db, eventId: number, file: MarksFile): Promise<void> {
  await columnsOf(file, await sectionsOfEvent(db, eventId))
}

/**
 * Takes a file of marks as the next version of an event's results and plans to read it. Versions that nobody has
 * released give way to it; one that waits for its release refuses it (`results.scheduled`).
 */
export async function startImport(
  tx: Tx,
  files: FileStore,
  scope: OfficeScope,
  now: Date,
  input: { eventId: number; file: MarksFile },
): Promise<{ setId: number; version: number; jobId: string }> {
  const { eventId, file } = input
  // The event's row is the lock behind its versions: numbers follow each other, and one import runs at a time.
  const event = found(
    await tx
      .selectFrom('events')
      .select(['id', 'season'])
      .where('id', '=', eventId)
      .forUpdate()
      .executeTakeFirst(),
  )
  await refuseWhileBusy(tx, now, eventId)
  await sql`
    update result_sets set state = case state when 'importing' then 'failed' else 'superseded' end
    where event_id = ${eventId} and (state in ('importing', 'imported', 'computed')
      or (state = 'approved' and release_at is null))`.execute(tx)
  const fileId = await storeFile(tx, files, now, {
    kind: 'marks',
    name: file.name,
    mediaType: 'application/octet-stream',
    bytes: file.bytes,
  })
  const { rows } = await sql<{ id: number; version: number }>`
    insert into result_sets (event_id, version, state, file_id, imported_by, imported_at)
    select ${eventId}, coalesce(max(version), 0) + 1, 'importing', ${fileId}, ${scope.staffId}, ${now}
    from result_sets where event_id = ${eventId}
    returning id, version`.execute(tx)
  const set = found(rows[0])
  const jobId = await enqueueJob(tx, now, {
    kind: importKind,
    season: event.season,
    total: file.bytes.subarray(0, 2).toString() === 'PK' ? 0 : countLines(file.bytes),
    input: { setId: set.id },
    createdBy: scope.staffId,
  })
  await tx.updateTable('result_sets').set({ job_id: jobId }).where('id', '=', set.id).execute()
  await audit(
    tx,
    now,
    scope,
    'results.imported',
    { kind: 'result_set', id: set.id, season: event.season },
    {
      eventYearId: eventId,
      version: set.version,
      fileId,
    },
  )
  return { setId: set.id, version: set.version, jobId }
}

async function refuseWhileBusy(tx: Tx, now: Date, eventId: number): Promise<void> {
  const { rows } = await sql<{ state: string }>`
    select s.state from result_sets s left join jobs j on j.id = s.job_id
    where s.event_id = ${eventId} and (
      (s.state in ('importing', 'computing') and j.state in ('waiting', 'running'))
      or (s.state = 'approved' and s.release_at > ${now}))`.execute(tx)
  const [busy] = rows
  if (!busy) return
  throw new Refusal(busy.state === 'approved' ? 'results.scheduled' : 'results.import_running')
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}
