import type { UserDetails } from '@podium/contract/accounts/calls'
import { audit } from '#platform/audit'
import { isPassword, rehashed } from '#platform/auth/passwords'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import { type Keys, tokenHash } from '#platform/auth/secrets'
import { endSession, openSession, sessionName } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { livingSessions, readUserDetails } from '../queries.ts'
import { joinSchool } from '../registration/commands-join.ts'
import { takeTicket } from './commands-tickets.ts'
import { schoolLink } from './queries-tickets.ts'

/** Whose e-mail and password these are; for a wrong one, an unknown address and a disabled account alike `account.wrong_sign_in`, after the same work. */
export async function checkPassword(db: Db, keys: Keys, email: string, password: string): Promise<number> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'password_hash', 'disabled_at'])
    .where('email', '=', email)
    .executeTakeFirst()
  const right = await isPassword(keys, password, user?.password_hash)
  if (!user || !right || user.disabled_at !== null) throw new Refusal('account.wrong_sign_in')
  const hash = await rehashed(keys, password, user.password_hash ?? '')
  if (hash !== undefined)
    await db
      .updateTable('users')
      .set({ password_hash: hash })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .execute()
  return user.id
}

interface SigningIn {
  userId: number
  staySignedIn: boolean
  source: string
  agent: string
  /** The session that this browser had; it ends */
  before: string | undefined
  /** The school link of the address, and the browser's proof of its access code */
  linkId: string | undefined
  schoolTicket: string | undefined
}

/**
 * Opens a new session, ends the one before, and joins somebody without a school to the school whose access code this
 * browser has proved. Somebody of a school that is switched off is refused. The proof is used up even when it is not needed: the next person at this computer is another.
 */
export async function signIn(
  tx: Tx,
  now: Date,
  signing: SigningIn,
): Promise<{ token: string; userDetails: UserDetails }> {
  const { userId } = signing
  const user = await tx
    .updateTable('users')
    .set({ last_sign_in_at: now })
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .returning('school_id')
    .executeTakeFirst()
  if (!user) throw new Refusal('account.wrong_sign_in')
  await refuseInactive(tx, user.school_id)
  const proof = await takeTicket(tx, now, 'school', signing.schoolTicket)
  if (user.school_id === null && proof?.school_link_id && proof.school_link_id === signing.linkId) {
    const link = await schoolLink(tx, proof.school_link_id)
    if (link) await joinSchool(tx, now, userId, link.school_id)
  }
  if (signing.before !== undefined) await endSession(tx, now, tokenHash(signing.before))
  const token = await openSession(tx, now, {
    kind: 'account',
    userId,
    staySignedIn: signing.staySignedIn,
    source: signing.source,
    agent: signing.agent,
  })
  return { token, userDetails: await readUserDetails(tx, userId) }
}

/** Changes a person's own name and mobile number; what is the same already changes nothing. */
export async function saveProfile(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  profile: { userName: string; mobile: string },
): Promise<void> {
  const from = found(
    await tx
      .selectFrom('users')
      .select(['name', 'mobile'])
      .where('id', '=', scope.userId)
      .forUpdate()
      .executeTakeFirst(),
  )
  const to = { name: profile.userName, mobile: profile.mobile }
  if (from.name === to.name && from.mobile === to.mobile) return
  await tx
    .updateTable('users')
    .set((values) => ({ ...to, version: values('version', '+', 1) }))
    .where('id', '=', scope.userId)
    .execute()
  await audit(tx, now, scope, 'account.profile_saved', { kind: 'user', id: scope.userId }, { from, to })
}

/** Signs a person out at one other place. A session that is not theirs, is the one in use or has ended is not found. */
export async function endOneSession(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  name: string,
): Promise<void> {
  const others = (await livingSessions(tx, now, scope.userId)).filter(
    (one) => one.token_hash !== scope.session,
  )
  const ending = found(others.find((one) => sessionName(one.token_hash) === name))
  await endSession(tx, now, ending.token_hash)
  await audit(tx, now, scope, 'account.session_ended', { kind: 'user', id: scope.userId })
}

/** A school that the office has switched off is told so; its people do not come in. */
async function refuseInactive(tx: Tx, schoolId: number | null): Promise<void> {
  if (schoolId === null) return
  const school = await tx.selectFrom('schools').select('active').where('id', '=', schoolId).executeTakeFirst()
  if (school?.active !== true) throw new Refusal('account.school_inactive')
}

/** Whose social sign-in this one-time ticket is; without one, or for another provider, 401 (threats.md, T1). */
export async function takeSocialTicket(
  tx: Tx,
  now: Date,
  token: string | undefined,
  provider: string,
): Promise<number> {
  const ticket = await takeTicket(tx, now, 'social', token)
  const data = ticket?.data
  const issuedFor =
    typeof data === 'object' && data !== null && !Array.isArray(data) ? data.provider : undefined
  if (!ticket?.user_id || issuedFor !== provider.toLowerCase()) throw new Refusal('account.no_social_ticket')
  return ticket.user_id
}
