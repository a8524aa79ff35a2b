import type { BodyOf } from '@podium/contract/endpoint'
import { officeMessages } from '@podium/contract/office/messages'
import type { correctResults } from '@podium/contract/results/calls-corrections'
import type { EventSection } from '@podium/contract/results/schemas'
import { formatSentence, sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/rules'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import { importKind, nextSet, refuseWhileBusy, supersedeUnreleased } from '../marks/commands.ts'
import { anomalyRules, type MarkRow, readMarks } from '../marks/rules.ts'
import { visibleSet } from '../queries.ts'
import { markUnit } from '../rules.ts'

type CorrectionInput = BodyOf<typeof correctResults>['rows'][number]
type Issue = { path: string; message: string }

/** Parses a typed row like a row of a file; anomalies become issues, because they can be corrected at once. */
function readTyped(
  row: CorrectionInput,
  at: number,
  sections: readonly EventSection[],
): { row: MarkRow; issues: Issue[] } {
  const marks = sections.map((_, index) => row.marks[index] ?? '')
  const columns = {
    roll: 0,
    attendance: 1,
    sections: sections.map((_, index) => index + 2),
    finalScore: sections.length + 2,
    weight: undefined,
  }
  const cells = [row.nioRollNo, row.present ? 'P' : 'A', ...marks, row.finalScore ?? '']
  const read = readMarks(at, cells, columns, sections)
  const path = (column: string) => {
    const section = sections.findIndex(({ name }) => name === column)
    if (section >= 0) return `rows.${at}.marks.${section}`
    return column === 'Final Score' ? `rows.${at}.finalScore` : `rows.${at}.nioRollNo`
  }
  const wrong = read.anomalies.filter(({ kind }) => kind !== 'zero_marks')
  return { row: read, issues: wrong.map(({ column, note }) => ({ path: path(column), message: note })) }
}

const refuse = (issues: Issue[]) => {
  if (issues.length > 0) throw new Refusal('results.corrections', { issues })
}

/** Parses typed rows; refuses with each issue at its field. */
function readAll(rows: readonly CorrectionInput[], sections: readonly EventSection[]): MarkRow[] {
  const read = rows.map((row, index) => readTyped(row, index, sections))
  const seen = new Set<string>()
  const twice = read.flatMap(({ row: { roll } }, index): Issue[] => {
    const again = seen.has(roll)
    seen.add(roll)
    return again ? [{ path: `rows.${index}.nioRollNo`, message: officeMessages.studentListed }] : []
  })
  refuse([...read.flatMap(({ issues }) => issues), ...twice])
  return read.map(({ row }) => row)
}

/** Stores the corrected rows as the first of their version. Refuses roll numbers that are not enrolled in the event. */
async function storeRows(
  tx: Tx,
  setId: number,
  event: { id: number; season: string },
  rows: readonly MarkRow[],
) {
  const { rows: inserted } = await sql<{ n: number }>`
    insert into result_marks (set_id, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score)
    select ${setId}, s.id, s.school_id, s.class_id, r.n, r.present, r.marks, r.raw, r.final
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(n int, roll text, present boolean, marks int[], raw int, final int)
    join students s on s.season = ${event.season} and s.exam_roll_no = r.roll and s.active
    join enrolments e on e.student_id = s.id and e.event_id = ${event.id}
    returning row_no as n`.execute(tx)
  const known = new Set(inserted.map(({ n }) => n))
  refuse(
    rows
      .filter(({ n }) => !known.has(n))
      .map(({ n }) => ({ path: `rows.${n}.nioRollNo`, message: officeMessages.rollNotInEvent })),
  )
}

/**
 * Corrects single rows of the released version: creates the next version, to which a job copies all other marks. From then on
 * it is treated like any version: computed, approved by someone else, released.
 */
export async function startCorrection(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { eventId: number; reason: string; rows: readonly CorrectionInput[] },
): Promise<{ setId: number; version: number; jobId: string }> {
  const { eventId, reason } = input
  // As for an import, locking the event's row locks its versions.
  const event = await tx
    .selectFrom('events')
    .select(['id', 'season', 'sections'])
    .where('id', '=', eventId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
  await refuseWhileBusy(tx, now, eventId)
  const { rows: out } = await sql<{ id: number; version: number }>`
    select v.id, v.version from ${visibleSet(sql`${eventId}::bigint`, now)} v`.execute(tx)
  const base = orNotFound(out[0], 'results.nothing_out')
  const rows = readAll(input.rows, sectionsOf(event.sections))
  await supersedeUnreleased(tx, eventId)
  const set = await nextSet(tx, scope, now, { eventId, reason })
  await storeRows(tx, set.id, event, rows)
  const jobId = await enqueueJob(tx, now, {
    kind: importKind,
    season: event.season,
    input: { setId: set.id },
    createdBy: scope.staffId,
  })
  await changeRows(tx, 'result_sets', { where: { id: set.id }, set: { job_id: jobId, based_on: base.id } })
  const subject = { kind: 'result_set', id: set.id, season: event.season }
  await audit(tx, now, scope, 'results.corrected', subject, {
    eventYearId: eventId,
    version: set.version,
    from: { version: base.version },
    reason,
    rows: rows.map(({ roll, present, marks, final }) => ({ roll, present, marks, final })),
  })
  return { setId: set.id, version: set.version, jobId }
}

/** Copies all marks of the corrected version, except the corrected rows. Returns the number of rows. */
export async function takeOverMarks(tx: Tx, setId: number, basedOn: number): Promise<number> {
  await sql`set local statement_timeout = '5min'`.execute(tx)
  await sql`
    insert into result_marks (set_id, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score)
    select ${setId}, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score
    from result_marks where set_id = ${basedOn}
    on conflict (set_id, student_id) do nothing`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    update result_sets set state = 'imported',
      rows = (select count(*) from result_marks where set_id = ${setId})
    where id = ${setId} and state = 'importing' returning rows as n`.execute(tx)
  return orNotFound(rows[0], 'results.wrong_state').n
}

/**
 * Corrects one odd row of an imported version: the marks count for the given student instead. All anomalies of the row are
 * resolved, and the student is no longer missing. Refuses a student whose marks come from another row of the file.
 */
export async function correctRow(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { setId: number; anomalyId: number; row: CorrectionInput; note: string },
): Promise<void> {
  const { setId, anomalyId } = input
  const set = await tx
    .selectFrom('result_sets as s')
    .innerJoin('events as e', 'e.id', 's.event_id')
    .select(['s.state', 'e.id', 'e.season', 'e.sections'])
    .where('s.id', '=', setId)
    .forUpdate('s')
    .executeTakeFirstOrThrow(notFound)
  if (set.state !== 'imported') throw new Refusal('results.wrong_state')
  const anomaly = await tx
    .selectFrom('result_anomalies')
    .select(['row_no', 'exam_roll_no', 'kind'])
    .where('id', '=', anomalyId)
    .where('set_id', '=', setId)
    .executeTakeFirstOrThrow(notFound)
  const [row] = readAll([input.row], sectionsOf(set.sections))
  const { roll, present, marks, raw, final } = orNotFound(row)
  const { rows: inserted } = await sql<{ id: number }>`
    insert into result_marks (set_id, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score)
    select ${setId}, s.id, s.school_id, s.class_id, ${anomaly.row_no}, ${present}, ${marks}::int[], ${raw}, ${final}
    from students s join enrolments e on e.student_id = s.id and e.event_id = ${set.id}
    where s.season = ${set.season} and s.exam_roll_no = ${roll} and s.active
    on conflict (set_id, student_id) do update set present = excluded.present, section_marks = excluded.section_marks,
      raw_score = excluded.raw_score, final_score = excluded.final_score
      where result_marks.row_no = ${anomaly.row_no} or ${roll} = ${anomaly.exam_roll_no}
    returning student_id as id`.execute(tx)
  const [student] = inserted
  if (!student) await refuseRoll(tx, { setId, event: set, roll })
  // The student previously assigned is now missing, unless another row has them.
  const { rows: moved } = await sql<{ roll: string }>`
    delete from result_marks m using students s
    where m.set_id = ${setId} and m.row_no = ${anomaly.row_no} and ${anomaly.row_no} > 0 and s.id = m.student_id
      and m.student_id <> ${student?.id ?? 0}
    returning s.exam_roll_no as roll`.execute(tx)
  const missing = { column: '', value: '', note: sentences.paidNotInFile, treatment: 'left_out' }
  if (moved.length > 0)
    await tx
      .insertInto('result_anomalies')
      .values(
        moved.map((item) => ({
          set_id: setId,
          row_no: 0,
          exam_roll_no: item.roll,
          kind: 'missing',
          blocking: anomalyRules.missing.blocking,
          detail: JSON.stringify(missing),
        })),
      )
      .execute()
  const words = [present ? marks.map((mark) => mark / markUnit).join(' + ') : 'A', input.note]
  const resolution = [roll, ...words].filter((text) => text !== '').join(' · ')
  await sql`
    update result_anomalies set detail = detail || '{"treatment": "corrected"}', resolved_at = ${now},
      resolved_by = ${scope.staffId}, resolution = ${resolution}
    where set_id = ${setId} and (id = ${anomalyId}
      or (resolved_at is null and ((row_no = ${anomaly.row_no} and row_no > 0) or (kind = 'missing'
      and exam_roll_no = ${roll}))))`.execute(tx)
  const subject = { kind: 'result_set', id: setId, season: set.season }
  await audit(tx, now, scope, 'results.row_corrected', subject, {
    from: { rollNo: anomaly.exam_roll_no },
    to: { rollNo: roll, present, marks, final },
    row: anomaly.row_no,
    ...(moved.length === 0 ? {} : { missing: moved.map((item) => item.roll) }),
    ...(input.note === '' ? {} : { note: input.note }),
  })
}

/** Throws why no marks could be written for a roll number: not in the event, or in another row of the file. */
async function refuseRoll(
  tx: Tx,
  { setId, event, roll }: { setId: number; event: { id: number; season: string }; roll: string },
): Promise<never> {
  const { rows } = await sql<{ row: number }>`
    select m.row_no as row from result_marks m join students s on s.id = m.student_id
    where m.set_id = ${setId} and s.season = ${event.season} and s.exam_roll_no = ${roll}`.execute(tx)
  const [other] = rows
  const message = other ? formatSentence('marksInRow', { n: other.row }) : officeMessages.rollNotInEvent
  throw new Refusal('results.corrections', { issues: [{ path: 'rows.0.nioRollNo', message }] })
}
