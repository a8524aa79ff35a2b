import type { Provider } from '@podium/contract/accounts/calls'
import { emailPattern, tidy } from '@podium/contract/fields'
import * as z from 'zod/mini'
import type { Keys } from '#platform/auth/secrets'
import type { FlowSecrets, SocialPerson } from '#platform/auth/social-provider'
import type { Tx } from '#platform/db/database'
import { sendOneTimePassword } from '../registration/commands-otp.ts'
import { linkIdentity } from './commands-identity.ts'
import { issueTicket, takeTicket } from './commands-tickets.ts'
import type { Identity } from './queries-identity.ts'

const flowData = z.object({
  provider: z.enum(['google', 'facebook']),
  secrets: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  linkId: z.optional(z.string()),
})

/** Remembers a flow under a ticket that binds it to the browser that began it. */
export async function beginFlow(
  tx: Tx,
  now: Date,
  provider: Provider,
  secrets: FlowSecrets,
  linkId: string | undefined,
): Promise<string> {
  return issueTicket(tx, now, 'flow', { data: { provider, secrets, ...(linkId ? { linkId } : {}) } })
}

/** The flow that this browser began at this provider, once; undefined for any other. */
export async function endFlow(tx: Tx, now: Date, provider: Provider, token: string | undefined) {
  const ticket = await takeTicket(tx, now, 'flow', token)
  const flow = z.safeParse(flowData, ticket?.data).data
  return flow?.provider === provider ? flow : undefined
}

export type Arrival =
  | { kind: 'social' | 'email' | 'otp'; ticket: string }
  | { kind: 'refused'; problem: 'failed' | 'no-email' }

interface Arriving {
  provider: Provider
  person: SocialPerson
  publicUrl: string
}

/**
 * What follows when a provider's person has come back (threats.md, T1). Known by provider and subject: sign-in. Else,
 * where the provider has verified the address: an account of it is connected (every address of an account is verified
 * here, by its registration), or a registration begins. An unverified address has to be proved by a mailed code first.
 */
export async function receivePerson(tx: Tx, keys: Keys, now: Date, arriving: Arriving): Promise<Arrival> {
  const { provider, person, publicUrl } = arriving
  const known = await tx
    .selectFrom('social_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.disabled_at'])
    .where('i.provider', '=', provider)
    .where('i.subject', '=', person.subject)
    .executeTakeFirst()
  if (known?.disabled_at) return { kind: 'refused', problem: 'failed' }
  if (known) return socialTicket(tx, now, provider, known.id)
  const email = person.email
  if (email.length > 254 || !emailPattern.test(email)) return { kind: 'refused', problem: 'no-email' }
  const identity: Identity = { provider, subject: person.subject, name: tidy(person.name).slice(0, 100) }
  if (!person.emailVerified) {
    const asked = { email, language: 'en' as const, publicUrl, identity }
    return { kind: 'otp', ticket: await sendOneTimePassword(tx, keys, now, asked) }
  }
  const account = await tx
    .selectFrom('users')
    .select(['id', 'disabled_at'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (account?.disabled_at) return { kind: 'refused', problem: 'failed' }
  if (!account)
    return { kind: 'email', ticket: await issueTicket(tx, now, 'email', { email, data: { identity } }) }
  await linkIdentity(tx, now, publicUrl, account.id, identity, email)
  return socialTicket(tx, now, provider, account.id)
}

async function socialTicket(tx: Tx, now: Date, provider: Provider, userId: number): Promise<Arrival> {
  return { kind: 'social', ticket: await issueTicket(tx, now, 'social', { userId, data: { provider } }) }
}
