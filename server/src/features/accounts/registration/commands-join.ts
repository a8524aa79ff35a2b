import { mailSender } from '#features/office/settings/queries-foundation'
import { audit } from '#platform/audit'
import { endInvitations } from '#platform/auth/invitations'
import { systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { enqueueMail } from '#platform/jobs/outbox'
import { colleagueJoinedMail } from '#platform/mail/mail-templates-accounts'

/**
 * Joins somebody without a school to the school whose access code they have proved: the code comes from the
 * foundation's own letter, so nobody needs to approve. The first person becomes the coordinator, the others are told,
 * an application under way is settled. Answers false when the person has a school already, or was removed from this one.
 */
export async function joinSchool(tx: Tx, now: Date, userId: number, schoolId: number): Promise<boolean> {
  // Locked, so that of two people who come at once one is the first.
  const school = await tx
    .selectFrom('schools')
    .select(['id', 'name'])
    .where('id', '=', schoolId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const colleagues = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'disabled_at'])
    .where('school_id', '=', schoolId)
    .execute()
  const joined = await tx
    .updateTable('users')
    .set((values) => ({
      school_id: schoolId,
      coordinator: colleagues.length === 0,
      version: values('version', '+', 1),
    }))
    .where('id', '=', userId)
    .where('school_id', 'is', null)
    // Who was removed comes back by an invitation alone: the code of the letter is known to all who ever had it.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('school_departures as d')
            .select('d.id')
            .where('d.user_id', '=', userId)
            .where('d.school_id', '=', schoolId)
            .where('d.returned_at', 'is', null),
        ),
      ),
    )
    .returning(['id', 'name', 'email', 'coordinator'])
    .executeTakeFirst()
  if (!joined) return false
  await endInvitations(tx, systemScope('Access code'), now, schoolId, joined, 'to them alone')
  await tx
    .updateTable('applications')
    .set((values) => ({
      state_of_review: 'approved',
      school_id: schoolId,
      decided_at: now,
      version: values('version', '+', 1),
    }))
    .where('user_id', '=', userId)
    .where('state_of_review', 'in', ['submitted', 'asked'])
    .execute()
  await audit(
    tx,
    now,
    systemScope('Access code'),
    'account.joined_school',
    { kind: 'user', id: userId, schoolId },
    {
      name: joined.name,
      coordinator: joined.coordinator,
    },
  )
  const sender = await mailSender(tx)
  for (const colleague of colleagues.filter((person) => person.disabled_at === null)) {
    const language = colleague.language === 'hi' ? 'hi' : 'en'
    await enqueueMail(tx, now, {
      key: `joined:${userId}:${schoolId}:${colleague.id}`,
      kind: 'joined',
      to: { name: colleague.name, address: colleague.email },
      ...colleagueJoinedMail(sender, language, {
        name: colleague.name,
        colleague: joined.name,
        school: school.name,
      }),
    })
  }
  return true
}
