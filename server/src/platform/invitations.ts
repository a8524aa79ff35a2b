import type { Tx } from './database.ts'

interface Person {
  id: number
  email: string
}

/**
 * Takes back the open invitations of a school to somebody's address and, where they leave it, those that they have sent:
 * a link that was mailed before would let somebody who was removed in again. The school must be locked.
 */
export async function endInvitations(
  tx: Tx,
  now: Date,
  schoolId: number,
  { id, email }: Person,
  sentToo: 'sent too' | 'to them alone',
): Promise<void> {
  await tx
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
    .execute()
}
