import * as openid from 'openid-client'
import type { SocialSettings } from '../settings.ts'
import {
  codeChallenge,
  providerPatience,
  SocialFailure,
  type SocialPerson,
  type SocialProvider,
} from './social-provider.ts'

function isLoopback(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)
}

/** Cancelled by the person, out of reach, or not to be trusted. */
function failure(thrown: unknown): SocialFailure {
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
 * openid-client. The issuer's own description is fetched once and again after it could not be reached.
 */
export function google({ clientId, clientSecret, address }: SocialSettings): SocialProvider {
  let discovered: Promise<openid.Configuration> | undefined

  function configuration(): Promise<openid.Configuration> {
    discovered ??= openid
      .discovery(new URL(address), clientId, undefined, openid.ClientSecretPost(clientSecret), {
        timeout: providerPatience / 1000,
        // Without https only on this machine: a test's provider
        ...(isLoopback(address) ? { execute: [openid.allowInsecureRequests] } : {}),
      })
      .catch((thrown) => {
        discovered = undefined
        throw thrown instanceof Error ? new SocialFailure('unavailable', thrown) : thrown
      })
    return discovered
  }

  async function person(
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
    // Google puts the address into the ID token; other issuers tell it at their user info.
    const said =
      claims.email === undefined
        ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
        : claims
    return {
      subject: claims.sub,
      email: text(said.email).toLowerCase(),
      emailVerified: said.email_verified === true,
      name: text(said.name),
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
        return await person(exact, verifier, state, nonce)
      } catch (thrown) {
        throw failure(thrown)
      }
    },
  }
}
