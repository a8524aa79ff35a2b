import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found } from '#platform/errors'

interface HeldSchool {
  eventId: number
  schCode: string
}

async function named(tx: Tx, { eventId, schCode }: HeldSchool) {
  const row = await tx
    .selectFrom('schools')
    .innerJoin('events', (join) => join.on('events.id', '=', eventId))
    .select(['schools.id as schoolId', 'events.season'])
    .where('schools.code', '=', schCode)
    .executeTakeFirst()
  return found(row)
}

/** Holds back a school's results in an event, whichever version; a second time changes the reason. */
export async function holdSchool(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: HeldSchool & { reason: string },
): Promise<void> {
  const { schoolId, season } = await named(tx, input)
  const held = { reason: input.reason, held_by: scope.staffId, held_at: now }
  await tx
    .insertInto('result_holds')
    .values({ event_id: input.eventId, school_id: schoolId, ...held })
    .onConflict((conflict) => conflict.columns(['event_id', 'school_id']).doUpdateSet(held))
    .execute()
  const subject = { kind: 'event', id: input.eventId, schoolId, season }
  await audit(tx, now, scope, 'results.held', subject, { reason: input.reason })
}

/** Lets a held school see its results. Answers the school's id; `not_found` where nothing is held. */
export async function unholdSchool(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: HeldSchool,
): Promise<number> {
  const { schoolId, season } = await named(tx, input)
  const freed = await tx
    .deleteFrom('result_holds')
    .where('event_id', '=', input.eventId)
    .where('school_id', '=', schoolId)
    .returning('reason')
    .executeTakeFirst()
  const { reason } = found(freed)
  const subject = { kind: 'event', id: input.eventId, schoolId, season }
  await audit(tx, now, scope, 'results.unheld', subject, { reason })
  return schoolId
}
