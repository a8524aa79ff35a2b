import { sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/rules'
import { audit } from '#platform/audit'
import { officerScope, teacherScope } from '#platform/auth/job-requesters'
import { systemScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { dropDayOld, type FileStore, safeName, storeFile } from '#platform/files/files'
import { zip } from '#platform/files/zip'
import {
  isRetried,
  type Job,
  type JobContext,
  type JobHandlers,
  JobStopped,
  type RunContext,
} from '#platform/jobs/jobs'
import { readRows } from '#platform/sheets/spreadsheet'
import { bulkLimits, type SheetRow, type SheetSource, sourceAt } from '#platform/sheets/spreadsheet-rows'
import { classNameIn } from '#platform/words'
import { issueCertificates } from './certificates/commands.ts'
import {
  type CertificateData,
  type CertificateIssuer,
  certificatesFile,
  certifiedOf,
  issuerOf,
  titleOfSeveral,
} from './certificates/documents.ts'
import {
  type BulkInput,
  type BulkOutput,
  certificatesKind,
  certifiedRows,
  inputOf,
  outputOf,
  type PlannedFile,
  plannedCertificates,
  plannedFiles,
} from './certificates/queries.ts'
import { takeOverMarks } from './corrections/commands.ts'
import {
  columnsOf,
  importKind,
  markRead,
  reapplyDecisions,
  recordAttendanceConflicts,
  recordMissing,
  saveRows,
} from './marks/commands.ts'
import { type MarkRow, readMarks } from './marks/rules.ts'
import { announcedEvent, visibleSet } from './queries.ts'
import { analyzeMarks, computeKind, computeSet, followRegister } from './ranking/commands.ts'
import { type TrialOutcome, tryRules, whatIfKind } from './ranking/commands-what-if.ts'
import { announceKind, mailReleased, publish, schoolsToNotify } from './release/commands.ts'

const marksAtOnce = 2_000

/**
 * Reads a version's file into `result_marks` and `result_anomalies` in batches, each committed with its last row number. After
 * a restart it continues after the last batch. An unreadable file makes the version `failed`.
 */
export async function runImport(files: FileStore, job: Job, context: JobContext): Promise<{ rows: number }> {
  const setId = Number(job.input.setId)
  try {
    const { state, rows: read, basedOn } = await versionOf(context.db, setId)
    // An earlier attempt was killed after its last step.
    if (state !== 'importing' && state !== 'failed') return { rows: read }
    if (basedOn !== null)
      return { rows: await context.db.transaction().execute((tx) => takeOverMarks(tx, setId, basedOn)) }
    const { sha256, ...set } = await openSet(context.db, setId)
    return await files.withPath(sha256, async (path) => {
      const reading = { ...set, source: await sourceAt(path) }
      const rows = await readMarksFile(reading, context)
      await finish(reading, rows, context)
      return { rows }
    })
  } catch (thrown) {
    if (!isRetried(thrown)) {
      await changeRows(context.db, 'result_sets', {
        where: { id: setId, state: 'importing' },
        set: { state: 'failed' },
      })
    }
    throw thrown
  }
}

async function versionOf(db: Db, setId: number) {
  const columns = ['state', 'rows', 'based_on as basedOn'] as const
  const set = await db.selectFrom('result_sets').select(columns).where('id', '=', setId).executeTakeFirst()
  return orNotFound(set, 'results.wrong_state')
}

async function openSet(db: Db, setId: number) {
  const set = await db
    .selectFrom('result_sets')
    .innerJoin('events', 'events.id', 'result_sets.event_id')
    .innerJoin('files', 'files.id', 'result_sets.file_id')
    .select(['event_id', 'season', 'sections', 'read_to', 'rows', 'files.name', 'files.sha256'])
    .where('result_sets.id', '=', setId)
    .where('result_sets.state', '=', 'importing')
    .executeTakeFirstOrThrow(() => new Refusal('results.wrong_state'))
  return {
    name: set.name,
    sha256: set.sha256,
    sections: sectionsOf(set.sections),
    readTo: set.read_to,
    rows: set.rows,
    place: { setId, eventId: set.event_id, season: set.season },
  }
}
type Reading = Omit<Awaited<ReturnType<typeof openSet>>, 'sha256'> & { source: SheetSource }

/** The number of lines in a text file; 0 for a workbook, whose size is only known at the end. */
async function countLines(source: SheetSource): Promise<number> {
  if (source.head.subarray(0, 2).toString() === 'PK') return 0
  let lines = 0
  for await (const piece of source.stream())
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, end + 1)) lines++
  return lines
}

/** Yields batches of rows after the last one read, without the header row. */
async function* batches({ source, name, readTo }: Reading): AsyncGenerator<SheetRow[], void> {
  let header = true
  let batch: SheetRow[] = []
  for await (const row of readRows(source, name, bulkLimits)) {
    if (header || row.number <= readTo) {
      header = false
      continue
    }
    batch.push(row)
    if (batch.length < marksAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function readMarksFile(reading: Reading, { db, progress }: JobContext): Promise<number> {
  const { source, name, sections, place } = reading
  let { readTo, rows } = reading
  const columns = await columnsOf(source, name, sections)
  await progress(rows, await countLines(source))
  for await (const batch of batches(reading)) {
    const read = batch.map(({ number, cells }): MarkRow => readMarks(number, cells, columns, sections))
    const step = { from: readTo, to: read.at(-1)?.n ?? readTo, rows: rows + read.length }
    await db.transaction().execute(async (tx) => {
      if (!(await markRead(tx, place.setId, step))) throw new JobStopped('the file is read elsewhere')
      await saveRows(tx, place, read)
    })
    readTo = step.to
    rows = step.rows
    await progress(rows)
  }
  if (rows === 0) throw new Refusal('sheet.empty')
  return rows
}

/** Finishes reading: records missing students, accepts previously accepted anomalies, and marks the version as imported. */
async function finish({ place }: Reading, rows: number, { db, clock }: JobContext): Promise<void> {
  const { setId, season } = place
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    const attendance = await recordAttendanceConflicts(tx, place)
    const missing = await recordMissing(tx, place)
    const settled = await reapplyDecisions(tx, place)
    const [done] = await changeRows(tx, 'result_sets', {
      where: { id: setId, state: 'importing' },
      set: { state: 'imported' },
      returning: ['id'],
    })
    orNotFound(done, 'results.wrong_state')
    const subject = { kind: 'result_set', id: setId, season }
    await audit(tx, clock(), systemScope('Import of marks'), 'results.import_finished', subject, {
      rows,
      missing,
      ...(attendance === 0 ? {} : { attendance }),
      settled,
    })
  })
}

/** Jobs of results: reading marks, computing a version, announcing its release. */
export function resultJobs({ files, settings }: Pick<Deps, 'files' | 'settings'>): JobHandlers {
  return {
    [importKind]: (job, context) => runImport(files, job, context),
    [computeKind]: runCompute,
    [whatIfKind]: runTrial,
    [announceKind]: (job, context) => runAnnounce(settings.publicUrl, job, context),
    ...certificateJobs({ files, settings }),
  }
}

/**
 * Compares marks with the register, and with attendance entered since they were read. After a release no attendance is entered.
 * Returns whether there is something new to decide on.
 */
async function oddSince(tx: Tx, now: Date, setId: number): Promise<boolean> {
  await sql`set local statement_timeout = '5min'`.execute(tx)
  const left = await followRegister(tx, setId)
  const { rows } = await sql<{ eventId: number; season: string }>`
    select e.id as "eventId", e.season from result_sets s join events e on e.id = s.event_id
    where s.id = ${setId} and not exists (select from ${visibleSet(sql`e.id`, now)} v)`.execute(tx)
  const conflicts = rows[0] ? await recordAttendanceConflicts(tx, { setId, ...rows[0] }) : 0
  return left + conflicts > 0
}

/** The job behind `compute`. A failed computation leaves the version imported. */
async function runCompute(job: Job, { db, clock, progress }: JobContext): Promise<{ setId: number }> {
  const setId = Number(job.input.setId)
  // An earlier attempt was killed after its last step.
  if ((await versionOf(db, setId)).state === 'computed') return { setId }
  try {
    await progress(0, 1)
    await analyzeMarks(db)
    if (await db.transaction().execute((tx) => oddSince(tx, clock(), setId)))
      throw new Refusal('results.anomalies_open')
    await db.transaction().execute((tx) => computeSet(tx, clock(), setId))
  } catch (thrown) {
    if (!isRetried(thrown)) {
      await changeRows(db, 'result_sets', {
        where: { id: setId, state: 'computing' },
        set: { state: 'imported' },
      })
    }
    throw thrown
  }
  return { setId }
}

/** Tries rules on one version after another; findings so far can be viewed meanwhile. */
async function runTrial(job: Job, { db, progress, checkpoint }: JobContext) {
  const { eventYearId, rules, setIds } = job.input as {
    eventYearId: number
    rules: unknown
    setIds: number[]
  }
  const tried = [...((job.output?.tried ?? []) as TrialOutcome[])]
  for (const setId of setIds.slice(tried.length)) {
    await progress(tried.length, setIds.length)
    tried.push(await tryRules(db, eventYearId, rules, setId))
    await checkpoint({ tried })
  }
  return { tried }
}

const batchSize = 200

/**
 * Marks a version as released at its time and e-mails the coordinators of its schools. Does nothing if the release was withdrawn
 * or postponed meanwhile: the next release has its own job.
 */
async function runAnnounce(publicUrl: string, job: Job, { db, clock, progress }: JobContext) {
  const setId = Number(job.input.setId)
  const event = await announcedEvent(db, setId)
  const out =
    event !== undefined &&
    (await db.transaction().execute((tx) => publish(tx, systemScope('Release of results'), clock(), setId)))
  if (!out) return { notified: 0 }
  const set = { setId, ...event }
  const schools = await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    return schoolsToNotify(tx, setId)
  })
  for (let start = 0; start < schools.length; start += batchSize) {
    await progress(start, schools.length)
    await db
      .transaction()
      .execute((tx) => mailReleased(tx, clock(), publicUrl, set, schools.slice(start, start + batchSize)))
  }
  return { notified: schools.length }
}

type JobDeps = Pick<Deps, 'files' | 'settings'>

/** Job that makes certificates of long lists file by file; after a restart it continues after the finished files. */
export function certificateJobs(deps: JobDeps): JobHandlers {
  return { [certificatesKind]: (job, context) => run(deps, job, context) }
}

async function run(deps: JobDeps, job: Job, context: RunContext) {
  const { db, clock, progress, checkpoint } = context
  const input = inputOf(job)
  await dropDayOld(db, deps.files, certificatesKind, clock())
  const { setId, rows } = await plannedCertificates(db, clock(), input)
  const before = outputOf(job)
  // After a correction in between, finished files may be outdated.
  const output: BulkOutput = before?.setId === setId ? before : { setId, files: [] }
  const issuer = await issuerOf({ db, ...deps }, input.language)
  const title = titleOfSeveral(issuer, input.subjectName, job.season ?? '')
  output.title = title
  const plan = plannedFiles(rows, input, {
    title,
    nameOfClass: (classId) => classNameIn(input.language, classId),
  })
  let done = output.files.reduce((sum, { certificates }) => sum + certificates, 0)
  await progress(done, rows.length)
  for (const file of plan.slice(output.files.length)) {
    output.files.push(await make(deps.files, job, context, { setId, file, input, issuer }))
    done += file.studentIds.length
    await checkpoint({ ...output })
    await progress(done, rows.length)
  }
  return { ...output }
}

interface CertificateFile {
  setId: number
  file: PlannedFile
  input: BulkInput
  issuer: CertificateIssuer
}

async function make(files: FileStore, job: Job, context: RunContext, making: CertificateFile) {
  const { db, clock } = context
  const { setId, file, input, issuer } = making
  const by = job.schoolId === null ? officerScope(context) : teacherScope(context)
  const certified = await db.transaction().execute(async (tx) => {
    const [first, ...others] = await certifiedRows(tx, clock(), setId, file.studentIds)
    if (!first) return []
    const rows = [first, ...others] as const
    const numbers = await issueCertificates(tx, by, clock(), rows)
    return rows.map((row, index) => certifiedOf(row, numbers[index] ?? ''))
  })
  const pdf = await drawn(certified, issuer, file.name)
  const zipped = input.as === 'zip'
  const bytes = zipped
    ? zip(pdf ? [{ name: safeName(file.name), content: pdf }] : [])
    : (pdf ?? Buffer.alloc(0))
  const name = zipped ? `${file.name}.zip` : file.name
  const fileId = await db
    .transaction()
    .execute((tx) =>
      storeFile(tx, files, clock(), {
        ...(job.schoolId === null ? {} : { schoolId: job.schoolId }),
        kind: certificatesKind,
        name,
        mediaType: zipped ? 'application/zip' : 'application/pdf',
        bytes,
      }),
    )
  return { name, certificates: certified.length, fileId, bytes: bytes.length }
}

/** Undefined if all of them were withheld meanwhile. */
async function drawn(certified: readonly CertificateData[], issuer: CertificateIssuer, name: string) {
  const [first, ...others] = certified
  if (!first) return undefined
  const { file } = await certificatesFile([first, ...others], issuer, name.replace(/\.pdf$/, ''))
  return Buffer.isBuffer(file.content) ? file.content : undefined
}
