import type { ParsedBody } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import type {
  addressWorks,
  confirmContact as confirmContactCall,
  SchoolRecordFields,
  setSchoolStatus,
} from '@podium/contract/schools/calls-write'
import { sql } from 'kysely'
import { type LockedPerson, lockPeople } from '#features/accounts/invitations/commands-people'
import { explainCannotLeave, lacksCoordinator } from '#features/accounts/invitations/queries'
import { placeIssues, refusePlacesScheduled } from '#features/catalogue/lists/queries'
import { audit, differences, isUnchanged } from '#platform/audit'
import { endInvitations } from '#platform/auth/invitations'
import type { OfficeScope } from '#platform/auth/scope'
import { endSessionsOfUser } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { changeRows, findRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { runBulk } from '#platform/http/idempotency'
import { dropMailsTo } from '#platform/jobs/outbox'
import { mailPeople, mailPerson } from '#platform/mail/mail-texts'
import { findLikelySchools } from '../applications/queries.ts'
import { makeSchool, refuseTakenUdise, zoneOf } from '../commands.ts'

type WorkingAddress = ParsedBody<typeof addressWorks>

/** The owner of the address: a user, a contact or the school itself. */
async function ownerOf(tx: Tx, { id, email }: WorkingAddress) {
  const { rows } = await sql<{ kind: 'user' | 'contact' | 'school'; id: number }>`
    select kind, id from (
      select 1 as place, 'user' as kind, id from users where school_id = ${id} and email = ${email}
      union all select 2, 'contact', id from contacts where school_id = ${id} and lower(email) = ${email}
      union all select 3, 'school', id from schools where id = ${id} and lower(email) = ${email}) o
    order by place, id desc limit 1`.execute(tx)
  return orNotFound(rows[0])
}

/**
 * Removes the bounce mark from a school's address that works again; does nothing if there is none. Refuses with `not_found`
 * for another school's address, and `changed_meanwhile` if an e-mail has bounced since.
 */
export async function clearMark(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  working: WorkingAddress,
): Promise<void> {
  const owner = await ownerOf(tx, working)
  const mark = await tx
    .selectFrom('bounced_addresses')
    .select(['at', 'status'])
    .where('address', '=', working.email)
    .forUpdate()
    .executeTakeFirst()
  if (!mark) return
  // The screen shows whole seconds.
  if (Math.floor(mark.at.getTime() / 1000) > Date.parse(working.at) / 1000)
    throw new Refusal('changed_meanwhile')
  await tx.deleteFrom('bounced_addresses').where('address', '=', working.email).execute()
  const change = { from: { returnedSince: mark.at.toISOString() }, to: { returnedSince: '' } }
  await audit(tx, now, scope, 'school.address_works', { ...owner, schoolId: working.id }, change)
}

interface Person {
  /** The user's school */
  id: number
  userId: number
}

/**
 * Makes a user the school's only coordinator, with a reason for those concerned. Refuses a deactivated account and users of
 * another school.
 */
export async function makeCoordinator(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, userId, reason }: Person & { reason: string },
): Promise<void> {
  const people = await lockPeople(tx, id)
  const next = orNotFound(people.find((person) => person.id === userId))
  if (next.disabled) throw new Refusal('schools.account_disabled')
  const before = people.filter((person) => person.coordinator)
  if (before.length === 1 && before[0]?.id === userId) return
  await tx
    .updateTable('users')
    .set((row) => ({ coordinator: sql<boolean>`id = ${userId}`, version: row('version', '+', 1) }))
    .where('school_id', '=', id)
    .where((row) => row.or([row('coordinator', '=', true), row('id', '=', userId)]))
    .execute()
  await changeRows(tx, 'coordinator_offers', {
    where: { school_id: id, state: 'open' },
    set: { state: 'withdrawn', ended_at: now },
  })
  const change = {
    from: { coordinator: before.map((item) => item.name).join(', ') },
    to: { coordinator: next.name },
    reason,
  }
  await audit(tx, now, scope, 'school.coordinator_made', { kind: 'user', id: userId, schoolId: id }, change)
  await notifyOfCoordinator(tx, now, id, next, reason, [
    next,
    ...before.filter((item) => !item.disabled && item.id !== userId),
  ])
}

async function notifyOfCoordinator(
  tx: Tx,
  now: Date,
  schoolId: number,
  next: LockedPerson,
  reason: string,
  recipients: readonly LockedPerson[],
): Promise<void> {
  const { name: school } = await findRow(tx, 'schools', { id: schoolId }, ['name'])
  await mailPeople(tx, now, recipients, ({ id }) => ({
    key: `coordinator-made:${next.id}:${next.version}:${id}`,
    kind: 'account',
    mail: id === next.id ? 'coordinator-named-you' : 'coordinator-named',
    values: { coordinator: next.name, school, reason },
  }))
}

interface AccountSwitch extends Person {
  version: number
  enabled: boolean
  reason: string
}

/**
 * Deactivates a user's account, which ends all sessions and invitations, or reactivates it; the user is told why. A coordinator can only be
 * deactivated if no one else of the school can sign in; a user reactivated at a school without a coordinator becomes one.
 * Does nothing if the account already has this state. Refuses `changed_meanwhile` and users of another school.
 */
export async function setAccount(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { id, userId, version, enabled, reason }: AccountSwitch,
): Promise<void> {
  const people = await lockPeople(tx, id)
  const user = orNotFound(people.find((person) => person.id === userId))
  if (user.version !== version) throw new Refusal('changed_meanwhile')
  if (!user.disabled === enabled) return
  const refused = enabled ? undefined : explainCannotLeave(people, userId)
  if (refused) throw new Refusal(refused)
  const coordinator = enabled && lacksCoordinator(people)
  await changeRows(tx, 'users', {
    where: { id: userId },
    set: { disabled_at: enabled ? null : now, coordinator, version: version + 1 },
  })
  if (!enabled) {
    await endSessionsOfUser(tx, now, userId)
    await dropMailsTo(tx, id, userId)
    await endInvitations(tx, scope, now, id, user, 'sent too')
  }
  const action = enabled ? 'school.account_enabled' : 'school.account_disabled'
  const change = { person: user.name, reason, ...(coordinator ? { to: { coordinator: user.name } } : {}) }
  await audit(tx, now, scope, action, { kind: 'user', id: userId, schoolId: id }, change)
  const { name: school } = await findRow(tx, 'schools', { id }, ['name'])
  await mailPerson(tx, now, user, {
    key: `account-switched:${userId}:${version}`,
    kind: 'account',
    mail: enabled ? 'account-enabled' : 'account-disabled',
    values: { school, reason, signIn: `${publicUrl}/login` },
  })
}

/** Confirms a contact added by the school, once. Refuses a changed contact and one of another school. */
export async function confirmContact(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, contactId, version }: ParsedBody<typeof confirmContactCall>,
): Promise<void> {
  const contact = await tx
    .selectFrom('contacts')
    .select(['version', 'name', 'season', 'confirmed_at'])
    .where('id', '=', contactId)
    .where('school_id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (contact.confirmed_at !== null) throw new Refusal('schools.contact_confirmed')
  if (contact.version !== version) throw new Refusal('changed_meanwhile')
  await changeRows(tx, 'contacts', {
    where: { id: contactId },
    set: { confirmed_at: now, version: version + 1 },
  })
  const subject = { kind: 'contact', id: contactId, schoolId: id, season: contact.season }
  await audit(tx, now, scope, 'contact.confirmed', subject, { contact: contact.name })
}

/** The form's fields as columns. */
export function columnsOf(form: SchoolRecordFields) {
  return {
    name: form.schName,
    address: form.schAddress,
    city: form.city,
    district: form.district,
    state: form.state,
    country: form.country,
    pin_code: form.pinCode,
    phone: form.mobile,
    udise_code: form.udiseCode,
    affiliation_no: form.affiliationNo,
    email: form.schEmail,
    group_id: form.schGroupId,
    landline: form.landLineNo,
    fax: form.schFaxNo,
    website: form.schWebSite,
    whatsapp: form.whatsAppNo,
  }
}

async function refuseUnknownPlace(tx: Tx, form: SchoolRecordFields, had?: string): Promise<void> {
  const issues = await placeIssues(tx, form.country, form.state, had)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
}

/** Locks a school. Refuses an unknown or merged school, or one changed since `version`. */
async function lockSchool(tx: Tx, id: number, version: number) {
  const school = await tx
    .selectFrom('schools')
    .select(['id', 'code', 'name', 'name_key', 'email', 'address', 'city', 'district', 'state', 'zone'])
    .select(['country', 'pin_code', 'affiliation_no', 'udise_code', 'group_id', 'landline', 'fax'])
    .select(['website', 'phone', 'whatsapp', 'active', 'created_at', 'version', 'inactive_reason'])
    .select(['inactive_since', 'search_key', 'merged_into', 'merged_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (school.merged_into !== null) throw new Refusal('schools.merged')
  if (school.version !== version) throw new Refusal('changed_meanwhile')
  return school
}

interface Save extends SchoolRecordFields {
  id: number
  version: number
}

/** Changes a school's details; the audit line has the differences. Refuses fields, `results.places_scheduled`, `changed_meanwhile`, `not_found`. */
export async function saveRecord(tx: Tx, scope: OfficeScope, now: Date, save: Save): Promise<void> {
  const before = await lockSchool(tx, save.id, save.version)
  await refuseUnknownPlace(tx, save, before.state)
  await refuseTakenUdise(tx, save.udiseCode, save.id)
  const to = { ...columnsOf(save), zone: await zoneOf(tx, save) }
  const change = differences(before, to)
  if (isUnchanged(change)) return
  await changeRows(tx, 'schools', {
    where: { id: save.id },
    set: { ...to, name_key: foldName(save.schName), version: before.version + 1 },
  })
  if (to.state !== before.state || to.zone !== before.zone)
    await refusePlacesScheduled(tx, now, sql`o.id = ${save.id}`)
  const subject = { kind: 'school', id: save.id, schoolId: save.id }
  await audit(tx, now, scope, 'school.changed', subject, change)
}

interface NewSchool extends SchoolRecordFields {
  /** Empty: the next free code */
  schCode: string
  compared: boolean
}

/**
 * Creates a school that has not applied itself. Refuses fields, a taken code, and similar existing schools until the officer
 * has compared them (`schools.likely`).
 */
export async function createSchool(tx: Tx, scope: OfficeScope, now: Date, form: NewSchool) {
  await refuseUnknownPlace(tx, form)
  if (!form.compared) {
    // One at a time, so that the second officer is shown the first one's school.
    await sql`select pg_advisory_xact_lock(hashtext('schools.create'))`.execute(tx)
    const likely = await findLikelySchools(tx, { ...form, phone: form.mobile })
    if (likely.length > 0) throw new Refusal('schools.likely')
  }
  const columns = columnsOf(form)
  const school = await makeSchool(tx, now, columns, form.schCode === '' ? undefined : form.schCode)
  const subject = { kind: 'school', id: school.id, schoolId: school.id }
  await audit(tx, now, scope, 'school.created', subject, { to: { code: school.code, ...columns } })
  return { schId: school.id, schCode: school.code }
}

type StatusChange = ParsedBody<typeof setSchoolStatus>

/**
 * Deactivates or reactivates a school. Deactivating signs out its users and blocks their sign-in. Refuses its current status,
 * `changed_meanwhile`, `not_found`.
 */
export async function changeStatus(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  change: StatusChange,
): Promise<void> {
  const { id, version, active, reason } = change
  const before = await lockSchool(tx, id, version)
  if (before.active === active) throw new Refusal(active ? 'schools.active' : 'schools.inactive')
  await changeRows(tx, 'schools', {
    where: { id },
    set: {
      active,
      inactive_reason: active ? '' : reason,
      inactive_since: active ? null : now,
      version: version + 1,
    },
  })
  if (!active) {
    const people = await tx.selectFrom('users').select('id').where('school_id', '=', id).execute()
    for (const person of people) await endSessionsOfUser(tx, now, person.id)
  }
  const action = active ? 'school.activated' : 'school.deactivated'
  await audit(tx, now, scope, action, { kind: 'school', id, schoolId: id }, { reason })
}

/** Deactivates or reactivates several schools independently. Returns which were refused, and why. */
export function setStatuses(
  db: Db,
  scope: OfficeScope,
  now: Date,
  changes: readonly StatusChange[],
  key: string | undefined,
) {
  return runBulk(db, now, { scope, key }, changes, async (tx, change) => {
    await changeStatus(tx, scope, now, change)
    return { id: change.id }
  })
}
