import { messages } from '@podium/contract/messages'
import { mailSender } from '#features/office/settings/queries-foundation'
import { audit } from '#platform/audit'
import { isCommonPassword } from '#platform/auth/common-passwords'
import { hashPassword, isPassword } from '#platform/auth/passwords'
import { type AccountScope, type SchoolScope, systemScope } from '#platform/auth/scope'
import { type Keys, newToken, tokenHash } from '#platform/auth/secrets'
import { endSessionsOfUser } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal, refuseField } from '#platform/errors'
import { enqueueMail } from '#platform/jobs/outbox'
import { type Language, passwordResetMail } from '#platform/mail/mail-templates'
import { noAccountMail, passwordChangedMail } from '#platform/mail/mail-templates-accounts'
import { ticketSeconds } from '../rules.ts'
import { issueTicket, takeTicket, voidTickets } from './commands-tickets.ts'
import { readTicket } from './queries-tickets.ts'

interface Forgotten {
  email: string
  language: Language
  publicUrl: string
}

/**
 * Mails a link for a new password; earlier ones of the address end. An address without an active account gets a mail
 * that says so: the work and the answer are the same (threats.md, T4). The token stands behind #, so no server sees it.
 */
export async function sendReset(tx: Tx, now: Date, forgotten: Forgotten): Promise<void> {
  const { email, publicUrl } = forgotten
  const user = await tx
    .selectFrom('users')
    .select(['id', 'name', 'language'])
    .where('email', '=', email)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  await voidTickets(tx, now, 'reset', email)
  const token = newToken()
  await issueTicket(tx, now, 'reset', { token, email, ...(user ? { userId: user.id } : {}) })
  const sender = await mailSender(tx)
  await enqueueMail(tx, now, {
    key: `reset:${tokenHash(token)}`,
    kind: 'reset',
    to: { name: user?.name ?? '', address: email },
    ...(user
      ? passwordResetMail(sender, user.language === 'hi' ? 'hi' : forgotten.language, {
          name: user.name,
          link: `${publicUrl}/reset#${token}`,
          minutes: ticketSeconds('reset') / 60,
        })
      : noAccountMail(sender, forgotten.language, { register: `${publicUrl}/register` })),
  })
}

/** The account of a living reset token, and the new password's hash; refuses before it costs anything. */
export async function prepareReset(db: Db, keys: Keys, now: Date, token: string, password: string) {
  const ticket = await readTicket(db, now, 'reset', token)
  if (!ticket?.user_id) throw new Refusal('account.reset_expired')
  return { userId: ticket.user_id, hash: await newHash(db, keys, ticket.user_id, password) }
}

async function newHash(db: Db, keys: Keys, userId: number, password: string): Promise<string> {
  const user = found(
    await db.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirst(),
  )
  if (isCommonPassword(password, [user.name, user.email]))
    throw refuseField('password', messages.passwordCommon)
  return hashPassword(keys, password)
}

/** Sets the password that a mailed link was for, once, and ends every session of the account. */
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

/** Checks the current password and gives the new one's hash, before a transaction is opened. */
export async function prepareChange(
  db: Db,
  keys: Keys,
  scope: AccountScope | SchoolScope,
  current: string,
  password: string,
): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', scope.userId)
    .executeTakeFirst()
  if (!(await isPassword(keys, current, user?.password_hash)))
    throw refuseField('currentPassword', messages.passwordWrong)
  return newHash(db, keys, scope.userId, password)
}

/** Sets a new password and ends all sessions but this one. */
export async function changePassword(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  hash: string,
  publicUrl: string,
): Promise<void> {
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
  const user = await tx
    .updateTable('users')
    .set((values) => ({ password_hash: hash, version: values('version', '+', 1) }))
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .returning(['name', 'email', 'language', 'version'])
    .executeTakeFirst()
  if (!user) throw new Refusal('account.reset_expired')
  // A link that is still under way, asked for by whomever, is of the password before.
  await voidTickets(tx, now, 'reset', user.email)
  await enqueueMail(tx, now, {
    key: `password:${userId}:${user.version}`,
    kind: 'password',
    to: { name: user.name, address: user.email },
    ...passwordChangedMail(await mailSender(tx), user.language === 'hi' ? 'hi' : 'en', {
      name: user.name,
      reset: `${publicUrl}/forgot`,
    }),
  })
}
