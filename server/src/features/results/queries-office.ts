import type { AnswerOf } from '@podium/contract/endpoint'
import type { officeResultEvents, ResultSet } from '@podium/contract/results/calls-office'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { rulesOf, sectionsOf } from '#features/catalogue/rules'
import { joinedAfter } from '#features/staff/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { orNotFound } from '#platform/errors'
import { fingerprint } from '#platform/http/idempotency'
import { attendanceChanged, hasTakenPart, placesChanged, visibleSet } from './queries.ts'
import { decisionBasis } from './release/queries-school-preview.ts'

type EventLine = AnswerOf<typeof officeResultEvents>['data'][number] & { rules: unknown }

async function readEvents(db: Db, now: Date, which: RawBuilder<unknown>): Promise<EventLine[]> {
  const { rows } = await sql<EventLine>`
    select e.id as "eventYearId", e.season, s.name as "subjectName", e.letter as "eventLetter", e.level as "examLevel",
      e.maximum_marks as "maximumMarks", e.sections, e.rules, e.rules_version as "rulesVersion",
      (select count(*) from result_holds h where h.event_id = e.id) as holds,
      (select max(held_on)::text from exam_dates d where d.event_id = e.id) as "lastExamOn",
      z.results_from::text as "resultsFrom",
      case when v.id is not null then jsonb_build_object(
        'setId', v.id, 'version', v.version, 'releaseAt', ${instant('v.release_at')}) end as visible,
      case when n.id is not null then jsonb_build_object(
        'setId', n.id, 'version', n.version, 'state', n.state, 'releaseAt', ${instant('n.release_at')}) end as newest
    from events e join subjects s on s.letter = e.letter join seasons z on z.label = e.season
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join lateral (
      select id, version, state, release_at from result_sets
      where event_id = e.id and state not in ('superseded', 'failed') order by version desc limit 1) n on true
    where ${which}
    order by e.level, s.position`.execute(db)
  return rows.map((row) => ({ ...row, sections: sectionsOf(row.sections) }))
}

/** The events of a season with their released and newest versions. */
export const officeEvents = (db: Db, _scope: OfficeScope, now: Date, season: string) =>
  readEvents(db, now, sql`e.season = ${season}`)

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
    event: row,
    rules: rulesOf({ ...row, letter: row.eventLetter, level: row.examLevel }),
    sets,
    can: {
      import: blocked,
      correct: blocked === true && row.visible === null ? 'results.nothing_out' : blocked,
      saveRules: !mayImport ? 'access.denied' : scheduled ? 'results.scheduled' : (true as const),
    },
  }
}

interface SetLine extends Omit<ResultSet, 'releasedAt' | 'seen' | 'can'> {
  event_rules_version: number
  exams_to_come: boolean
  papers_open: boolean
  attendance_changed: boolean
  places_changed: boolean
  /** Whether the caller imported or computed it, typed marks, accepted anomalies, saved its rules or decided on its papers */
  took_part: boolean
  /** Whether the caller joined the office after it was computed */
  too_new: boolean
  facts: unknown
}

async function setsOf(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  which: RawBuilder<unknown>,
): Promise<ResultSet[]> {
  const { rows } = await sql<SetLine>`
    select s.id as "setId", s.version, s.state, s.rows, s.rules_version as "rulesVersion", s.reason,
      s.early_reason as "earlyReason", coalesce(f.name, '') as "fileName",
      coalesce(i.name, '') as "importedBy", ${instant('s.imported_at')} as "importedAt",
      coalesce(c.name, '') as "computedBy", ${instant('s.computed_at')} as "computedAt",
      coalesce(a.name, '') as "approvedBy", ${instant('s.approved_at')} as "approvedAt", ${instant('s.release_at')} as "releaseAt",
      (select count(*) from result_anomalies o where o.set_id = s.id and o.resolved_at is null) as "openAnomalies",
      (select count(*) from result_anomalies o
        where o.set_id = s.id and o.blocking and o.resolved_at is null) as "openBlocking",
      e.rules_version as event_rules_version,
      exists (select from exam_dates d where d.event_id = s.event_id and d.held_on > ${istDay(now)}) as exams_to_come,
      s.papers_differ and s.papers_decided_at is null as papers_open,
      ${attendanceChanged(now)} as attendance_changed, ${placesChanged} as places_changed,
      coalesce(${scope.staffId} in (s.imported_by, s.computed_by, s.papers_decided_by), false) or ${hasTakenPart(scope)} as took_part,
      ${joinedAfter(scope, sql`s.computed_at`)} as too_new, ${decisionBasis} as facts,
      case when j.id is not null then jsonb_build_object('jobId', j.id, 'kind', j.kind, 'state', j.state, 'done', j.done,
        'total', j.total, 'error', j.error) end as job
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
  const { facts, releaseAt } = row
  const isOut = releaseAt !== null && new Date(releaseAt) <= now
  const releasedAt = isOut ? releaseAt : null
  return { ...row, releasedAt, seen: fingerprint(facts), can: allowances(row, isOut, scope) }
}

/** The permitted actions, by the same rules as the guarded statements in commands.ts and results/release/commands.ts. */
function allowances(row: SetLine, isOut: boolean, scope: OfficeScope): ResultSet['can'] {
  const { state, job, releaseAt } = row
  const may = (permission: 'results.import' | 'results.approve' | 'results.release', rest: true | string) =>
    mayDo(scope.role, permission) ? rest : 'access.denied'
  const pending = state === 'importing' || state === 'imported' || state === 'computing'
  const unscheduled = state === 'approved' && releaseAt === null
  const waiting = state === 'approved' && releaseAt !== null && !isOut
  const idle = job?.state !== 'waiting' && job?.state !== 'running'
  const changed = row.attendance_changed
    ? 'results.attendance_changed'
    : row.places_changed
      ? 'results.places_changed'
      : true
  const computable =
    state === 'imported' || state === 'computed' || unscheduled || (state === 'computing' && idle)
  return {
    compute: may(
      'results.import',
      !computable ? 'results.wrong_state' : row.openBlocking > 0 ? 'results.anomalies_open' : true,
    ),
    approve: may(
      'results.approve',
      pending
        ? 'results.not_computed'
        : state !== 'computed'
          ? 'results.wrong_state'
          : row.took_part
            ? 'results.same_person'
            : row.too_new
              ? 'second.too_new'
              : row.rulesVersion !== row.event_rules_version
                ? 'results.rules_changed'
                : row.papers_open
                  ? 'results.papers_open'
                  : changed === true && row.exams_to_come
                    ? 'results.exams_to_come'
                    : changed,
    ),
    release: may(
      'results.release',
      unscheduled || waiting
        ? row.rulesVersion !== row.event_rules_version
          ? 'results.rules_changed'
          : changed
        : pending || state === 'computed'
          ? 'results.not_approved'
          : 'results.wrong_state',
    ),
    withdraw: waiting ? may('results.release', true) : 'results.not_scheduled',
  }
}
