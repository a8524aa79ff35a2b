import type { BodyOf } from '@podium/contract/endpoint'
import type { correctResults } from '@podium/contract/results/calls-corrections'
import type { EventSection } from '@podium/contract/results/schemas'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import { giveWay, importKind, nextSet, refuseWhileBusy } from '../marks/commands.ts'
import { type MarkRow, readMarks } from '../marks/rules.ts'
import { visibleSet } from '../queries.ts'
import { sectionsOf } from '../rules.ts'

type Wanted = BodyOf<typeof correctResults>['rows'][number]
type Issue = { path: string; message: string }

/** A typed row as a row of a file would be read; what is odd about it is an issue, since it can be mended at once. */
function readTyped(
  row: Wanted,
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
  const wrong = read.odd.filter(({ kind }) => kind !== 'zero_marks')
  return { row: read, issues: wrong.map(({ column, note }) => ({ path: path(column), message: note })) }
}

const refuse = (issues: Issue[]) => {
  if (issues.length > 0) throw new Refusal('results.corrections', { issues })
}

/** The typed rows, read; refuses them with each issue at its field. */
function readAll(rows: readonly Wanted[], sections: readonly EventSection[]): MarkRow[] {
  const read = rows.map((row, at) => readTyped(row, at, sections))
  const seen = new Set<string>()
  const twice = read.flatMap(({ row: { roll } }, at): Issue[] => {
    const again = seen.has(roll)
    seen.add(roll)
    return again ? [{ path: `rows.${at}.nioRollNo`, message: 'The student stands in the list before.' }] : []
  })
  refuse([...read.flatMap(({ issues }) => issues), ...twice])
  return read.map(({ row }) => row)
}

/** Keeps the corrected rows as the first of their version. Refuses roll numbers of nobody who is enrolled in the event. */
async function keepRows(
  tx: Tx,
  setId: number,
  event: { id: number; season: string },
  rows: readonly MarkRow[],
) {
  const { rows: kept } = await sql<{ n: number }>`
    insert into result_marks (set_id, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score)
    select ${setId}, s.id, s.school_id, s.class_id, r.n, r.present, r.marks, r.raw, r.final
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(n int, roll text, present boolean, marks int[], raw int, final int)
    join students s on s.season = ${event.season} and s.exam_roll_no = r.roll
    join enrolments e on e.student_id = s.id and e.event_id = ${event.id}
    returning row_no as n`.execute(tx)
  const known = new Set(kept.map(({ n }) => n))
  refuse(
    rows
      .filter(({ n }) => !known.has(n))
      .map(({ n }) => ({
        path: `rows.${n}.nioRollNo`,
        message: 'No student of this event has this roll number.',
      })),
  )
}

/**
 * Corrects single rows of the version that schools see: the next version, whose other marks a job takes over. From there
 * on it goes the way of every version: computed, approved by somebody else, released.
 */
export async function startCorrection(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { eventId: number; reason: string; rows: readonly Wanted[] },
): Promise<{ setId: number; version: number; jobId: string }> {
  const { eventId, reason } = input
  // As for an import, the event's row is the lock behind its versions.
  const event = found(
    await tx
      .selectFrom('events')
      .select(['id', 'season', 'sections'])
      .where('id', '=', eventId)
      .forUpdate()
      .executeTakeFirst(),
  )
  await refuseWhileBusy(tx, now, eventId)
  const { rows: out } = await sql<{ id: number; version: number }>`
    select v.id, v.version from ${visibleSet(sql`${eventId}::bigint`, now)} v`.execute(tx)
  const base = found(out[0], 'results.nothing_out')
  const rows = readAll(input.rows, sectionsOf(event.sections))
  await giveWay(tx, eventId)
  const set = await nextSet(tx, scope, now, { eventId, reason })
  await keepRows(tx, set.id, event, rows)
  const jobId = await enqueueJob(tx, now, {
    kind: importKind,
    season: event.season,
    input: { setId: set.id },
    createdBy: scope.staffId,
  })
  await tx
    .updateTable('result_sets')
    .set({ job_id: jobId, based_on: base.id })
    .where('id', '=', set.id)
    .execute()
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

/** Takes over all marks of the version that is corrected, but for the corrected rows. Answers how many rows there are. */
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
  return found(rows[0], 'results.wrong_state').n
}
