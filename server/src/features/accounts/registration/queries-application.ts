import type { getOwnApplication } from '@podium/contract/accounts/calls-application'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

/** The person's last application as it was handed in, where they are to correct it: asked back about, or rejected; else null. */
export async function openApplication(
  db: Db,
  scope: AccountScope | SchoolScope,
): Promise<AnswerOf<typeof getOwnApplication>['application']> {
  const row = await db
    .selectFrom('applications')
    .select([
      'id',
      'version',
      'state_of_review',
      'question',
      'asked_at',
      'reason',
      'school_name as schName',
      'address as schAddress',
      'city',
      'state',
      'district',
      'country',
      'pin_code as pinCode',
      'phone as mobile',
      'udise_code as udiseCode',
      'affiliation_no as affiliationNo',
    ])
    .where('user_id', '=', scope.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row || scope.schoolId !== undefined) return null
  const { state_of_review, question, asked_at, reason, ...application } = row
  if (state_of_review === 'asked')
    return { ...application, standing: 'asked', remark: question, askedAt: asked_at?.toISOString() ?? null }
  return state_of_review === 'rejected'
    ? { ...application, standing: 'rejected', remark: reason, askedAt: null }
    : null
}
