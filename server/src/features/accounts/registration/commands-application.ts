import type { answerAskedBack, saveSchoolDetails } from '@podium/contract/accounts/calls-application'
import { messages } from '@podium/contract/messages'
import { foldName } from '@podium/contract/names'
import { sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { placeIssues } from '#features/catalogue/lists/queries'
import { audit, differences, isUnchanged } from '#platform/audit'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows, findRow } from '#platform/db/rows'
import { notFound, Refusal, refuseField } from '#platform/errors'
import { mailPerson } from '#platform/mail/mail-texts'

type Details = z.output<(typeof saveSchoolDetails)['body']>
type Answer = z.output<(typeof answerAskedBack)['body']>

/** The form's fields as columns. */
function columnsOf(details: Omit<Details, 'teacherId'>) {
  return {
    school_name: details.schName,
    address: details.schAddress,
    city: details.city,
    state: details.state,
    district: details.district,
    country: details.country,
    pin_code: details.pinCode,
    phone: details.mobile,
    udise_code: details.udiseCode,
    affiliation_no: details.affiliationNo,
  }
}

/**
 * Submits the details of a school for the office to verify. A user has one open application at a time, which the database
 * enforces. The applicant is the session's user; another `teacherId` is refused.
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
      ...columnsOf(details),
      user_id: scope.userId,
      name_key: foldName(details.schName),
      submitted_at: now,
    })
    // A literal, because with a parameter PostgreSQL's generic plan no longer uses the partial index.
    .onConflict((conflict) =>
      conflict.column('user_id').where('state_of_review', '=', sql.lit('submitted')).doNothing(),
    )
    .returning('id')
    .executeTakeFirstOrThrow(() => new Refusal('account.pending'))
  await audit(
    tx,
    now,
    scope,
    'application.submitted',
    { kind: 'application', id: application.id },
    { school: details.schName, city: details.city, state: details.state },
  )
  const { language } = await findRow(tx, 'users', { id: scope.userId }, ['language'])
  const reader = { name: scope.name, email: scope.email, language }
  await mailPerson(tx, now, reader, {
    key: `application:${application.id}:received`,
    kind: 'application',
    mail: 'application-received',
    values: { school: details.schName },
  })
}

/**
 * Withdraws the user's waiting application; for the office it is rejected by the applicant. Refuses one with an open
 * question, which is answered instead, and one that was decided or withdrawn meanwhile.
 */
export async function withdraw(tx: Tx, scope: AccountScope | SchoolScope, now: Date): Promise<void> {
  const [withdrawn] = await changeRows(tx, 'applications', {
    where: { user_id: scope.userId, state_of_review: 'submitted' },
    set: {
      state_of_review: 'rejected',
      reason: sentences.withdrawnBySchool,
      decided_at: now,
      version: sql`version + 1`,
    },
    returning: ['id'],
  })
  if (!withdrawn) {
    const asked = await tx
      .selectFrom('applications')
      .select('id')
      .where('user_id', '=', scope.userId)
      .where('state_of_review', '=', 'asked')
      .executeTakeFirst()
    throw new Refusal(asked ? 'application.question_open' : 'application.not_waiting')
  }
  await audit(tx, now, scope, 'application.withdrawn', { kind: 'application', id: withdrawn.id }, {})
}

/**
 * Answers the office's question about an application, with corrected details, and returns it to the queue. The audit line has
 * the answer and the differences. Refuses an empty answer without changes, an answer to an outdated question, and one that
 * is no longer needed; another user's application is `not_found`.
 */
export async function answerBack(
  tx: Tx,
  scope: AccountScope | SchoolScope,
  now: Date,
  input: Answer,
): Promise<void> {
  const before = await tx
    .selectFrom('applications')
    .select([
      'school_name',
      'address',
      'city',
      'state',
      'district',
      'country',
      'pin_code',
      'phone',
      'udise_code',
    ])
    .select(['affiliation_no', 'state_of_review', 'version'])
    .where('id', '=', input.id)
    .where('user_id', '=', scope.userId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (before.state_of_review !== 'asked') throw new Refusal('application.not_asked')
  if (before.version !== input.version) throw new Refusal('changed_meanwhile')
  const issues = await placeIssues(tx, input.country, input.state)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const to = columnsOf(input)
  const changed = differences(before, to)
  if (isUnchanged(changed) && input.answer === '') throw refuseField('answer', messages.answerBackRequired)
  await changeRows(tx, 'applications', {
    where: { id: input.id },
    set: {
      ...to,
      name_key: foldName(input.schName),
      state_of_review: 'submitted',
      answer: input.answer,
      answered_at: now,
      version: before.version + 1,
    },
  })
  const answer = input.answer === '' ? {} : { answer: input.answer }
  const change = { from: changed.from, to: { ...changed.to, ...answer } }
  await audit(tx, now, scope, 'application.answered', { kind: 'application', id: input.id }, change)
}
