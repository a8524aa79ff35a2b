import type { getOwnApplication } from '@podium/contract/accounts/calls-application'
import type { register } from '@podium/contract/accounts/calls-registration'
import { isPinCode } from '@podium/contract/accounts/schemas'
import type { AnswerOf, BodyOf, Issue } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import { placeIssues } from '#features/catalogue/lists/queries'
import { isCommonPassword } from '#platform/auth/passwords'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { notFound, Refusal } from '#platform/errors'
import { provedSchool, readTicket, rejectionOf } from '../queries.ts'

/** The browser's tickets from earlier steps. */
export interface Proofs {
  email: string | undefined
  school: string | undefined
}

export type Registration = Required<
  Pick<BodyOf<typeof register>, 'emailId' | 'userName' | 'address' | 'mobile' | 'password' | 'designation'>
> & {
  genderType: 1 | 2
  city: string
  state: string
  country: string
  pinCode: string
  schId?: number | null | undefined
  language?: 'en' | 'hi' | undefined
}

/**
 * Refuses a registration that skips a step or has invalid fields, before anything expensive happens. E-mail and school come
 * from the tickets; those in the body are only compared (docs/security.md, T2). Returns the school, if any.
 */
export async function checkRegistration(db: Db, now: Date, form: Registration, proofs: Proofs) {
  const email = await readTicket(db, now, 'email', proofs.email)
  if (email?.email !== form.emailId) throw new Refusal('account.email_not_proved')
  const school = form.schId ? await provedSchool(db, now, proofs.school) : undefined
  if (form.schId && school?.school_id !== form.schId) throw new Refusal('account.school_not_proved')
  const issues = school ? [] : await locationIssues(db, form)
  if (isCommonPassword(form.password, [form.userName, form.emailId, school?.name ?? '']))
    issues.push({ path: 'password', message: messages.passwordCommon })
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  return school
}

async function locationIssues(db: Db, form: Registration): Promise<Issue[]> {
  const required = {
    country: messages.countryRequired,
    state: messages.stateRequired,
    city: messages.cityRequired,
    pinCode: messages.pinCodeRequired,
  }
  const missing = Object.entries(required).filter(([path]) => form[path as keyof typeof required] === '')
  const issues: Issue[] = missing.map(([path, message]) => ({ path, message }))
  if (issues.length > 0) return issues
  if (!isPinCode(form.country, form.pinCode))
    issues.push({ path: 'pinCode', message: messages.pinCodeInvalid })
  return [...issues, ...(await placeIssues(db, form.country, form.state))]
}

type ApplicationState = Pick<AnswerOf<typeof getOwnApplication>, 'application' | 'waiting' | 'place'>

/** The user's last application as submitted, to be corrected or awaiting the office, and the place of the account. */
export async function ownApplication(db: Db, scope: AccountScope | SchoolScope): Promise<ApplicationState> {
  const place = await db
    .selectFrom('users')
    .select(['country', 'state', 'city', 'pin_code as pinCode'])
    .where('id', '=', scope.userId)
    .executeTakeFirstOrThrow(notFound)
  const row = await db
    .selectFrom('applications')
    .select(['id', 'version', 'state_of_review', 'question', 'asked_at', 'reason', 'decided_by'])
    .select(['school_name as schName', 'address as schAddress', 'city', 'state', 'district', 'country'])
    .select(['pin_code as pinCode', 'phone as mobile', 'udise_code as udiseCode'])
    .select(['affiliation_no as affiliationNo', 'submitted_at'])
    .where('user_id', '=', scope.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row || scope.schoolId !== undefined) return { application: null, waiting: null, place }
  const { state_of_review, question, asked_at, reason: _, decided_by: __, submitted_at, ...details } = row
  if (state_of_review === 'submitted') {
    const { schName, schAddress, city, district, state, pinCode, mobile } = details
    const sentAt = submitted_at.toISOString()
    const waiting = { schName, schAddress, city, district, state, pinCode, mobile, sentAt }
    return { application: null, waiting, place }
  }
  const askedAt = asked_at?.toISOString() ?? null
  if (state_of_review === 'asked')
    return { application: { ...details, status: 'asked', remark: question, askedAt }, waiting: null, place }
  if (state_of_review === 'rejected')
    return {
      application: { ...details, status: 'rejected', remark: rejectionOf(row), askedAt: null },
      waiting: null,
      place,
    }
  return { application: null, waiting: null, place }
}
