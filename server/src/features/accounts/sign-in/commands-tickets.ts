import { sql } from 'kysely'
import { newToken, tokenHash } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { type TicketKind, ticketSeconds } from '../rules.ts'

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
    .returning([
      'id_hash',
      'kind',
      'email',
      'school_link_id',
      'user_id',
      'code_hash',
      'tries',
      'data',
      'created_at',
      'expires_at',
      'used_at',
    ])
    .executeTakeFirst()
}

/** Makes the open tickets of an address void: a new one-time password or link replaces the ones before. */
export async function voidTickets(tx: Tx, now: Date, kind: TicketKind, email: string): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ used_at: now })
    .where('kind', '=', kind)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .execute()
}
