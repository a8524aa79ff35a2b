import assert from 'node:assert/strict'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { before, test } from 'node:test'
import { login, type Provider, signInOptions } from '@podium/contract/accounts/calls'
import { otpVerify, provenEmail, register } from '@podium/contract/accounts/calls-registration'
import OpenIdServer from 'oidc-provider'
import { aForm, anAccount, anAddress, codeFor } from '#test/accounts-factories'
import { atEnd } from '#test/database'
import { aDay } from '#test/factories'
import { mailsTo, type TestServer, testServer } from '#test/server'

/** The person signed in at the test's provider; tests change it. */
interface PersonThere {
  sub: string
  email: string
  emailVerified: boolean
  name: string
}

const clientId = 'podium-test'
const clientSecret = 'a secret between the provider and us'

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // So that an open port does not keep the test process alive.
  server.unref()
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider does not listen')
  return `http://127.0.0.1:${address.port}`
}

/** A real OpenID provider where `person` is always signed in and always agrees. */
async function openIdProvider(person: PersonThere, redirectUri: string): Promise<string> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const address = await listen(createServer((request, response) => answer(request, response)))
  const provider = new OpenIdServer(address, {
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

/** A server that behaves like Facebook's dialog and Graph API and checks its input. `appOf` is the app that its tokens belong to. */
async function facebookPeer(person: PersonThere, options: { appOf?: string } = {}): Promise<string> {
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
      const request = query.get('access_token') === `${clientId}|${clientSecret}`
      if (!request) return json(response, 400, { error: {} })
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
  return listen(
    createServer((request, response) => {
      answer(request, response).catch((thrown) => response.destroy(thrown))
    }),
  )
}

// The address registered at the providers; the tests map it to the port on which the server listens.
const publicUrl = 'http://127.0.0.1'
const personThere: PersonThere = { sub: '', email: '', emailVerified: true, name: 'Farida Udaharan' }
let server: TestServer
let now = aDay
before(async () => {
  const issuer = await openIdProvider(personThere, `${publicUrl}/api/auth/google/callback`)
  const facebook = await facebookPeer(personThere)
  server = await testServer({
    clock: () => now,
    settings: {
      publicUrl,
      google: { clientId, clientSecret, address: issuer },
      facebook: { clientId, clientSecret, address: facebook },
    },
  })
})

type Cookies = Map<string, string>

/** Opens an address as a browser does, one redirect at a time. */
async function open(address: string, cookies: Cookies): Promise<string> {
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const response = await fetch(address, { redirect: 'manual', headers })
  await response.arrayBuffer()
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  const location = response.headers.get('location')
  if (location === null) throw new Error(`${address} answered ${response.status}`)
  return new URL(location, address).href
}

/** Goes from our button to the provider; returns the address of our callback, not opened yet. */
async function returned(provider: Provider, ours: Cookies, query = ''): Promise<string> {
  const theirs: Cookies = new Map()
  let address = await open(`${server.url}/api/auth/${provider}/start${query}`, ours)
  while (!address.startsWith(`${publicUrl}/api/`)) address = await open(address, theirs)
  return address.replace(publicUrl, server.url)
}

/** The whole sign-in; returns the page and query where the browser ends up. */
async function signInAt(provider: Provider, ours: Cookies, query = ''): Promise<string> {
  const page = await open(await returned(provider, ours, query), ours)
  return page.replace(server.url, '')
}

function signedInThere(traits: Partial<PersonThere> = {}): void {
  Object.assign(personThere, { sub: randomUUID(), email: anAddress(), emailVerified: true, ...traits })
}

const signIn = (socialMedia: string, cookies: Cookies) =>
  server.call(login, { body: { socialMediaDetails: { socialMedia } } }, { cookies })

test('the sign-in page learns which providers are set up', async () => {
  const body = await server.ask(signInOptions)
  assert.deepEqual([body.google, body.facebook], [true, true])
})

test('a new person returns from Google to the form with a verified address, and later signs in with Google [spec 1.4]', async () => {
  const name = 'k'.repeat(99)
  signedInThere({ name: `${name}😀` })
  const cookies: Cookies = new Map()
  assert.equal(await signInAt('google', cookies, '?id=some-link'), '/register?id=some-link&provider=google')
  const proved = await server.ask(provenEmail, {}, { cookies })
  assert.deepEqual([proved.emailId, proved.userName, proved.confirm], [personThere.email, name, false])
  const made = await server.call(register, { body: { ...aForm, emailId: personThere.email } }, { cookies })
  assert.equal(made.body.result, 'success')
  const later: Cookies = new Map()
  assert.equal(await signInAt('google', later), '/login?provider=google')
  const { body } = await signIn('GOOGLE', later)
  assert.equal(body.userDetails.emailId, personThere.email)
})

test('an account whose address the provider has verified is connected, and its owner is notified [spec 1.4]', async () => {
  const account = await anAccount(server)
  signedInThere({ email: account.email })
  const cookies: Cookies = new Map()
  assert.equal(await signInAt('google', cookies), '/login?provider=google')
  const { body } = await signIn('google', cookies)
  assert.equal(body.userDetails.userId, account.id)
  const [mail] = await mailsTo(server, account.email)
  assert.equal(mail?.subject, 'You can now sign in with Google')
})

test('an address that the provider has not verified opens no account until the e-mailed code is entered', async () => {
  const account = await anAccount(server)
  signedInThere({ email: account.email, emailVerified: false })
  const cookies: Cookies = new Map()
  assert.equal(await signInAt('google', cookies), '/register?provider=google')
  assert.equal((await signIn('google', new Map(cookies))).status, 401)
  const request = await server.ask(provenEmail, {}, { cookies })
  assert.deepEqual([request.emailId, request.confirm], [account.email, true])
  const otp = await codeFor(server, account.email)
  const proved = await server.ask(otpVerify, { EmailId: account.email, otp }, { cookies })
  assert.equal(proved.next, 'sign-in')
  const { body } = await signIn('google', cookies)
  assert.equal(body.userDetails.userId, account.id)
})

test('Facebook never verifies an address: the first sign-in needs an e-mailed code, later ones do not', async () => {
  signedInThere()
  const cookies: Cookies = new Map()
  assert.equal(await signInAt('facebook', cookies), '/register?provider=facebook')
  const otp = await codeFor(server, personThere.email)
  const proved = await server.ask(otpVerify, { EmailId: personThere.email, otp }, { cookies })
  assert.equal(proved.next, 'register')
  await server.ask(register, { ...aForm, emailId: personThere.email }, { cookies })
  const later: Cookies = new Map()
  assert.equal(await signInAt('facebook', later), '/login?provider=facebook')
  assert.equal((await signIn('FACEBOOK', later)).body.userDetails.emailId, personThere.email)
})

test("the provider's subject, not the address, decides whose account opens", async () => {
  const account = await anAccount(server)
  signedInThere({ email: account.email })
  await signInAt('google', new Map())
  personThere.email = anAddress()
  const cookies: Cookies = new Map()
  await signInAt('google', cookies)
  assert.equal((await signIn('google', cookies)).body.userDetails.userId, account.id)
  signedInThere({ email: account.email, emailVerified: false })
  assert.equal(await signInAt('google', new Map()), '/register?provider=google')
})

test('the ticket of a social sign-in works once, for its provider, within five minutes [spec 7.45 8.16]', async () => {
  const account = await anAccount(server)
  signedInThere({ email: account.email })
  const cookies: Cookies = new Map()
  await signInAt('google', cookies)
  assert.equal((await signIn('facebook', new Map(cookies))).status, 401)
  now = new Date(aDay.getTime() + 6 * 60_000)
  const late = await signIn('google', new Map(cookies))
  now = aDay
  assert.equal(late.status, 401)
  const jar = new Map(cookies)
  assert.equal((await signIn('google', cookies)).status, 200)
  assert.equal((await signIn('google', jar)).status, 401)
})

test('a callback that this browser did not start is refused [spec 7.45 8.15]', async () => {
  signedInThere()
  const request = await returned('google', new Map())
  assert.match(await open(request, new Map()), /\/login\?problem=failed$/)
  const ours: Cookies = new Map()
  await returned('google', ours)
  assert.match(await open(request, ours), /\/login\?problem=failed$/)
})

test('a callback with a changed state, issuer or code, or used twice, is refused', async () => {
  signedInThere()
  for (const change of [
    (url: URL) => url.searchParams.set('state', 'another'),
    (url: URL) => url.searchParams.set('iss', 'https://issuer.example'),
    (url: URL) => url.searchParams.set('code', 'another'),
  ]) {
    const ours: Cookies = new Map()
    const address = new URL(await returned('google', ours))
    change(address)
    assert.match(await open(address.href, ours), /\/login\?problem=failed$/)
  }
  const ours: Cookies = new Map()
  const address = await returned('google', ours)
  const jar = new Map(ours)
  await open(address, ours)
  assert.match(await open(address, jar), /\/login\?problem=failed$/)
})

test("a person who declines at the provider returns to the sign-in page, with the school's link [spec 8.15]", async () => {
  const ours: Cookies = new Map()
  const address = new URL(await returned('google', ours, '?id=some-link'))
  address.searchParams.delete('code')
  address.searchParams.set('error', 'access_denied')
  assert.match(await open(address.href, ours), /\/login\?id=some-link&problem=cancelled$/)
})

test('a disabled account cannot sign in through a provider either', async () => {
  const account = await anAccount(server, { disabled: true })
  signedInThere({ email: account.email })
  assert.equal(await signInAt('google', new Map()), '/login?problem=failed')
})

test('a person whose provider knows no address is asked to use e-mail', async () => {
  signedInThere({ email: '' })
  assert.equal(await signInAt('facebook', new Map()), '/login?problem=no-email')
})

test('a token that Facebook gave to another app is refused', async () => {
  signedInThere()
  const address = await facebookPeer(personThere, { appOf: 'another-app' })
  const settings = { publicUrl, facebook: { clientId, clientSecret, address } }
  const first = server
  server = await testServer({ clock: () => now, settings })
  assert.equal(await signInAt('facebook', new Map()), '/login?problem=failed')
  server = first
})

test('a provider that is not set up is not found; one that cannot be reached is reported as unavailable [spec 8.15]', async () => {
  const settings = { publicUrl, google: { clientId, clientSecret, address: 'http://127.0.0.1:9' } }
  const alone = await testServer({ settings })
  const { body } = await alone.call(signInOptions)
  assert.deepEqual([body.google, body.facebook], [true, false])
  const start = (provider: string) => open(`${alone.url}/api/auth/${provider}/start`, new Map())
  assert.match(await start('google'), /\/login\?problem=unavailable$/)
  assert.match(await start('facebook'), /\/login\?problem=not-found$/)
})
