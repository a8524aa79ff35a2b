import {
  endSession as endSessionCall,
  getSessions,
  login,
  logout,
  logoutEverywhere,
  me,
  saveProfile as saveProfileCall,
  setLanguage,
  signInOptions,
} from '@podium/contract/accounts/calls'
import { messages } from '@podium/contract/messages'
import { limitsFrom } from '@podium/contract/office/rules-limits'
import { startVisit as startVisitCall } from '@podium/contract/staff/calls-act-as-school'
import type { FastifyInstance } from 'fastify'
import { hoursOf, readFoundation } from '#features/office/settings/queries-foundation'
import { endVisit, startVisit } from '#features/staff/act-as-school/commands'
import { audit } from '#platform/audit'
import { endSession, endSessionsOfUser } from '#platform/auth/session'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { listSessions, readUserDetails } from '../queries.ts'
import { checkPassword, endOneSession, saveProfile, signIn, takeSocialTicket } from './commands.ts'
import { broughtTicket, dropTicket } from './routes-tickets.ts'

/** Signing in and out, and who is signed in. */
export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits, settings } = deps

  serve(app, deps, signInOptions, 'public', async () => {
    const foundation = await readFoundation(db)
    const { importRows, proofMegabytes } = limitsFrom(foundation.limits)
    return {
      google: settings.google !== undefined,
      facebook: settings.facebook !== undefined,
      foundation: foundation.name,
      supportPhone: foundation.support_phone,
      supportEmail: foundation.support_email,
      supportHours: foundation.support_hours,
      supportHoursHi: hoursOf(foundation).hi,
      importRows,
      proofMegabytes,
    }
  })

  serve(app, deps, login, 'public', async ({ body, now, request }) => {
    const provider = body.socialMediaDetails?.socialMedia
    await limits.take('sign-in.per-source', request.source)
    let userId: number | undefined
    const tries = `${body.emailId} ${request.source}`
    if (!provider) {
      await limits.take('sign-in.per-email', tries)
      await limits.take('sign-in.per-email-everywhere', body.emailId)
      userId = await checkPassword(db, keys, body.emailId, body.password)
      await limits.forget('sign-in.per-email', tries)
    }
    const ticket = broughtTicket(deps, request, 'social')
    const signedIn = await db.transaction().execute(async (tx) =>
      signIn(tx, now, {
        userId: userId ?? (await takeSocialTicket(tx, now, ticket, String(provider))),
        staySignedIn: body.staySignedIn ?? false,
        source: request.source,
        agent: request.agent,
        before: request.token,
        linkId: body.id,
        schoolTicket: broughtTicket(deps, request, 'school'),
      }),
    )
    deps.nudge()
    deps.security.note('signed-in', {
      who: `account:${signedIn.userDetails.userId}`,
      by: provider ? 'provider' : 'password',
      source: request.source,
      request: request.id,
    })
    dropTicket(deps, request, 'social')
    dropTicket(deps, request, 'school')
    return signedIn
  })

  serve(app, deps, saveProfileCall, 'account', async ({ scope, body, now }) => {
    const userDetails = await db.transaction().execute(async (tx) => {
      await saveProfile(tx, scope, now, body)
      return readUserDetails(tx, scope.userId)
    })
    return { userDetails, message: messages.saved }
  })

  serve(app, deps, startVisitCall, 'office:schools.act', async ({ scope, body, now, request }) => {
    const visit = await db.transaction().execute((tx) => startVisit(tx, scope, now, body, request))
    return {
      token: visit.token,
      userDetails: await readUserDetails(db, visit.userId),
      officer: scope.name,
      until: visit.until.toISOString(),
    }
  })

  serve(app, deps, me, 'account', async ({ scope }) => ({
    userDetails: await readUserDetails(db, scope.userId),
  }))

  serve(app, deps, logout, 'account', async ({ scope, now }) => {
    await db
      .transaction()
      .execute((tx) => (scope.acting ? endVisit(tx, scope, now) : endSession(tx, now, scope.session)))
    return {}
  })

  serve(app, deps, logoutEverywhere, 'account', async ({ scope, now }) => {
    await db.transaction().execute(async (tx) => {
      await endSessionsOfUser(tx, now, scope.userId)
      await audit(tx, now, scope, 'account.signed_out_everywhere', { kind: 'user', id: scope.userId })
    })
    return {}
  })

  serve(app, deps, getSessions, 'account', async ({ scope, now }) => ({
    data: await listSessions(db, now, scope.userId, scope.session),
  }))

  serve(app, deps, endSessionCall, 'account', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => endOneSession(tx, scope, now, body.session))
    return {}
  })

  serve(app, deps, setLanguage, 'account', async ({ scope, body }) => {
    await db.updateTable('users').set({ language: body.language }).where('id', '=', scope.userId).execute()
    return {}
  })
}
