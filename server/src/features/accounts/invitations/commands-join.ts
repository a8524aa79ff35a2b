import { messages } from '@podium/contract/messages'
import { mailSender } from '#features/office/settings/queries-foundation'
import { audit } from '#platform/audit'
import { isCommonPassword } from '#platform/auth/common-passwords'
import { hashPassword, isPassword } from '#platform/auth/passwords'
import { systemScope } from '#platform/auth/scope'
import { tokenHash } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { Refusal, refuseField } from '#platform/errors'
import { enqueueMail } from '#platform/jobs/outbox'
import { invitationAcceptedMail } from '#platform/mail/mail-templates-colleagues'
import { invitationOf, type OpenInvitation } from './queries.ts'
import { lacksCoordinator } from './rules.ts'

interface Joining {
  token: string
  userName: string
  mobile: string
  designation: string
  password: string
  language?: 'en' | 'hi' | undefined
}

const refusals = {
  elsewhere: 'colleagues.elsewhere',
  member: 'colleagues.invitation_over',
  disabled: 'colleagues.disabled',
  known: 'colleagues.known',
  new: 'colleagues.invitation_over',
} as const

/**
 * Makes an account at the school of a mailed invitation. The address is the invitation's: its holder has proved it by
 * the link. Refuses an address that has an account (`colleagues.known`, `.elsewhere`, `.disabled`), a used or old link.
 */
export async function acceptInvitation(deps: Deps, now: Date, joining: Joining): Promise<void> {
  const invitation = await invitationOf(deps.db, now, joining.token)
  if (invitation.account !== 'new') throw new Refusal(refusals[invitation.account])
  if (isCommonPassword(joining.password, [joining.userName, invitation.email, invitation.school]))
    throw refuseField('password', messages.passwordCommon)
  // Hashed before the transaction: it takes long, and a transaction holds a connection.
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
      .executeTakeFirst()
    if (!user) throw new Refusal('colleagues.known')
    await join(tx, now, joining.token, invitation, { id: user.id, name: joining.userName })
  })
}

/**
 * Joins the account of the invited address, which has no school yet, to the school: by its password, since whoever
 * reads a mail at a shared computer is not always its owner. Refuses a wrong one at its field.
 */
export async function joinByInvitation(
  deps: Deps,
  now: Date,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const invitation = await invitationOf(deps.db, now, token)
  const { account, userId, passwordHash } = invitation
  if (account !== 'known' || userId === null) throw new Refusal(refusals[account])
  if (!(await isPassword(deps.keys, password, passwordHash)))
    throw refuseField('password', messages.passwordNotRight)
  await deps.db.transaction().execute(async (tx) => {
    const { name } = await tx
      .selectFrom('users')
      .select('name')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await join(tx, now, token, invitation, { id: userId, name })
  })
}

/** Uses the invitation up, in one statement, and puts somebody without a school into it; the coordinator is told. */
async function join(
  tx: Tx,
  now: Date,
  token: string,
  { schoolId, school }: OpenInvitation,
  joined: { id: number; name: string },
): Promise<void> {
  // Locked, so that of two people who come at once one is the first; before the invitation, as removePerson does.
  await tx.selectFrom('schools').select('id').where('id', '=', schoolId).forUpdate().execute()
  const used = await tx
    .updateTable('school_invitations')
    .set({ accepted_by: joined.id, accepted_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!used) throw new Refusal('colleagues.invitation_over')
  const people = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'coordinator', 'disabled_at'])
    .where('school_id', '=', schoolId)
    .execute()
  const coordinator = lacksCoordinator(people.map((one) => ({ ...one, disabled: one.disabled_at !== null })))
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
  const sender = await mailSender(tx)
  for (const person of people.filter((one) => one.coordinator && one.disabled_at === null)) {
    await enqueueMail(tx, now, {
      key: `invitation-accepted:${used.id}:${person.id}`,
      kind: 'joined',
      to: { name: person.name, address: person.email },
      ...invitationAcceptedMail(sender, person.language === 'hi' ? 'hi' : 'en', {
        name: person.name,
        colleague: joined.name,
        school,
      }),
    })
  }
}

/** An application of the person has come to its end, and having been removed before counts no more. */
async function settle(tx: Tx, now: Date, schoolId: number, userId: number): Promise<void> {
  await tx
    .updateTable('applications')
    .set((row) => ({
      state_of_review: 'approved',
      school_id: schoolId,
      decided_at: now,
      version: row('version', '+', 1),
    }))
    .where('user_id', '=', userId)
    .where('state_of_review', 'in', ['submitted', 'asked'])
    .execute()
  await tx
    .updateTable('school_departures')
    .set({ returned_at: now })
    .where('user_id', '=', userId)
    .where('school_id', '=', schoolId)
    .where('returned_at', 'is', null)
    .execute()
}
