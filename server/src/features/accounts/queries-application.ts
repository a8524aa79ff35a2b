import type { getAskedBack } from '@podium/contract/accounts-school'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { Db } from '#platform/database'
import type { AccountScope, SchoolScope } from '#platform/scope'

/** The person's application about which the office has asked back, as it was handed in; null where there is none. */
export async function askedBack(
  db: Db,
  scope: AccountScope | SchoolScope,
): Promise<AnswerOf<typeof getAskedBack>['application']> {
  const row = await db
    .selectFrom('applications')
    .select([
      'id',
      'version',
      'question',
      'asked_at',
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
    .where('state_of_review', '=', 'asked')
    .executeTakeFirst()
  if (!row?.asked_at) return null
  const { asked_at, ...application } = row
  return { ...application, askedAt: asked_at.toISOString() }
}
