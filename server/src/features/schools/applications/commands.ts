import { audit } from '#platform/audit'
import { endInvitations } from '#platform/auth/invitations'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { enqueueMail } from '#platform/jobs/outbox'
import { textMail } from '#platform/mail/mail-texts'
import { makeSchool } from '../commands.ts'

interface Decision {
  id: number
  version: number
}

/** Takes the decision in one guarded statement: of two officers one decides, the other hears of it. */
async function decide(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version }: Decision,
  state: 'approved' | 'rejected',
  reason: string,
) {
  const row = await tx
    .updateTable('applications')
    .set((values) => ({
      state_of_review: state,
      reason,
      decided_by: scope.staffId,
      decided_at: now,
      version: values('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state_of_review', 'in', ['submitted', 'asked'])
    .returning(['id', 'user_id', 'school_name', 'name_key', 'address', 'city', 'state', 'district'])
    .returning(['country', 'pin_code', 'phone', 'udise_code', 'affiliation_no', 'state_of_review', 'reason'])
    .returning(['school_id', 'submitted_at', 'decided_by', 'decided_at', 'version', 'question', 'asked_at'])
    .returning(['asked_by', 'answer', 'answered_at'])
    .executeTakeFirst()
  if (row) return row
  return notOpen(tx, id)
}

/** Why an application could not be taken: it is not there, it is decided, or its applicant has answered meanwhile. */
async function notOpen(tx: Tx, id: number): Promise<never> {
  const now = orNotFound(
    await tx.selectFrom('applications').select('decided_at').where('id', '=', id).executeTakeFirst(),
  )
  throw new Refusal(now.decided_at === null ? 'changed_meanwhile' : 'application.decided')
}

type Application = Awaited<ReturnType<typeof decide>>

/** A new school as its applicant has described it. */
function makeSchoolOf(tx: Tx, now: Date, application: Application, chosenCode: string | undefined) {
  const { address, city, district, state, country, pin_code, phone, udise_code, affiliation_no } = application
  const place = { address, city, district, state, country, pin_code }
  const described = { name: application.school_name, ...place, phone, udise_code, affiliation_no }
  return makeSchool(tx, now, described, chosenCode)
}

/** A known school that takes part; its row is locked so that it stays so. */
async function knownSchool(tx: Tx, id: number) {
  const school = orNotFound(
    await tx
      .selectFrom('schools')
      .select(['id', 'code', 'name', 'active'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (!school.active) throw new Refusal('schools.inactive')
  return school
}

interface Approval extends Decision {
  schId?: number | undefined
  schCode?: string | undefined
}

/**
 * Approves an application: the applicant belongs to a known school (`schId`) or to a new one with a new code, and is
 * told by mail. The first person of a school becomes its coordinator.
 */
export async function approve(tx: Tx, scope: OfficeScope, now: Date, publicUrl: string, approval: Approval) {
  const application = await decide(tx, scope, now, approval, 'approved', '')
  const school =
    approval.schId === undefined
      ? await makeSchoolOf(tx, now, application, approval.schCode)
      : await knownSchool(tx, approval.schId)
  const colleague = await tx
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', school.id)
    .limit(1)
    .executeTakeFirst()
  const user = await tx
    .updateTable('users')
    .set((values) => ({ school_id: school.id, coordinator: !colleague, version: values('version', '+', 1) }))
    .where('id', '=', application.user_id)
    .where('school_id', 'is', null)
    .returning(['id', 'name', 'email', 'language'])
    .executeTakeFirst()
  if (!user) throw new Refusal('application.decided')
  await endInvitations(tx, scope, now, school.id, user, 'to them alone')
  await tx
    .updateTable('school_departures')
    .set({ returned_at: now })
    .where('user_id', '=', user.id)
    .where('school_id', '=', school.id)
    .where('returned_at', 'is', null)
    .execute()
  await tx
    .updateTable('applications')
    .set({ school_id: school.id })
    .where('id', '=', application.id)
    .execute()
  await audit(
    tx,
    now,
    scope,
    'application.approved',
    { kind: 'application', id: application.id, schoolId: school.id },
    {
      to: { school: school.code, made: approval.schId === undefined, user: user.id },
    },
  )
  await enqueueMail(tx, now, {
    key: `application-approved:${application.id}`,
    kind: 'application',
    to: { name: user.name, address: user.email },
    ...(await textMail(tx, 'application-approved', user, {
      school: school.name,
      code: school.code,
      link: `${publicUrl}/login`,
    })),
  })
  return { schId: school.id, schCode: school.code }
}

/** Rejects an application with the reason its school reads; the form opens again for it. */
export async function reject(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  rejection: Decision & { reason: string },
) {
  const application = await decide(tx, scope, now, rejection, 'rejected', rejection.reason)
  const user = await tx
    .selectFrom('users')
    .select(['name', 'email', 'language'])
    .where('id', '=', application.user_id)
    .executeTakeFirstOrThrow()
  await audit(
    tx,
    now,
    scope,
    'application.rejected',
    { kind: 'application', id: application.id },
    { to: { reason: rejection.reason } },
  )
  await enqueueMail(tx, now, {
    key: `application-rejected:${application.id}`,
    kind: 'application',
    to: { name: user.name, address: user.email },
    ...(await textMail(tx, 'application-rejected', user, {
      school: application.school_name,
      reason: rejection.reason,
      link: `${publicUrl}/login`,
    })),
  })
}

/**
 * Asks the applicant for what is missing: told by mail, the form opens for the answer. Asking again takes the place of
 * the question before. Refuses a decided application, and one that was answered meanwhile.
 */
export async function askBack(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { id, version, question }: Decision & { question: string },
): Promise<void> {
  const application = await tx
    .updateTable('applications')
    .set({
      state_of_review: 'asked',
      question,
      asked_at: now,
      asked_by: scope.staffId,
      answer: '',
      answered_at: null,
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state_of_review', 'in', ['submitted', 'asked'])
    .returning(['user_id', 'school_name'])
    .executeTakeFirst()
  if (!application) return notOpen(tx, id)
  const user = await tx
    .selectFrom('users')
    .select(['name', 'email', 'language'])
    .where('id', '=', application.user_id)
    .executeTakeFirstOrThrow()
  await audit(tx, now, scope, 'application.asked', { kind: 'application', id }, { to: { question } })
  await enqueueMail(tx, now, {
    key: `application-asked:${id}:${version}`,
    kind: 'application',
    to: { name: user.name, address: user.email },
    ...(await textMail(tx, 'application-asked', user, {
      school: application.school_name,
      question,
      link: `${publicUrl}/school-detail`,
    })),
  })
}
