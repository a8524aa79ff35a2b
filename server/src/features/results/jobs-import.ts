import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { found, Refusal } from '#platform/errors'
import type { FileStore } from '#platform/files'
import { type Job, type JobContext, JobStopped } from '#platform/jobs'
import { systemScope } from '#platform/scope'
import { readRows } from '#platform/spreadsheet'
import { bulkLimits } from '#platform/spreadsheet-rows'
import { columnsOf } from './commands-import.ts'
import { noteMissing, saveRows } from './commands-rows.ts'
import { sectionsOf } from './rules.ts'
import { type MarkRow, readMarks } from './rules-marks.ts'

const batchSize = 2_000

/**
 * Reads the file of a version into `result_marks` and `result_anomalies`, in batches that each commit, counting as it
 * goes. Started again after its process died, it begins from the first row. What can't be read makes the version `failed`.
 */
export async function runImport(files: FileStore, job: Job, context: JobContext): Promise<{ rows: number }> {
  const setId = Number(job.input.setId)
  try {
    return await readMarksFile(files, setId, context)
  } catch (thrown) {
    if (!(thrown instanceof JobStopped)) {
      await context.db
        .updateTable('result_sets')
        .set({ state: 'failed' })
        .where('id', '=', setId)
        .where('state', '=', 'importing')
        .execute()
    }
    throw thrown
  }
}

async function readMarksFile(files: FileStore, setId: number, { db, clock, progress }: JobContext) {
  const set = found(
    await db
      .selectFrom('result_sets')
      .innerJoin('events', 'events.id', 'result_sets.event_id')
      .innerJoin('files', 'files.id', 'result_sets.file_id')
      .select(['event_id', 'season', 'sections', 'files.name', 'files.sha256'])
      .where('result_sets.id', '=', setId)
      .where('result_sets.state', '=', 'importing')
      .executeTakeFirst(),
    'results.wrong_state',
  )
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    await sql`delete from result_marks where set_id = ${setId}`.execute(tx)
    await sql`delete from result_anomalies where set_id = ${setId}`.execute(tx)
  })
  const place = { setId, eventId: set.event_id, season: set.season }
  const sections = sectionsOf(set.sections)
  const file = { name: set.name, bytes: await files.read(set.sha256) }
  const columns = await columnsOf(file, sections)
  let batch: MarkRow[] = []
  let rows = -1
  const flush = async () => {
    const full = batch
    batch = []
    await db.transaction().execute((tx) => saveRows(tx, place, full))
    await progress(rows)
  }
  for await (const { number, cells } of readRows(file.bytes, file.name, bulkLimits)) {
    rows++
    if (rows === 0) continue
    batch.push(readMarks(number, cells, columns, sections))
    if (batch.length >= batchSize) await flush()
  }
  if (rows < 1) throw new Refusal('sheet.empty')
  await flush()
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    const missing = await noteMissing(tx, place)
    const done = await tx
      .updateTable('result_sets')
      .set({ state: 'imported', rows })
      .where('id', '=', setId)
      .where('state', '=', 'importing')
      .returning('id')
      .executeTakeFirst()
    found(done, 'results.wrong_state')
    const subject = { kind: 'result_set', id: setId, season: set.season }
    await audit(tx, clock(), systemScope('Import of marks'), 'results.import_finished', subject, {
      rows,
      missing,
    })
  })
  return { rows }
}
