import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import type {
  ResultChange,
  ResultFacts,
  resultOnRecord,
  searchCandidates,
} from '@podium/contract/results/calls-corrections'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound } from '#platform/errors'
import { visibleResult, visibleSet } from '../queries.ts'
import { markUnit } from '../rules.ts'

interface ChangeLine extends Omit<ResultChange, 'className'> {
  classId: number
  schCode: string
  schName: string
  total: number
}

/** SQL: a version's side of a change, with marks in stored units. */
function side(alias: string) {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`
    case when ${of('student_id')} is not null then jsonb_build_object('absent', not ${of('present')},
      'rawMarks', ${of('raw_score')}, 'marks', ${of('final_score')}, 'classRank', ${of('class_rank')},
      'stateRank', ${of('state_rank')}, 'zonalRank', ${of('zonal_rank')}, 'olympiadRank', ${of('olympiad_rank')},
      'medal', ${of('medal')}, 'prize', ${of('prize')}, 'award', ${of('award')}, 'nextLevel', ${of('next_level')}) end`
}

interface VersionPair {
  before: number
  after: number
  where: RawBuilder<unknown>
  limit: number
  offset: number
}

/** The results that differ between two versions of an event, best new results first; `where` filters both sides. */
async function changedRows(db: Db | Tx, { before, after, where, limit, offset }: VersionPair) {
  const { rows } = await sql<ChangeLine>`
    with new as (select r.* from results r where r.set_id = ${after} and ${where}),
      old as (select r.* from results r where r.set_id = ${before} and ${where})
    select coalesce(new.exam_roll_no, old.exam_roll_no) as "nioRollNo",
      coalesce(new.student_name, old.student_name) as "studentName",
      coalesce(new.class_id, old.class_id) as "classId", coalesce(new.section, old.section) as section,
      h.code as "schCode", h.name as "schName", ${side('old')} as before, ${side('new')} as after,
      count(*) over () as total
    from new full join old on old.student_id = new.student_id
      join schools h on h.id = coalesce(new.school_id, old.school_id)
    where (${visibleResult('new')}) is distinct from (${visibleResult('old')})
    order by coalesce(new.class_id, old.class_id), abs(coalesce(new.final_score, 0) - coalesce(old.final_score, 0)) desc,
      coalesce(new.olympiad_rank, old.olympiad_rank) nulls last, coalesce(new.student_id, old.student_id)
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

const inMarks = (row: ResultFacts | null) =>
  row && { ...row, rawMarks: row.rawMarks / markUnit, marks: row.marks / markUnit }

const change = ({ classId, total: _, ...row }: ChangeLine) => ({
  ...row,
  className: className(classId),
  before: inMarks(row.before),
  after: inMarks(row.after),
})

/** The previous version that schools have seen, if any. */
async function versionBefore(db: Db | Tx, setId: number) {
  const { rows } = await sql<{ id: number; version: number }>`
    select b.id, b.version from result_sets s
    join result_sets b on b.event_id = s.event_id and b.version < s.version
      and b.released_at is not null and b.state in ('released', 'superseded')
    where s.id = ${setId} order by b.version desc limit 1`.execute(db)
  return rows[0]
}

/** A page of the changes from the version schools last saw to a computed one. */
export async function officeChanges(
  db: Db,
  _scope: OfficeScope,
  query: { setId: number; page: number; pageSize: number },
) {
  orNotFound(await firstRow(db, 'result_sets', { id: query.setId }, ['id']))
  const before = await versionBefore(db, query.setId)
  if (!before) return { version: null, data: [], total: 0 }
  const rows = await changedRows(db, {
    before: before.id,
    after: query.setId,
    where: sql`true`,
    limit: query.pageSize,
    offset: (Math.max(query.page, 1) - 1) * query.pageSize,
  })
  return { version: before.version, total: rows[0]?.total ?? 0, data: rows.map(change) }
}

interface RecordedResult extends Omit<RecordedStudent, 'className' | 'result'> {
  class_id: number
  present: boolean | null
  section_marks: number[] | null
  final_score: number | null
}
type RecordedStudent = NonNullable<AnswerOf<typeof resultOnRecord>['data']>

/** The student with a roll number in an event, with the released marks, for correcting them. */
export async function recordedResult(
  db: Db,
  _scope: OfficeScope,
  now: Date,
  query: { eventYearId: number; nioRollNo: string },
) {
  const event = sql`${query.eventYearId}::bigint`
  const { rows } = await sql<RecordedResult>`
    select s.name as "studentName", s.class_id, s.section, h.code as "schCode", h.name as "schName", m.present,
      m.section_marks, m.final_score
    from events v
    join students s on s.season = v.season and s.exam_roll_no = ${query.nioRollNo.toUpperCase()}
    join enrolments e on e.student_id = s.id and e.event_id = v.id
    join schools h on h.id = s.school_id
    left join result_marks m on m.student_id = s.id and m.set_id = (select o.id from ${visibleSet(event, now)} o)
    where v.id = ${event}`.execute(db)
  const [row] = rows
  if (!row) return { data: null }
  const { class_id, present, section_marks, final_score, ...student } = row
  const isComplete = present !== null && section_marks !== null && final_score !== null
  return {
    data: {
      ...student,
      className: className(class_id),
      result: isComplete
        ? { present, marks: section_marks.map((n) => n / markUnit), finalScore: final_score / markUnit }
        : null,
    },
  }
}

/** How many students a search looks at: two letters may begin the names of a hundred thousand, and ten are shown. */
const maxLooked = 10_000

/** Paid students of an event with this exam roll no, or a name matching these word prefixes. */
export async function candidatesLike(
  db: Db,
  _scope: OfficeScope,
  { eventYearId, search }: { eventYearId: number; search: string },
) {
  const words = foldName(search).split(' ').filter(Boolean)
  // Folded words have only letters and digits, so no text search operators.
  const query = words.map((word) => `'${word}':*`).join(' & ')
  // Uses the index students_by_words
  const named = sql`or array_to_tsvector(string_to_array(s.name_key, ' ')) @@ ${query}::tsquery`
  const { rows } = await sql<
    Omit<AnswerOf<typeof searchCandidates>['data'][number], 'className'> & { classId: number }
  >`
    with found as materialized (
      select s.id, s.exam_roll_no as roll, s.name, s.class_id, s.section, s.school_id from students s
      where s.season = (select season from events where id = ${eventYearId})
        and (s.exam_roll_no = ${search.trim().toUpperCase()} ${words.length > 0 ? named : sql``})
        and s.active and s.paid and s.exam_roll_no is not null
      limit ${maxLooked})
    select s.roll as "nioRollNo", s.name as "studentName", s.class_id as "classId", s.section, h.code as "schCode"
    from found s join schools h on h.id = s.school_id
    where exists (select from enrolments e where e.student_id = s.id and e.event_id = ${eventYearId})
    order by s.roll limit 10`.execute(db)
  return { data: rows.map(({ classId, ...row }) => ({ ...row, className: className(classId) })) }
}

interface CorrectionRow {
  id: number
  version: number
  reason: string
}
type ReleasedCorrection = CorrectionRow & { release_at: Date }

const maxChanges = 500

const seenVersions = (eventId: number, now: Date) => sql`
  select id, version, reason, release_at from result_sets
  where event_id = ${eventId} and release_at <= ${now} and state in ('approved', 'released', 'superseded')`

/** What an event's corrections changed for a school, newest first; nothing while withheld. */
export async function correctionsOf(db: Db, scope: SchoolScope, now: Date, eventId: number) {
  const { rows } = await sql<ReleasedCorrection>`
    ${seenVersions(eventId, now)} and not exists (
      select from result_holds h where h.event_id = ${eventId} and h.school_id = ${scope.schoolId})
    order by version desc`.execute(db)
  const corrections = await changesFor(db, scope.schoolId, eventId, rows)
  return corrections.map(({ set, ...correction }) => ({
    ...correction,
    releasedAt: set.release_at.toISOString(),
  }))
}

/** The same as the school would see it after an unreleased version is released; for the office. */
export async function correctionsWith(
  db: Db,
  _scope: OfficeScope,
  now: Date,
  target: { set: CorrectionRow; eventId: number; schoolId: number },
) {
  const { rows } =
    await sql<ReleasedCorrection>`${seenVersions(target.eventId, now)} order by version desc`.execute(db)
  const versions = [{ ...target.set, release_at: null }, ...rows]
  const corrections = await changesFor(db, target.schoolId, target.eventId, versions)
  return corrections.map(({ set, ...correction }) => ({
    ...correction,
    releasedAt: set.release_at?.toISOString() ?? null,
  }))
}

async function changesFor<Version extends CorrectionRow>(
  db: Db,
  schoolId: number,
  eventId: number,
  versions: Version[],
) {
  const corrections = []
  for (const [index, set] of versions.entries()) {
    const before = versions[index + 1]
    if (!before) break
    const where = sql`r.school_id = ${schoolId} and r.event_id = ${eventId}`
    const changed = await changedRows(db, {
      before: before.id,
      after: set.id,
      where,
      limit: maxChanges,
      offset: 0,
    })
    if (changed.length === 0) continue
    corrections.push({
      set,
      version: set.version,
      reason: set.reason,
      changes: changed.map(change),
      count: changed[0]?.total ?? 0,
    })
  }
  return corrections
}
