import type { acceptInvitation as acceptInvitationCall } from '@podium/contract/accounts/calls-invitations'
import type { ParsedBody } from '@podium/contract/endpoint'
import type { WrittenLanguage } from '@podium/contract/languages'
import { messages } from '@podium/contract/messages'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { hashPassword, isCommonPassword, isPassword } from '#platform/auth/passwords'
import { type OfficeScope, type SchoolScope, systemScope } from '#platform/auth/scope'
import { newToken, tokenHash } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { changeRows, findRow, firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { foundationLimits, mailSender } from '#platform/foundation'
import { mailPeople, mailPerson } from '#platform/mail/mail-texts'
import * as queries from './queries.ts'

type Actor = SchoolScope | OfficeScope

interface InvitationToMail {
  id: number
  school_id: number
  name: string
  email: string
  language: string
}

/** E-mails the link of an invitation. The token comes after the #, so no server log contains it. */
async function mailInvitation(
  tx: Tx,
  by: Actor,
  now: Date,
  publicUrl: string,
  sent: InvitationToMail & { token: string },
): Promise<void> {
  const school = await queries.activeSchool(tx, sent.school_id)
  const { shortName, foundation } = await mailSender(tx)
  await mailPerson(tx, now, sent, {
    key: `invitation:${sent.id}:${tokenHash(sent.token).slice(0, 16)}`,
    kind: 'invitation',
    schoolId: sent.school_id,
    mail: 'invitation',
    values: {
      portal: shortName ?? foundation,
      by: by.name,
      school: school.name,
      link: `${publicUrl}/invitation#${sent.token}`,
      days: (await foundationLimits(tx)).invitationDays,
    },
  })
}

/**
 * Locks the school, as a removal does. So an invitation sent at the same moment either comes first and is withdrawn by the
 * removal, or comes later and is refused: former staff can't invite anyone.
 */
async function lockInviter(tx: Tx, by: Actor, schoolId: number): Promise<void> {
  await tx.selectFrom('schools').select('id').where('id', '=', schoolId).forNoKeyUpdate().execute()
  if (by.kind !== 'school') return
  orNotFound(await firstRow(tx, 'users', { id: by.userId, school_id: schoolId }, ['id']), 'access.denied')
}

/**
 * Invites a user to a school by e-mail, with a link that works once and for a few days. Does not reveal whether the address
 * has an account (docs/security.md, T4); the link's page says what to do. Refuses at its field an address that the inviter
 * already sees in the list.
 */
export async function invite(
  tx: Tx,
  by: Actor,
  now: Date,
  publicUrl: string,
  invited: { schoolId: number; name: string; emailId: string; language: WrittenLanguage },
): Promise<number> {
  const { schoolId, name, emailId, language } = invited
  await lockInviter(tx, by, schoolId)
  const member = await firstRow(tx, 'users', { school_id: schoolId, email: emailId }, ['id'])
  if (member) throw refuseField('emailId', messages.colleagueKnown)
  const token = newToken()
  const made = await tx
    .insertInto('school_invitations')
    .values({
      ...(by.kind === 'school' ? { invited_by_user: by.userId } : { invited_by_staff: by.staffId }),
      school_id: schoolId,
      email: emailId,
      name,
      language,
      token_hash: tokenHash(token),
      invited_at: now,
      sent_at: now,
      expires_at: queries.invitationEnd(now, (await foundationLimits(tx)).invitationDays),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'email'])
        .where('accepted_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .doNothing(),
    )
    .returning(['id', 'school_id', 'name', 'email', 'language'])
    .executeTakeFirst()
  if (!made) throw refuseField('emailId', messages.colleagueInvited)
  await mailInvitation(tx, by, now, publicUrl, { ...made, token })
  const subject = { kind: 'invitation', id: made.id, schoolId }
  await audit(tx, now, by, 'school.person_invited', subject, { to: { name, email: emailId } })
  return made.id
}

interface InvitationKey {
  schoolId: number
  id: number
}

/** E-mails an open invitation again with a new link; the old one stops working. Another school's is `not_found`. */
export async function resend(
  tx: Tx,
  by: Actor,
  now: Date,
  publicUrl: string,
  { schoolId, id }: InvitationKey,
): Promise<void> {
  const token = newToken()
  const [row] = await changeRows(tx, 'school_invitations', {
    where: { id, school_id: schoolId, accepted_at: null, withdrawn_at: null },
    set: {
      token_hash: tokenHash(token),
      sent_at: now,
      expires_at: queries.invitationEnd(now, (await foundationLimits(tx)).invitationDays),
      times_sent: sql<number>`times_sent + 1`,
    },
    returning: ['id', 'school_id', 'name', 'email', 'language'],
  })
  const invitation = orNotFound(row)
  await mailInvitation(tx, by, now, publicUrl, { ...invitation, token })
  const subject = { kind: 'invitation', id, schoolId }
  await audit(tx, now, by, 'school.invitation_resent', subject, {
    person: invitation.name,
    email: invitation.email,
  })
}

/** Withdraws an open invitation; one that is accepted, withdrawn or of another school is `not_found`. */
export async function withdraw(tx: Tx, by: Actor, now: Date, { schoolId, id }: InvitationKey): Promise<void> {
  const [row] = await changeRows(tx, 'school_invitations', {
    where: { id, school_id: schoolId, accepted_at: null, withdrawn_at: null },
    set: { withdrawn_at: now },
    returning: ['name', 'email'],
  })
  const { name, email } = orNotFound(row)
  const subject = { kind: 'invitation', id, schoolId }
  await audit(tx, now, by, 'school.invitation_withdrawn', subject, { person: name, email })
}

type JoinForm = ParsedBody<typeof acceptInvitationCall>

const refusals = {
  elsewhere: 'colleagues.elsewhere',
  member: 'colleagues.invitation_over',
  disabled: 'colleagues.disabled',
  known: 'colleagues.known',
  new: 'colleagues.invitation_over',
} as const

/**
 * Creates an account at the school of an invitation, with the invitation's address, which the link has proved. Refuses an
 * address with an account (`colleagues.known`, `.elsewhere`, `.disabled`) and a used or expired link.
 */
export async function acceptInvitation(deps: Deps, now: Date, joining: JoinForm): Promise<void> {
  const invitation = await queries.invitationOf(deps.db, now, joining.token)
  if (invitation.account !== 'new') throw new Refusal(refusals[invitation.account])
  if (isCommonPassword(joining.password, [joining.userName, invitation.email, invitation.school]))
    throw refuseField('password', messages.passwordCommon)
  // Hashed before the transaction, because hashing is slow and a transaction holds a connection.
  const hash = await hashPassword(deps.keys, joining.password)
  await deps.db.transaction().execute(async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({
        email: invitation.email,
        name: joining.userName,
        password_hash: hash,
        mobile: joining.mobile,
        designation: joining.designation,
        language: joining.language ?? 'en',
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirstOrThrow(() => new Refusal('colleagues.known'))
    await join(tx, now, joining.token, invitation, { id: user.id, name: joining.userName })
  })
}

/**
 * Adds the invited address's existing account, which has no school yet, to the school. Asks for its password, because the
 * reader of an e-mail on a shared computer need not be its owner. Refuses a wrong one at its field.
 */
export async function joinByInvitation(
  deps: Deps,
  now: Date,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const invitation = await queries.invitationOf(deps.db, now, token)
  const { account, userId, passwordHash } = invitation
  if (account !== 'known' || userId === null) throw new Refusal(refusals[account])
  if (!(await isPassword(deps.keys, password, passwordHash)))
    throw refuseField('password', messages.passwordNotRight)
  await deps.db.transaction().execute(async (tx) => {
    const { name } = await findRow(tx, 'users', { id: userId }, ['name'])
    await join(tx, now, token, invitation, { id: userId, name })
  })
}

/** Uses up the invitation in one statement, adds the user to the school and notifies the coordinator. */
async function join(
  tx: Tx,
  now: Date,
  token: string,
  { schoolId, school }: queries.OpenInvitation,
  joined: { id: number; name: string },
): Promise<void> {
  // Locked before the invitation, as in removePerson, so that two users joining at once come one after the other.
  await tx.selectFrom('schools').select('id').where('id', '=', schoolId).forUpdate().execute()
  const used = await tx
    .updateTable('school_invitations')
    .set({ accepted_by: joined.id, accepted_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirstOrThrow(() => new Refusal('colleagues.invitation_over'))
  const people = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'coordinator', 'disabled_at'])
    .where('school_id', '=', schoolId)
    .execute()
  const coordinator = queries.lacksCoordinator(
    people.map((person) => ({ ...person, disabled: person.disabled_at !== null })),
  )
  const entered = await tx
    .updateTable('users')
    .set((row) => ({ school_id: schoolId, coordinator, version: row('version', '+', 1) }))
    .where('id', '=', joined.id)
    .where('school_id', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (entered.numUpdatedRows === 0n) throw new Refusal('colleagues.elsewhere')
  await settle(tx, now, schoolId, joined.id)
  const subject = { kind: 'user', id: joined.id, schoolId }
  await audit(tx, now, systemScope('Invitation'), 'account.joined_school', subject, {
    name: joined.name,
    coordinator,
    invitation: used.id,
  })
  const coordinators = people.filter((person) => person.coordinator && person.disabled_at === null)
  await mailPeople(tx, now, coordinators, ({ id }) => ({
    key: `invitation-accepted:${used.id}:${id}`,
    kind: 'joined',
    mail: 'invitation-accepted',
    values: { colleague: joined.name, school },
  }))
}

/** Approves the user's open application: they belong to this school now. */
export async function approveOpenApplication(
  tx: Tx,
  now: Date,
  schoolId: number,
  userId: number,
): Promise<void> {
  await changeRows(tx, 'applications', {
    where: { user_id: userId, state_of_review: ['submitted', 'asked'] },
    set: { state_of_review: 'approved', school_id: schoolId, decided_at: now, version: sql`version + 1` },
  })
}

/** Closes the user's application and forgets an earlier removal. */
async function settle(tx: Tx, now: Date, schoolId: number, userId: number): Promise<void> {
  await approveOpenApplication(tx, now, schoolId, userId)
  await changeRows(tx, 'school_departures', {
    where: { user_id: userId, school_id: schoolId, returned_at: null },
    set: { returned_at: now },
  })
}
