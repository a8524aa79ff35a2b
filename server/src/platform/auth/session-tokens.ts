import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { newToken, tokenHash } from './secrets.ts'

const minute = 60_000
const hour = 60 * minute

/** A session that stays signed in gets a new token after a day of use (docs/security.md, T7). */
export const tokenLife = 24 * hour
/** A token that was replaced is good for so long: other tabs, and calls under way, still bring it. */
const replacedGoodFor = minute
/** A token that was offered and not taken up, because its answer was lost, is offered again after so long. */
const offeredAgain = hour

/** What is known of the token that was brought, beside its session; all null while the session has had only one. */
export interface BroughtToken {
  /** The hash of the session's first token, which is the session's name */
  tokenHash: string
  tokenDueAt: Date | null
  tokenMadeAt: Date | null
  tokenUsedAt: Date | null
  tokenReplacedAt: Date | null
}

/** Whether a token comes back long after it was replaced: somebody else has a copy, or is who took the new one. */
export const isReused = ({ tokenReplacedAt }: BroughtToken, now: Date): boolean =>
  tokenReplacedAt !== null && now.getTime() - tokenReplacedAt.getTime() > replacedGoodFor

/** Ends a session of which an old token came back: which of the two is the right person can't be known. */
export async function endReused(db: Db, now: Date, session: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: now, reused_at: now })
    .where('token_hash', '=', session)
    .where('ended_at', 'is', null)
    .execute()
}

/** Whether the session of a token ended because an old token of it came back. */
export async function endedByReuse(db: Db, token: string): Promise<boolean> {
  const hash = tokenHash(token)
  const { rows } = await sql<{ reused: boolean }>`
    select s.reused_at is not null as reused from sessions s
    where s.token_hash = coalesce((select t.session_hash from session_tokens t where t.token_hash = ${hash}), ${hash})`.execute(
    db,
  )
  return rows[0]?.reused ?? false
}

/** Notes the first use of a new token, which replaces all others of its session. Its session's row is locked first, as by `offerToken`. */
export async function takeUpToken(db: Db, now: Date, session: string, token: string): Promise<void> {
  await sql`
    with one as materialized (
      select s.token_hash from sessions s where s.token_hash = ${session} for update
    ), taken as (
      update session_tokens t set used_at = ${now} from one
      where t.token_hash = ${tokenHash(token)} and t.session_hash = one.token_hash and t.used_at is null and t.replaced_at is null
      returning t.session_hash, t.token_hash
    ), due as (
      update sessions s set token_due_at = ${new Date(now.getTime() + tokenLife)} from taken
      where s.token_hash = taken.session_hash
    )
    update session_tokens t set replaced_at = ${now} from taken
    where t.session_hash = taken.session_hash and t.token_hash <> taken.token_hash and t.replaced_at is null`.execute(
    db,
  )
}

/**
 * A new token for a session whose turn it is, for one of the calls that arrive at once; undefined for the others. The
 * token before stays good until the new one is used: an answer may be lost, and a program may not heed what it is offered.
 */
export async function offerToken(
  db: Db,
  now: Date,
  { tokenHash: session, tokenDueAt }: BroughtToken,
): Promise<string | undefined> {
  if (tokenDueAt === null || tokenDueAt > now) return undefined
  const token = newToken()
  const { rows } = await sql`
    with due as (
      update sessions set token_due_at = ${new Date(now.getTime() + offeredAgain)}
      where token_hash = ${session} and token_due_at <= ${now} and ended_at is null
      returning token_hash, created_at
    ), first as (
      insert into session_tokens (token_hash, session_hash, made_at, used_at)
      select token_hash, token_hash, created_at, created_at from due on conflict do nothing
    )
    insert into session_tokens (token_hash, session_hash, made_at)
    select ${tokenHash(token)}, token_hash, ${now}::timestamptz from due returning token_hash`.execute(db)
  return rows.length > 0 ? token : undefined
}
