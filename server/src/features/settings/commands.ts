import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import { cancelJob } from '#platform/jobs'
import type { OfficeScope } from '#platform/scope'

interface Saving {
  name: string
  supportPhone: string
  supportEmail: string
  supportHours: string
  version: number
}

/** Changes how the foundation presents itself. Refuses `changed_meanwhile`. */
export async function saveFoundation(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { version, ...input }: Saving,
): Promise<void> {
  const columns = {
    name: input.name,
    support_phone: input.supportPhone,
    support_email: input.supportEmail,
    support_hours: input.supportHours,
  }
  const before = await tx
    .selectFrom('foundation')
    .select(['name', 'support_phone', 'support_email', 'support_hours', 'version'])
    .forUpdate()
    .executeTakeFirst()
  if ((before?.version ?? 0) !== version) throw new Refusal('changed_meanwhile')
  await tx
    .insertInto('foundation')
    .values({ id: 1, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...columns, version: version + 1 }))
    .execute()
  const { version: _, ...from } = before ?? { version: 0 }
  await audit(tx, now, scope, 'foundation.changed', { kind: 'foundation', id: 1 }, { from, to: columns })
}

/** Stops long work. Work that is not there is not found, what has ended is refused. */
export async function stopJob(tx: Tx, scope: OfficeScope, now: Date, id: string): Promise<void> {
  const { rows } = await sql<{ kind: string; school_id: number | null }>`
    select kind, school_id from jobs where id = ${id}`.execute(tx)
  const job = found(rows[0])
  if (!(await cancelJob(tx, now, id))) throw new Refusal('jobs.ended')
  const subject = { kind: 'job', id, ...(job.school_id === null ? {} : { schoolId: job.school_id }) }
  await audit(tx, now, scope, 'job.cancelled', subject, { kind: job.kind })
}
