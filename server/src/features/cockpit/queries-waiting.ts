import { sql } from 'kysely'
import type { Db } from '#platform/database'
import { mayDo, type Permission } from '#platform/policy'
import type { OfficeScope } from '#platform/scope'

const counts = {
  applications: ['schools.read', sql`select count(*) from applications where state_of_review = 'submitted'`],
  payments: ['payments.read', sql`select count(*) from payments where state = 'pending'`],
  bankLines: ['payments.read', sql`select count(*) from bank_lines where state = 'open'`],
  packets: ['dispatch.read', sql`select count(distinct school_id) from dispatch_sums where due > 0`],
  waivers: ['payments.read', sql`select count(*) from waivers where state = 'asked'`],
  contacts: ['schools.read', sql`select count(*) from contacts where confirmed_at is null`],
  questions: ['schools.read', sql`select count(*) from teacher_questions where state = 'sent'`],
  results: ['results.read', sql`select count(*) from result_sets where state = 'computed'`],
  mails: ['mails.read', sql`select count(*) from outbox where failed_at is not null`],
  incidents: ['incidents.read', sql`select count(*) from incidents where state = 'open'`],
} as const satisfies Record<string, readonly [Permission, ReturnType<typeof sql>]>

type Kind = keyof typeof counts

/** How much of each kind waits for the office; null where the role may not read it. */
export async function waitingFor(db: Db, scope: OfficeScope) {
  const columns = Object.entries(counts).map(([kind, [permission, count]]) =>
    mayDo(scope.role, permission)
      ? sql`(${count}) as ${sql.ref(kind)}`
      : sql`null::bigint as ${sql.ref(kind)}`,
  )
  const { rows } = await sql<Record<Kind, number | null>>`select ${sql.join(columns)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('counts always have a row')
  return found
}
