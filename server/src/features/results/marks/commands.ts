import type { AnswerOf } from '@podium/contract/endpoint'
import { type ErrorCode, errors } from '@podium/contract/errors'
import type { importMarks } from '@podium/contract/results/calls-office'
import type { EventSection } from '@podium/contract/results/schemas'
import { istDay } from '@podium/contract/season'
import { formatSentence, sentences } from '@podium/contract/sentences'
import { type RawBuilder, sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/rules'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { type FileStore, type StoredContent, storeFile } from '#platform/files/files'
import type { UploadedFile } from '#platform/http/input'
import { enqueueJob } from '#platform/jobs/jobs'
import { readRows } from '#platform/sheets/spreadsheet'
import { bulkLimits, type SheetSource, sourceAt } from '#platform/sheets/spreadsheet-rows'
import { contradictingAttendance, visibleSet } from '../queries.ts'
import { markUnit } from '../rules.ts'
import { anomalyRules, type MarkColumns, type MarkRow, readHeader } from './rules.ts'

interface Place {
  setId: number
  eventId: number
  season: string
}

const blocking = JSON.stringify(Object.entries(anomalyRules).map(([kind, rule]) => ({ kind, ...rule })))

/**
 * Records that the file was read up to a row, in the batch's transaction. False if it is not where this reader started, because
 * another one continued, or the version was replaced.
 */
export async function markRead(
  tx: Tx,
  setId: number,
  { from, to, rows }: { from: number; to: number; rows: number },
): Promise<boolean> {
  const [marked] = await changeRows(tx, 'result_sets', {
    where: { id: setId, state: 'importing', read_to: from },
    set: { read_to: to, rows },
    returning: ['id'],
  })
  return marked !== undefined
}

/** SQL: `10 + 35.5 + 1`, or `A` for an absent student. */
const marksText = (row: string): RawBuilder<string> => sql<string>`
  case when ${sql.ref(`${row}.present`)} then (
    select string_agg(trim_scale(mark / ${markUnit}::numeric)::text, ' + ' order by at)
    from unnest(${sql.ref(`${row}.marks`)}) with ordinality m(mark, at)) else 'A' end`

const sameMarks = sql`(first.present, first.marks, first.final) is not distinct from (known.present, known.marks, known.final)`

/**
 * Stores a batch of rows in one statement: finds students by the season's exam roll number, stores marks of enrolled ones, and
 * records anomalies. A student's second row is skipped and recorded as `twice`; it counts if the first was skipped for an
 * error, but is recorded too. What is recorded of a row whose student is not found, or with a mark or score that can't be
 * right, holds its marks: usually only the roll no, or one of them, is wrong.
 */
export async function saveRows(tx: Tx, place: Place, rows: readonly MarkRow[]): Promise<void> {
  await sql`set local statement_timeout = '1min'`.execute(tx)
  await sql`
    with file_rows as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(n int, roll text, present boolean, marks int[], raw int, final int, "leftOut" boolean, anomalies jsonb)),
    -- By lists of keys, so that each is an index look-up: a join tries each with each while a table has no statistics.
    child as materialized (
      select id, school_id, class_id, exam_roll_no, active from students
      where season = ${place.season} and exam_roll_no = any(${rows.map(({ roll }) => roll)}::text[])),
    sits as materialized (
      select student_id from enrolments
      where event_id = ${place.eventId} and student_id = any(array(select id from child where active))),
    faulty as materialized (
      select exam_roll_no from result_anomalies
      where set_id = ${place.setId} and exam_roll_no = any(array(select exam_roll_no from child))
        and detail->>'treatment' = 'left_out'),
    known as materialized (
      select r.*, s.id as student_id, s.school_id, s.class_id, e.student_id is not null as enrolled,
        row_number() over (partition by s.id, r."leftOut" order by r.n) as nth,
        s.exam_roll_no in (select exam_roll_no from faulty) or bool_or(r."leftOut") over (partition by s.id order by r.n)
          as after_fault
      from file_rows r
      left join child s on s.exam_roll_no = r.roll
      left join sits e on e.student_id = s.id),
    kept as (
      insert into result_marks (set_id, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score)
      select ${place.setId}, student_id, school_id, class_id, n, present, marks, raw, final
      from known where enrolled and nth = 1 and not "leftOut"
      on conflict (set_id, student_id) do nothing
      returning row_no),
    -- The row that counts of each child: of this batch or of one before.
    first as (
      select student_id, n, present, marks, final from known where enrolled and nth = 1 and not "leftOut"
        and n in (select row_no from kept)
      union all
      select student_id, row_no, present, section_marks, final_score from result_marks
      where set_id = ${place.setId} and student_id = any(array(select id from child))),
    anomalies as (
      select n, roll, o.kind, o."column", o.value, o.note, null as treatment, null::int as first,
        case when o.kind in ('above_maximum', 'final_score') and not anomalies @> '[{"kind": "unreadable"}]' then to_jsonb(marks) end as marks
      from known, jsonb_to_recordset(anomalies) as o(kind text, "column" text, value text, note text)
      union all
      select n, roll, 'unknown_roll', 'Roll No', roll, ${sentences.rollOfNobody}, null, null, to_jsonb(marks)
      from known where student_id is null and roll <> ''
      union all
      select n, roll, 'not_enrolled', 'Roll No', roll, ${sentences.notInEvent}, null, null, to_jsonb(marks)
      from known where student_id is not null and not enrolled
      union all
      select known.n, roll, 'twice', 'Roll No', roll, case when ${sameMarks} then ${sentences.rowBefore} else
        replace(replace(${sentences.rowBeforeOther}, '{there}', ${marksText('first')}), '{here}', ${marksText('known')}) end,
        null, first.n, null
      from known join first on first.student_id = known.student_id
      where enrolled and not "leftOut" and not exists (select from kept where kept.row_no = known.n)
      union all
      select n, roll, 'twice', 'Roll No', roll, ${sentences.faultyRowBefore}, 'kept', null, null
      from known where after_fault and exists (select from kept where kept.row_no = known.n))
    insert into result_anomalies (set_id, row_no, exam_roll_no, kind, blocking, detail)
    select ${place.setId}, anomalies.n, anomalies.roll, anomalies.kind, rule.blocking,
      jsonb_build_object('column', anomalies."column", 'value', anomalies.value, 'note', anomalies.note, 'treatment', coalesce(anomalies.treatment, rule.treatment))
        || case when anomalies.first is null then '{}'::jsonb else jsonb_build_object('row', anomalies.first) end
        || case when anomalies.marks is null then '{}'::jsonb else jsonb_build_object('marks', anomalies.marks) end
    from anomalies join jsonb_to_recordset(${blocking}::jsonb) as rule(kind text, blocking boolean, treatment text)
      on rule.kind = anomalies.kind
    order by anomalies.n`.execute(tx)
}

/**
 * Records each paid student of the event who is not in the file. Returns how many. Uses set operations instead of “not exists”,
 * because without statistics on the new rows the planner would scan all of them for each student.
 */
export async function recordMissing(tx: Tx, { setId, eventId }: Place): Promise<number> {
  const rule = anomalyRules.missing
  const detail = { column: '', value: '', note: sentences.paidNotInFile, treatment: rule.treatment }
  const noted = await sql`
    insert into result_anomalies (set_id, row_no, exam_roll_no, kind, blocking, detail)
    select ${setId}, 0, missing.exam_roll_no, 'missing', ${rule.blocking}, ${JSON.stringify(detail)}::jsonb
    from (
      select s.exam_roll_no
      from (
        select student_id from enrolments where event_id = ${eventId}
        except select student_id from result_marks where set_id = ${setId}) n
      join students s on s.id = n.student_id
      where s.active and s.paid and s.exam_roll_no is not null
      except select exam_roll_no from result_anomalies where set_id = ${setId}) missing
    order by missing.exam_roll_no`.execute(tx)
  return Number(noted.numAffectedRows ?? 0)
}

/**
 * Records contradictions between the file and schools' attendance: marks for an absent student, or none for a present one.
 * Returns how many.
 */
export async function recordAttendanceConflicts(tx: Tx, { setId, eventId }: Place): Promise<number> {
  const detail = (note: string, treatment: string) =>
    sql`${JSON.stringify({ column: 'Attendance', value: '', note, treatment })}::jsonb`
  const noted = await sql`
    insert into result_anomalies (set_id, row_no, exam_roll_no, kind, blocking, detail)
    select ${setId}, coalesce(m.row_no, 0), st.exam_roll_no,
      case when a.student_id is not null then 'absent_reported' else 'present_reported' end, true,
      case when a.student_id is not null then ${detail(sentences.reportedAbsent, 'kept')}
        when m.student_id is not null then ${detail(sentences.reportedPresent, 'as_absent')}
        else ${detail(sentences.reportedPresent, 'left_out')} end
    ${contradictingAttendance(sql`${setId}`, sql`${eventId}`)}
    order by st.exam_roll_no`.execute(tx)
  return Number(noted.numAffectedRows ?? 0)
}

/**
 * Accepts anomalies already accepted in the previous version (same roll number, kind and cell), with the same officer and reason.
 * Returns how many.
 */
export async function reapplyDecisions(tx: Tx, { setId, eventId }: Place): Promise<number> {
  const reapplied = await sql`
    with before as (
      select id from result_sets where event_id = ${eventId} and id < ${setId} and state <> 'failed'
      order by version desc limit 1),
    settled as (
      select distinct on (exam_roll_no, kind, detail - 'row' - 'marks') exam_roll_no, kind, detail - 'row' - 'marks' as detail, resolved_at, resolved_by, resolution
      from result_anomalies where set_id = (select id from before) and resolved_at is not null
      order by exam_roll_no, kind, detail - 'row' - 'marks', id)
    update result_anomalies a
    set resolved_at = s.resolved_at, resolved_by = s.resolved_by, resolution = s.resolution
    from settled s
    where a.set_id = ${setId} and s.exam_roll_no = a.exam_roll_no and s.kind = a.kind
    and s.detail = a.detail - 'row' - 'marks'`.execute(tx)
  return Number(reapplied.numAffectedRows ?? 0)
}

export const importKind = 'results.import'

/** A stored marks file. */
interface MarksFile {
  name: string
  stored: StoredContent
}

/** The columns of a marks file from its first row; refuses columns that do not fit the event, and a file without further rows. */
export async function columnsOf(
  source: SheetSource,
  name: string,
  sections: readonly EventSection[],
): Promise<MarkColumns> {
  let columns: MarkColumns | undefined
  for await (const row of readRows(source, name, bulkLimits)) {
    if (columns) return columns
    const header = readHeader(row.cells, sections)
    if ('columns' in header) {
      columns = header.columns
      continue
    }
    const issues = [
      ...header.missing.map((name) => ({ path: name, message: formatSentence('columnMissing', { name }) })),
      ...header.unknown.map((name) => ({ path: name, message: formatSentence('columnUnknown', { name }) })),
      ...header.twice.map((name) => ({ path: name, message: formatSentence('columnTwice', { name }) })),
    ]
    throw new Refusal('results.columns', { issues })
  }
  throw new Refusal('sheet.empty')
}

/** The sections that a marks file of this event needs; refuses an unknown event. */
export const sectionsOfEvent = async (db: Db | Tx, eventId: number) => {
  const event = await db.selectFrom('events').select('sections').where('id', '=', eventId).executeTakeFirst()
  return sectionsOf(orNotFound(event).sections)
}

/** Checks a file's columns before anything is stored. Throws `results.columns` with each column's issue. */
export async function checkMarksFile(
  db: Db,
  eventId: number,
  { name, received }: UploadedFile,
): Promise<void> {
  await columnsOf(await sourceAt(received.path), name, await sectionsOfEvent(db, eventId))
}

type StartedImport = AnswerOf<typeof importMarks>

interface ImportRequest {
  eventId: number
  reason?: string
  /** Why marks are imported before the event's last exam */
  early?: string
  /** Read the newest version's file again */
  again?: boolean
  /** The number of the new version as shown to the user; any if undefined */
  version?: number | undefined
}

/** Checks whether a file may become the next version of an event; returns the newest version if it was read from this same file. */
export async function mayImport(
  db: Db | Tx,
  now: Date,
  { eventId, reason = '', early = '', again = false, version }: ImportRequest,
  { sha256 }: StoredContent,
): Promise<StartedImport | undefined> {
  const read = again ? undefined : await readFrom(db, eventId, sha256)
  if (read) return read
  if (version !== undefined && version !== (await nextVersion(db, eventId)))
    throw new Refusal('changed_meanwhile')
  await refuseWhileBusy(db, now, eventId)
  await refuseSilentCorrection(db, now, eventId, reason)
  if (early === '' && (await examsToCome(db, now, eventId))) refuseWithout('early', 'results.early_marks')
  return undefined
}

/**
 * Accepts a marks file as the next version of an event's results and enqueues reading it. Unreleased versions are replaced; a
 * scheduled release refuses it (`results.scheduled`). The file of the newest version starts nothing, unless read `again`. If
 * schools have seen a version, the new one is a correction and needs a reason.
 */
export async function startImport(
  tx: Tx,
  files: FileStore,
  scope: OfficeScope,
  now: Date,
  input: ImportRequest & { file: MarksFile },
): Promise<StartedImport> {
  const { eventId, file, reason = '' } = input
  const early = (await examsToCome(tx, now, eventId)) ? (input.early ?? '') : ''
  // Locking the event's row locks its versions: numbers are consecutive, and one import runs at a time.
  const event = await tx
    .selectFrom('events')
    .select(['id', 'season'])
    .where('id', '=', eventId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
  const read = await mayImport(tx, now, input, file.stored)
  if (read) return read
  await supersedeUnreleased(tx, eventId)
  const fileId = await storeFile(tx, files, now, {
    kind: 'marks',
    name: file.name,
    mediaType: 'application/octet-stream',
    bytes: file.stored,
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

/** The number of the event's next version. */
async function nextVersion(db: Db | Tx, eventId: number): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(version), 0) + 1 as next from result_sets where event_id = ${eventId}`.execute(db)
  return rows[0]?.next ?? 1
}

/** The newest version of the event, if it was read from this same file. */
async function readFrom(db: Db | Tx, eventId: number, sha256: string): Promise<StartedImport | undefined> {
  const { rows } = await sql<{ id: number; version: number; job_id: string | null; sha256: string | null }>`
    select s.id, s.version, s.job_id, f.sha256 from result_sets s left join files f on f.id = s.file_id
    where s.event_id = ${eventId} and s.state not in ('failed', 'superseded')
    order by s.version desc limit 1`.execute(db)
  const [newest] = rows
  if (newest?.sha256 !== sha256) return undefined
  return { setId: newest.id, version: newest.version, jobId: newest.job_id ?? '', same: true }
}

/** Refuses a correction of released results without a reason. */
async function refuseSilentCorrection(
  tx: Db | Tx,
  now: Date,
  eventId: number,
  reason: string,
): Promise<void> {
  if (reason !== '') return
  const { rows } = await sql`select from ${visibleSet(sql`${eventId}::bigint`, now)} v`.execute(tx)
  if (rows.length > 0) refuseWithout('reason', 'results.reason_missing')
}

/** Refuses a missing reason at its field. */
export function refuseWithout(path: string, code: ErrorCode): never {
  throw new Refusal(code, { issues: [{ path, message: errors[code].sentence }] })
}

/** Whether the event has an exam after today (IST). */
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

/** Marks unreleased versions of an event as replaced. */
export async function supersedeUnreleased(tx: Tx, eventId: number): Promise<void> {
  await sql`
    update result_sets set state = case state when 'importing' then 'failed' else 'superseded' end
    where event_id = ${eventId} and (state in ('importing', 'imported', 'computed')
      or (state = 'approved' and release_at is null))`.execute(tx)
}

/** Creates the next version of an event, to be filled by a job. The event's row must be locked. */
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
  if (busy) throw new Refusal(busy.state === 'approved' ? 'results.scheduled' : 'results.import_running')
}
