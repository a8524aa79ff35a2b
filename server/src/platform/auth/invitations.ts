import { audit } from '../audit.ts'
import type { Tx } from '../db/database.ts'
import type { Scope } from './scope.ts'

/**
 * Withdraws a school's open invitations to a person's address and, with `sent too`, those that the person sent: an old
 * link would otherwise let a removed person in again. Each gets an audit line. The school must be locked.
 */
export async function endInvitations(
  tx: Tx,
  by: Scope,
  now: Date,
  schoolId: number,
  { id, email }: { id: number; email: string },
  sentToo: 'sent too' | 'to them alone',
): Promise<void> {
  const invitations = await tx
    .updateTable('school_invitations')
    .set({ withdrawn_at: now })
    .where('school_id', '=', schoolId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where((row) =>
      sentToo === 'sent too'
        ? row.or([row('email', '=', email), row('invited_by_user', '=', id)])
        : row('email', '=', email),
    )
    .returning(['id', 'name', 'email'])
    .execute()
  for (const invitation of invitations) {
    const subject = { kind: 'invitation', id: invitation.id, schoolId }
    await audit(tx, now, by, 'school.invitation_withdrawn', subject, {
      person: invitation.name,
      email: invitation.email,
    })
  }
}
