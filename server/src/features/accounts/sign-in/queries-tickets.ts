import * as z from 'zod/mini'
import { tokenHash } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import type { TicketKind } from '../rules.ts'

const identity = z.object({
  provider: z.enum(['google', 'facebook']),
  subject: z.string(),
  name: z.string(),
})

/** Who somebody is at a provider; with the address it makes the person, and is the key of an account (T1). */
export type Identity = z.output<typeof identity>

/** The identity that a ticket carries, if it does. */
export function identityOf(data: unknown): Identity | undefined {
  return z.safeParse(z.object({ identity }), data).data?.identity
}

/** A living ticket without using it up; undefined when there is none. */
export async function readTicket(db: Db | Tx, now: Date, kind: TicketKind, token: string | undefined) {
  if (token === undefined) return undefined
  return db
    .selectFrom('tickets')
    .select(['id_hash', 'kind', 'email', 'school_link_id', 'user_id', 'code_hash', 'tries', 'data'])
    .select(['created_at', 'expires_at', 'used_at'])
    .where('id_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The school whose access code a browser has proved, as long as its link lives. */
export async function provedSchool(db: Db | Tx, now: Date, token: string | undefined) {
  const ticket = await readTicket(db, now, 'school', token)
  if (!ticket?.school_link_id) return undefined
  return schoolLink(db, ticket.school_link_id)
}

/** A link that is not revoked, of a school that takes part. */
export async function schoolLink(db: Db | Tx, id: string) {
  return db
    .selectFrom('school_links as l')
    .innerJoin('schools as s', 's.id', 'l.school_id')
    .select(['l.id', 'l.school_id', 'l.access_code_hash', 's.name'])
    .where('l.id', '=', id)
    .where('l.revoked_at', 'is', null)
    .where('s.active', '=', true)
    .executeTakeFirst()
}

/** The address that a browser has proved; or, with `confirm`, one that a provider named and a mailed code is to prove. */
export async function provedAddress(
  db: Db,
  now: Date,
  emailToken: string | undefined,
  otpToken: string | undefined,
) {
  const proved = await readTicket(db, now, 'email', emailToken)
  if (proved) return { emailId: proved.email, userName: identityOf(proved.data)?.name ?? '', confirm: false }
  const awaited = await readTicket(db, now, 'otp', otpToken)
  const identity = awaited && identityOf(awaited.data)
  return identity
    ? { emailId: awaited.email, userName: identity.name, confirm: true }
    : { emailId: '', userName: '', confirm: false }
}
