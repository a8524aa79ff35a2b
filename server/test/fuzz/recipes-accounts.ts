import { randomUUID } from 'node:crypto'
import { demoOfficers, demoPassword, demoSchoolLink } from '#features/accounts/demo/rules'
import { totpCode } from '#platform/auth/secrets'
import { messageId } from '../../src/platform/mail/bounces.ts'
import {
  aForm,
  aLinkedSchool,
  anAccount,
  anAddress,
  aPassword,
  aProvedBrowser,
  codeFor,
} from '../accounts-factories.ts'
import { aDay, anOfficer, aTeacher } from '../factories.ts'
import { mailsTo } from '../server.ts'
import type { RecipeContext, Recipes } from './world.ts'

const details = {
  schName: 'Udaharan Vidyalaya',
  schAddress: '1 Namuna Road',
  city: 'Kalpanagar',
  district: 'Kalpanagar',
  state: 'Karnataka',
  country: 'India',
  pinCode: '560001',
  mobile: '9000000000',
}

const aCoordinator = () => aTeacher({ coordinator: true, name: 'Hema Misaal' })

async function textTo({ server }: RecipeContext, address: string): Promise<string> {
  return (await mailsTo(server, address)).map(({ text }) => text).join('\n')
}

/** Returns the token of the newest link mailed to an address. */
async function tokenTo(ctx: RecipeContext, address: string): Promise<string> {
  const text = await textTo(ctx, address)
  return /(?:token=|#)([A-Za-z0-9_-]{20,})/.exec(text)?.[1] ?? ''
}

async function aRequestedCode({ server, done }: RecipeContext) {
  const EmailId = anAddress()
  const cookies = new Map<string, string>()
  await done('POST Account/EmailVerify', { body: { EmailId }, as: { cookies } })
  return { fields: { EmailId, otp: await codeFor(server, EmailId) }, as: { cookies } }
}

async function aResetToken(ctx: RecipeContext): Promise<string> {
  const { email } = await anAccount(ctx.server)
  await ctx.done('POST Account/ForgotPassword', { body: { emailId: email } })
  return tokenTo(ctx, email)
}

const passwords = { password: 'Saffron-lantern-77', rePassword: 'Saffron-lantern-77' }

/** Has a coordinator invite a colleague: returns the invitation, its token and the inviter. */
async function anInvitedColleague(ctx: RecipeContext) {
  const by = await aCoordinator()
  const emailId = anAddress()
  const { id } = await ctx.done('POST ManageSchool/InviteColleague', {
    body: { name: 'Joel Namunawala', emailId },
    as: by,
  })
  return { by, id, emailId, token: await tokenTo(ctx, emailId) }
}

/** Creates a coordinator and a colleague who is offered the role. */
async function anOfferedRole(ctx: RecipeContext) {
  const by = await aCoordinator()
  const other = await aTeacher({ schoolId: by.schoolId })
  await ctx.done('POST ManageSchool/OfferCoordination', { body: { id: other.id }, as: by })
  const { id } = await ctx.row<{ id: number }>(`select max(id) as id from coordinator_offers`)
  return { by, other, id }
}

/** Creates an application with a question from the office, and its applicant. */
async function anApplicationAskedBack(ctx: RecipeContext) {
  const by = await aTeacher({ schoolId: null })
  await ctx.done('POST Account/SaveSchoolDetails', { body: details, as: by })
  const { id } = await ctx.row<{ id: number }>(`select max(id) as id from applications`)
  await ctx.done('POST office/Application/AskBack', { body: { id, version: 1, question: 'Which board?' } })
  return { by, id }
}

async function aVisit(ctx: RecipeContext) {
  const teacher = await aTeacher()
  const { token } = await ctx.done('POST office/visits/start', {
    body: { id: teacher.schoolId, reason: 'Asked by phone' },
  })
  return { token: String(token) }
}

/** Calls about school accounts and how people get one. */
export const accountRecipes: Recipes = {
  'POST mail/bounces': async (ctx) => {
    const { id, key } = await ctx.row<{ id: number; key: string }>(
      'select id, key from outbox order by id limit 1',
    )
    const name = messageId({ id, key }, 'no-reply@podium.example')
    const bounce = { status: '5.1.1', reason: 'No such user', at: '2026-11-21T06:00:00Z' }
    return { body: { messageId: name, recipient: 'meera@podium.example', ...bounce } }
  },
  'GET Account/GET_USER_DETAILS_BY_UID': () => ({ query: { GUID: demoSchoolLink.id } }),
  'GET Account/EmailVerify': () => ({ query: { EmailId: anAddress() } }),
  'POST Account/EmailVerify': () => ({ body: { EmailId: anAddress() } }),
  'GET Account/OTPVerify': async (ctx) => {
    const { fields, as } = await aRequestedCode(ctx)
    return { query: fields, as }
  },
  'POST Account/OTPVerify': async (ctx) => {
    const { fields, as } = await aRequestedCode(ctx)
    return { body: fields, as }
  },
  'POST account/Register': async ({ server }) => {
    const emailId = anAddress()
    return { body: { ...aForm, emailId }, as: { cookies: await aProvedBrowser(server, emailId) } }
  },
  'POST Account/VerifyAccessCode': async ({ server }) => {
    const { id, code } = await aLinkedSchool(server)
    return { body: { id, code } }
  },
  'POST Account/Login': async ({ server }) => ({
    body: { emailId: (await anAccount(server)).email, password: aPassword },
  }),
  'GET Account/ForgotPassword': async ({ server }) => ({
    query: { emailId: (await anAccount(server)).email },
  }),
  'POST Account/ForgotPassword': async ({ server }) => ({
    body: { emailId: (await anAccount(server)).email },
  }),
  'POST Account/ResetLink': async (ctx) => ({ body: { token: await aResetToken(ctx) } }),
  'POST Account/ResetPassword': async (ctx) => ({ body: { token: await aResetToken(ctx), ...passwords } }),
  'POST Account/ChangePassword': async (ctx) => {
    const { email } = await anAccount(ctx.server)
    const { token } = await ctx.done('POST Account/Login', { body: { emailId: email, password: aPassword } })
    return { body: { currentPassword: aPassword, ...passwords }, as: { token: String(token) } }
  },
  'POST Account/Logout': async () => ({ as: await aTeacher() }),
  'POST Account/EndSession': async (ctx) => {
    const { email } = await anAccount(ctx.server)
    const signIn = async () => {
      const signedIn = await ctx.done('POST Account/Login', { body: { emailId: email, password: aPassword } })
      return { token: String(signedIn.token) }
    }
    const [as] = [await signIn(), await signIn()]
    const { data } = await ctx.done('GET Account/GetSessions', { as })
    const other = (data as { id: string; current: boolean }[]).find(({ current }) => !current)
    return { body: { session: other?.id }, as }
  },
  'POST Account/LogoutEverywhere': async () => ({ as: await aTeacher() }),
  'POST Account/EndVisit': async (ctx) => ({ as: await aVisit(ctx) }),
  'POST Account/SaveSchoolDetails': async () => ({ body: details, as: await aTeacher({ schoolId: null }) }),
  'POST Account/AnswerAskedBack': async (ctx) => {
    const { by, id } = await anApplicationAskedBack(ctx)
    return { body: { ...details, id, version: 2, answer: 'CBSE' }, as: by }
  },
  'POST Account/Invitation': async (ctx) => ({ body: { token: (await anInvitedColleague(ctx)).token } }),
  'POST Account/AcceptInvitation': async (ctx) => ({
    body: {
      token: (await anInvitedColleague(ctx)).token,
      userName: 'Joel Namunawala',
      mobile: '9000000017',
      designation: 'Teacher',
      disclaimer: true,
      password: aPassword,
      rePassword: aPassword,
    },
  }),
  'POST Account/JoinByInvitation': async (ctx) => {
    const by = await aCoordinator()
    const { email } = await anAccount(ctx.server)
    await ctx.done('POST ManageSchool/InviteColleague', {
      body: { name: 'Joel Namunawala', emailId: email },
      as: by,
    })
    return { body: { token: await tokenTo(ctx, email), password: aPassword } }
  },
  'POST ManageSchool/InviteColleague': async () => ({
    body: { name: 'Joel Namunawala', emailId: anAddress() },
    as: await aCoordinator(),
  }),
  'POST ManageSchool/ResendInvitation': async (ctx) => {
    const { id, by } = await anInvitedColleague(ctx)
    return { body: { id }, as: by }
  },
  'POST ManageSchool/WithdrawInvitation': async (ctx) => {
    const { id, by } = await anInvitedColleague(ctx)
    return { body: { id }, as: by }
  },
  'POST ManageSchool/RemoveColleague': async () => {
    const by = await aCoordinator()
    return { body: { id: (await aTeacher({ schoolId: by.schoolId })).id, version: 1 }, as: by }
  },
  'POST ManageSchool/OfferCoordination': async () => {
    const by = await aCoordinator()
    return { body: { id: (await aTeacher({ schoolId: by.schoolId })).id }, as: by }
  },
  'POST ManageSchool/WithdrawOffer': async (ctx) => {
    const { by, id } = await anOfferedRole(ctx)
    return { body: { id }, as: by }
  },
  'POST ManageSchool/AnswerOffer': async (ctx) => {
    const { other, id } = await anOfferedRole(ctx)
    return { body: { id, accept: true }, as: other }
  },
}

const officePassword = 'three blue lamps on a hill'

/** Invites a colleague to the office: returns the id, the address and the token of the mailed link. */
async function anInvitedOfficer(ctx: RecipeContext) {
  const emailId = `${randomUUID()}@foundation.example`
  const { id } = await ctx.done('POST office/staff/invite', {
    body: { name: 'Tara Kalpanik', emailId, role: 'viewer' },
  })
  return { id, emailId, token: await tokenTo(ctx, emailId) }
}

/** Creates a member of the office with a password and a second factor, signed in. */
async function anEnrolledOfficer(ctx: RecipeContext) {
  const { emailId, token } = await anInvitedOfficer(ctx)
  await ctx.done('POST office/AcceptInvitation', { body: { token, password: officePassword } })
  const cookies = new Map<string, string>()
  const { secret } = await ctx.done('POST office/SignIn', {
    body: { emailId, password: officePassword },
    as: { cookies },
  })
  const confirmed = await ctx.done('POST office/Confirm', {
    body: { code: totpCode(String(secret), aDay) },
    as: { cookies },
  })
  return { token: String(confirmed.token), codes: confirmed.recoveryCodes as string[] }
}

async function anOfficerToChange(ctx: RecipeContext) {
  const { id } = await anOfficer('viewer')
  return ctx.seen('staff', `id = ${id}`)
}

/** Calls about the office's own staff and their sign-ins. */
export const staffRecipes: Recipes = {
  'POST office/SignIn': () => ({ body: { emailId: 'viewer@podium.example', password: demoPassword } }),
  'POST office/Confirm': async (ctx) => {
    const { email = '', totpSecret = '' } = demoOfficers.find(({ role }) => role === 'accounts') ?? {}
    const cookies = new Map<string, string>()
    await ctx.done('POST office/SignIn', {
      body: { emailId: email, password: demoPassword },
      as: { cookies },
    })
    return { body: { code: totpCode(totpSecret, aDay) }, as: { cookies } }
  },
  'POST office/ConfirmAgain': async (ctx) => {
    const { token } = await anEnrolledOfficer(ctx)
    return { body: { password: officePassword }, as: { token } }
  },
  'POST office/SignOut': async () => ({ as: await anOfficer('viewer') }),
  'POST office/Invitation': async (ctx) => ({ body: { token: (await anInvitedOfficer(ctx)).token } }),
  'POST office/AcceptInvitation': async (ctx) => ({
    body: { token: (await anInvitedOfficer(ctx)).token, password: officePassword },
  }),
  'POST office/account/endSessions': async () => ({ body: {}, as: await anOfficer('viewer') }),
  'POST office/account/recoveryCodes': async (ctx) => {
    const { token, codes } = await anEnrolledOfficer(ctx)
    return { body: { code: codes[0] }, as: { token } }
  },
  'POST office/account/password': async (ctx) => {
    const { token } = await anEnrolledOfficer(ctx)
    return { body: { password: officePassword, newPassword: 'four green boats on a lake' }, as: { token } }
  },
  'POST office/staff/invite': () => ({
    body: { name: 'Tara Kalpanik', emailId: `${randomUUID()}@foundation.example`, role: 'viewer' },
  }),
  'POST office/staff/sendLink': async (ctx) => ({
    body: { id: (await anInvitedOfficer(ctx)).id, version: 1 },
  }),
  'POST office/staff/role': async (ctx) => ({
    body: { ...(await anOfficerToChange(ctx)), role: 'accounts' },
  }),
  'POST office/staff/status': async (ctx) => ({
    body: { ...(await anOfficerToChange(ctx)), active: false, reason: 'Left' },
  }),
  'POST office/staff/resetSecondFactor': async (ctx) => {
    await anEnrolledOfficer(ctx)
    const seen = await ctx.row<{ id: number; version: number }>(
      'select id, version from staff where totp_secret is not null order by id desc limit 1',
    )
    return { body: { ...seen, reason: 'Phone lost' } }
  },
  'POST office/staff/endSessions': async () => ({ body: { id: (await anOfficer('viewer')).id } }),
  'POST office/visits/start': async () => ({
    body: { id: (await aTeacher()).schoolId, reason: 'Asked by phone' },
  }),
}
