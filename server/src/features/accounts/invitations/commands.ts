import { messages } from '@podium/contract/messages'
import { sql } from 'kysely'
import { mailSender } from '#features/office/settings/queries-foundation'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import { newToken, tokenHash } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { found, Refusal, refuseField } from '#platform/errors'
import { movedLimits } from '#platform/foundation-limits'
import { enqueueMail } from '#platform/jobs/outbox'
import { invitationMail } from '#platform/mail/mail-templates-colleagues'
import { activeSchool } from './queries.ts'
import { invitationEnd } from './rules.ts'

type By = SchoolScope | OfficeScope

interface Mailed {
  id: number
  school_id: number
  name: string
  email: string
  language: string
}

/** Mails the link of an invitation. The token stands behind #, so no server log sees it. */
async function mailInvitation(
  tx: Tx,
  by: By,
  now: Date,
  publicUrl: string,
  sent: Mailed & { token: string },
): Promise<void> {
  const school = await activeSchool(tx, sent.school_id)
  await enqueueMail(tx, now, {
    key: `invitation:${sent.id}:${tokenHash(sent.token).slice(0, 16)}`,
    kind: 'invitation',
    to: { name: sent.name, address: sent.email },
    ...invitationMail(await mailSender(tx), sent.language === 'hi' ? 'hi' : 'en', {
      name: sent.name,
      by: by.name,
      school: school.name,
      link: `${publicUrl}/invitation#${sent.token}`,
      days: (await movedLimits(tx)).invitationDays,
    }),
  })
}

interface Invited {
  schoolId: number
  name: string
  emailId: string
  language: 'en' | 'hi'
}

/**
 * Locks the school, as a removal does, so that what is written at the very moment of one comes before it and is taken
 * back with it, or after it and is refused: whoever is not of the school any more invites nobody.
 */
async function lockInviter(tx: Tx, by: By, schoolId: number): Promise<void> {
  await tx.selectFrom('schools').select('id').where('id', '=', schoolId).forNoKeyUpdate().execute()
  if (by.kind !== 'school') return
  const inviter = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', by.userId)
    .where('school_id', '=', schoolId)
    .executeTakeFirst()
  if (!inviter) throw new Refusal('access.denied')
}

/**
 * Invites somebody to work for a school: a mail with a link that works once and for some days. Whether the address has an
 * account is not told (threats.md, T4): the link's page says what to do with it. Refuses at its field an address that
 * the inviter sees in the list already.
 */
export async function invite(
  tx: Tx,
  by: By,
  now: Date,
  publicUrl: string,
  invited: Invited,
): Promise<number> {
  const { schoolId, name, emailId, language } = invited
  await lockInviter(tx, by, schoolId)
  const member = await tx
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('email', '=', emailId)
    .executeTakeFirst()
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
      expires_at: invitationEnd(now, (await movedLimits(tx)).invitationDays),
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

interface Which {
  schoolId: number
  id: number
}

/** Mails an open invitation again with a new link; the one before works no more. Another school's is `not_found`. */
export async function resend(
  tx: Tx,
  by: By,
  now: Date,
  publicUrl: string,
  { schoolId, id }: Which,
): Promise<void> {
  const token = newToken()
  const row = await tx
    .updateTable('school_invitations')
    .set({
      token_hash: tokenHash(token),
      sent_at: now,
      expires_at: invitationEnd(now, (await movedLimits(tx)).invitationDays),
      times_sent: sql<number>`times_sent + 1`,
    })
    .where('id', '=', id)
    .where('school_id', '=', schoolId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .returning(['id', 'school_id', 'name', 'email', 'language'])
    .executeTakeFirst()
  const invitation = found(row)
  await mailInvitation(tx, by, now, publicUrl, { ...invitation, token })
  const subject = { kind: 'invitation', id, schoolId }
  await audit(tx, now, by, 'school.invitation_resent', subject, {
    person: invitation.name,
    email: invitation.email,
  })
}

/** Takes an open invitation back; one that is accepted, taken back or of another school is `not_found`. */
export async function withdraw(tx: Tx, by: By, now: Date, { schoolId, id }: Which): Promise<void> {
  const row = await tx
    .updateTable('school_invitations')
    .set({ withdrawn_at: now })
    .where('id', '=', id)
    .where('school_id', '=', schoolId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .returning(['name', 'email'])
    .executeTakeFirst()
  const { name, email } = found(row)
  const subject = { kind: 'invitation', id, schoolId }
  await audit(tx, now, by, 'school.invitation_withdrawn', subject, { person: name, email })
}
