import { audit } from '#platform/audit'
import type { Role } from '#platform/auth/policy'
import type { OfficeScope, SystemScope } from '#platform/auth/scope'
import { endSessionsOfStaff } from '#platform/auth/session'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { enqueueMail } from '#platform/jobs/outbox'
import { staffChangedMail } from '#platform/mail/mail-templates-staff'
import { tellOwners } from '../commands-owners.ts'
import { livingSessions, ownersOf } from './queries.ts'

interface Which {
  id: number
  version: number
}

/**
 * Locks somebody of the office for a change. All owners are locked first, in one order, so that two owners who demote
 * each other do it one after the other. Refuses `changed_meanwhile`.
 */
async function lockMember(tx: Tx, { id, version }: Which) {
  await tx.selectFrom('staff').select('id').where('role', '=', 'owner').orderBy('id').forUpdate().execute()
  const member = orNotFound(
    await tx
      .selectFrom('staff')
      .select(['id', 'email', 'name', 'role', 'password_hash', 'totp_secret', 'totp_last_step'])
      .select(['recovery_codes', 'created_at', 'disabled_at', 'version'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (member.version !== version) throw new Refusal('changed_meanwhile')
  return member
}

type Member = Awaited<ReturnType<typeof lockMember>>

/** The office never stays without an owner who can sign in. */
async function refuseLastOwner(tx: Tx, id: number): Promise<void> {
  const owners = await ownersOf(tx)
  if (owners.length === 1 && owners[0] === id) throw new Refusal('staff.last_owner')
}

type What = Parameters<typeof staffChangedMail>[1]['what']

/** Tells whoever it is about, and every owner. */
async function tell(
  tx: Tx,
  scope: OfficeScope | SystemScope,
  now: Date,
  member: Member,
  what: What,
  told: { role?: string; reason?: string } = {},
): Promise<void> {
  await enqueueMail(tx, now, {
    key: `staff-${what}:${member.id}:${member.version}`,
    kind: 'staff',
    to: { name: member.name, address: member.email },
    ...staffChangedMail(await mailSender(tx), {
      name: member.name,
      what,
      role: told.role ?? member.role,
      reason: told.reason ?? '',
      by: scope.name,
    }),
  })
  const { role = '', reason = '' } = told
  const act = { person: member.name, ...(what === 'role' ? { what, role } : { what, reason }) }
  await tellOwners(tx, scope, now, `${member.id}:${member.version}`, act)
}

/** Gives somebody another role, which signs them out. The role that they have changes nothing. */
export async function setRole(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { role, ...which }: Which & { role: Role },
): Promise<void> {
  const member = await lockMember(tx, which)
  if (member.role === role) return
  if (member.role === 'owner') await refuseLastOwner(tx, member.id)
  await tx
    .updateTable('staff')
    .set({ role, version: member.version + 1 })
    .where('id', '=', member.id)
    .execute()
  await endSessionsOfStaff(tx, now, member.id)
  const change = { person: member.name, from: { role: member.role }, to: { role } }
  await audit(tx, now, scope, 'staff.role_changed', { kind: 'staff', id: member.id }, change)
  await tell(tx, scope, now, member, 'role', { role })
}

/** Switches somebody off, which signs them out at once and voids their links, or on again. */
export async function setStanding(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { active, reason, ...which }: Which & { active: boolean; reason: string },
): Promise<void> {
  const member = await lockMember(tx, which)
  if ((member.disabled_at === null) === active) return
  if (!active && member.role === 'owner') await refuseLastOwner(tx, member.id)
  await tx
    .updateTable('staff')
    .set({ disabled_at: active ? null : now, version: member.version + 1 })
    .where('id', '=', member.id)
    .execute()
  if (!active) {
    await endSessionsOfStaff(tx, now, member.id)
    await voidLinks(tx, now, member.id)
  }
  const action = active ? 'staff.switched_on' : 'staff.switched_off'
  await audit(tx, now, scope, action, { kind: 'staff', id: member.id }, { person: member.name, reason })
  await tell(tx, scope, now, member, active ? 'on' : 'off', { reason })
}

/** Takes somebody's second factor and recovery codes back and signs them out: a new one is set up at the next sign-in. */
export async function resetFactor(
  tx: Tx,
  scope: OfficeScope | SystemScope,
  now: Date,
  { reason, ...which }: Which & { reason: string },
): Promise<void> {
  const member = await lockMember(tx, which)
  if (member.disabled_at !== null) throw new Refusal('staff.switched_off')
  await tx
    .updateTable('staff')
    .set({ totp_secret: null, totp_last_step: 0, recovery_codes: [], version: member.version + 1 })
    .where('id', '=', member.id)
    .execute()
  await endSessionsOfStaff(tx, now, member.id)
  // A step that was begun with the old factor does not end with it.
  await tx
    .updateTable('tickets')
    .set({ used_at: now })
    .where('kind', '=', 'totp')
    .where('staff_id', '=', member.id)
    .where('used_at', 'is', null)
    .execute()
  const change = { person: member.name, reason }
  await audit(tx, now, scope, 'staff.second_factor_reset', { kind: 'staff', id: member.id }, change)
  await tell(tx, scope, now, member, 'second-factor', { reason })
}

/** Links that were mailed to somebody and not used yet work no more. */
export async function voidLinks(tx: Tx, now: Date, staffId: number): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ used_at: now })
    .where('kind', '=', 'invite')
    .where('staff_id', '=', staffId)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Signs somebody out at one place or, without a session, everywhere; of their own sessions the one in use stays.
 * A session that is not theirs, or has ended, is not found.
 */
export async function endSessions(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, session }: { id: number; session: string },
): Promise<void> {
  const member = orNotFound(
    await tx.selectFrom('staff').select(['id', 'name']).where('id', '=', id).executeTakeFirst(),
  )
  const living = (await livingSessions(tx, scope, now, id)).filter(({ current }) => !current)
  const ending = session === '' ? living : [orNotFound(living.find(({ name }) => name === session))]
  if (ending.length === 0) return
  await tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where(
      'token_hash',
      'in',
      ending.map(({ hash }) => hash),
    )
    .execute()
  const change = { person: member.name, sessions: ending.length }
  await audit(tx, now, scope, 'staff.sessions_ended', { kind: 'staff', id }, change)
}
