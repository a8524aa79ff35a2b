import {
  answerAskedBack,
  getOwnApplication,
  saveSchoolDetails,
} from '@podium/contract/accounts/calls-application'
import {
  changePassword as changePasswordCall,
  forgotPassword,
  forgotPasswordGet,
  resetLink,
  resetPassword as resetPasswordCall,
} from '@podium/contract/accounts/calls-password'
import { messages } from '@podium/contract/messages'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { serve } from '#platform/http/http'
import { readUserDetails } from './queries.ts'
import { answerBack, apply } from './registration/commands-application.ts'
import { ownApplication } from './registration/queries-application.ts'
import { registerRoutes } from './registration/routes.ts'
import {
  changePassword,
  prepareChange,
  prepareReset,
  resetPassword,
  sendReset,
} from './sign-in/commands-password.ts'
import { readTicket } from './sign-in/queries-tickets.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { socialRoutes } from './sign-in/routes-social.ts'

export function accountsRoutes(app: FastifyInstance, deps: Deps): void {
  registerRoutes(app, deps)
  signInRoutes(app, deps)
  socialRoutes(app, deps)
  passwordRoutes(app, deps)
  serve(app, deps, saveSchoolDetails, 'account', async ({ scope, body, now }) => {
    const userDetails = await deps.db.transaction().execute(async (tx) => {
      await apply(tx, scope, now, body)
      return readUserDetails(tx, scope.userId)
    })
    deps.nudge()
    return { userDetails, message: messages.saved }
  })

  serve(app, deps, getOwnApplication, 'account', ({ scope }) => ownApplication(deps.db, scope))

  serve(app, deps, answerAskedBack, 'account', async ({ scope, body, now }) => {
    const userDetails = await deps.db.transaction().execute(async (tx) => {
      await answerBack(tx, scope, now, body)
      return readUserDetails(tx, scope.userId)
    })
    return { userDetails, message: messages.answerBackSent }
  })
}

function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits } = deps
  const { publicUrl } = deps.settings

  async function forgot(email: string, language: 'en' | 'hi', now: Date, source: string) {
    await limits.take('reset.per-source', source)
    await limits.take('reset.per-email', email)
    await db.transaction().execute((tx) => sendReset(tx, now, { email, language, publicUrl }))
    deps.nudge()
    return { message: messages.resetSent }
  }
  serve(app, deps, forgotPassword, 'public', ({ body, now, request }) =>
    forgot(body.emailId, body.language ?? 'en', now, request.source),
  )
  serve(app, deps, forgotPasswordGet, 'public', ({ query, now, request }) =>
    forgot(query.emailId, 'en', now, request.source),
  )

  serve(app, deps, resetLink, 'public', async ({ body, now, request }) => {
    await limits.take('reset-link.per-source', request.source)
    if (!(await readTicket(db, now, 'reset', body.token))?.user_id) throw new Refusal('account.reset_expired')
    return {}
  })

  serve(app, deps, resetPasswordCall, 'public', async ({ body, now, request }) => {
    await limits.take('reset.per-source', request.source)
    const prepared = await prepareReset(db, keys, now, body.token, body.password)
    await db.transaction().execute((tx) => resetPassword(tx, now, body.token, prepared, publicUrl))
    deps.nudge()
    return { message: messages.passwordSet }
  })

  serve(app, deps, changePasswordCall, 'account', async ({ scope, body, now, request }) => {
    await limits.take('sign-in.per-email', `${scope.email} ${request.source}`)
    const hash = await prepareChange(db, keys, scope, body.currentPassword, body.password)
    await db.transaction().execute((tx) => changePassword(tx, scope, now, hash, publicUrl))
    deps.nudge()
    return { message: messages.passwordSet }
  })
}
