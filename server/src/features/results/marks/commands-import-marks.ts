import { sentences } from '@podium/contract/sentences'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { markUnit } from '../rules.ts'
import { anomalyRules, type MarkRow } from './rules.ts'

interface Place {
  setId: number
  eventId: number
  season: string
}

const blocking = JSON.stringify(Object.entries(anomalyRules).map(([kind, rule]) => ({ kind, ...rule })))

/**
 * Says that the file has been read up to a row, in the transaction of the batch that ends there. False where it does not
 * stand where this reader began: another one has gone on, or the version has given way.
 */
export async function markRead(
  tx: Tx,
  setId: number,
  { from, to, rows }: { from: number; to: number; rows: number },
): Promise<boolean> {
  const marked = await tx
    .updateTable('result_sets')
    .set({ read_to: to, rows })
    .where('id', '=', setId)
    .where('state', '=', 'importing')
    .where('read_to', '=', from)
    .returning('id')
    .executeTakeFirst()
  return marked !== undefined
}

/** `10 + 35.5 + 1`, or `A` for who was absent. */
const marksText = (row: string): RawBuilder<string> => sql<string>`
  case when ${sql.ref(`${row}.present`)} then (
    select string_agg(trim_scale(mark / ${markUnit}::numeric)::text, ' + ' order by at)
    from unnest(${sql.ref(`${row}.marks`)}) with ordinality m(mark, at)) else 'A' end`

const sameMarks = sql`(first.present, first.marks, first.final) is not distinct from (known.present, known.marks, known.final)`

/**
 * Keeps a batch of rows in one statement: finds each student by the exam roll number of the season, keeps the marks of
 * those who are enrolled, and notes what is odd. A student's second row is left out and noted as `twice`; where the one
 * before was left out for a fault it counts, and is noted as well.
 */
export async function saveRows(tx: Tx, place: Place, rows: readonly MarkRow[]): Promise<void> {
  await sql`set local statement_timeout = '1min'`.execute(tx)
  await sql`
    with file_rows as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(n int, roll text, present boolean, marks int[], raw int, final int, "leftOut" boolean, odd jsonb)),
    -- By lists of keys, so that each is an index look-up: a join tries each with each while a table has no statistics.
    child as materialized (
      select id, school_id, class_id, exam_roll_no from students
      where season = ${place.season} and exam_roll_no = any(${rows.map(({ roll }) => roll)}::text[])),
    sits as materialized (
      select student_id from enrolments
      where event_id = ${place.eventId} and student_id = any(array(select id from child))),
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
    odd as (
      select n, roll, o.kind, o."column", o.value, o.note, null as treatment, null::int as first
      from known, jsonb_to_recordset(odd) as o(kind text, "column" text, value text, note text)
      union all
      select n, roll, 'unknown_roll', 'Roll No', roll, ${sentences.rollOfNobody}, null, null
      from known where student_id is null and roll <> ''
      union all
      select n, roll, 'not_enrolled', 'Roll No', roll, ${sentences.notInEvent}, null, null
      from known where student_id is not null and not enrolled
      union all
      select known.n, roll, 'twice', 'Roll No', roll, case when ${sameMarks} then ${sentences.rowBefore} else
        replace(replace(${sentences.rowBeforeOther}, '{there}', ${marksText('first')}), '{here}', ${marksText('known')}) end,
        null, first.n
      from known join first on first.student_id = known.student_id
      where enrolled and not "leftOut" and not exists (select from kept where kept.row_no = known.n)
      union all
      select n, roll, 'twice', 'Roll No', roll, ${sentences.faultyRowBefore}, 'kept', null
      from known where after_fault and exists (select from kept where kept.row_no = known.n))
    insert into result_anomalies (set_id, row_no, exam_roll_no, kind, blocking, detail)
    select ${place.setId}, odd.n, odd.roll, odd.kind, rule.blocking,
      jsonb_build_object('column', odd."column", 'value', odd.value, 'note', odd.note, 'treatment', coalesce(odd.treatment, rule.treatment))
        || case when odd.first is null then '{}'::jsonb else jsonb_build_object('row', odd.first) end
    from odd join jsonb_to_recordset(${blocking}::jsonb) as rule(kind text, blocking boolean, treatment text)
      on rule.kind = odd.kind
    order by odd.n`.execute(tx)
}

/**
 * Notes each paid student of the event who is nowhere in the file. Answers how many there are. By sets and not by
 * «not exists»: of rows written a moment ago the planner knows nothing, and would look through all of them for each student.
 */
export async function noteMissing(tx: Tx, { setId, eventId }: Place): Promise<number> {
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
 * Notes where the file and the attendance that schools have entered say different things: marks of a student who was
 * reported absent, none of one who was reported present. Answers how many there are.
 */
export async function noteAttendance(tx: Tx, { setId, eventId }: Place): Promise<number> {
  const detail = (note: string, treatment: string) =>
    sql`${JSON.stringify({ column: 'Attendance', value: '', note, treatment })}::jsonb`
  const noted = await sql`
    insert into result_anomalies (set_id, row_no, exam_roll_no, kind, blocking, detail)
    select ${setId}, coalesce(m.row_no, 0), s.exam_roll_no,
      case when a.student_id is not null then 'absent_reported' else 'present_reported' end, true,
      case when a.student_id is not null then ${detail(sentences.schoolSaysAbsent, 'kept')}
        when m.student_id is not null then ${detail(sentences.schoolSaysPresent, 'as_absent')}
        else ${detail(sentences.schoolSaysPresent, 'left_out')} end
    from attendance_lists l join participations p on p.id = l.participation_id
      join enrolments n on n.school_id = p.school_id and n.event_id = p.event_id and n.class_id = l.class_id
      join students s on s.id = n.student_id
      left join attendance_absences a on a.event_id = p.event_id and a.student_id = s.id
      left join result_marks m on m.set_id = ${setId} and m.student_id = s.id
    where p.event_id = ${eventId} and s.active and s.paid and s.exam_roll_no is not null
      and (a.student_id is null) <> coalesce(m.present, false)
      -- A row with a fault of its own is looked at for that.
      and not exists (select from result_anomalies o where o.set_id = ${setId} and o.exam_roll_no = s.exam_roll_no)
    order by s.exam_roll_no`.execute(tx)
  return Number(noted.numAffectedRows ?? 0)
}

/**
 * Settles what was settled in the version before already: the same roll number, kind and cell, as it was accepted there,
 * by whom and why. Answers how many.
 */
export async function keepSettled(tx: Tx, { setId, eventId }: Place): Promise<number> {
  const kept = await sql`
    with before as (
      select id from result_sets where event_id = ${eventId} and id < ${setId} and state <> 'failed'
      order by version desc limit 1),
    settled as (
      select distinct on (exam_roll_no, kind, detail - 'row') exam_roll_no, kind, detail - 'row' as detail, resolved_at, resolved_by, resolution
      from result_anomalies where set_id = (select id from before) and resolved_at is not null
      order by exam_roll_no, kind, detail - 'row', id)
    update result_anomalies a
    set resolved_at = s.resolved_at, resolved_by = s.resolved_by, resolution = s.resolution
    from settled s
    where a.set_id = ${setId} and s.exam_roll_no = a.exam_roll_no and s.kind = a.kind and s.detail = a.detail - 'row'`.execute(
    tx,
  )
  return Number(kept.numAffectedRows ?? 0)
}
