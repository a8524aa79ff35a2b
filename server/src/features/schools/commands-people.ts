import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import { accountDisabledMail, accountEnabledMail } from '#platform/mail-templates-schools'
import { enqueueMail } from '#platform/outbox'
import type { OfficeScope } from '#platform/scope'
import { endSessionsOfUser } from '#platform/session'
import { mailSender } from '../foundation/queries.ts'

interface Person {
  /** The school, which the person must belong to */
  id: number
  userId: number
}

/** Makes somebody the one coordinator of the school. Refuses a disabled account and somebody of another school. */
export async function makeCoordinator(tx: Tx, scope: OfficeScope, now: Date, person: Person): Promise<void> {
  const { id, userId } = person
  const people = await tx
    .selectFrom('users')
    .select(['id', 'name', 'coordinator', 'disabled_at'])
    .where('school_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const next = found(people.find((one) => one.id === userId))
  if (next.disabled_at !== null) throw new Refusal('schools.account_disabled')
  const before = people.filter((one) => one.coordinator)
  if (before.length === 1 && before[0]?.id === userId) return
  await tx
    .updateTable('users')
    .set((row) => ({ coordinator: sql<boolean>`id = ${userId}`, version: row('version', '+', 1) }))
    .where('school_id', '=', id)
    .where((row) => row.or([row('coordinator', '=', true), row('id', '=', userId)]))
    .execute()
  const change = {
    from: { coordinator: before.map((one) => one.name).join(', ') },
    to: { coordinator: next.name },
  }
  await audit(tx, now, scope, 'school.coordinator_made', { kind: 'user', id: userId, schoolId: id }, change)
}

interface Switching extends Person {
  version: number
  enabled: boolean
  reason: string
}

/**
 * Disables somebody's account, which signs them out everywhere and takes the coordinator's part from them, or enables
 * it again; they are told why. Asking for the state that it has changes nothing. Refuses `changed_meanwhile` and
 * somebody of another school.
 */
export async function setAccount(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { id, userId, version, enabled, reason }: Switching,
): Promise<void> {
  const user = found(
    await tx
      .selectFrom('users as u')
      .innerJoin('schools as s', 's.id', 'u.school_id')
      .select([
        'u.name',
        'u.email',
        'u.language',
        'u.version',
        'u.coordinator',
        'u.disabled_at',
        's.name as school',
      ])
      .where('u.id', '=', userId)
      .where('u.school_id', '=', id)
      .forUpdate('u')
      .executeTakeFirst(),
  )
  if (user.version !== version) throw new Refusal('changed_meanwhile')
  if ((user.disabled_at === null) === enabled) return
  await tx
    .updateTable('users')
    .set({
      disabled_at: enabled ? null : now,
      coordinator: enabled && user.coordinator,
      version: version + 1,
    })
    .where('id', '=', userId)
    .execute()
  if (!enabled) await endSessionsOfUser(tx, now, userId)
  const action = enabled ? 'school.account_enabled' : 'school.account_disabled'
  const change = { person: user.name, reason }
  await audit(tx, now, scope, action, { kind: 'user', id: userId, schoolId: id }, change)
  const language = user.language === 'hi' ? 'hi' : 'en'
  const told = { name: user.name, school: user.school, reason, signIn: `${publicUrl}/login` }
  await enqueueMail(tx, now, {
    key: `account-switched:${userId}:${version}`,
    kind: 'account',
    to: { name: user.name, address: user.email },
    ...(enabled ? accountEnabledMail : accountDisabledMail)(await mailSender(tx), language, told),
  })
}

interface Confirming {
  id: number
  contactId: number
  version: number
}

/** Confirms a contact that the school has asked for, once. Refuses a changed one and one of another school. */
export async function confirmContact(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, contactId, version }: Confirming,
): Promise<void> {
  const contact = found(
    await tx
      .selectFrom('contacts')
      .select(['version', 'name', 'season', 'confirmed_at'])
      .where('id', '=', contactId)
      .where('school_id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (contact.confirmed_at !== null) throw new Refusal('schools.contact_confirmed')
  if (contact.version !== version) throw new Refusal('changed_meanwhile')
  await tx
    .updateTable('contacts')
    .set({ confirmed_at: now, version: version + 1 })
    .where('id', '=', contactId)
    .execute()
  const subject = { kind: 'contact', id: contactId, schoolId: id, season: contact.season }
  await audit(tx, now, scope, 'contact.confirmed', subject, { contact: contact.name })
}
