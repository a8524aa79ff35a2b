import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import {
  type ResultRow,
  type resultEvents,
  searchResults as searchCall,
} from '@podium/contract/results/calls'
import { type RawBuilder, sql } from 'kysely'
import { rulesOf } from '#features/catalogue/rules'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { listWriter, SerializedJson } from '#platform/http/http'
import { httpsOnly, publicPage } from './public-results/rules.ts'
import { markUnit } from './rules.ts'

/**
 * SQL subquery: the version of an event visible to schools and families at an instant: the highest approved one whose release
 * time has passed. It depends only on the clock, so a scheduled release needs no job to become visible.
 */
export function visibleSet(event: RawBuilder<unknown>, now: Date): RawBuilder<{ id: number }> {
  return sql`(
    select id, version, release_at, rules from result_sets
    where event_id = ${event} and state in ('approved', 'released') and release_at <= ${now}
    order by version desc limit 1)`
}

/**
 * SQL: students `st` whose marks `m` in a version contradict their school's attendance (`a` if absent). Rows with an error of
 * their own are excluded, because that is reviewed anyway, and so is who came to the school after it had entered the list.
 */
export const contradictingAttendance = (setId: RawBuilder<unknown>, eventId: RawBuilder<unknown>) => sql`
  from attendance_lists l join participations p on p.id = l.participation_id
    join enrolments n on n.school_id = p.school_id and n.event_id = p.event_id and n.class_id = l.class_id
    join students st on st.id = n.student_id
    left join attendance_absences a on a.event_id = p.event_id and a.student_id = st.id
    left join result_marks m on m.set_id = ${setId} and m.student_id = st.id
  where p.event_id = ${eventId} and st.active and st.paid and st.exam_roll_no is not null
    and (a.student_id is null) <> coalesce(m.present, false)
    and (a.student_id is not null or l.saved_at > coalesce((
      select max(v.at) from student_moves v where v.student_id = st.id and v.from_school <> v.to_school), '-infinity'))
    and not exists (select from result_anomalies o where o.set_id = ${setId} and o.exam_roll_no = st.exam_roll_no)`

/**
 * SQL: whether schools have entered contradicting attendance since version `s` was computed, which compares it. Lists from the
 * hour before are included, because one may have been saved during the computation.
 */
export const attendanceChanged = (now: Date) => sql<boolean>`(case when s.state in ('computed', 'approved')
  and not exists (select from ${visibleSet(sql`s.event_id`, now)} v where v.id <> s.id)
  then exists (select ${contradictingAttendance(sql`s.id`, sql`s.event_id`)}
    and l.saved_at > s.computed_at - interval '1 hour')
  else false end)`

/**
 * SQL: whether a school in version `s`, which waits for its release, has another state or zone since it was computed. All rows
 * of a school have the same ones.
 */
export const placesChanged = sql<boolean>`(s.state in ('computed', 'approved') and exists (
  select from schools o cross join lateral (
    select r.state, r.zone from results r
    where r.school_id = o.id and r.event_id = s.event_id and r.set_id = s.id limit 1) r
  where (r.state, r.zone) <> (o.state, o.zone)))`

/**
 * Refuses a decision on a locked version if attendance, or the place of a school, has changed since it was computed; locking
 * prevents concurrent attendance.
 */
export async function refuseChangedSince(tx: Tx, now: Date, setId: number): Promise<void> {
  const { rows } = await sql<{ attendance: boolean; places: boolean }>`
    select ${attendanceChanged(now)} as attendance, ${placesChanged} as places
    from result_sets s where s.id = ${setId}`.execute(tx)
  if (rows[0]?.attendance) throw new Refusal('results.attendance_changed')
  if (rows[0]?.places) throw new Refusal('results.places_changed')
}

/** A row of `results`, from which answers are made. */
export interface StoredResult {
  set_id: number
  student_id: number
  event_id: number
  class_id: number
  section: string
  exam_roll_no: string
  student_name: string
  present: boolean
  raw_score: number
  final_score: number
  class_rank: number | null
  state_rank: number | null
  zonal_rank: number | null
  olympiad_rank: number | null
  class_pool: number | null
  state_pool: number | null
  zonal_pool: number | null
  olympiad_pool: number | null
  medal: string
  prize: string
  prize_amount: number
  coupon_link: string
  award: string
  next_level: boolean
  link_secret: string
}

export const resultColumns = sql.raw(
  `r.set_id, r.student_id, r.event_id, r.class_id, r.section, r.exam_roll_no, r.student_name, r.present, r.raw_score,
   r.final_score, r.class_rank, r.state_rank, r.zonal_rank, r.olympiad_rank, r.class_pool, r.state_pool, r.zonal_pool,
   r.olympiad_pool, r.medal, r.prize, r.prize_amount, r.coupon_link, r.award, r.next_level, r.link_secret`,
)

const seenColumns =
  'present raw_score final_score class_rank state_rank zonal_rank olympiad_rank medal prize award next_level'

/** SQL: the visible parts of a result, for comparing versions: marks, ranks, medals, prizes, eligibility. */
export const visibleResult = (alias: string) =>
  sql.join(seenColumns.split(' ').map((name) => sql.ref(`${alias}.${name}`)))

const certifiedColumns =
  'student_name present class_rank state_rank zonal_rank olympiad_rank class_pool state_pool zonal_pool olympiad_pool medal prize award'

/** SQL: the parts of a result on its certificate; if a correction changes them, earlier certificates are invalid. */
export const certified = (alias: string) =>
  sql.join(certifiedColumns.split(' ').map((name) => sql.ref(`${alias}.${name}`)))

/** SQL order: Nursery, LKG, UKG, Class 1 … 12, then by rank, absent students last. */
export const tableOrder = sql.raw(
  `case r.class_id when 15 then -3 when 13 then -2 when 14 then -1 else r.class_id end, r.class_rank nulls last, r.exam_roll_no`,
)

/** A row of the results table. `nextLevel` is the level the event leads to, or null. */
export function resultRow(row: StoredResult, nextLevel: number | null): ResultRow {
  const eligible = row.next_level ? 'YES' : 'NO'
  return {
    resultId: `${row.set_id}-${row.student_id}`,
    eventYearId: row.event_id,
    classId: row.class_id,
    className: className(row.class_id),
    section: row.section,
    nioRollNo: row.exam_roll_no,
    studentName: row.student_name,
    accessCode: '',
    absent: !row.present,
    rawMarks: row.raw_score / markUnit,
    marks: row.final_score / markUnit,
    finalClassRank: row.class_rank,
    finalStateRank: row.state_rank,
    zonalRank: row.zonal_rank,
    finalOlympiadRank: row.olympiad_rank,
    medalNew: row.medal,
    prize_Amount_Msg: row.prize !== '' ? row.prize : row.award,
    prizeAmount: rupeesOf(row.prize_amount),
    award: row.award,
    couponLink: httpsOnly(row.coupon_link),
    resultLink: row.present ? publicPage(row) : '',
    level2: nextLevel === 2 ? eligible : '',
    level3: nextLevel === 3 ? eligible : '',
  }
}

/** The subjects in a school's search form, those with released results first. */
export async function resultEventsOf(db: Db, scope: SchoolScope, now: Date, season: string) {
  const { rows } = await sql<
    Omit<AnswerOf<typeof resultEvents>['data'][number], 'leadsOn'> & { sections: unknown; rules: unknown }
  >`
    select e.id as "eventYearId", s.name as "subjectName", e.letter as "eventLetter", e.level as "examLevel",
      s.little_star as "littleStar", e.sections, e.rules, v.id is not null as released,
      exists (select from results r where r.school_id = ${scope.schoolId} and r.event_id = e.id and r.set_id = v.id) as mine,
      v.id is not null and h.event_id is not null as withheld
    from events e join subjects s on s.letter = e.letter
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join result_holds h on h.event_id = e.id and h.school_id = ${scope.schoolId}
    where e.season = ${season}
    order by v.id is null, e.level, s.position`.execute(db)
  return rows.map(({ sections, rules, ...row }) => ({
    ...row,
    leadsOn: rulesOf({ letter: row.eventLetter, level: row.examLevel, sections, rules }).nextLevel !== null,
  }))
}

export const actions = { 2: 'medal', 3: 'prize', 5: 'award' } as const

interface SearchInput {
  fyear: string
  eventYearId: number
  eventLetter: string
  examLevel: number
  classId: number
  action?: keyof typeof actions | 0 | '' | null | undefined
}

/** Parses a school's result filter from the specification's field names. */
export function filterOf({ fyear, eventYearId, eventLetter, examLevel, classId, action }: SearchInput) {
  const only = action ? actions[action] : undefined
  return { season: fyear, eventId: eventYearId, letter: eventLetter, level: examLevel, classId, action: only }
}

interface ResultSearch extends ReturnType<typeof filterOf> {
  offset: number
  limit: number | undefined
}

const narrowed = {
  medal: sql`and r.medal <> ''`,
  prize: sql`and r.prize <> ''`,
  award: sql`and r.award <> ''`,
}

interface EventHead {
  maximum_marks: number
  visible_id: number | null
  version: number | null
  release_at: Date | null
  next_level_no: number | null
  hold: string | null
  total: number
}

/**
 * The results of a school in one event, in one statement over one index. The event's row is included, to distinguish “not
 * released”, “withheld” and “none”. Unreleased versions and withheld schools are never read.
 */
export async function searchResults(db: Db, scope: SchoolScope, now: Date, search: ResultSearch) {
  const { rows } = await sql<EventHead & Partial<StoredResult>>`
    select e.maximum_marks, v.id as visible_id, v.version, v.release_at, h.reason as hold,
      (v.rules->'nextLevel'->>'level')::int as next_level_no, r.*
    from events e
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join result_holds h on h.event_id = e.id and h.school_id = ${scope.schoolId}
    left join lateral (
      select ${resultColumns}, count(*) over () as total from results r
      where r.school_id = ${scope.schoolId} and r.event_id = e.id and r.set_id = v.id and h.reason is null
        ${search.classId === 0 ? sql`` : sql`and r.class_id = ${search.classId}`}
        ${search.action === undefined ? sql`` : narrowed[search.action]}
      order by ${tableOrder} limit ${search.limit ?? null}::int offset ${search.offset}::int) r on true
    where e.id = ${search.eventId} and e.season = ${search.season} and e.letter = ${search.letter}
      and e.level = ${search.level}`.execute(db)
  const head = orNotFound(rows[0])
  const state = head.visible_id === null ? 'awaited' : head.hold === null ? 'released' : 'withheld'
  return {
    state,
    version: state === 'released' ? head.version : null,
    releasedAt: state === 'awaited' ? null : head.release_at,
    maximumMarks: head.maximum_marks,
    total: head.total ?? 0,
    data: rows.flatMap((row) => (hasResult(row) ? [resultRow(row, head.next_level_no)] : [])),
  } as const
}

function hasResult<Row extends Partial<StoredResult>>(row: Row): row is Row & StoredResult {
  return row.student_id !== undefined && row.student_id !== null
}

/** Parses a result's id, `<version id>-<student id>`. */
export function parseResultId(resultId: string): { setId: number; studentId: number } {
  const [setId, studentId] = resultId.split('-').map(Number)
  return { setId: setId ?? 0, studentId: studentId ?? 0 }
}

/** The event's data for result e-mails. */
export async function announcedEvent(db: Db | Tx, setId: number) {
  return db
    .selectFrom('result_sets')
    .innerJoin('events', 'events.id', 'result_sets.event_id')
    .innerJoin('subjects', 'subjects.letter', 'events.letter')
    .select(['events.id as eventId', 'subjects.name as subjectName', 'events.season', 'events.level'])
    .select(['result_sets.version', 'result_sets.reason'])
    .where('result_sets.id', '=', setId)
    .executeTakeFirst()
}

/** A released version, for its e-mail. */
export interface AnnouncedSet {
  setId: number
  eventId: number
  subjectName: string
  season: string
  level: number
  version: number
  /** Reason for the correction; empty for a first version */
  reason: string
}

/** The currently released version of an event, for its e-mail; undefined if none. */
export async function visibleAnnouncement(db: Db | Tx, now: Date, eventId: number) {
  const { rows } = await sql<AnnouncedSet>`
    select v.id as "setId", e.id as "eventId", s.name as "subjectName", e.season, e.level, v.version, '' as reason
    from events e join subjects s on s.letter = e.letter
    join lateral ${visibleSet(sql`e.id`, now)} v on true
    where e.id = ${eventId}`.execute(db)
  return rows[0]
}

/** Increment whenever the content of `resultRow` changes; changed fields are detected automatically. */
const edition = 1

const { write, shape } = listWriter<ResultRow>(searchCall)
const editionShape = () => `${edition}-${shape()}`

interface Head {
  maximum_marks: number
  visible_id: number | null
  version: number | null
  release_at: Date | null
  next_level_no: number | null
  hold: string | null
  rows: number | null
  body: string | null
}

const fits = (rows: number, { limit }: ResultSearch) => limit === undefined || rows <= limit
const isWhole = ({ classId, action, offset }: ResultSearch) =>
  classId === 0 && action === undefined && offset === 0

/**
 * SQL: whether the officer typed marks of version `s`, accepted its anomalies, or saved the rules it was computed with. Typed
 * rows are found in the activity log: one that is reopened, or typed again by a colleague, no longer names its first author,
 * but may still have their marks. Rules have one author, the last, because they are always saved as a whole.
 */
export const hasTakenPart = ({ staffId }: OfficeScope) => sql<boolean>`(
  exists (select from result_anomalies a where a.set_id = s.id and a.resolved_by = ${staffId})
  or exists (
    select from event_rules r where r.event_id = s.event_id and r.version = s.rules_version and r.saved_by = ${staffId})
  or exists (
    select from audit l where l.subject_kind = 'result_set' and l.subject_id = s.id::text
      and l.action = 'results.row_corrected' and l.actor_kind = 'office' and l.actor_id = ${staffId}))`

/**
 * The released results of a school in one event. The complete list is answered from a cached JSON copy, created at the first
 * request; triggers delete it when rows change (0018_triggers.sql). This statement decides, as always, whether the version is
 * visible and not withheld.
 */
export async function listResults(db: Db, scope: SchoolScope, now: Date, search: ResultSearch) {
  if (!isWhole(search)) return searchResults(db, scope, now, search)
  const { rows } = await sql<Head>`
    select e.maximum_marks, v.id as visible_id, v.version, v.release_at, h.reason as hold,
      (v.rules->'nextLevel'->>'level')::int as next_level_no, l.rows,
      case when l.rows <= coalesce(${search.limit ?? null}::int, l.rows) then l.body end as body
    from events e
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join result_holds h on h.event_id = e.id and h.school_id = ${scope.schoolId}
    left join result_lists l on l.school_id = ${scope.schoolId} and l.set_id = v.id and h.reason is null and l.shape = ${editionShape()}
    where e.id = ${search.eventId} and e.season = ${search.season} and e.letter = ${search.letter}
      and e.level = ${search.level}`.execute(db)
  const [head] = rows
  if (!head) return searchResults(db, scope, now, search)
  const { visible_id: setId, hold } = head
  if (setId === null || hold !== null) return searchResults(db, scope, now, search)
  const list =
    head.body !== null && head.rows !== null
      ? { rows: head.rows, body: head.body }
      : head.rows === null && (await storeList(db, scope, setId, head.next_level_no))
  if (!list || !fits(list.rows, search)) return searchResults(db, scope, now, search)
  return {
    state: 'released',
    version: head.version,
    releasedAt: head.release_at,
    maximumMarks: head.maximum_marks,
    total: list.rows,
    data: new SerializedJson(list.body),
  } as const
}

/**
 * Caches the list of a school. Locks the school and its rows meanwhile: changes, including merges, either come first or delete
 * the cached list.
 */
async function storeList(db: Db, scope: SchoolScope, setId: number, nextLevel: number | null) {
  return db.transaction().execute(async (tx: Tx) => {
    await sql`select id from schools where id = ${scope.schoolId} for share`.execute(tx)
    const { rows } = await sql<StoredResult>`
      select ${resultColumns} from results r where r.school_id = ${scope.schoolId} and r.set_id = ${setId}
      order by ${tableOrder} for share`.execute(tx)
    if (rows.length === 0) return undefined
    const body = write(rows.map((row) => resultRow(row, nextLevel))).json
    await sql`
      insert into result_lists (school_id, set_id, shape, rows, body)
      values (${scope.schoolId}, ${setId}, ${editionShape()}, ${rows.length}, ${body})
      on conflict (school_id, set_id) do update
      set shape = excluded.shape, rows = excluded.rows, body = excluded.body`.execute(tx)
    return { rows: rows.length, body }
  })
}
