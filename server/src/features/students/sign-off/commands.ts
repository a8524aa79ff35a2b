import { sentenceOf } from '@podium/contract/errors'
import type { Season } from '@podium/contract/season'
import type { SignOffList } from '@podium/contract/students/calls-sign-off'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { settleNothingPayable, unsettleNothingPayable } from '#platform/paid-students'
import { findLists } from './queries.ts'

/**
 * The list, held until the transaction ends: who is entering a student of it is waited for and counted, who comes later
 * finds it as it will be. `not_found` for another school's.
 */
async function heldList(tx: Tx, scope: SchoolScope, now: Date, id: number) {
  // The order of locks: the school, its list, its students.
  await sql`select id from schools where id = ${scope.schoolId} for no key update`.execute(tx)
  const { rows } = await sql<{ season: Season }>`
    select e.season from participations p join events e on e.id = p.event_id
    where p.id = ${id} and p.school_id = ${scope.schoolId}
    for update of p`.execute(tx)
  const { season } = orNotFound(rows[0])
  const { data } = await findLists(tx, scope, now, season)
  return { season, list: orNotFound(data.find(({ eventManagementId }) => eventManagementId === id)) }
}

const missingOf = ({ checks }: SignOffList) =>
  Object.fromEntries(checks.map(({ kind, count }) => [kind, count]))

/**
 * Signs a list off. `students` is what the coordinator has typed; where it is not the number of active students by now,
 * the refusal says at the field how many there are.
 */
export async function signOff(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { eventManagementId, students }: { eventManagementId: number; students: number },
): Promise<void> {
  const { season, list } = await heldList(tx, scope, now, eventManagementId)
  if (list.signedOff) throw new Refusal('signoff.signed')
  if (list.canSign !== true) throw new Refusal(list.canSign)
  if (students !== list.totalStudent) {
    const message = sentenceOf('signoff.count_differs')
    throw new Refusal('signoff.count_differs', {
      issues: [{ path: 'students', message }],
      fields: { totalStudent: list.totalStudent },
    })
  }
  const missing = missingOf(list)
  await sql`update participations set signed_off_at = ${now}::timestamptz where id = ${eventManagementId}`.execute(
    tx,
  )
  await sql`
    insert into sign_offs (participation_id, students, missing, signed_by, signed_by_name, signed_at)
    values (${eventManagementId}, ${students}, ${JSON.stringify(missing)}::jsonb, ${scope.userId}, ${scope.name}, ${now}::timestamptz)`.execute(
    tx,
  )
  const subject = { kind: 'participation', id: eventManagementId, season }
  await audit(tx, now, scope, 'list.signed_off', subject, { letter: list.eventLetter, students, missing })
  await settleNothingPayable(tx, now, { schoolId: scope.schoolId, season })
}

/** Opens a list again. Its line stays in the history with who did it, when and why. */
export async function reopen(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { eventManagementId, reason }: { eventManagementId: number; reason: string },
): Promise<void> {
  const { season, list } = await heldList(tx, scope, now, eventManagementId)
  if (list.canReopen !== true) throw new Refusal(list.canReopen)
  if (!list.signedOff) throw new Refusal('signoff.not_signed')
  await sql`update participations set signed_off_at = null where id = ${eventManagementId}`.execute(tx)
  await sql`
    update sign_offs set reopened_by = ${scope.userId}, reopened_by_name = ${scope.name}, reopened_at = ${now}::timestamptz,
      reason = ${reason}
    where participation_id = ${eventManagementId} and reopened_at is null`.execute(tx)
  const subject = { kind: 'participation', id: eventManagementId, season }
  await audit(tx, now, scope, 'list.reopened', subject, { letter: list.eventLetter, reason })
  await unsettleNothingPayable(tx, { schoolId: scope.schoolId, season })
}
