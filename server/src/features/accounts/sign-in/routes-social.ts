import { linkId, type Provider, providers } from '@podium/contract/accounts/calls'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { socialProviders } from '#platform/auth/social'
import { newFlowSecrets, SocialFailure, type SocialProvider } from '#platform/auth/social-provider'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { sourceOf } from '#platform/http/source'
import { beginFlow, endFlow, receivePerson } from './commands-social.ts'
import { broughtTicket, dropTicket, leaveTicket } from './routes-tickets.ts'

const pathSchema = z.object({ provider: z.enum(providers) })
const querySchema = z.object({ id: z.optional(linkId) })

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
 * The two pages of a sign-in by a provider (docs/decisions/0006). They are opened by browsers, so they answer with
 * redirects: back to a page of ours, with a one-time ticket in a cookie or the reason why not in the address.
 */
export function socialRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits, settings } = deps
  const available = socialProviders(settings)
  const secure = settings.publicUrl.startsWith('https:')
  const redirectUri = (name: Provider) => `${settings.publicUrl}/api/auth/${name}/callback`

  function providerOf(request: FastifyRequest): { name: Provider; provider: SocialProvider | undefined } {
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
      const token = await db.transaction().execute((tx) => beginFlow(tx, deps.clock(), name, secrets, id))
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
    const brought = broughtTicket(deps, jar, 'flow')
    dropTicket(deps, jar, 'flow')
    const flow = await db.transaction().execute((tx) => endFlow(tx, now, name, brought))
    const id = flow?.linkId
    if (!provider || !flow) return reply.redirect(page('/login', { id, problem: 'failed' }))
    try {
      const cameBack = new URL(request.url, settings.publicUrl)
      const person = await provider.finish(cameBack, redirectUri(name), flow.secrets)
      const arrival = await db
        .transaction()
        .execute((tx) =>
          receivePerson(tx, keys, now, { provider: name, person, publicUrl: settings.publicUrl }),
        )
      deps.nudge()
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
