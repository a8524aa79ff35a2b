import { createHash } from 'node:crypto'
import { type BounceMark, extractStatus, isAddressFault } from '@podium/contract/office/calls-bounces'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

/** Selects since when e-mails to the address in a column (`u.email`) have been bouncing. */
export const bounceOf = (column: string): RawBuilder<BounceMark> => sql`(
  select json_build_object('at', to_char(b.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'status', b.status)
  from bounced_addresses b where b.address = lower(${sql.ref(column)}))`

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)

/**
 * Returns a mail's Message-ID: the same on every attempt, so that a mailbox recognises a repeated delivery, and built
 * from its key and row, so that a bounce report can be traced to them.
 */
export function messageId({ id, key }: { id: number; key: string }, from: string): string {
  return `<${hashOf(key)}.${id}@${from.slice(from.indexOf('@') + 1)}>`
}

/** Parses a Message-ID of ours into the mail's row id and a check of its key; undefined for any other. */
export function parseMessageId(name: string): { id: number; has(key: string): boolean } | undefined {
  const [, hash = '', id = ''] = /^\s*<?([0-9a-f]{32})\.(\d{1,15})@[^\s<>@]+>?\s*$/i.exec(name) ?? []
  return id === '' ? undefined : { id: Number(id), has: (key) => hashOf(key) === hash.toLowerCase() }
}

/** The status for a mail server's reply code, if its reply contains no status. */
const plainStatus: Readonly<Record<number, string>> = {
  550: '5.1.0',
  551: '5.1.6',
  552: '5.2.2',
  553: '5.1.3',
}

/** Returns the status of a reply that refused a recipient. */
export const statusOf = (code: number, reply: string): string =>
  extractStatus(reply) || (plainStatus[code] ?? '5.0.0')

/**
 * Records that e-mails to an address bounce, if it is the address of the account or school the mail went to: not a
 * family's, nor one that someone else has entered.
 */
export async function markBounced(
  db: Db | Tx,
  { outboxId, address, status, at }: { outboxId: number; address: string; status: string; at: Date },
): Promise<void> {
  if (!isAddressFault(status)) return
  await sql`
    insert into bounced_addresses (address, at, status)
    select ${address.toLowerCase()}, ${at}::timestamptz, ${status} from outbox o
    where o.id = ${outboxId} and (
      exists (select from users u where u.id = o.user_id and u.email = ${address.toLowerCase()})
      or exists (select from schools s where s.id = o.school_id and lower(s.email) = ${address.toLowerCase()}))
    on conflict (address) do update set at = excluded.at, status = excluded.status
    where bounced_addresses.at < excluded.at`.execute(db)
}
