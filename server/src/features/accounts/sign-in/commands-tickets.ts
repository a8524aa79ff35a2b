import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import { newToken, tokenHash } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { mailSender } from '#platform/foundation'
import { enqueueMail } from '#platform/jobs/outbox'
import { providerConnectedMail } from '#platform/mail/mail-templates-schools'
import { type Identity, providerNames, type TicketKind, ticketSeconds } from '../queries.ts'

interface NewTicket {
  token?: string
  email?: string
  schoolLinkId?: string
  userId?: number
  codeHash?: string
  data?: Record<string, unknown>
  /** Shorter than its kind lasts */
  seconds?: number
}

/** Issues a proof and gives its token, which is shown once and stored hashed. Takes a few long expired ones away. */
export async function issueTicket(
  tx: Tx,
  now: Date,
  kind: TicketKind,
  ticket: NewTicket = {},
): Promise<string> {
  const token = ticket.token ?? newToken()
  await sql`
    delete from tickets where id_hash in (
      select id_hash from tickets where expires_at < ${new Date(now.getTime() - 86_400_000)}
      order by expires_at limit 20 for update skip locked)`.execute(tx)
  await tx
    .insertInto('tickets')
    .values({
      id_hash: tokenHash(token),
      kind,
      email: ticket.email ?? '',
      school_link_id: ticket.schoolLinkId ?? null,
      user_id: ticket.userId ?? null,
      code_hash: ticket.codeHash ?? null,
      data: JSON.stringify(ticket.data ?? {}),
      created_at: now,
      expires_at: new Date(now.getTime() + (ticket.seconds ?? ticketSeconds(kind)) * 1000),
    })
    .execute()
  return token
}

/** Uses a ticket up, in one statement, so that of two callers one has it; undefined for the other. */
export async function takeTicket(tx: Tx, now: Date, kind: TicketKind, token: string | undefined) {
  if (token === undefined) return undefined
  return tx
    .updateTable('tickets')
    .set({ used_at: now })
    .where('id_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id_hash', 'kind', 'email', 'school_link_id', 'user_id', 'code_hash', 'tries', 'data'])
    .returning(['created_at', 'expires_at', 'used_at'])
    .executeTakeFirst()
}

/** Makes the open tickets of an address void, or those that were asked for from one place: a new one replaces the ones before. */
export async function voidTickets(
  tx: Tx,
  now: Date,
  kind: TicketKind,
  email: string,
  source?: string,
): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ used_at: now })
    .where('kind', '=', kind)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .$if(source !== undefined, (query) => query.where(sql<boolean>`data ->> 'source' = ${source}`))
    .execute()
}

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
