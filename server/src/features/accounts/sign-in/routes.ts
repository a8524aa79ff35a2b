import * as calls from '@podium/contract/accounts/calls'
import { messages } from '@podium/contract/messages'
import { limitsFrom } from '@podium/contract/office/rules-limits'
import { startActing as startActingCall } from '@podium/contract/staff/calls-act-as-school'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { endActing, startActing } from '#features/staff/act-as-school/commands'
import { audit } from '#platform/audit'
import { endSession, endSessionsOfUser } from '#platform/auth/session'
import { newFlowSecrets, SocialFailure, type SocialProvider, socialProviders } from '#platform/auth/social'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { hoursOf, readFoundation } from '#platform/foundation'
import { type RequestFacts, serve, write } from '#platform/http/http'
import { countPassword, resetPasswordAttempts } from '#platform/http/limits'
import { sourceOf } from '#platform/http/source'
import {
  bounceOfUser,
  listSessions,
  readUserDetails,
  type TicketKind,
  ticketCookie,
  ticketSeconds,
} from '../queries.ts'
import * as commands from './commands.ts'

type Cookies = Pick<RequestFacts, 'cookie' | 'setCookie'>

const secure = (deps: Deps) => deps.settings.publicUrl.startsWith('https:')

/** This browser's ticket for a step. */
export function readTicketCookie(deps: Deps, request: Cookies, kind: TicketKind): string | undefined {
  return request.cookie(ticketCookie(kind, secure(deps)))
}

/** Sets a ticket as a cookie for as long as it is valid. */
export function leaveTicket(deps: Deps, request: Cookies, kind: TicketKind, token: string): void {
  request.setCookie(ticketCookie(kind, secure(deps)), token, ticketSeconds(kind))
}

/** Deletes the cookie of a used ticket. */
export function dropTicket(deps: Deps, request: Cookies, kind: TicketKind): void {
  if (readTicketCookie(deps, request, kind) !== undefined)
    request.setCookie(ticketCookie(kind, secure(deps)), '', 0)
}

/** Routes for signing in and out, and for the current user. */
export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits, settings } = deps

  serve(app, deps, calls.signInOptions, 'public', async () => {
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

  serve(app, deps, calls.login, 'public', async ({ body, now, request }) => {
    const provider = body.socialMediaDetails?.socialMedia
    await limits.take('sign-in.per-source', request.source)
    let proved: Awaited<ReturnType<typeof commands.checkPassword>> | undefined
    if (!provider) {
      await countPassword(limits, 'sign-in', body.emailId, request.source)
      proved = await commands.checkPassword(db, keys, body.emailId, body.password)
      await resetPasswordAttempts(limits, 'sign-in', body.emailId, request.source)
    }
    const ticket = readTicketCookie(deps, request, 'social')
    const signedIn = await db
      .transaction()
      .execute(async (tx) =>
        commands.signIn(tx, now, {
          ...(proved ?? { userId: await commands.takeSocialTicket(tx, now, ticket, String(provider)) }),
          staySignedIn: body.staySignedIn ?? false,
          source: request.source,
          agent: request.agent,
          before: request.token,
          linkId: body.id,
          schoolTicket: readTicketCookie(deps, request, 'school'),
        }),
      )
    deps.wake()
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

  write(app, deps, calls.saveProfile, 'account', async (tx, { scope, body, now }) => {
    await commands.saveProfile(tx, scope, now, body)
    return { userDetails: await readUserDetails(tx, scope.userId), message: messages.saved }
  })

  serve(app, deps, startActingCall, 'office:schools.act', async ({ scope, body, now, request }) => {
    const acting = await db.transaction().execute((tx) => startActing(tx, scope, now, body, request))
    return {
      token: acting.token,
      userDetails: await readUserDetails(db, acting.userId),
      officer: scope.name,
      until: acting.until.toISOString(),
    }
  })

  serve(app, deps, calls.me, 'account', async ({ scope }) => ({
    userDetails: await readUserDetails(db, scope.userId),
    bounced: await bounceOfUser(db, scope),
  }))

  write(app, deps, calls.logout, 'account', (tx, { scope, now }) =>
    scope.acting ? endActing(tx, scope, now) : endSession(tx, now, scope.session),
  )

  write(app, deps, calls.logoutEverywhere, 'account', async (tx, { scope, now }) => {
    await endSessionsOfUser(tx, now, scope.userId)
    await audit(tx, now, scope, 'account.signed_out_everywhere', { kind: 'user', id: scope.userId })
  })

  serve(app, deps, calls.getSessions, 'account', async ({ scope, now }) => ({
    data: await listSessions(db, now, scope.userId, scope.session),
  }))

  write(app, deps, calls.endSession, 'account', (tx, { scope, body, now }) =>
    commands.endOneSession(tx, scope, now, body.session),
  )

  serve(app, deps, calls.setLanguage, 'account', async ({ scope, body }) => {
    await db.updateTable('users').set({ language: body.language }).where('id', '=', scope.userId).execute()
    return {}
  })
}

const pathSchema = z.object({ provider: z.enum(calls.providers) })
const querySchema = z.object({ id: z.optional(calls.linkId) })

function page(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `${path}?${new URLSearchParams(given)}`
}

function cookies(request: FastifyRequest, reply: FastifyReply, secure: boolean) {
  return {
    cookie: (name: string) => request.cookies[name],
    setCookie: (name: string, value: string, seconds: number) => {
      reply.setCookie(name, value, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: seconds })
    },
  }
}

/**
 * The two routes of a sign-in by a provider (docs/decisions/0006). Browsers open them, so they redirect to one of our pages,
 * with a one-time ticket in a cookie or an error in the address.
 */
export function socialRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits, settings } = deps
  const available = socialProviders(settings)
  const secure = settings.publicUrl.startsWith('https:')
  const redirectUri = (name: calls.Provider) => `${settings.publicUrl}/api/auth/${name}/callback`

  function providerOf(request: FastifyRequest): {
    name: calls.Provider
    provider: SocialProvider | undefined
  } {
    const path = z.safeParse(pathSchema, request.params)
    if (!path.success) throw new Refusal('not_found')
    const name = path.data.provider
    return { name, provider: available[name] }
  }

  app.get('/api/auth/:provider/start', async (request, reply) => {
    const { name, provider } = providerOf(request)
    const id = z.safeParse(querySchema, request.query).data?.id
    if (!provider) return reply.redirect(page('/login', { id, problem: 'not-found' }))
    await limits.take('social.per-source', sourceOf(request.ip))
    const secrets = newFlowSecrets()
    try {
      const target = await provider.begin(redirectUri(name), secrets)
      const token = await db
        .transaction()
        .execute((tx) => commands.beginFlow(tx, deps.clock(), name, secrets, id))
      leaveTicket(deps, cookies(request, reply, secure), 'flow', token)
      return reply.redirect(target.href)
    } catch (thrown) {
      if (!(thrown instanceof SocialFailure)) throw thrown
      deps.log.warn({ provider: name, problem: thrown.problem }, 'social sign-in')
      return reply.redirect(page('/login', { id, problem: 'unavailable' }))
    }
  })

  app.get('/api/auth/:provider/callback', async (request, reply) => {
    const { name, provider } = providerOf(request)
    await limits.take('social.per-source', sourceOf(request.ip))
    const now = deps.clock()
    const jar = cookies(request, reply, secure)
    const ticket = readTicketCookie(deps, jar, 'flow')
    dropTicket(deps, jar, 'flow')
    const flow = await db.transaction().execute((tx) => commands.endFlow(tx, now, name, ticket))
    const id = flow?.linkId
    if (!provider || !flow) return reply.redirect(page('/login', { id, problem: 'failed' }))
    try {
      const cameBack = new URL(request.url, settings.publicUrl)
      const person = await provider.finish(cameBack, redirectUri(name), flow.secrets)
      const arrival = await db
        .transaction()
        .execute((tx) =>
          commands.receivePerson(tx, keys, now, {
            provider: name,
            person,
            source: sourceOf(request.ip),
            publicUrl: settings.publicUrl,
          }),
        )
      deps.wake()
      if (arrival.kind === 'refused') return reply.redirect(page('/login', { id, problem: arrival.problem }))
      leaveTicket(deps, jar, arrival.kind, arrival.ticket)
      return reply.redirect(page(arrival.kind === 'social' ? '/login' : '/register', { id, provider: name }))
    } catch (thrown) {
      if (!(thrown instanceof SocialFailure)) throw thrown
      deps.log.warn({ provider: name, problem: thrown.problem }, 'social sign-in')
      return reply.redirect(page('/login', { id, problem: thrown.problem }))
    }
  })
}
