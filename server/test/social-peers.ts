import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { atEnd } from './database.ts'

/** The person who is signed in at the provider of a test; a test changes it. */
export interface PersonThere {
  sub: string
  email: string
  emailVerified: boolean
  name: string
}

export const clientId = 'podium-test'
export const clientSecret = 'a secret between the provider and us'

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A test process ends when nothing is left to do but listening.
  server.unref()
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider does not listen')
  return `http://127.0.0.1:${address.port}`
}

/** A real OpenID provider at which `person` is always signed in and agrees. */
export async function openIdProvider(person: PersonThere, redirectUri: string): Promise<string> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const address = await listening(createServer((request, response) => answer(request, response)))
  const provider = new Provider(address, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: person.email, email_verified: person.emailVerified, name: person.name }),
    }),
    async loadExistingGrant(context: {
      oidc: { client: { clientId: string }; session: { accountId: string } }
    }) {
      const { client, session } = context.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const pages = provider.callback()
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return pages(request, response)
    provider
      .interactionFinished(request, response, { login: { accountId: person.sub } })
      .catch((thrown) => response.destroy(thrown))
  }
  return address
}

/** A server that answers as Facebook's dialog and graph do, and checks what it is sent. `appOf` says whose token it gives out. */
export async function facebookPeer(person: PersonThere, options: { appOf?: string } = {}): Promise<string> {
  const codes = new Map<string, { redirectUri: string; challenge: string }>()
  const tokens = new Set<string>()
  const json = (response: ServerResponse, status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const query = url.searchParams
    if (url.pathname.endsWith('/dialog/oauth')) {
      const code = randomUUID()
      const redirectUri = query.get('redirect_uri') ?? ''
      codes.set(code, { redirectUri, challenge: query.get('code_challenge') ?? '' })
      const back = new URL(redirectUri)
      back.searchParams.set('code', code)
      back.searchParams.set('state', query.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
      return
    }
    if (url.pathname.endsWith('/oauth/access_token')) {
      const form = new URLSearchParams(await new Response(request as unknown as ReadableStream).text())
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const right =
        code?.redirectUri === form.get('redirect_uri') &&
        code?.challenge === challenge &&
        form.get('client_secret') === clientSecret
      if (!right) return json(response, 400, { error: { message: 'Invalid verification code.' } })
      const token = randomUUID()
      tokens.add(token)
      return json(response, 200, { access_token: token, token_type: 'bearer' })
    }
    const token = query.get('input_token') ?? query.get('access_token') ?? ''
    if (url.pathname.endsWith('/debug_token')) {
      const asked = query.get('access_token') === `${clientId}|${clientSecret}`
      if (!asked) return json(response, 400, { error: {} })
      const data = { app_id: options.appOf ?? clientId, is_valid: tokens.has(token), user_id: person.sub }
      return json(response, 200, { data })
    }
    const proof = createHmac('sha256', clientSecret).update(token).digest('hex')
    if (!tokens.has(token) || query.get('appsecret_proof') !== proof)
      return json(response, 400, { error: { message: 'Invalid appsecret_proof' } })
    json(response, 200, {
      id: person.sub,
      name: person.name,
      ...(person.email ? { email: person.email } : {}),
    })
  }
  return listening(
    createServer((request, response) => {
      answer(request, response).catch((thrown) => response.destroy(thrown))
    }),
  )
}
