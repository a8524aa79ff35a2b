import { audit } from '#platform/audit'
import { endInvitations } from '#platform/auth/invitations'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import { endSessionsOfUser } from '#platform/auth/session'
import type { Tx } from '#platform/db/database'
import { addedRow, addRow, changeRows, findRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { dropMailsTo } from '#platform/jobs/outbox'
import { mailPerson } from '#platform/mail/mail-texts'
import { activeSchool, explainCannotLeave, offerDays, offerEnd } from './queries.ts'

/**
 * Locks all staff of a school in a fixed order, so that changes of the coordinator happen one after another. Locks the
 * school first, so that someone joining at this moment is included.
 */
export async function lockPeople(tx: Tx, schoolId: number) {
  await tx.selectFrom('schools').select('id').where('id', '=', schoolId).forNoKeyUpdate().execute()
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'coordinator', 'disabled_at', 'version'])
    .where('school_id', '=', schoolId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({ ...row, disabled: row.disabled_at !== null }))
}

export type LockedPerson = Awaited<ReturnType<typeof lockPeople>>[number]

interface Removal {
  schoolId: number
  userId: number
  version: number
  /** Empty if the school itself does it */
  reason: string
}

/**
 * Removes a user from a school: signs them out, notifies them by e-mail, and withdraws open invitations to and by them. They
 * keep their account. Refuses the coordinator while there are others, oneself, `changed_meanwhile`, and users of another
 * school as `not_found`.
 */
export async function removePerson(
  tx: Tx,
  scope: SchoolScope | OfficeScope,
  now: Date,
  { schoolId, userId, version, reason }: Removal,
): Promise<void> {
  const people = await lockPeople(tx, schoolId)
  const person = orNotFound(people.find(({ id }) => id === userId))
  if (person.version !== version) throw new Refusal('changed_meanwhile')
  if (scope.kind === 'school' && scope.userId === userId) throw new Refusal('colleagues.coordinator_first')
  const refused = explainCannotLeave(people, userId)
  if (refused) throw new Refusal(refused)
  await changeRows(tx, 'users', {
    where: { id: userId },
    set: { school_id: null, coordinator: false, version: version + 1 },
  })
  await endSessionsOfUser(tx, now, userId)
  await dropMailsTo(tx, schoolId, userId)
  await endOffers(tx, now, schoolId, userId)
  await endInvitations(tx, scope, now, schoolId, person, 'sent too')
  const by = scope.kind === 'school' ? { removed_by_user: scope.userId } : { removed_by_staff: scope.staffId }
  await addRow(tx, 'school_departures', {
    ...by,
    school_id: schoolId,
    user_id: userId,
    reason,
    removed_at: now,
  })
  const change = { person: person.name, ...(reason === '' ? {} : { reason }) }
  await audit(tx, now, scope, 'school.person_removed', { kind: 'user', id: userId, schoolId }, change)
  const { name: school } = await findRow(tx, 'schools', { id: schoolId }, ['name'])
  await mailPerson(tx, now, person, {
    key: `removed:${userId}:${version}`,
    kind: 'account',
    schoolId,
    mail: 'removed',
    values: { school, by: scope.name, reason },
  })
}

/** Cancels offers of the coordinator role, all of the school or those to or by one user. */
async function endOffers(tx: Tx, now: Date, schoolId: number, userId?: number): Promise<void> {
  let ending = tx
    .updateTable('coordinator_offers')
    .set({ state: 'withdrawn', ended_at: now })
    .where('school_id', '=', schoolId)
    .where('state', '=', 'open')
  if (userId !== undefined)
    ending = ending.where((row) => row.or([row('to_user', '=', userId), row('from_user', '=', userId)]))
  await ending.execute()
}

/**
 * Offers the coordinator role to another user who can sign in; replaces an earlier offer. Refuses oneself and a deactivated
 * account; a user of another school is `not_found`.
 */
export async function offerCoordination(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  publicUrl: string,
  userId: number,
): Promise<void> {
  const people = await lockPeople(tx, scope.schoolId)
  const next = orNotFound(people.find(({ id }) => id === userId))
  const self = people.find(({ id }) => id === scope.userId)
  if (!self?.coordinator) throw new Refusal('access.not_coordinator')
  if (next.id === self.id || next.coordinator) throw new Refusal('colleagues.coordinates_already')
  if (next.disabled) throw new Refusal('schools.account_disabled')
  await endOffers(tx, now, scope.schoolId)
  const { id } = await addedRow(tx, 'coordinator_offers', ['id'], {
    school_id: scope.schoolId,
    from_user: self.id,
    to_user: userId,
    offered_at: now,
    expires_at: offerEnd(now),
  })
  const subject = { kind: 'user', id: userId, schoolId: scope.schoolId }
  await audit(tx, now, scope, 'school.coordination_offered', subject, { person: next.name })
  const school = await activeSchool(tx, scope.schoolId)
  await mailPerson(tx, now, next, {
    key: `coordination-offer:${id}`,
    kind: 'account',
    mail: 'coordination-offered',
    values: { from: self.name, school: school.name, days: offerDays, page: `${publicUrl}/School/staff` },
  })
}

/** Withdraws an open offer of the school; `not_found` if there is none with this id. */
export async function withdrawOffer(tx: Tx, scope: SchoolScope, now: Date, id: number): Promise<void> {
  const [row] = await changeRows(tx, 'coordinator_offers', {
    where: { id, school_id: scope.schoolId, state: 'open' },
    set: { state: 'withdrawn', ended_at: now },
    returning: ['to_user'],
  })
  const { to_user } = orNotFound(row)
  const subject = { kind: 'user', id: to_user, schoolId: scope.schoolId }
  await audit(tx, now, scope, 'school.coordination_withdrawn', subject)
}

/**
 * Accepts or declines the coordinator role offered to the caller; the previous coordinator is notified. An offer to another
 * user or of another school is `not_found`, an expired one `colleagues.offer_over`.
 */
export async function answerOffer(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { id, accept }: { id: number; accept: boolean },
): Promise<void> {
  const people = await lockPeople(tx, scope.schoolId)
  const offer = await tx
    .selectFrom('coordinator_offers')
    .select(['id', 'school_id', 'from_user', 'to_user', 'offered_at', 'expires_at', 'state', 'ended_at'])
    .where('id', '=', id)
    .where('school_id', '=', scope.schoolId)
    .where('to_user', '=', scope.userId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  const before = people.find((person) => person.id === offer.from_user)
  const isActive = offer.state === 'open' && offer.expires_at > now && before?.coordinator
  if (!before || !isActive) throw new Refusal('colleagues.offer_over')
  await changeRows(tx, 'coordinator_offers', {
    where: { id },
    set: { state: accept ? 'accepted' : 'declined', ended_at: now },
  })
  if (accept) await giveCoordination(tx, people, scope.userId)
  const change = accept
    ? { from: { coordinator: before.name }, to: { coordinator: scope.name } }
    : { person: scope.name }
  const action = accept ? 'school.coordination_taken' : 'school.coordination_declined'
  await audit(tx, now, scope, action, { kind: 'user', id: scope.userId, schoolId: scope.schoolId }, change)
  const school = await activeSchool(tx, scope.schoolId)
  await mailPerson(tx, now, before, {
    key: `coordination-answer:${id}`,
    kind: 'account',
    mail: accept ? 'coordination-accepted' : 'coordination-declined',
    values: { colleague: scope.name, school: school.name },
  })
}

async function giveCoordination(tx: Tx, people: readonly LockedPerson[], userId: number): Promise<void> {
  for (const { id, version } of people.filter((person) => person.coordinator !== (person.id === userId))) {
    await changeRows(tx, 'users', {
      where: { id },
      set: { coordinator: id === userId, version: version + 1 },
    })
  }
}
