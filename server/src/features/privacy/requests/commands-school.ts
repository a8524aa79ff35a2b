import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { type Asking, subjectOf, writeDown } from './commands.ts'

/** A parent has told the school: the request goes to the foundation. A child of another school is `not_found`. */
export async function askAsSchool(tx: Tx, scope: SchoolScope, now: Date, asking: Asking): Promise<number> {
  const child = await tx
    .selectFrom('students')
    .select(['id', 'school_id', 'season'])
    .where('id', '=', asking.studentId)
    .where('school_id', '=', scope.schoolId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return writeDown(tx, scope, now, found(child), asking)
}

/** Takes back what the school has entered, while nobody of the foundation has checked it. */
export async function withdrawAsSchool(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { id, version }: { id: number; version: number },
): Promise<void> {
  const { rows } = await sql<{ kind: string; state: string; version: number }>`
    select kind, state, version from data_requests
    where id = ${id} and school_id = ${scope.schoolId} and asked_through = 'school' for update`.execute(tx)
  const request = found(rows[0])
  if (request.version !== version) throw new Refusal('changed_meanwhile')
  if (request.state !== 'asked') throw new Refusal('privacy.decided')
  await sql`
    update data_requests set state = 'withdrawn', decided_at = ${now}, version = version + 1
    where id = ${id}`.execute(tx)
  const subject = subjectOf(id, { school_id: scope.schoolId })
  await audit(tx, now, scope, 'data_request.withdrawn', subject, { kind: request.kind })
}
