import { messages } from '@podium/contract/messages'
import { audit } from '#platform/audit'
import { hashPassword, isCommonPassword, isPassword } from '#platform/auth/passwords'
import type { Role } from '#platform/auth/policy'
import { mint, type OfficeScope, type SystemScope } from '#platform/auth/scope'
import { newToken, tokenHash } from '#platform/auth/secrets'
import { endSessionsOfStaff } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { addRow, changeRows, findRow, firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { notFound, orNotFound, Refusal, refuseField } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { enqueueMail } from '#platform/jobs/outbox'
import { renderOfficeMail } from '#platform/mail/mail-templates'
import { freshRecoveryCodes, minutesFrom, takeCode } from '../commands.ts'
import { notifyOwners } from '../commands-owners.ts'
import { activeSessions, ownersOf } from '../queries.ts'

export const linkDays = 3

interface LinkRecipient {
  id: number
  name: string
  email: string
  role: string
  password_hash: string | null
}

/**
 * E-mails a link to set the password, and returns it; earlier links stop working. The token comes after the #, so no
 * server log contains it.
 */
export async function mailLink(tx: Tx, now: Date, publicUrl: string, member: LinkRecipient): Promise<string> {
  const token = newToken()
  const link = `${publicUrl}/office/join#token=${token}`
  await voidTickets(tx, now, member.id, ['invite'])
  await addRow(tx, 'tickets', {
    id_hash: tokenHash(token),
    kind: 'invite',
    staff_id: member.id,
    created_at: now,
    expires_at: minutesFrom(now, linkDays * 24 * 60),
  })
  const sender = await mailSender(tx)
  await enqueueMail(tx, now, {
    key: `staff-link:${member.id}:${tokenHash(token).slice(0, 16)}`,
    kind: 'staff',
    to: { name: member.name, address: member.email },
    ...renderOfficeMail(sender, member.password_hash === null ? 'invited' : 'new-password', {
      name: member.name,
      foundation: sender.foundation,
      role: member.role,
      link,
      days: linkDays,
    }),
  })
  return link
}

/** Creates an account without a password and e-mails the link to set one. Refuses an existing e-mail at its field. */
export async function invite(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { name, emailId, role }: { name: string; emailId: string; role: Role },
): Promise<{ id: number }> {
  const made = await tx
    .insertInto('staff')
    .values({ name, email: emailId, role, created_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(['id', 'name', 'email', 'role', 'password_hash'])
    .executeTakeFirst()
  if (!made) throw refuseField('emailId', messages.staffEmailKnown)
  await mailLink(tx, now, publicUrl, made)
  const to = { name, email: emailId, role }
  await audit(tx, now, scope, 'staff.invited', { kind: 'staff', id: made.id }, { to })
  await notifyOwners(tx, scope, now, String(made.id), { what: 'invited', person: name, role })
  return { id: made.id }
}

/** E-mails a new link to set the password. Refuses deactivated users, and with `changed_meanwhile`. */
export async function sendLink(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { id, version }: MemberVersion,
): Promise<void> {
  const member = await memberForChange(tx, { id, version })
  if (member.disabled_at !== null) throw new Refusal('staff.switched_off')
  await mailLink(tx, now, publicUrl, member)
  await audit(tx, now, scope, 'staff.link_sent', { kind: 'staff', id }, { person: member.name })
}

/** The user of a password link. Refused if the link was used or has expired, or the user is deactivated. */
export async function invited(db: Db | Tx, now: Date, token: string) {
  const row = await db
    .selectFrom('tickets as t')
    .innerJoin('staff as f', 'f.id', 't.staff_id')
    .select(['f.id', 'f.name', 'f.email', 'f.role'])
    .where('t.id_hash', '=', tokenHash(token))
    .where('t.kind', '=', 'invite')
    .where('t.used_at', 'is', null)
    .where('t.expires_at', '>', now)
    .where('f.disabled_at', 'is', null)
    .executeTakeFirst()
  return orNotFound(row, 'staff.invite_over')
}

/** Sets the password with an e-mailed link, once, and ends existing sessions. */
export async function acceptInvitation(
  deps: Deps,
  now: Date,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { id, name, email, role } = await invited(deps.db, now, token)
  const sender = await mailSender(deps.db)
  if (isCommonPassword(password, [name, email, sender.foundation]))
    throw refuseField('password', messages.passwordCommon)
  const hash = await hashPassword(deps.keys, password)
  await deps.db.transaction().execute(async (tx) => {
    const used = await tx
      .updateTable('tickets')
      .set({ used_at: now })
      .where('id_hash', '=', tokenHash(token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw new Refusal('staff.invite_over')
    await setPassword(tx, now, id, hash)
    await endSessionsOfStaff(tx, now, id)
    const scope = mint<OfficeScope>({ kind: 'office', staffId: id, name, email, role, session: '' })
    await audit(tx, now, scope, 'staff.password_set', { kind: 'staff', id })
  })
}

/** Sets a password. A sign-in begun with the old one must not complete. */
async function setPassword(tx: Tx, now: Date, id: number, hash: string): Promise<void> {
  const set = await tx
    .updateTable('staff')
    .set((values) => ({ password_hash: hash, version: values('version', '+', 1) }))
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (set.numUpdatedRows === 0n) throw new Refusal('staff.invite_over')
  await voidTickets(tx, now, id, ['invite', 'totp'])
}

/** Changes the caller's password, given the current one, and signs out all other sessions. */
export async function changePassword(
  deps: Deps,
  scope: OfficeScope,
  now: Date,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<void> {
  const { db, keys } = deps
  const row = await firstRow(db, 'staff', { id: scope.staffId }, ['password_hash'])
  if (!(await isPassword(keys, password, row?.password_hash)))
    throw refuseField('password', messages.passwordWrong)
  const sender = await mailSender(db)
  if (isCommonPassword(newPassword, [scope.name, scope.email, sender.foundation]))
    throw refuseField('newPassword', messages.passwordCommon)
  const hash = await hashPassword(keys, newPassword)
  await db.transaction().execute(async (tx) => {
    const current = await firstRow(tx, 'staff', { id: scope.staffId }, ['password_hash'], { lock: true })
    // Replaced since it was checked
    if (current?.password_hash !== row?.password_hash) throw refuseField('password', messages.passwordWrong)
    await setPassword(tx, now, scope.staffId, hash)
    await endSessionsOfStaff(tx, now, scope.staffId, scope.session)
    await audit(tx, now, scope, 'staff.password_changed', { kind: 'staff', id: scope.staffId })
  })
}

/** Does something for the caller, given a code of their authenticator or a recovery code, which is used up. */
async function withOwnCode<T>(
  deps: Deps,
  { staffId }: OfficeScope,
  now: Date,
  code: string,
  then: (tx: Tx, version: number) => Promise<T>,
): Promise<T> {
  await deps.limits.take('office-code.per-staff', String(staffId))
  const done = await deps.db.transaction().execute(async (tx) => {
    const own = await findRow(tx, 'staff', { id: staffId }, ['totp_secret', 'version'])
    const right =
      own.totp_secret !== null &&
      (await takeCode(tx, deps, now, staffId, own.totp_secret, code.replace(/\s/g, '')))
    if (!right) throw refuseField('code', messages.officeCodeWrong)
    return then(tx, own.version)
  })
  await deps.limits.forget('office-code.per-staff', String(staffId))
  return done
}

/** Replaces the caller's recovery codes, given a code; the old ones stop working. Returns the new ones, only this once. */
export const renewRecoveryCodes = (
  deps: Deps,
  scope: OfficeScope,
  now: Date,
  code: string,
): Promise<string[]> =>
  withOwnCode(deps, scope, now, code, async (tx) => {
    const fresh = freshRecoveryCodes(deps, scope.staffId)
    await changeRows(tx, 'staff', { where: { id: scope.staffId }, set: { recovery_codes: fresh.hashes } })
    await audit(tx, now, scope, 'staff.recovery_codes_renewed', { kind: 'staff', id: scope.staffId })
    return fresh.codes
  })

/** Removes the caller's second factor, given a code, and signs them out: the next sign-in sets up another phone. */
export const replaceAuthenticator = (
  deps: Deps,
  scope: OfficeScope,
  now: Date,
  code: string,
): Promise<void> =>
  withOwnCode(deps, scope, now, code, (tx, version) =>
    resetFactor(tx, scope, now, { id: scope.staffId, version, reason: 'New phone' }),
  )

interface MemberVersion {
  id: number
  version: number
}

async function memberForChange(tx: Tx, { id, version }: MemberVersion) {
  const member = await tx
    .selectFrom('staff')
    .select(['id', 'email', 'name', 'role', 'password_hash', 'totp_secret', 'totp_last_step'])
    .select(['recovery_codes', 'created_at', 'disabled_at', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (member.version !== version) throw new Refusal('changed_meanwhile')
  return member
}

/**
 * Locks an office user for a change. All owners are locked first, in a fixed order, so two owners cannot demote each other
 * at the same time. Refuses with `changed_meanwhile`.
 */
async function lockMember(tx: Tx, which: MemberVersion) {
  await tx.selectFrom('staff').select('id').where('role', '=', 'owner').orderBy('id').forUpdate().execute()
  return memberForChange(tx, which)
}

/** Refuses to remove the last owner who can sign in. */
async function refuseLastOwner(tx: Tx, id: number): Promise<void> {
  const owners = await ownersOf(tx)
  if (owners.length === 1 && owners[0] === id) throw new Refusal('staff.last_owner')
}

type ChangeKind = 'role' | 'off' | 'on' | 'second-factor'

/** Notifies the user concerned and all owners. */
async function notify(
  tx: Tx,
  scope: OfficeScope | SystemScope,
  now: Date,
  member: Awaited<ReturnType<typeof lockMember>>,
  what: ChangeKind,
  change: { role?: string; reason?: string } = {},
): Promise<void> {
  await enqueueMail(tx, now, {
    key: `staff-${what}:${member.id}:${member.version}`,
    kind: 'staff',
    to: { name: member.name, address: member.email },
    ...renderOfficeMail(await mailSender(tx), `account-${what}`, {
      name: member.name,
      role: change.role ?? member.role,
      reason: change.reason ?? '',
      by: scope.name,
    }),
  })
  const { role = '', reason = '' } = change
  const act = { person: member.name, ...(what === 'role' ? { what, role } : { what, reason }) }
  await notifyOwners(tx, scope, now, `${member.id}:${member.version}`, act)
}

/** Changes a user's role and signs the user out. Does nothing if it is the current role. */
export async function setRole(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { role, ...which }: MemberVersion & { role: Role },
): Promise<void> {
  const member = await lockMember(tx, which)
  if (member.role === role) return
  if (member.role === 'owner') await refuseLastOwner(tx, member.id)
  await changeRows(tx, 'staff', { where: { id: member.id }, set: { role, version: member.version + 1 } })
  await endSessionsOfStaff(tx, now, member.id)
  const change = { person: member.name, from: { role: member.role }, to: { role } }
  await audit(tx, now, scope, 'staff.role_changed', { kind: 'staff', id: member.id }, change)
  await notify(tx, scope, now, member, 'role', { role })
}

/** Deactivates a user, which ends sessions and links at once, or reactivates one. */
export async function changeStatus(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { active, reason, ...which }: MemberVersion & { active: boolean; reason: string },
): Promise<void> {
  const member = await lockMember(tx, which)
  if ((member.disabled_at === null) === active) return
  if (!active && member.role === 'owner') await refuseLastOwner(tx, member.id)
  await changeRows(tx, 'staff', {
    where: { id: member.id },
    set: { disabled_at: active ? null : now, version: member.version + 1 },
  })
  if (!active) {
    await endSessionsOfStaff(tx, now, member.id)
    await voidTickets(tx, now, member.id, ['invite', 'totp'])
  }
  const action = active ? 'staff.switched_on' : 'staff.switched_off'
  await audit(tx, now, scope, action, { kind: 'staff', id: member.id }, { person: member.name, reason })
  await notify(tx, scope, now, member, active ? 'on' : 'off', { reason })
}

/** Removes a user's second factor and recovery codes and signs the user out; a new one is set up at the next sign-in. */
export async function resetFactor(
  tx: Tx,
  scope: OfficeScope | SystemScope,
  now: Date,
  { reason, ...which }: MemberVersion & { reason: string },
): Promise<void> {
  const member = await lockMember(tx, which)
  if (member.disabled_at !== null) throw new Refusal('staff.switched_off')
  await changeRows(tx, 'staff', {
    where: { id: member.id },
    set: { totp_secret: null, totp_last_step: 0, recovery_codes: [], version: member.version + 1 },
  })
  await endSessionsOfStaff(tx, now, member.id)
  // A sign-in begun with the old factor must not complete.
  await voidTickets(tx, now, member.id, ['totp'])
  const change = { person: member.name, reason }
  await audit(tx, now, scope, 'staff.second_factor_reset', { kind: 'staff', id: member.id }, change)
  await notify(tx, scope, now, member, 'second-factor', { reason })
}

type StaffTicket = 'invite' | 'totp'

/** Revokes a user's unused tickets: links e-mailed to them, and sign-ins that await the second factor. */
async function voidTickets(tx: Tx, now: Date, staffId: number, kinds: readonly StaffTicket[]): Promise<void> {
  await changeRows(tx, 'tickets', {
    where: { kind: kinds, staff_id: staffId, used_at: null },
    set: { used_at: now },
  })
}

/**
 * Ends one session of a user or, if none is given, all of them except the caller's current one. A session of another user,
 * or an ended one, is not found.
 */
export async function endSessions(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, session }: { id: number; session: string },
): Promise<void> {
  const member = orNotFound(await firstRow(tx, 'staff', { id }, ['id', 'name']))
  const sessions = (await activeSessions(tx, scope, now, id)).filter(({ current }) => !current)
  const ending = session === '' ? sessions : [orNotFound(sessions.find(({ name }) => name === session))]
  if (ending.length === 0) return
  await changeRows(tx, 'sessions', {
    where: { token_hash: ending.map(({ hash }) => hash) },
    set: { ended_at: now },
  })
  const change = { person: member.name, sessions: ending.length }
  await audit(tx, now, scope, 'staff.sessions_ended', { kind: 'staff', id }, change)
}
