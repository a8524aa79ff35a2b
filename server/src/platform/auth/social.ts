import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Provider } from '@podium/contract/accounts/calls'
import * as openid from 'openid-client'
import * as z from 'zod/mini'
import type { Settings, SocialSettings } from '../settings.ts'
import { sameHash } from './secrets.ts'

/** What the server stores about a flow between its start and the browser's return; bound to one browser by a ticket. */
export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

/**
 * The person the provider identified. `subject` never changes at a provider; the address may, and counts only if
 * verified.
 */
export interface SocialPerson {
  subject: string
  /** Lower case; empty if the provider gave none */
  email: string
  emailVerified: boolean
  name: string
}

export interface SocialProvider {
  /** Returns the provider's page to send the browser to. */
  begin(redirectUri: string, secrets: FlowSecrets): Promise<URL>
  /** Turns the address that the browser returned with into a person. Throws a SocialFailure. */
  finish(cameBack: URL, redirectUri: string, secrets: FlowSecrets): Promise<SocialPerson>
}

/** Why a sign-in failed: the person cancelled, the provider can't be reached, or its answer can't be trusted. */
export class SocialFailure extends Error {
  readonly problem: 'cancelled' | 'unavailable' | 'failed'

  constructor(problem: SocialFailure['problem'], cause?: unknown) {
    super(`social sign-in: ${problem}`, { cause })
    this.problem = problem
  }
}

/** Time limit for one answer of a provider, in milliseconds. */
const providerPatience = 5_000

export function newFlowSecrets(): FlowSecrets {
  const random = () => randomBytes(32).toString('base64url')
  return { state: random(), nonce: random(), verifier: random() }
}

/** PKCE, method S256 (RFC 7636). */
function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function isLoopback(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)
}

/** Classifies an error: cancelled by the person, unreachable, or untrustworthy. */
function toSocialFailure(thrown: unknown): SocialFailure {
  if (thrown instanceof SocialFailure) return thrown
  if (thrown instanceof openid.AuthorizationResponseError && thrown.error === 'access_denied')
    return new SocialFailure('cancelled', thrown)
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  const unreachable = thrown instanceof TypeError || code === 'OAUTH_TIMEOUT'
  return new SocialFailure(unreachable ? 'unavailable' : 'failed', thrown)
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * Sign-in by OpenID Connect: authorization code with PKCE, state, nonce, signature, issuer and audience checked by
 * openid-client. The issuer's configuration is fetched once, and again after a failure to reach it.
 */
function googleProvider({ clientId, clientSecret, address }: SocialSettings): SocialProvider {
  let discovered: Promise<openid.Configuration> | undefined

  function configuration(): Promise<openid.Configuration> {
    discovered ??= openid
      .discovery(new URL(address), clientId, undefined, openid.ClientSecretPost(clientSecret), {
        timeout: providerPatience / 1000,
        // Plain http only on this machine, for a test's provider
        ...(isLoopback(address) ? { execute: [openid.allowInsecureRequests] } : {}),
      })
      .catch((thrown) => {
        discovered = undefined
        throw thrown instanceof Error ? new SocialFailure('unavailable', thrown) : thrown
      })
    return discovered
  }

  async function fetchPerson(
    cameBack: URL,
    verifier: string,
    state: string,
    nonce: string,
  ): Promise<SocialPerson> {
    const config = await configuration()
    const tokens = await openid.authorizationCodeGrant(config, cameBack, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new SocialFailure('failed')
    // Google puts the address into the ID token; other issuers return it from their user info endpoint.
    const profile =
      claims.email === undefined
        ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
        : claims
    return {
      subject: claims.sub,
      email: text(profile.email).toLowerCase(),
      emailVerified: profile.email_verified === true,
      name: text(profile.name),
    }
  }

  return {
    async begin(redirectUri, { state, nonce, verifier }) {
      return openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async finish(cameBack, redirectUri, { state, nonce, verifier }) {
      const exact = new URL(redirectUri)
      exact.search = cameBack.search
      try {
        return await fetchPerson(exact, verifier, state, nonce)
      } catch (thrown) {
        throw toSocialFailure(thrown)
      }
    },
  }
}

const version = 'v21.0'
const tokenAnswer = z.object({ access_token: z.string() })
const debugAnswer = z.object({
  data: z.object({ app_id: z.string(), is_valid: z.boolean(), user_id: z.string() }),
})
const meAnswer = z.object({
  id: z.string(),
  name: z._default(z.string(), ''),
  email: z._default(z.string(), ''),
})

/**
 * Sign-in by Facebook's OAuth: authorization code with state and PKCE; checks that the token belongs to this app and to
 * the person it is read for. Facebook does not say whether an address is verified, so it never counts as verified.
 */
function facebookProvider({ clientId, clientSecret, address }: SocialSettings): SocialProvider {
  const graph = `${address}/${version}`
  const dialog = `${address.replace('://graph.', '://www.')}/${version}/dialog/oauth`

  async function ask<Schema extends z.ZodMiniType>(
    schema: Schema,
    path: string,
    form: Record<string, string>,
    method: 'GET' | 'POST' = 'GET',
  ): Promise<z.output<Schema>> {
    const fields = new URLSearchParams(form)
    const response = await fetch(method === 'GET' ? `${graph}${path}?${fields}` : `${graph}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(providerPatience),
      ...(method === 'POST' ? { body: fields } : {}),
    }).catch((cause) => {
      throw new SocialFailure('unavailable', cause)
    })
    if (response.status >= 500) throw new SocialFailure('unavailable')
    const parsed = z.safeParse(schema, await response.json().catch(() => undefined))
    if (!response.ok || !parsed.success) throw new SocialFailure('failed')
    return parsed.data
  }

  return {
    async begin(redirectUri, { state, verifier }) {
      const url = new URL(dialog)
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'email,public_profile',
        state,
        code_challenge: codeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString()
      return url
    },
    async finish(cameBack, redirectUri, { state, verifier }) {
      if (!sameHash(cameBack.searchParams.get('state') ?? '', state)) throw new SocialFailure('failed')
      if (cameBack.searchParams.has('error')) throw new SocialFailure('cancelled')
      const code = cameBack.searchParams.get('code')
      if (!code) throw new SocialFailure('failed')
      const app = { client_id: clientId, client_secret: clientSecret }
      const { access_token } = await ask(
        tokenAnswer,
        '/oauth/access_token',
        { ...app, redirect_uri: redirectUri, code, code_verifier: verifier },
        'POST',
      )
      const { data } = await ask(debugAnswer, '/debug_token', {
        input_token: access_token,
        access_token: `${clientId}|${clientSecret}`,
      })
      if (!data.is_valid || data.app_id !== clientId) throw new SocialFailure('failed')
      const me = await ask(meAnswer, '/me', {
        fields: 'id,name,email',
        access_token,
        appsecret_proof: createHmac('sha256', clientSecret).update(access_token).digest('hex'),
      })
      if (me.id !== data.user_id) throw new SocialFailure('failed')
      return { subject: me.id, email: me.email.toLowerCase(), emailVerified: false, name: me.name }
    },
  }
}

/** Returns the providers that this installation is configured for. */
export function socialProviders(settings: Settings): Partial<Record<Provider, SocialProvider>> {
  return {
    ...(settings.google ? { google: googleProvider(settings.google) } : {}),
    ...(settings.facebook ? { facebook: facebookProvider(settings.facebook) } : {}),
  }
}
