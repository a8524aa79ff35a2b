import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import { newToken, tokenHash } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { addRow, findRow } from '#platform/db/rows'
import { mailPerson } from '#platform/mail/mail-texts'
import { type Identity, providerNames, type TicketKind, ticketSeconds } from '../queries.ts'

interface NewTicket {
  token?: string
  email?: string
  schoolLinkId?: string
  userId?: number
  codeHash?: string
  data?: Record<string, unknown>
  /** Overrides the validity of its kind with a shorter one */
  seconds?: number
}

/** Issues a ticket and returns its token, which is stored hashed. Also deletes a few long-expired tickets. */
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
  await addRow(tx, 'tickets', {
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
  return token
}

/** Uses up a ticket in one statement: of two concurrent callers, only one gets it, the other undefined. */
export async function takeTicket(tx: Tx, now: Date, kind: TicketKind, token: string | undefined) {
  if (token === undefined) return undefined
  return tx
    .updateTable('tickets')
    .set({ used_at: now })
    .where('id_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['email', 'school_link_id', 'user_id', 'data', 'created_at'])
    .executeTakeFirst()
}

/** Voids the open tickets of an address, optionally only those requested from one place, because a new one replaces them. */
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

/** Connects a provider's identity to an account and notifies the owner. Does nothing if already connected. */
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
    { provider },
  )
  const user = await findRow(tx, 'users', { id: userId }, ['name', 'email', 'language'])
  await mailPerson(tx, now, user, {
    key: `connected:${userId}:${provider}:${now.getTime()}`,
    kind: 'connected',
    mail: 'provider-connected',
    values: { provider: providerNames[provider], reset: `${publicUrl}/forgot` },
  })
}
