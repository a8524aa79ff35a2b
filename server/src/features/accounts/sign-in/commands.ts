import type { Provider, UserDetails } from '@podium/contract/accounts/calls'
import { cutText, emailPattern, tidy } from '@podium/contract/fields'
import type { WrittenLanguage } from '@podium/contract/languages'
import { messages } from '@podium/contract/messages'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { audit } from '#platform/audit'
import { hashPassword, isCommonPassword, isPassword, rehashPassword } from '#platform/auth/passwords'
import { type AccountScope, type SchoolScope, systemScope } from '#platform/auth/scope'
import { type Keys, newToken, tokenHash } from '#platform/auth/secrets'
import { endSession, endSessionsOfUser, openSession, sessionName } from '#platform/auth/session'
import type { FlowSecrets, SocialPerson } from '#platform/auth/social'
import type { Db, Tx } from '#platform/db/database'
import { changeRows, firstRow } from '#platform/db/rows'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { enqueueMail } from '#platform/jobs/outbox'
import { renderMail } from '#platform/mail/mail-templates'
import { mailPerson } from '#platform/mail/mail-texts'
import {
  activeSessions,
  type Identity,
  readTicket,
  readUserDetails,
  schoolLink,
  ticketSeconds,
} from '../queries.ts'
import { joinSchool, sendOneTimePassword } from '../registration/commands.ts'
import { issueTicket, linkIdentity, takeTicket, voidTickets } from './commands-tickets.ts'

/** Returns the user with this e-mail and password. A wrong password, unknown address or deactivated account all get `account.wrong_sign_in`, after the same amount of work. */
export async function checkPassword(
  db: Db,
  keys: Keys,
  email: string,
  password: string,
): Promise<Pick<SignInAttempt, 'userId' | 'passwordHash'>> {
  const user = await firstRow(db, 'users', { email }, ['id', 'password_hash', 'disabled_at'])
  const right = await isPassword(keys, password, user?.password_hash)
  if (!user || !right || user.disabled_at !== null) throw new Refusal('account.wrong_sign_in')
  const hash = await rehashPassword(keys, password, user.password_hash ?? '')
  if (hash !== undefined)
    await changeRows(db, 'users', {
      where: { id: user.id, password_hash: user.password_hash },
      set: { password_hash: hash },
    })
  return { userId: user.id, passwordHash: hash ?? user.password_hash ?? '' }
}

interface SignInAttempt {
  userId: number
  /** The stored hash that the password matched; if it has been replaced since, the sign-in is refused */
  passwordHash?: string
  staySignedIn: boolean
  source: string
  agent: string
  /** This browser's previous session, which ends */
  before: string | undefined
  /** The school link in the page's address, and the browser's proof of its access code */
  linkId: string | undefined
  schoolTicket: string | undefined
}

/**
 * Opens a new session, ends the previous one, and adds a user without a school to the school whose access code this browser
 * has proved. Refuses users of deactivated schools. The proof is used up even if not needed, because the next user of this
 * computer may be someone else.
 */
export async function signIn(
  tx: Tx,
  now: Date,
  signing: SignInAttempt,
): Promise<{ token: string; userDetails: UserDetails }> {
  const { userId, passwordHash } = signing
  const user = await tx
    .updateTable('users')
    .set({ last_sign_in_at: now })
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash ?? ''))
    .returning('school_id')
    .executeTakeFirstOrThrow(() => new Refusal('account.wrong_sign_in'))
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

/** Changes the caller's name and mobile number; does nothing if they are the same. */
export async function saveProfile(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  profile: { userName: string; mobile: string },
): Promise<void> {
  const from = orNotFound(
    await firstRow(tx, 'users', { id: scope.userId }, ['name', 'mobile'], { lock: true }),
  )
  const to = { name: profile.userName, mobile: profile.mobile }
  if (from.name === to.name && from.mobile === to.mobile) return
  await changeRows(tx, 'users', { where: { id: scope.userId }, set: { ...to, version: sql`version + 1` } })
  await audit(tx, now, scope, 'account.profile_saved', { kind: 'user', id: scope.userId }, { from, to })
}

/** Ends one other session of the caller. The current session, an ended one or another user's is not found. */
export async function endOneSession(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  name: string,
): Promise<void> {
  const others = (await activeSessions(tx, now, scope.userId)).filter(
    (item) => item.token_hash !== scope.session,
  )
  const ending = orNotFound(others.find((other) => sessionName(other.token_hash) === name))
  await endSession(tx, now, ending.token_hash)
  await audit(tx, now, scope, 'account.session_ended', { kind: 'user', id: scope.userId })
}

/** Refuses users of a school that the office has deactivated. */
async function refuseInactive(tx: Tx, schoolId: number | null): Promise<void> {
  if (schoolId === null) return
  const school = await tx.selectFrom('schools').select('active').where('id', '=', schoolId).executeTakeFirst()
  if (school?.active !== true) throw new Refusal('account.school_inactive')
}

/** The user of a social sign-in's one-time ticket; 401 without one or for another provider (docs/security.md, T1). */
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

const flowData = z.object({
  provider: z.enum(['google', 'facebook']),
  secrets: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  linkId: z.optional(z.string()),
})

/** Stores a sign-in flow under a ticket that binds it to this browser. */
export async function beginFlow(
  tx: Tx,
  now: Date,
  provider: Provider,
  secrets: FlowSecrets,
  linkId: string | undefined,
): Promise<string> {
  return issueTicket(tx, now, 'flow', { data: { provider, secrets, ...(linkId ? { linkId } : {}) } })
}

/** Takes the flow that this browser started with this provider, once; otherwise undefined. */
export async function endFlow(tx: Tx, now: Date, provider: Provider, token: string | undefined) {
  const ticket = await takeTicket(tx, now, 'flow', token)
  const flow = z.safeParse(flowData, ticket?.data).data
  return flow?.provider === provider ? flow : undefined
}

type Arrival =
  | { kind: 'social' | 'email' | 'otp'; ticket: string }
  | { kind: 'refused'; problem: 'failed' | 'no-email' }

/**
 * Decides what happens when a user returns from a provider (docs/security.md, T1). A known identity signs in. Otherwise, if
 * the provider has verified the address, its account is connected (accounts always have verified addresses), or registration
 * begins. An unverified address must first be proved by an e-mailed code.
 */
export async function receivePerson(
  tx: Tx,
  keys: Keys,
  now: Date,
  arriving: { provider: Provider; person: SocialPerson; source: string; publicUrl: string },
): Promise<Arrival> {
  const { provider, person, source, publicUrl } = arriving
  const known = await tx
    .selectFrom('social_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.disabled_at'])
    .where('i.provider', '=', provider)
    .where('i.subject', '=', person.subject)
    .executeTakeFirst()
  if (known?.disabled_at) return { kind: 'refused', problem: 'failed' }
  if (known) return socialTicket(tx, now, provider, known.id)
  const email = person.email
  if (email.length > 254 || !emailPattern.test(email)) return { kind: 'refused', problem: 'no-email' }
  const identity: Identity = { provider, subject: person.subject, name: cutText(tidy(person.name), 100) }
  if (!person.emailVerified) {
    const request = { email, language: 'en' as const, source, publicUrl, identity }
    return { kind: 'otp', ticket: await sendOneTimePassword(tx, keys, now, request) }
  }
  const account = await firstRow(tx, 'users', { email }, ['id', 'disabled_at'])
  if (account?.disabled_at) return { kind: 'refused', problem: 'failed' }
  if (!account)
    return { kind: 'email', ticket: await issueTicket(tx, now, 'email', { email, data: { identity } }) }
  await linkIdentity(tx, now, publicUrl, account.id, identity, email)
  return socialTicket(tx, now, provider, account.id)
}

async function socialTicket(tx: Tx, now: Date, provider: Provider, userId: number): Promise<Arrival> {
  return { kind: 'social', ticket: await issueTicket(tx, now, 'social', { userId, data: { provider } }) }
}

interface ResetRequest {
  email: string
  language: WrittenLanguage
  publicUrl: string
}

/**
 * E-mails a link to reset the password; earlier links of the address expire. An address without an active account gets an
 * e-mail that says so: work and answer are the same (docs/security.md, T4). The token comes after the #, so no server sees
 * it.
 */
export async function sendReset(tx: Tx, now: Date, forgotten: ResetRequest): Promise<void> {
  const { email, publicUrl } = forgotten
  const user = await firstRow(tx, 'users', { email, disabled_at: null }, ['id', 'name', 'language'])
  await voidTickets(tx, now, 'reset', email)
  const token = newToken()
  await issueTicket(tx, now, 'reset', { token, email, ...(user ? { userId: user.id } : {}) })
  const sender = await mailSender(tx)
  await enqueueMail(tx, now, {
    key: `reset:${tokenHash(token)}`,
    kind: 'reset',
    to: { name: user?.name ?? '', address: email },
    ...(user
      ? renderMail(sender, user.language === 'hi' ? 'hi' : forgotten.language, 'password-reset', {
          name: user.name,
          link: `${publicUrl}/reset#${token}`,
          minutes: ticketSeconds('reset') / 60,
        })
      : renderMail(sender, forgotten.language, 'no-account', { register: `${publicUrl}/register` })),
  })
}

/** The account of a valid reset token and the new password's hash. Refuses before hashing. */
export async function prepareReset(db: Db, keys: Keys, now: Date, token: string, password: string) {
  const ticket = await readTicket(db, now, 'reset', token)
  if (!ticket?.user_id) throw new Refusal('account.reset_expired')
  return { userId: ticket.user_id, hash: await newHash(db, keys, ticket.user_id, password) }
}

async function newHash(db: Db, keys: Keys, userId: number, password: string): Promise<string> {
  const user = orNotFound(await firstRow(db, 'users', { id: userId }, ['name', 'email']))
  if (isCommonPassword(password, [user.name, user.email]))
    throw refuseField('password', messages.passwordCommon)
  return hashPassword(keys, password)
}

/** Sets the password with a reset link, once, and ends all sessions of the account. */
export async function resetPassword(
  tx: Tx,
  now: Date,
  token: string,
  prepared: { userId: number; hash: string },
  publicUrl: string,
): Promise<void> {
  const ticket = await takeTicket(tx, now, 'reset', token)
  if (ticket?.user_id !== prepared.userId) throw new Refusal('account.reset_expired')
  await setPassword(tx, now, prepared.userId, prepared.hash, publicUrl)
  await audit(tx, now, systemScope('Mailed link'), 'account.password_reset', {
    kind: 'user',
    id: prepared.userId,
  })
  await endSessionsOfUser(tx, now, prepared.userId)
}

/** Checks the current password and hashes the new one, before a transaction is opened. */
export async function prepareChange(
  db: Db,
  keys: Keys,
  scope: AccountScope | SchoolScope,
  current: string,
  password: string,
): Promise<{ before: string; hash: string }> {
  const user = await firstRow(db, 'users', { id: scope.userId }, ['password_hash'])
  const before = user?.password_hash ?? ''
  if (!(await isPassword(keys, current, user?.password_hash)))
    throw refuseField('currentPassword', messages.passwordWrong)
  return { before, hash: await newHash(db, keys, scope.userId, password) }
}

/** Sets a new password and ends all other sessions. Refuses if the current one has been replaced since it was checked. */
export async function changePassword(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  { before, hash }: { before: string; hash: string },
  publicUrl: string,
): Promise<void> {
  const user = await firstRow(tx, 'users', { id: scope.userId }, ['password_hash'], { lock: true })
  if (user?.password_hash !== before) throw refuseField('currentPassword', messages.passwordWrong)
  await setPassword(tx, now, scope.userId, hash, publicUrl)
  await audit(tx, now, scope, 'account.password_changed', { kind: 'user', id: scope.userId })
  await endSessionsOfUser(tx, now, scope.userId, scope.session)
}

async function setPassword(
  tx: Tx,
  now: Date,
  userId: number,
  hash: string,
  publicUrl: string,
): Promise<void> {
  const [user] = await changeRows(tx, 'users', {
    where: { id: userId, disabled_at: null },
    set: { password_hash: hash, version: sql`version + 1` },
    returning: ['name', 'email', 'language', 'version'],
  })
  if (!user) throw new Refusal('account.reset_expired')
  // Reset links requested before the change, by anyone, must stop working.
  await voidTickets(tx, now, 'reset', user.email)
  await mailPerson(tx, now, user, {
    key: `password:${userId}:${user.version}`,
    kind: 'password',
    mail: 'password-changed',
    values: { reset: `${publicUrl}/forgot` },
  })
}
