import { type ResultSet, resultSetState } from '@podium/contract/results/calls-office'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { rulesOf, sectionsOf } from '#features/catalogue/rules'
import { joinedAfter } from '#features/staff/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound } from '#platform/errors'
import { fingerprint } from '#platform/http/idempotency'
import { attendanceChanged, hasTakenPart, visibleSet } from './queries.ts'
import { decisionBasis } from './release/queries-school-preview.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

interface EventLine {
  id: number
  season: string
  name: string
  letter: string
  level: number
  maximum_marks: number
  sections: unknown
  rules: unknown
  rules_version: number
  holds: number
  last_exam: string | null
  results_from: string
  visible_id: number | null
  visible_version: number | null
  visible_at: Date | null
  newest_id: number | null
  newest_version: number | null
  newest_state: string | null
  newest_at: Date | null
}

async function readEvents(db: Db, now: Date, which: RawBuilder<unknown>): Promise<EventLine[]> {
  const { rows } = await sql<EventLine>`
    select e.id, e.season, s.name, e.letter, e.level, e.maximum_marks, e.sections, e.rules, e.rules_version,
      (select count(*) from result_holds h where h.event_id = e.id) as holds,
      (select max(held_on)::text from exam_dates d where d.event_id = e.id) as last_exam,
      z.results_from::text as results_from,
      v.id as visible_id, v.version as visible_version, v.release_at as visible_at,
      n.id as newest_id, n.version as newest_version, n.state as newest_state, n.release_at as newest_at
    from events e join subjects s on s.letter = e.letter join seasons z on z.label = e.season
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join lateral (
      select id, version, state, release_at from result_sets
      where event_id = e.id and state not in ('superseded', 'failed') order by version desc limit 1) n on true
    where ${which}
    order by e.level, s.position`.execute(db)
  return rows
}

function officeEvent(row: EventLine) {
  return {
    eventYearId: row.id,
    season: row.season,
    subjectName: row.name,
    eventLetter: row.letter,
    examLevel: row.level,
    maximumMarks: row.maximum_marks,
    sections: sectionsOf(row.sections),
    rulesVersion: row.rules_version,
    holds: row.holds,
    lastExamOn: row.last_exam,
    resultsFrom: row.results_from,
    visible:
      row.visible_id !== null && row.visible_version !== null && row.visible_at !== null
        ? { setId: row.visible_id, version: row.visible_version, releaseAt: row.visible_at.toISOString() }
        : null,
    newest:
      row.newest_id !== null && row.newest_version !== null
        ? {
            setId: row.newest_id,
            version: row.newest_version,
            state: resultSetState.parse(row.newest_state),
            releaseAt: iso(row.newest_at),
          }
        : null,
  }
}

/** The events of a season with their released and newest versions. */
export async function officeEvents(db: Db, _scope: OfficeScope, now: Date, season: string) {
  return (await readEvents(db, now, sql`e.season = ${season}`)).map(officeEvent)
}

/** One event with its rules and all versions, and the permitted actions for each. */
export async function officeEventOf(db: Db, scope: OfficeScope, now: Date, eventId: number) {
  const row = orNotFound((await readEvents(db, now, sql`e.id = ${eventId}`))[0])
  const sets = await setsOf(db, scope, now, sql`s.event_id = ${eventId}`)
  const busy = sets.some(
    ({ state, job }) =>
      (state === 'importing' || state === 'computing') &&
      (job?.state === 'waiting' || job?.state === 'running'),
  )
  const scheduled = sets.some(({ can }) => can.withdraw === true || can.withdraw === 'access.denied')
  const mayImport = mayDo(scope.role, 'results.import')
  const blocked = !mayImport
    ? 'access.denied'
    : busy
      ? 'results.import_running'
      : scheduled
        ? 'results.scheduled'
        : (true as const)
  return {
    event: officeEvent(row),
    rules: rulesOf(row),
    sets,
    can: {
      import: blocked,
      correct: blocked === true && row.visible_id === null ? 'results.nothing_out' : blocked,
      saveRules: mayImport ? (true as const) : 'access.denied',
    },
  }
}

interface SetLine {
  id: number
  version: number
  state: string
  rows: number
  rules_version: number
  event_rules_version: number
  file_name: string | null
  reason: string
  early_reason: string
  exams_to_come: boolean
  papers_open: boolean
  attendance_changed: boolean
  /** Whether the caller typed marks of it, accepted its anomalies, saved its rules or decided on its papers */
  took_part: boolean
  /** Whether the caller joined the office after it was computed */
  too_new: boolean
  imported_by: number | null
  imported_name: string | null
  imported_at: Date
  computed_by: number | null
  computed_name: string | null
  computed_at: Date | null
  approved_name: string | null
  approved_at: Date | null
  release_at: Date | null
  open_anomalies: number
  open_blocking: number
  facts: unknown
  job_id: string | null
  job_kind: string
  job_state: NonNullable<ResultSet['job']>['state'] | null
  job_done: number
  job_total: number
  job_error: string | null
}

async function setsOf(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  which: RawBuilder<unknown>,
): Promise<ResultSet[]> {
  const { rows } = await sql<SetLine>`
    select s.id, s.version, s.state, s.rows, s.rules_version, e.rules_version as event_rules_version,
      f.name as file_name, s.imported_by, i.name as imported_name, s.imported_at, s.computed_by, c.name as computed_name,
      s.computed_at, s.reason, s.early_reason,
      exists (select from exam_dates d where d.event_id = s.event_id and d.held_on > ${istDay(now)}) as exams_to_come,
      s.papers_differ and s.papers_decided_at is null as papers_open,
      ${attendanceChanged(now)} as attendance_changed,
      coalesce(s.papers_decided_by = ${scope.staffId}, false) or ${hasTakenPart(scope)} as took_part,
      ${joinedAfter(scope, sql`s.computed_at`)} as too_new,
      a.name as approved_name, s.approved_at, s.release_at,
      (select count(*) from result_anomalies o where o.set_id = s.id and o.resolved_at is null) as open_anomalies,
      (select count(*) from result_anomalies o
        where o.set_id = s.id and o.blocking and o.resolved_at is null) as open_blocking,
      ${decisionBasis} as facts, j.id as job_id, j.kind as job_kind, j.state as job_state, j.done as job_done, j.total as job_total,
      j.error as job_error
    from result_sets s join events e on e.id = s.event_id
    left join files f on f.id = s.file_id
    left join staff i on i.id = s.imported_by
    left join staff c on c.id = s.computed_by
    left join staff a on a.id = s.approved_by
    left join jobs j on j.id = s.job_id
    where ${which} order by s.version desc`.execute(db)
  return rows.map((row) => resultSet(row, scope, now))
}

function resultSet(row: SetLine, scope: OfficeScope, now: Date): ResultSet {
  const job =
    row.job_id !== null && row.job_state !== null
      ? {
          jobId: row.job_id,
          kind: row.job_kind,
          state: row.job_state,
          done: row.job_done,
          total: row.job_total,
          error: row.job_error,
        }
      : null
  return {
    setId: row.id,
    version: row.version,
    state: resultSetState.parse(row.state),
    rows: row.rows,
    reason: row.reason,
    earlyReason: row.early_reason,
    rulesVersion: row.rules_version,
    fileName: row.file_name ?? '',
    importedBy: row.imported_name ?? '',
    importedAt: row.imported_at.toISOString(),
    computedBy: row.computed_name ?? '',
    computedAt: iso(row.computed_at),
    approvedBy: row.approved_name ?? '',
    approvedAt: iso(row.approved_at),
    releaseAt: iso(row.release_at),
    releasedAt: row.release_at !== null && row.release_at <= now ? iso(row.release_at) : null,
    openAnomalies: row.open_anomalies,
    openBlocking: row.open_blocking,
    seen: fingerprint(row.facts),
    job,
    can: allowances(row, scope, now),
  }
}

/** The permitted actions, by the same rules as the guarded statements in commands.ts and results/release/commands.ts. */
function allowances(row: SetLine, scope: OfficeScope, now: Date): ResultSet['can'] {
  const { state } = row
  const may = (permission: 'results.import' | 'results.approve' | 'results.release', rest: true | string) =>
    mayDo(scope.role, permission) ? rest : 'access.denied'
  const pending = state === 'importing' || state === 'imported' || state === 'computing'
  const unscheduled = state === 'approved' && row.release_at === null
  const waiting = state === 'approved' && row.release_at !== null && row.release_at > now
  const idle = row.job_state !== 'waiting' && row.job_state !== 'running'
  const isInvolved = row.imported_by === scope.staffId || row.computed_by === scope.staffId || row.took_part
  const computable =
    state === 'imported' || state === 'computed' || unscheduled || (state === 'computing' && idle)
  return {
    compute: may(
      'results.import',
      !computable ? 'results.wrong_state' : row.open_blocking > 0 ? 'results.anomalies_open' : true,
    ),
    approve: may(
      'results.approve',
      pending
        ? 'results.not_computed'
        : state !== 'computed'
          ? 'results.wrong_state'
          : isInvolved
            ? 'results.same_person'
            : row.too_new
              ? 'second.too_new'
              : row.rules_version !== row.event_rules_version
                ? 'results.rules_changed'
                : row.papers_open
                  ? 'results.papers_open'
                  : row.attendance_changed
                    ? 'results.attendance_changed'
                    : row.exams_to_come
                      ? 'results.exams_to_come'
                      : true,
    ),
    release: may(
      'results.release',
      unscheduled || waiting
        ? !row.attendance_changed || 'results.attendance_changed'
        : pending || state === 'computed'
          ? 'results.not_approved'
          : 'results.wrong_state',
    ),
    withdraw: waiting ? may('results.release', true) : 'results.not_scheduled',
  }
}
