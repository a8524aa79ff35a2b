import { mailSender } from '#features/office/settings/queries-foundation'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { enqueueMail } from '#platform/jobs/outbox'
import { providerConnectedMail } from '#platform/mail/mail-templates-accounts'
import { providerNames } from '../rules.ts'
import type { Identity } from './queries-identity.ts'

/** Connects a provider's person with an account, and tells its owner. Does nothing when that is so already. */
export async function linkIdentity(
  tx: Tx,
  now: Date,
  publicUrl: string,
  userId: number,
  identity: Identity,
  email: string,
): Promise<void> {
  const linked = await tx
    .insertInto('social_identities')
    .values({
      provider: identity.provider,
      subject: identity.subject,
      user_id: userId,
      email,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!linked) return
  const { provider } = identity
  await audit(
    tx,
    now,
    systemScope('Sign-in'),
    'account.provider_connected',
    { kind: 'user', id: userId },
    {
      provider,
    },
  )
  const user = await tx
    .selectFrom('users')
    .select(['name', 'email', 'language'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const language = user.language === 'hi' ? 'hi' : 'en'
  await enqueueMail(tx, now, {
    key: `connected:${userId}:${provider}:${now.getTime()}`,
    kind: 'connected',
    to: { name: user.name, address: user.email },
    ...providerConnectedMail(await mailSender(tx), language, {
      name: user.name,
      provider: providerNames[provider],
      reset: `${publicUrl}/forgot`,
    }),
  })
}
