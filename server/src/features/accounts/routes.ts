import {
  answerAskedBack,
  getOwnApplication,
  saveSchoolDetails,
  withdrawApplication,
} from '@podium/contract/accounts/calls-application'
import * as calls from '@podium/contract/accounts/calls-registration'
import type { WrittenLanguage } from '@podium/contract/languages'
import { messages } from '@podium/contract/messages'
import type { FastifyInstance } from 'fastify'
import { hashPassword } from '#platform/auth/passwords'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { foundationLimits } from '#platform/foundation'
import { type RequestFacts, serve, write } from '#platform/http/http'
import { countAttempt, countReset, resetCodeAttempts } from '#platform/http/limits'
import { linkedSchool, provedAddress, readTicket, readUserDetails, resendSeconds } from './queries.ts'
import { proveAccessCode, proveEmail, registerAccount, sendOneTimePassword } from './registration/commands.ts'
import { answerBack, apply, withdraw } from './registration/commands-application.ts'
import { checkRegistration, ownApplication } from './registration/queries.ts'
import {
  changePassword,
  prepareChange,
  prepareReset,
  resetPassword,
  sendReset,
  signIn,
} from './sign-in/commands.ts'
import { dropTicket, leaveTicket, readTicketCookie, signInRoutes, socialRoutes } from './sign-in/routes.ts'

export function accountsRoutes(app: FastifyInstance, deps: Deps): void {
  registerRoutes(app, deps)
  signInRoutes(app, deps)
  socialRoutes(app, deps)
  passwordRoutes(app, deps)
  write(
    app,
    deps,
    saveSchoolDetails,
    'account',
    async (tx, { scope, body, now }) => {
      await apply(tx, scope, now, body)
      return { userDetails: await readUserDetails(tx, scope.userId), message: messages.saved }
    },
    { count: ({ scope }) => deps.limits.take('application.per-account', String(scope.userId)) },
  )

  write(app, deps, withdrawApplication, 'account', async (tx, { scope, now }) => {
    await withdraw(tx, scope, now)
    return { userDetails: await readUserDetails(tx, scope.userId) }
  })

  serve(app, deps, getOwnApplication, 'account', ({ scope }) => ownApplication(deps.db, scope))

  write(app, deps, answerAskedBack, 'account', async (tx, { scope, body, now }) => {
    await answerBack(tx, scope, now, body)
    return { userDetails: await readUserDetails(tx, scope.userId), message: messages.answerBackSent }
  })
}

function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits } = deps
  const { publicUrl } = deps.settings

  async function forgot(email: string, language: WrittenLanguage, now: Date, source: string) {
    await limits.take('reset.per-source', source)
    await countReset(limits, email, source)
    await db.transaction().execute((tx) => sendReset(tx, now, { email, language, publicUrl }))
    deps.wake()
    return { message: messages.resetSent }
  }
  serve(app, deps, calls.forgotPassword, 'public', ({ body, now, request }) =>
    forgot(body.emailId, body.language ?? 'en', now, request.source),
  )
  serve(app, deps, calls.forgotPasswordGet, 'public', ({ query, now, request }) =>
    forgot(query.emailId, 'en', now, request.source),
  )

  serve(app, deps, calls.resetLink, 'public', async ({ body, now, request }) => {
    await limits.take('reset-link.per-source', request.source)
    if (!(await readTicket(db, now, 'reset', body.token))?.user_id) throw new Refusal('account.reset_expired')
    return {}
  })

  serve(app, deps, calls.resetPassword, 'public', async ({ body, now, request }) => {
    await limits.take('reset.per-source', request.source)
    const prepared = await prepareReset(db, keys, now, body.token, body.password)
    await db.transaction().execute((tx) => resetPassword(tx, now, body.token, prepared, publicUrl))
    deps.wake()
    return { message: messages.passwordSet }
  })

  serve(app, deps, calls.changePassword, 'account', async ({ scope, body, now, request }) => {
    await limits.take('sign-in.per-email', `${scope.email} ${request.source}`)
    const prepared = await prepareChange(db, keys, scope, body.currentPassword, body.password)
    await db.transaction().execute((tx) => changePassword(tx, scope, now, prepared, publicUrl))
    deps.wake()
    return { message: messages.passwordSet }
  })
}

/** Routes of the registration, in the order of its steps. */
function registerRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits } = deps
  const { publicUrl } = deps.settings

  serve(app, deps, calls.getUserDetailsByUid, 'public', async ({ query, request }) => {
    await limits.take('school-link.per-source', request.source)
    const school = await linkedSchool(db, query.GUID)
    if (!school) throw new Refusal('account.bad_link')
    return { data: [school] }
  })

  serve(app, deps, calls.verifyAccessCode, 'public', async ({ body, now, request }) => {
    await limits.take('school-code.per-source', request.source)
    const triesLeft = await countAttempt(
      limits,
      'school-code.per-link',
      body.id,
      request.source,
      (await foundationLimits(db)).codeTries,
    )
    const proved = await db.transaction().execute((tx) => proveAccessCode(tx, keys, now, body, triesLeft))
    await resetCodeAttempts(limits, 'school-code.per-link', body.id, request.source)
    leaveTicket(deps, request, 'school', proved.ticket)
    return { schId: proved.schoolId, message: messages.statusCodeVerified }
  })

  async function sendCode(email: string, language: WrittenLanguage, now: Date, request: RequestFacts) {
    await limits.take('otp.per-source', request.source)
    await limits.take('otp.per-minute', `${email} ${request.source}`)
    await countAttempt(limits, 'otp.per-email', email, request.source)
    await deps.alarm('one-time-passwords')
    const ticket = await db
      .transaction()
      .execute((tx) =>
        sendOneTimePassword(tx, keys, now, { email, language, source: request.source, publicUrl }),
      )
    deps.wake()
    leaveTicket(deps, request, 'otp', ticket)
    const { otpMinutes } = await foundationLimits(db)
    return { resendIn: resendSeconds, expiresIn: otpMinutes * 60, message: messages.codeSent }
  }
  serve(app, deps, calls.emailVerify, 'public', ({ body, now, request }) =>
    sendCode(body.EmailId, body.language ?? 'en', now, request),
  )
  serve(app, deps, calls.emailVerifyGet, 'public', ({ query, now, request }) =>
    sendCode(query.EmailId, 'en', now, request),
  )

  async function checkCode(email: string, code: string, now: Date, request: RequestFacts) {
    await limits.take('otp-check.per-source', request.source)
    const token = readTicketCookie(deps, request, 'otp')
    const guess = { token, email, code, source: request.source, publicUrl }
    // A wrong guess is committed first, then refused.
    const proved = await db.transaction().execute((tx) => proveEmail(tx, keys, now, guess))
    if (proved.wrong) throw new Refusal('account.wrong_otp', { fields: { triesLeft: proved.triesLeft } })
    deps.wake()
    dropTicket(deps, request, 'otp')
    leaveTicket(deps, request, proved.next === 'sign-in' ? 'social' : 'email', proved.ticket)
    const proof = token === undefined ? proved.ticket : ''
    return { next: proved.next, proof, message: messages.otpVerified }
  }
  serve(app, deps, calls.otpVerify, 'public', ({ body, now, request }) =>
    checkCode(body.EmailId, body.otp, now, request),
  )
  serve(app, deps, calls.otpVerifyGet, 'public', ({ query, now, request }) =>
    checkCode(query.EmailId, query.otp, now, request),
  )

  serve(app, deps, calls.provenEmail, 'public', ({ now, request }) =>
    provedAddress(db, now, readTicketCookie(deps, request, 'email'), readTicketCookie(deps, request, 'otp')),
  )

  serve(app, deps, calls.register, 'public', async ({ body, now, request }) => {
    const proofs = {
      email: readTicketCookie(deps, request, 'email') ?? body.proof,
      school: readTicketCookie(deps, request, 'school'),
    }
    const school = await checkRegistration(db, now, body, proofs)
    // Hashed before the transaction, because hashing is slow and a transaction holds a connection.
    const passwordHash = await hashPassword(keys, body.password)
    const signedIn = await db.transaction().execute(async (tx) => {
      const userId = await registerAccount(tx, now, {
        form: body,
        proofs,
        schoolId: school?.school_id,
        passwordHash,
        publicUrl,
      })
      return signIn(tx, now, {
        userId,
        staySignedIn: false,
        source: request.source,
        agent: request.agent,
        before: request.token,
        linkId: undefined,
        schoolTicket: undefined,
      })
    })
    deps.wake()
    deps.security.note('signed-in', {
      who: `account:${signedIn.userDetails.userId}`,
      by: 'registration',
      source: request.source,
      request: request.id,
    })
    dropTicket(deps, request, 'email')
    dropTicket(deps, request, 'school')
    return { ...signedIn, message: messages.registered }
  })
}
