import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { messages } from '../messages.ts'
import { personsName } from '../persons.ts'
import { designations } from './calls-registration.ts'
import { emailId, newPassword, phone, rePassword, samePasswords, typedPassword } from './schemas.ts'

/**
 * The people of a school: coordinator, staff and invited users. Only the coordinator may make the calls that change
 * them (server/src/platform/auth/policy.ts, `coordinatorsCalls`); an officer signed in as the school may make none.
 */

export const inviteForm = z.strictObject({
  name: personsName(messages.nameRequired),
  emailId,
  language: z._default(z.enum(writtenLanguages), 'en'),
})

export const inviteColleague = endpoint('POST /api/ManageSchool/InviteColleague', {
  summary: 'E-mails someone a link to join the school; the answer is the same for every address.',
  body: inviteForm,
  answer: z.object({ id: z.int() }),
})

export const resendInvitation = endpoint('POST /api/ManageSchool/ResendInvitation', {
  summary: 'Resends an invitation with a new link and expiry; the earlier link stops working.',
  body: z.strictObject({ id: bodyId }),
})

export const withdrawInvitation = endpoint('POST /api/ManageSchool/WithdrawInvitation', {
  summary: 'Withdraws an invitation; its link stops working.',
  body: z.strictObject({ id: bodyId }),
})

export const removeColleague = endpoint('POST /api/ManageSchool/RemoveColleague', {
  summary: 'Removes a user from the school, signs them out and notifies them by e-mail. Not the coordinator.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
})

export const offerCoordination = endpoint('POST /api/ManageSchool/OfferCoordination', {
  summary: 'Offers the role of coordinator to another user, who must accept; replaces an earlier offer.',
  body: z.strictObject({ id: bodyId }),
})

export const withdrawOffer = endpoint('POST /api/ManageSchool/WithdrawOffer', {
  summary: 'Withdraws the offer of the role of coordinator.',
  body: z.strictObject({ id: bodyId }),
})

export const answerOffer = endpoint('POST /api/ManageSchool/AnswerOffer', {
  summary: 'Accepts or declines the role of coordinator; only for the user it was offered to.',
  body: z.strictObject({ id: bodyId, accept: z.boolean() }),
})

const token = z.string().check(z.maxLength(200))

/** What an invited person must do: create an account, enter its password, or nothing (it can't be accepted). */
export const invitationCases = ['new', 'known', 'elsewhere', 'member', 'disabled'] as const

export const readInvitation = endpoint('POST /api/Account/Invitation', {
  summary: 'Who an e-mailed invitation is for, and for which school.',
  body: z.strictObject({ token }),
  answer: z.object({
    name: z.string(),
    emailId: z.string(),
    schName: z.string(),
    cityName: z.string(),
    invitedBy: z.string(),
    until: z.string(),
    account: z.enum(invitationCases),
  }),
})

const joiner = {
  userName: personsName(messages.nameRequired),
  mobile: phone(messages.mobileRequired),
  designation: z.enum(designations, { error: messages.youAreARequired }),
  disclaimer: z.literal(true, { error: messages.termsRequired }),
  password: newPassword,
  rePassword,
}
export const joinForm = z.strictObject(joiner).check(samePasswords())

export const acceptInvitation = endpoint('POST /api/Account/AcceptInvitation', {
  summary: 'Creates an account at the school of an e-mailed invitation; works once.',
  body: z
    .strictObject({ token, ...joiner, language: z.optional(z.enum(writtenLanguages)) })
    .check(samePasswords()),
})

export const passwordForm = z.strictObject({ password: typedPassword })

export const joinByInvitation = endpoint('POST /api/Account/JoinByInvitation', {
  summary: "Joins an existing account without a school to the inviting school, with the account's password.",
  body: z.strictObject({ token, password: typedPassword }),
})
