import type { getOwnApplication } from '@podium/contract/accounts/calls-application'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { found } from '#platform/errors'

type Own = Pick<AnswerOf<typeof getOwnApplication>, 'application' | 'waiting' | 'place'>

/** The person's last application as it was handed in: to be corrected, or waiting for the office; and where the account is. */
export async function ownApplication(db: Db, scope: AccountScope | SchoolScope): Promise<Own> {
  const place = found(
    await db
      .selectFrom('users')
      .select(['country', 'state', 'city', 'pin_code as pinCode'])
      .where('id', '=', scope.userId)
      .executeTakeFirst(),
  )
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
      'submitted_at',
    ])
    .where('user_id', '=', scope.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row || scope.schoolId !== undefined) return { application: null, waiting: null, place }
  const { state_of_review, question, asked_at, reason, submitted_at, ...details } = row
  if (state_of_review === 'submitted') {
    const { schName, schAddress, city, district, state, pinCode, mobile } = details
    const sentAt = submitted_at.toISOString()
    const waiting = { schName, schAddress, city, district, state, pinCode, mobile, sentAt }
    return { application: null, waiting, place }
  }
  const askedAt = asked_at?.toISOString() ?? null
  if (state_of_review === 'asked')
    return { application: { ...details, standing: 'asked', remark: question, askedAt }, waiting: null, place }
  if (state_of_review === 'rejected')
    return {
      application: { ...details, standing: 'rejected', remark: reason, askedAt: null },
      waiting: null,
      place,
    }
  return { application: null, waiting: null, place }
}
