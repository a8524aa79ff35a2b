import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { enqueueJob } from '#platform/jobs/jobs'
import { backupJob, retentionJob } from './rules.ts'

/** Plans work that is not under way already, and answers its job. */
async function planOnce(tx: Tx, scope: OfficeScope, now: Date, kind: string, input: Record<string, unknown>) {
  // One after the other, so that two who ask at once get the same job.
  await sql`select pg_advisory_xact_lock(hashtext(${kind}))`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select id from jobs where kind = ${kind} and state in ('waiting', 'running')
      and input @> ${JSON.stringify(input)}::jsonb limit 1`.execute(tx)
  return rows[0]?.id ?? enqueueJob(tx, now, { kind, input, createdBy: scope.staffId })
}

/** Plans a backup now. */
export async function planBackup(tx: Tx, scope: OfficeScope, now: Date): Promise<string> {
  const job = await planOnce(tx, scope, now, backupJob, {})
  await audit(tx, now, scope, 'backup.asked', { kind: 'backup', id: job })
  return job
}

/** Plans a run of the retention, or a dry one. */
export async function planRetention(tx: Tx, scope: OfficeScope, now: Date, dry: boolean): Promise<string> {
  const job = await planOnce(tx, scope, now, retentionJob, { dry })
  await audit(tx, now, scope, 'retention.asked', { kind: 'retention', id: job }, { dry })
  return job
}
