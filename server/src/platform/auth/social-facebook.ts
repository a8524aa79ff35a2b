import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { SocialSettings } from '../settings.ts'
import { sameHash } from './secrets.ts'
import { codeChallenge, providerPatience, SocialFailure, type SocialProvider } from './social-provider.ts'

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
 * Sign-in by Facebook's OAuth: authorization code with state and PKCE; the token is checked to be one of this app and
 * of the person it is read for. Facebook does not say whether an address is verified, so it never counts as such.
 */
export function facebook({ clientId, clientSecret, address }: SocialSettings): SocialProvider {
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
    const read = z.safeParse(schema, await response.json().catch(() => undefined))
    if (!response.ok || !read.success) throw new SocialFailure('failed')
    return read.data
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
