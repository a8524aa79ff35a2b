import type { AnomalyKind } from '@podium/contract/results/calls-corrections'
import { sql } from 'kysely'
import { refuseRecentJoiner } from '#features/staff/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import { examsToCome } from './marks/commands.ts'
import { hasTakenPart, refuseChangedSince } from './queries.ts'
import { computeKind } from './ranking/commands.ts'
import { lockSeen, lockVersion } from './release/queries-school-preview.ts'
import { reopenable } from './rules.ts'

/** A version's status, for explaining why a guarded statement matched nothing. */
export async function statusOfSet(tx: Tx, setId: number) {
  const { rows } = await sql<{
    state: string
    outdated: boolean
    papers_open: boolean
    open_blocking: boolean
  }>`
    select s.state, s.rules_version <> e.rules_version as outdated,
      s.papers_differ and s.papers_decided_at is null as papers_open,
      exists (select from result_anomalies a where a.set_id = s.id and a.blocking and a.resolved_at is null) as open_blocking
    from result_sets s join events e on e.id = s.event_id where s.id = ${setId}`.execute(tx)
  return orNotFound(rows[0])
}

/**
 * Accepts anomalies: those listed, all open ones of a kind, or both conditions combined. Returns how many were open. Once a
 * version is computed, its anomalies no longer change.
 */
export async function resolveAnomalies(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { setId: number; anomalyIds?: number[] | undefined; kind?: AnomalyKind | undefined; note: string },
): Promise<number> {
  const { setId, anomalyIds, kind, note } = input
  await lockVersion(tx, setId)
  const { state } = await statusOfSet(tx, setId)
  if (state !== 'imported') throw new Refusal('results.wrong_state')
  if (anomalyIds === undefined && kind === undefined)
    throw new Refusal('input.invalid', { issues: [{ path: 'anomalyIds', message: 'Say which.' }] })
  let update = tx
    .updateTable('result_anomalies')
    .set({ resolved_at: now, resolved_by: scope.staffId, resolution: note })
    .where('set_id', '=', setId)
    .where('resolved_at', 'is', null)
  if (anomalyIds !== undefined) update = update.where('id', 'in', anomalyIds.length > 0 ? anomalyIds : [0])
  if (kind !== undefined) update = update.where('kind', '=', kind)
  const ids = (await update.returning('id').execute()).map(({ id }) => id)
  if (ids.length === 0) return 0
  const change = { kind, ...(anomalyIds && { anomalyIds: ids }), note, resolved: ids.length }
  await audit(tx, now, scope, 'results.anomalies_resolved', { kind: 'result_set', id: setId }, change)
  return ids.length
}

/**
 * Reopens decided anomalies until the version is approved. The decisions stay in their history, and results must be computed
 * again. Returns how many were reopened. Refuses with `results.anomalies_kept`, `results.wrong_state`.
 */
export async function reopenAnomalies(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { setId: number; anomalyIds: number[]; reason: string },
): Promise<number> {
  const { setId, anomalyIds, reason } = input
  await lockVersion(tx, setId)
  const { state } = await statusOfSet(tx, setId)
  const refusal = reopenable(state)
  if (refusal !== true) throw new Refusal(refusal)
  const { rows } = await sql<{ id: number }>`
    update result_anomalies a set resolved_at = null, resolved_by = null, resolution = '',
      reopened = a.reopened || jsonb_build_object('resolution', a.resolution, 'by', coalesce(d.name, ''),
        'at', to_char(a.resolved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', ${reason}::text, 'reopenedBy', o.name, 'reopenedAt', ${now.toISOString()}::text)
    from result_anomalies b left join staff d on d.id = b.resolved_by cross join staff o
    where b.id = a.id and o.id = ${scope.staffId} and a.set_id = ${setId} and a.resolved_at is not null
      and a.id = any(${anomalyIds}::bigint[])
    returning a.id`.execute(tx)
  if (rows.length === 0) return 0
  await changeRows(tx, 'result_sets', {
    where: { id: setId, state: 'computed' },
    set: { state: 'imported', computed_by: null, computed_at: null },
  })
  const subject = { kind: 'result_set', id: setId }
  const change = { anomalyIds: rows.map(({ id }) => id), reason, reopened: rows.length, was: state }
  await audit(tx, now, scope, 'results.anomalies_reopened', subject, change)
  return rows.length
}

/** Enqueues the computation of a version that is imported, or computed but not released. Returns the job's id. */
export async function startCompute(tx: Tx, scope: OfficeScope, now: Date, setId: number): Promise<string> {
  await lockVersion(tx, setId)
  const { rows } = await sql<{ event_id: number }>`
    update result_sets s set state = 'computing', computed_by = ${scope.staffId}, approved_by = null, approved_at = null
    where s.id = ${setId}
      and (s.state in ('imported', 'computed') or (s.state = 'approved' and s.release_at is null)
        or (s.state = 'computing' and not exists (
          select from jobs j where j.id = s.job_id and j.state in ('waiting', 'running'))))
      and not exists (
        select from result_anomalies a where a.set_id = s.id and a.blocking and a.resolved_at is null)
    returning event_id`.execute(tx)
  if (rows[0] === undefined) {
    const { state, open_blocking } = await statusOfSet(tx, setId)
    throw new Refusal(
      state === 'imported' && open_blocking ? 'results.anomalies_open' : 'results.wrong_state',
    )
  }
  const jobId = await enqueueJob(tx, now, {
    kind: computeKind,
    total: 1,
    input: { setId },
    createdBy: scope.staffId,
  })
  await tx.updateTable('result_sets').set({ job_id: jobId }).where('id', '=', setId).execute()
  await audit(tx, now, scope, 'results.compute_started', { kind: 'result_set', id: setId })
  return jobId
}

/**
 * Approves a computed version. The guard in the statement excludes officers who imported or computed it, typed marks
 * of it, accepted its anomalies, saved its rules or decided on its papers, and those who joined the office after it was computed. It also refuses while papers
 * differ without a decision, if the rules have changed or attendance contradicts the marks or a school has moved, before the last exam, and if the
 * computation is not the one shown (`changed_meanwhile`).
 */
export async function approveSet(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { setId, seen }: { setId: number; seen: string },
): Promise<void> {
  const refuseOther = await lockSeen(tx, setId, seen)
  const { rows } = await sql<{ computed_at: Date; event_id: number }>`
    update result_sets s set state = 'approved', approved_by = ${scope.staffId}, approved_at = ${now}
    from events e
    where s.id = ${setId} and e.id = s.event_id and s.state = 'computed' and s.rules_version = e.rules_version
      and s.imported_by is distinct from ${scope.staffId} and s.computed_by is distinct from ${scope.staffId}
      and not ${hasTakenPart(scope)}
      and s.papers_decided_by is distinct from ${scope.staffId}
      and (not s.papers_differ or s.papers_decided_at is not null)
    returning s.computed_at, s.event_id`.execute(tx)
  const [approved] = rows
  if (!approved) {
    const set = await statusOfSet(tx, setId)
    if (set.state === 'imported' || set.state === 'importing' || set.state === 'computing')
      throw new Refusal('results.not_computed')
    if (set.state !== 'computed') throw new Refusal('results.wrong_state')
    if (set.outdated) throw new Refusal('results.rules_changed')
    throw new Refusal(set.papers_open ? 'results.papers_open' : 'results.same_person')
  }
  await refuseRecentJoiner(tx, scope, approved.computed_at)
  await refuseChangedSince(tx, now, setId)
  if (await examsToCome(tx, now, approved.event_id)) throw new Refusal('results.exams_to_come')
  refuseOther()
  await audit(tx, now, scope, 'results.approved', { kind: 'result_set', id: setId })
}
