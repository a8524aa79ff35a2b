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

const aCoordinator = () => aTeacher({ coordinator: true, name: 'Hema Misaal' })

/** Returns the token of the newest link mailed to an address. */
async function tokenTo({ server }: RecipeContext, address: string): Promise<string> {
  const text = (await mailsTo(server, address)).map(({ text }) => text).join('\n')
  return /(?:token=|#)([A-Za-z0-9_-]{20,})/.exec(text)?.[1] ?? ''
}

async function aRequestedCode({ server, done }: RecipeContext) {
  const EmailId = anAddress()
  const caller = { cookies: new Map<string, string>() }
  await done('POST Account/EmailVerify', { EmailId, caller })
  return { EmailId, otp: await codeFor(server, EmailId), caller }
}

async function anAccountToSignIn({ server }: RecipeContext) {
  return { emailId: (await anAccount(server)).email, password: aPassword }
}

const passwords = { password: 'Saffron-lantern-77', rePassword: 'Saffron-lantern-77' }

async function aResetToken(ctx: RecipeContext) {
  const { emailId } = await anAccountToSignIn(ctx)
  await ctx.done('POST Account/ForgotPassword', { emailId })
  return { token: await tokenTo(ctx, emailId), ...passwords }
}

/** Has a coordinator invite a colleague: returns the invitation, its token and the inviter. */
async function anInvitedColleague(ctx: RecipeContext, emailId = anAddress()) {
  const caller = await aCoordinator()
  const { id } = await ctx.done('POST ManageSchool/InviteColleague', { emailId, caller })
  return { caller, id, token: await tokenTo(ctx, emailId) }
}

async function aColleague() {
  const caller = await aCoordinator()
  return { caller, id: (await aTeacher({ schoolId: caller.schoolId })).id }
}

/** Creates a coordinator and a colleague who is offered the role. */
async function anOfferedRole(ctx: RecipeContext) {
  const caller = await aCoordinator()
  const other = await aTeacher({ schoolId: caller.schoolId })
  await ctx.done('POST ManageSchool/OfferCoordination', { id: other.id, caller })
  return { caller, other, id: await ctx.newest('coordinator_offers') }
}

const aNewcomer = async () => ({ caller: await aTeacher({ schoolId: null }) })

/** Calls about school accounts and how people get one. */
export const accountRecipes: Recipes = {
  'POST mail/bounces': async (ctx) => {
    const mail = await ctx.row<{ id: number; key: string }>('select id, key from outbox order by id limit 1')
    const name = messageId(mail, 'no-reply@podium.example')
    const bounce = { status: '5.1.1', reason: 'No such user', at: '2026-11-21T06:00:00Z' }
    return { messageId: name, recipient: 'meera@podium.example', ...bounce }
  },
  'GET Account/GET_USER_DETAILS_BY_UID': () => ({ GUID: demoSchoolLink.id }),
  'GET Account/EmailVerify': () => ({ EmailId: anAddress() }),
  'POST Account/EmailVerify': () => ({ EmailId: anAddress() }),
  'GET Account/OTPVerify': aRequestedCode,
  'POST Account/OTPVerify': aRequestedCode,
  'POST account/Register': async ({ server }) => {
    const emailId = anAddress()
    return { ...aForm, emailId, caller: { cookies: await aProvedBrowser(server, emailId) } }
  },
  'POST Account/VerifyAccessCode': async ({ server }) => {
    const { id, code } = await aLinkedSchool(server)
    return { id, code }
  },
  'POST Account/Login': anAccountToSignIn,
  'GET Account/ForgotPassword': anAccountToSignIn,
  'POST Account/ForgotPassword': anAccountToSignIn,
  'POST Account/ResetLink': aResetToken,
  'POST Account/ResetPassword': aResetToken,
  'POST Account/ChangePassword': async (ctx) => {
    const { token } = await ctx.done('POST Account/Login', await anAccountToSignIn(ctx))
    return { currentPassword: aPassword, ...passwords, caller: { token: String(token) } }
  },
  'POST Account/Logout': async () => ({ caller: await aTeacher() }),
  'POST Account/EndSession': async (ctx) => {
    const account = await anAccountToSignIn(ctx)
    await ctx.done('POST Account/Login', account)
    const caller = { token: String((await ctx.done('POST Account/Login', account)).token) }
    const { data } = await ctx.done('GET Account/GetSessions', { caller })
    const other = (data as { id: string; current: boolean }[]).find(({ current }) => !current)
    return { session: other?.id, caller }
  },
  'POST Account/LogoutEverywhere': async () => ({ caller: await aTeacher() }),
  'POST Account/EndActing': async (ctx) => {
    const { token } = await ctx.done('POST office/acting/start', { id: (await aTeacher()).schoolId })
    return { caller: { token: String(token) } }
  },
  'POST Account/SaveSchoolDetails': aNewcomer,
  'POST Account/WithdrawApplication': async (ctx) => {
    const newcomer = await aNewcomer()
    await ctx.done('POST Account/SaveSchoolDetails', newcomer)
    return { caller: newcomer.caller }
  },
  'POST Account/AnswerAskedBack': async (ctx) => {
    const newcomer = await aNewcomer()
    await ctx.done('POST Account/SaveSchoolDetails', newcomer)
    const id = await ctx.newest('applications')
    await ctx.done('POST office/Application/AskBack', { id })
    return { ...newcomer, id, version: 2, answer: 'CBSE' }
  },
  'POST Account/Invitation': async (ctx) => ({ token: (await anInvitedColleague(ctx)).token }),
  'POST Account/AcceptInvitation': async (ctx) => ({
    token: (await anInvitedColleague(ctx)).token,
    ...passwords,
  }),
  'POST Account/JoinByInvitation': async (ctx) => {
    const { emailId, password } = await anAccountToSignIn(ctx)
    return { token: (await anInvitedColleague(ctx, emailId)).token, password }
  },
  'POST ManageSchool/InviteColleague': async () => ({ emailId: anAddress(), caller: await aCoordinator() }),
  'POST ManageSchool/ResendInvitation': (ctx) => anInvitedColleague(ctx),
  'POST ManageSchool/WithdrawInvitation': (ctx) => anInvitedColleague(ctx),
  'POST ManageSchool/RemoveColleague': aColleague,
  'POST ManageSchool/OfferCoordination': aColleague,
  'POST ManageSchool/WithdrawOffer': anOfferedRole,
  'POST ManageSchool/AnswerOffer': async (ctx) => {
    const { other, id } = await anOfferedRole(ctx)
    return { id, caller: other }
  },
}

const officePassword = 'three blue lamps on a hill'

const anInvitedAddress = () => ({ emailId: `${randomUUID()}@foundation.example`, role: 'viewer' })

/** Invites a colleague to the office: returns the id, the address, the token of the mailed link and a password. */
async function anInvitedOfficer(ctx: RecipeContext) {
  const invited = anInvitedAddress()
  const { id } = await ctx.done('POST office/staff/invite', invited)
  const { emailId } = invited
  return { id, emailId, token: await tokenTo(ctx, emailId), password: officePassword }
}

/** Creates a member of the office with a second factor, signed in: returns the caller, password and recovery code. */
async function anEnrolledOfficer(ctx: RecipeContext) {
  const { emailId, token, password } = await anInvitedOfficer(ctx)
  await ctx.done('POST office/AcceptInvitation', { token, password })
  const caller = { cookies: new Map<string, string>() }
  const { secret } = await ctx.done('POST office/SignIn', { emailId, password, caller })
  const confirmed = await ctx.done('POST office/Confirm', { code: totpCode(String(secret), aDay), caller })
  const [code] = confirmed.recoveryCodes as string[]
  return { caller: { token: String(confirmed.token) }, password, code }
}

async function anOfficerToChange(ctx: RecipeContext) {
  return ctx.seen('staff', (await anOfficer('viewer')).id)
}

/** Calls about the office's own staff and their sign-ins. */
export const staffRecipes: Recipes = {
  'POST office/SignIn': () => ({ emailId: 'viewer@podium.example', password: demoPassword }),
  'POST office/Confirm': async (ctx) => {
    const { email = '', totpSecret = '' } = demoOfficers.find(({ role }) => role === 'accounts') ?? {}
    const caller = { cookies: new Map<string, string>() }
    await ctx.done('POST office/SignIn', { emailId: email, password: demoPassword, caller })
    return { code: totpCode(totpSecret, aDay), caller }
  },
  'POST office/ConfirmAgain': async (ctx) => {
    const { caller, password } = await anEnrolledOfficer(ctx)
    return { caller, password }
  },
  'POST office/SignOut': async () => ({ caller: await anOfficer('viewer') }),
  'POST office/Invitation': anInvitedOfficer,
  'POST office/AcceptInvitation': anInvitedOfficer,
  'POST office/account/endSessions': async () => ({ caller: await anOfficer('viewer') }),
  'POST office/account/recoveryCodes': anEnrolledOfficer,
  'POST office/account/replaceAuthenticator': anEnrolledOfficer,
  'POST office/account/password': async (ctx) => {
    const { caller, password } = await anEnrolledOfficer(ctx)
    return { caller, password, newPassword: 'four green boats on a lake' }
  },
  'POST office/staff/invite': anInvitedAddress,
  'POST office/staff/sendLink': async (ctx) => ({ id: (await anInvitedOfficer(ctx)).id }),
  'POST office/staff/role': async (ctx) => ({ ...(await anOfficerToChange(ctx)), role: 'accounts' }),
  'POST office/staff/status': async (ctx) => ({ ...(await anOfficerToChange(ctx)), active: false }),
  'POST office/staff/resetSecondFactor': async (ctx) => {
    await anEnrolledOfficer(ctx)
    return ctx.seen('staff', 'id = (select max(id) from staff where totp_secret is not null)')
  },
  'POST office/staff/endSessions': async () => ({ id: (await anOfficer('viewer')).id }),
  'POST office/acting/start': async () => ({ id: (await aTeacher()).schoolId }),
}
