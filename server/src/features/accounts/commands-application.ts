import type { saveSchoolDetails } from '@podium/contract/accounts-school'
import { foldName } from '@podium/contract/names'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { Refusal } from '#platform/errors'
import { enqueueMail } from '#platform/outbox'
import type { AccountScope, SchoolScope } from '#platform/scope'
import { textMail } from '../mails/queries-texts.ts'
import { placeIssues } from '../places/queries.ts'

type Details = z.output<(typeof saveSchoolDetails)['body']>

/**
 * Hands in the details of a school for the office to decide. One application of a person is open at a time, which the
 * database guards. The person is the session's; another `teacherId` is refused.
 */
export async function apply(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  details: Details,
): Promise<void> {
  if (details.teacherId && details.teacherId !== scope.userId) throw new Refusal('access.denied')
  if (scope.schoolId !== undefined) throw new Refusal('account.has_school')
  const issues = await placeIssues(tx, details.country, details.state)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const application = await tx
    .insertInto('applications')
    .values({
      user_id: scope.userId,
      school_name: details.schName,
      name_key: foldName(details.schName),
      address: details.schAddress,
      city: details.city,
      state: details.state,
      district: details.district,
      country: details.country,
      pin_code: details.pinCode,
      phone: details.mobile,
      udise_code: details.udiseCode,
      affiliation_no: details.affiliationNo,
      submitted_at: now,
    })
    // A literal: with a parameter PostgreSQL no longer finds the partial index once it plans for any value.
    .onConflict((conflict) =>
      conflict.column('user_id').where('state_of_review', '=', sql.lit('submitted')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!application) throw new Refusal('account.pending')
  await audit(
    tx,
    now,
    scope,
    'application.submitted',
    { kind: 'application', id: application.id },
    { school: details.schName, city: details.city, state: details.state },
  )
  const { language } = await tx
    .selectFrom('users')
    .select('language')
    .where('id', '=', scope.userId)
    .executeTakeFirstOrThrow()
  const to = { name: scope.name, language }
  await enqueueMail(tx, now, {
    key: `application:${application.id}:received`,
    kind: 'application',
    to: { name: scope.name, address: scope.email },
    ...(await textMail(tx, 'application-received', to, { school: details.schName })),
  })
}
