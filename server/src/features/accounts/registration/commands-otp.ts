import { sql } from 'kysely'
import { mailSender } from '#features/office/settings/queries-foundation'
import {
  bareCode,
  codeHash,
  codeHashes,
  type Keys,
  newDigits,
  newToken,
  tokenHash,
} from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { movedLimits } from '#platform/foundation-limits'
import { enqueueMail } from '#platform/jobs/outbox'
import { accountExistsMail, type Language, oneTimePasswordMail } from '#platform/mail/mail-templates'
import { otpTries } from '../rules.ts'
import { linkIdentity } from '../sign-in/commands-identity.ts'
import { issueTicket, voidTickets } from '../sign-in/commands-tickets.ts'
import { type Identity, identityOf } from '../sign-in/queries-identity.ts'

interface Asked {
  email: string
  language: Language
  publicUrl: string
  /** A provider's person whose address the provider has not confirmed; the one-time password does it. */
  identity?: Identity
}

/**
 * Mails a one-time password and gives this browser the ticket of its own tries; earlier ones of the address end.
 * An address with an account gets another mail and a ticket that no code opens: to the caller both look alike (T4).
 */
export async function sendOneTimePassword(tx: Tx, keys: Keys, now: Date, asked: Asked): Promise<string> {
  const { email, language, publicUrl } = asked
  const account = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  // A provider's person with an account proves the address as well: the account is connected then.
  const refused = account !== undefined && asked.identity === undefined
  await voidTickets(tx, now, 'otp', email)
  const token = newToken()
  const code = newDigits()
  const { otpMinutes } = await movedLimits(tx)
  await issueTicket(tx, now, 'otp', {
    token,
    email,
    codeHash: codeHash(keys, tokenHash(token), refused ? newToken() : code),
    seconds: otpMinutes * 60,
    data: asked.identity ? { identity: asked.identity } : {},
  })
  const sender = await mailSender(tx)
  await enqueueMail(tx, now, {
    key: `otp:${tokenHash(token)}`,
    kind: 'otp',
    to: { name: '', address: email },
    ...(refused
      ? accountExistsMail(sender, language, { signIn: `${publicUrl}/login`, reset: `${publicUrl}/forgot` })
      : oneTimePasswordMail(sender, language, { code, minutes: otpMinutes })),
  })
  return token
}

interface Guess {
  /** The ticket of the browser that asked for the code; a client without cookies has none */
  token: string | undefined
  email: string
  code: string
  publicUrl: string
}

type Proved =
  | { wrong: true; triesLeft: number }
  | { wrong: false; next: 'register' | 'sign-in'; ticket: string }

/**
 * One guess at a one-time password: counted and compared in one statement, so that parallel guesses count too
 * (threats.md, T3). The right one becomes the proof of the address. A wrong one must be committed: don't throw.
 * Guesses without the browser's ticket have tries of their own, so that a stranger can't use up those of the browser.
 */
export async function proveEmail(tx: Tx, keys: Keys, now: Date, guess: Guess): Promise<Proved> {
  const ticket = guess.token === undefined ? await openCode(tx, now, guess.email) : tokenHash(guess.token)
  const counted =
    guess.token === undefined
      ? {
          tries: sql`coalesce((data ->> 'elsewhere')::int, 0)`,
          more: sql`data = jsonb_set(data, '{elsewhere}', to_jsonb(coalesce((data ->> 'elsewhere')::int, 0) + 1))`,
        }
      : { tries: sql`tries`, more: sql`tries = tries + 1` }
  const { rows } = await sql<{ right: boolean; tries: number; data: unknown }>`
    update tickets set ${counted.more},
      used_at = case when code_hash = any(${codeHashes(keys, ticket, bareCode(guess.code))}::text[]) then ${now}::timestamptz end
    where id_hash = ${ticket} and kind = 'otp' and email = ${guess.email}
      and used_at is null and expires_at > ${now} and ${counted.tries} < ${otpTries}
    returning used_at is not null as right, ${counted.tries} as tries, data`.execute(tx)
  const row = rows[0]
  if (!row?.right) return { wrong: true, triesLeft: row ? otpTries - row.tries : 0 }
  const identity = identityOf(row.data)
  const account =
    identity &&
    (await tx
      .selectFrom('users')
      .select('id')
      .where('email', '=', guess.email)
      .where('disabled_at', 'is', null)
      .executeTakeFirst())
  if (identity && account) {
    await linkIdentity(tx, now, guess.publicUrl, account.id, identity, guess.email)
    const data = { provider: identity.provider }
    return {
      wrong: false,
      next: 'sign-in',
      ticket: await issueTicket(tx, now, 'social', { userId: account.id, data }),
    }
  }
  const proof = await issueTicket(tx, now, 'email', {
    email: guess.email,
    data: identity ? { identity } : {},
  })
  return { wrong: false, next: 'register', ticket: proof }
}

/** The code that an address may still be proved with from elsewhere; never one that would connect a provider's person. */
async function openCode(tx: Tx, now: Date, email: string): Promise<string> {
  const row = await tx
    .selectFrom('tickets')
    .select('id_hash')
    .where('kind', '=', 'otp')
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(sql<boolean>`not data ? 'identity'`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id_hash ?? ''
}
