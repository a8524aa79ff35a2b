import type { QueuedMail } from '@podium/contract/mails'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import type { OfficeScope } from '#platform/scope'

export const pageSize = 50
const mostCounted = 10_000

const conditions = {
  failed: sql`o.failed_at is not null`,
  waiting: sql`o.done_at is null and o.failed_at is null`,
  sent: sql`o.done_at is not null`,
}

interface Asked {
  state: QueuedMail['state']
  kind: string
}

interface Row extends Omit<QueuedMail, 'createdAt' | 'at'> {
  createdAt: Date
  at: Date
}

/** `a…@school.example`: enough to know the mail by, not to collect addresses. */
function masked(address: string): string {
  const [name = '', host = ''] = address.split('@')
  return address === '' ? '' : `${name.slice(0, 1)}…@${host}`
}

/** Of mails that carry codes or links the subject stays inside, too. */
const secret = new Set(['otp', 'password', 'staff', 'account'])

const chosen = ({ state, kind }: Asked) => sql`${conditions[state]} and (${kind} = '' or o.kind = ${kind})`

async function mailsBy(db: Db | Tx, asked: Asked, window: RawBuilder<unknown>): Promise<QueuedMail[]> {
  const { rows } = await sql<Row>`
    select o.id, o.kind, coalesce(o.payload->'to'->>'address', '') as "to", coalesce(o.payload->>'subject', '') as subject,
      ${asked.state} as state, o.attempts, o.created_at as "createdAt", coalesce(o.done_at, o.failed_at, o.due_at) as at,
      coalesce(o.error, '') as error
    from outbox o where ${chosen(asked)} order by o.id desc ${window}`.execute(db)
  return rows.map((row) => ({
    ...row,
    to: masked(row.to),
    subject: secret.has(row.kind) ? '' : row.subject,
    createdAt: row.createdAt.toISOString(),
    at: row.at.toISOString(),
  }))
}

/** The newest mails of a state, as many as the list counts. */
export const mailsForFile = (tx: Tx, _scope: OfficeScope, asked: Asked) =>
  mailsBy(tx, asked, sql`limit ${mostCounted}`)

/** One page of the outbox by state, and how many have failed and wait. */
export async function queuedMails(db: Db, _scope: OfficeScope, query: Asked & { page: number }) {
  const offset = (Math.min(Math.max(1, query.page), mostCounted / pageSize) - 1) * pageSize
  const count = async (condition: RawBuilder<unknown>) => {
    const counted = await sql<{ n: number }>`
      select count(*) as n from (select from outbox o where ${condition} limit ${mostCounted}) x`.execute(db)
    return counted.rows[0]?.n ?? 0
  }
  return {
    data: await mailsBy(db, query, sql`limit ${pageSize} offset ${offset}`),
    total: await count(chosen(query)),
    pageSize,
    counts: { failed: await count(conditions.failed), waiting: await count(conditions.waiting) },
  }
}
