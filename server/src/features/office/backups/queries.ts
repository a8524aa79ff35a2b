import type { Backup, RetentionRun } from '@podium/contract/office/calls-backups'
import { sql } from 'kysely'
import { retentionDays, retentionKinds } from '#features/privacy/retention/rules'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'

const hour = 3_600_000
const day = 24 * hour

/** Days that a backup is kept. After that, erased data is gone from all backups. */
export const backupDays = 35

/** The office is warned after this long without a backup. */
const backupLateAfter = 36 * hour

function backupIsLate(now: Date, last: Date | undefined): boolean {
  return last === undefined || now.getTime() - last.getTime() > backupLateAfter
}

const istOffset = 5.5 * hour

/** The next instant with this time of day in IST. */
export function nextNight(now: Date, hours: number, minutes: number): Date {
  const midnight = Math.floor((now.getTime() + istOffset) / day) * day - istOffset
  const today = midnight + hours * hour + minutes * 60_000
  return new Date(today > now.getTime() ? today : today + day)
}

export const retentionJob = 'retention'
export const backupJob = 'backup'
/** The nightly versions of these jobs; one of each is pending. */
export const nightlyRetention = 'retention.night'
export const nightlyBackup = 'backup.night'

const shownBackups = 40
const shownRuns = 10

/** Must be read before the results of the jobs: a job that ends in between has then already left its result. */
async function jobStates(db: Db, kinds: string[]): Promise<{ nightly: boolean; running: boolean }> {
  const { rows } = await sql<{ kind: string; state: string }>`
    select kind, state from jobs
    where kind = any(${kinds}::text[]) and state in ('waiting', 'running')`.execute(db)
  const night = (kind: string) => kind.endsWith('.night')
  return {
    nightly: rows.some(({ kind }) => night(kind)),
    running: rows.some(({ kind, state }) => !night(kind) || state === 'running'),
  }
}

/** The latest backups, newest first. */
export async function backupStatus(db: Db, _scope: OfficeScope, now: Date) {
  const work = await jobStates(db, [backupJob, nightlyBackup])
  const { rows } = await sql<Backup>`
    select b.id, b.made_by as "madeBy", coalesce(s.name, '') as person, ${instant('b.started_at')} as "startedAt",
      ${instant('b.ended_at')} as "endedAt", b.file_name as "fileName", b.bytes, b.sha256, b.rows, b.files, b.missing,
      ${instant('b.verified_at')} as "verifiedAt", ${instant('b.deleted_at')} as "deletedAt", b.error
    from backups b left join staff s on s.id = b.staff_id
    order by b.started_at desc, b.id desc limit ${shownBackups}`.execute(db)
  const good = await db
    .selectFrom('backups')
    .select('started_at')
    .where('verified_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    data: rows,
    lastGood: good?.started_at.toISOString() ?? null,
    late: backupIsLate(now, good?.started_at),
    ...work,
  }
}

/** The retention periods and the latest runs. */
export async function retentionState(db: Db, _scope: OfficeScope) {
  const work = await jobStates(db, [retentionJob, nightlyRetention])
  const { rows } = await sql<RetentionRun>`
    select r.id, r.dry, r.counts, coalesce(s.name, '') as person, ${instant('r.started_at')} as "startedAt",
      ${instant('r.ended_at')} as "endedAt"
    from retention_runs r left join staff s on s.id = r.staff_id
    order by r.started_at desc, r.id desc limit ${shownRuns}`.execute(db)
  const last = rows.find(({ dry }) => !dry)
  return {
    classes: retentionKinds.map((kind) => ({
      kind,
      days: retentionDays[kind],
      last: last ? (last.counts[kind] ?? 0) : null,
    })),
    runs: rows,
    ...work,
  }
}
