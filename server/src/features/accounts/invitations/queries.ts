import type { Colleague, CoordinatorOffer, Invitation } from '@podium/contract/accounts/calls'
import type { invitationCases } from '@podium/contract/accounts/calls-invitations'
import type { ErrorCode } from '@podium/contract/errors'
import { sql } from 'kysely'
import type { SchoolAccess, SchoolScope } from '#platform/auth/scope'
import { tokenHash } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'

const day = 86_400_000

/** How long an offer of the coordinator role is valid, in days. */
export const offerDays = 7

/** When an invitation's link expires. */
export const invitationEnd = (now: Date, days: number): Date => new Date(now.getTime() + days * day)
export const offerEnd = (now: Date): Date => new Date(now.getTime() + offerDays * day)

interface Person {
  id: number
  coordinator: boolean
  disabled: boolean
}

/**
 * Why a user can't leave a school or be deactivated now: while others can sign in, the coordinator must first hand over the
 * role. If the last user leaves, the next one to join becomes coordinator.
 */
export function explainCannotLeave(people: readonly Person[], id: number): ErrorCode | undefined {
  const leaving = people.find((person) => person.id === id)
  const others = people.some((person) => person.id !== id && !person.disabled)
  return leaving?.coordinator && others ? 'colleagues.coordinator_first' : undefined
}

/** Whether a school has no coordinator: then the next user who joins or returns becomes one. */
export function lacksCoordinator(people: readonly Person[]): boolean {
  return !people.some((person) => person.coordinator && !person.disabled)
}

interface Account {
  schoolId: number | null
  disabled: boolean
}

/**
 * What the holder of an invitation can do with an existing account of that address. An account belongs to one school;
 * another school must remove it first.
 */
function caseOf(account: Account | undefined, schoolId: number): (typeof invitationCases)[number] {
  if (!account) return 'new'
  if (account.schoolId === schoolId) return 'member'
  if (account.schoolId !== null) return 'elsewhere'
  return account.disabled ? 'disabled' : 'known'
}

/** Whether an invitation's link has expired. */
const isOver = (expiresAt: Date, now: Date): Invitation['over'] => expiresAt.getTime() <= now.getTime()

/** The staff of a school, coordinator first. Officers acting as the school do not count as sign-ins. */
export async function colleaguesOf(db: Db | Tx, scope: SchoolScope): Promise<Colleague[]> {
  const { rows } = await sql<Omit<Colleague, 'self'>>`
    select u.id, u.version, u.name, u.email as "emailId", u.designation, u.coordinator,
      u.disabled_at is not null as disabled,
      ${instant(sql`greatest(u.last_sign_in_at, (
        select max(s.last_seen_at) from sessions s
        where s.user_id = u.id and s.ended_at is null and s.acting_session_id is null))`)} as "lastSeen"
    from users u where u.school_id = ${scope.schoolId}
    order by u.coordinator desc, u.disabled_at is not null, u.name, u.id`.execute(db)
  return rows.map((row) => ({ ...row, self: row.id === scope.userId && !scope.acting }))
}

/** The open invitations of a school, newest first, including expired ones. */
export async function openInvitations(
  db: Db,
  { schoolId }: SchoolScope | SchoolAccess,
  now: Date,
): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('school_invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by_user')
    .leftJoin('staff as f', 'f.id', 'i.invited_by_staff')
    .select(({ fn }) => [
      'i.id',
      'i.name',
      'i.email as emailId',
      fn.coalesce('u.name', 'f.name', sql<string>`''`).as('invitedBy'),
      'i.sent_at',
      'i.expires_at',
      'i.times_sent as timesSent',
    ])
    .where('i.school_id', '=', schoolId)
    .where('i.accepted_at', 'is', null)
    .where('i.withdrawn_at', 'is', null)
    .orderBy('i.sent_at', 'desc')
    .orderBy('i.id', 'desc')
    .execute()
  return rows.map(({ sent_at, expires_at, ...row }) => ({
    ...row,
    sentAt: sent_at.toISOString(),
    until: expires_at.toISOString(),
    over: isOver(expires_at, now),
  }))
}

/** The open offer of the coordinator role at a school; null if there is none. */
export async function openOffer(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
): Promise<CoordinatorOffer | null> {
  const row = await db
    .selectFrom('coordinator_offers as o')
    .innerJoin('users as f', 'f.id', 'o.from_user')
    .innerJoin('users as t', 't.id', 'o.to_user')
    .select(['o.id', 'f.name as fromName', 'o.to_user', 't.name as toName', 'o.expires_at'])
    .where('o.school_id', '=', scope.schoolId)
    .where('o.state', '=', 'open')
    .where('o.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  const { to_user, expires_at, ...offer } = row
  return { ...offer, mine: to_user === scope.userId && !scope.acting, until: expires_at.toISOString() }
}

/** The valid invitation behind a link; `colleagues.invitation_over` if it is used, expired or withdrawn. */
export async function invitationOf(db: Db | Tx, now: Date, token: string) {
  const row = await db
    .selectFrom('school_invitations as i')
    .innerJoin('schools as s', 's.id', 'i.school_id')
    .leftJoin('users as a', 'a.email', 'i.email')
    .leftJoin('users as u', 'u.id', 'i.invited_by_user')
    .leftJoin('staff as f', 'f.id', 'i.invited_by_staff')
    .select(({ fn }) => [
      'i.id',
      'i.name',
      'i.email',
      'i.school_id as schoolId',
      'i.expires_at as until',
      's.name as school',
      's.city',
      'a.id as userId',
      'a.school_id as userSchool',
      'a.password_hash as passwordHash',
      'a.disabled_at as userDisabled',
      fn.coalesce('u.name', 'f.name', sql<string>`''`).as('invitedBy'),
    ])
    .where('i.token_hash', '=', tokenHash(token))
    .where('i.accepted_at', 'is', null)
    .where('i.withdrawn_at', 'is', null)
    .where('i.expires_at', '>', now)
    .where('s.active', '=', true)
    .executeTakeFirst()
  const { userId, userSchool, userDisabled, ...invitation } = orNotFound(row, 'colleagues.invitation_over')
  const account = userId === null ? undefined : { schoolId: userSchool, disabled: userDisabled !== null }
  return { ...invitation, userId, account: caseOf(account, invitation.schoolId) }
}

export type OpenInvitation = Awaited<ReturnType<typeof invitationOf>>

/** The name of an active school; refuses with `not_found`, or `schools.inactive` for a deactivated one. */
export async function activeSchool(db: Db | Tx, schoolId: number): Promise<{ id: number; name: string }> {
  const school = orNotFound(await firstRow(db, 'schools', { id: schoolId }, ['id', 'name', 'active']))
  if (!school.active) throw new Refusal('schools.inactive')
  return school
}
