import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { foundationLimits } from '../foundation.ts'
import { newToken, tokenHash } from './secrets.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How long a family may look after its access code: phones are shared (docs/security.md, T15). */
export const familyMinutes = 30

/** How long a session lives: `idle` is moved on by use, `absolute` is not (docs/security.md, T7). */
const lives = {
  account: { idle: 30 * minute, absolute: 12 * 60 * minute },
  stay: { idle: 14 * day, absolute: 90 * day },
  office: { idle: 30 * minute, absolute: 12 * 60 * minute },
  family: { idle: familyMinutes * minute, absolute: familyMinutes * minute },
} as const

export type SessionKind = 'account' | 'office' | 'family'

interface NewSession {
  kind: SessionKind
  userId?: number
  staffId?: number
  familyLinkId?: string
  staySignedIn?: boolean
  /** An officer's visit with a school's account, and when it ends at the latest */
  visit?: { id: number; until: Date }
  source: string
  agent: string
}

/** How long a session may rest, in milliseconds: the office may have made it shorter than it is built in. */
async function restOf(db: Db | Tx, session: { kind: string; staySignedIn?: boolean }): Promise<number> {
  if (session.kind === 'family') return lives.family.idle
  if (session.staySignedIn && session.kind === 'account') return lives.stay.idle
  return Math.min((await foundationLimits(db)).idleMinutes * minute, lives.office.idle)
}

/** The name of a session that may be shown: its key in the database opens nothing, but stays inside all the same. */
export const sessionName = (session: string): string => tokenHash(session).slice(0, 22)

/** Opens a session and gives its token, which is shown once and stored only hashed. */
export async function openSession(tx: Tx, now: Date, session: NewSession): Promise<string> {
  const token = newToken()
  const stays = session.kind === 'account' && session.staySignedIn === true
  const life = stays ? lives.stay : lives[session.kind]
  await tx
    .insertInto('sessions')
    .values({
      token_hash: tokenHash(token),
      kind: session.kind,
      user_id: session.userId ?? null,
      staff_id: session.staffId ?? null,
      family_link_id: session.familyLinkId ?? null,
      created_at: now,
      last_seen_at: now,
      // The second factor was proved just now.
      confirmed_at: session.kind === 'office' ? now : null,
      idle_until: new Date(now.getTime() + (await restOf(tx, session))),
      expires_at: session.visit?.until ?? new Date(now.getTime() + life.absolute),
      visit_id: session.visit?.id ?? null,
      stay_signed_in: session.staySignedIn ?? false,
      token_due_at: stays ? new Date(now.getTime() + tokenLife) : null,
      source: session.source,
      agent: session.agent.slice(0, 200),
    })
    .execute()
  return token
}

/** Notes that the officer of a session has just proved a password or a second factor again. */
export async function confirmSession(tx: Tx, now: Date, session: string): Promise<void> {
  await tx.updateTable('sessions').set({ confirmed_at: now }).where('token_hash', '=', session).execute()
}

/** Ends one session, by the hash of any token that it has had. */
export async function endSession(tx: Tx, now: Date, session: string): Promise<void> {
  await sql`
    update sessions set ended_at = ${now}
    where token_hash = coalesce((select session_hash from session_tokens where token_hash = ${session}), ${session})
      and ended_at is null`.execute(tx)
}

/** Ends all sessions of a user (password change, «sign out everywhere», disabled account), but for one when given. */
export async function endSessionsOfUser(tx: Tx, now: Date, userId: number, but?: string): Promise<void> {
  let ending = tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
  if (but !== undefined) ending = ending.where('token_hash', '<>', but)
  await ending.execute()
}

/**
 * Ends all sessions of a member of staff, in the office and in schools' portals (switched off, other role, second
 * factor taken back), but for one when given.
 */
export async function endSessionsOfStaff(tx: Tx, now: Date, staffId: number, but?: string): Promise<void> {
  const spared = but === undefined ? sql`` : sql`and token_hash <> ${but}`
  await sql`
    update sessions set ended_at = ${now}
    where ended_at is null ${spared}
      and (staff_id = ${staffId} or visit_id in (select id from school_visits where staff_id = ${staffId} and until > ${now}))`.execute(
    tx,
  )
}

/** A living session with everything a scope is made of; null what its kind does not have. */
export interface FoundSession extends BroughtToken {
  kind: string
  lastSeenAt: Date
  staySignedIn: boolean
  confirmedAt: Date | null
  userId: number | null
  userName: string | null
  userEmail: string | null
  schoolId: number | null
  coordinator: boolean | null
  schoolCode: string | null
  schoolActive: boolean | null
  visitId: number | null
  staffId: number | null
  staffName: string | null
  staffEmail: string | null
  staffRole: string | null
  linkId: string | null
  linkSchoolId: number | null
  linkSeason: string | null
}

/**
 * The living session behind a token, in one statement; undefined when it never was, has ended or its owner is disabled.
 * A token that was replaced some while ago ends its session and is refused with `session.reused`.
 * Use moves the idle end on, at most once a minute. Every call asks this: as text it takes a tenth of the time that
 * building the statement took.
 */
export async function findSession(db: Db, now: Date, token: string): Promise<FoundSession | undefined> {
  const hash = tokenHash(token)
  const { rows } = await sql<FoundSession>`
    select s.token_hash as "tokenHash", s.kind, s.last_seen_at as "lastSeenAt", s.stay_signed_in as "staySignedIn",
      s.confirmed_at as "confirmedAt", s.token_due_at as "tokenDueAt",
      t.made_at as "tokenMadeAt", t.used_at as "tokenUsedAt", t.replaced_at as "tokenReplacedAt",
      u.id as "userId", u.name as "userName", u.email as "userEmail", u.school_id as "schoolId", u.coordinator,
      c.code as "schoolCode", c.active as "schoolActive", v.id as "visitId",
      f.id as "staffId", f.name as "staffName", f.email as "staffEmail", f.role as "staffRole",
      l.id as "linkId", l.school_id as "linkSchoolId", l.season as "linkSeason"
    from sessions s
      left join session_tokens t on t.token_hash = ${hash}
      left join users u on u.id = s.user_id
      left join schools c on c.id = u.school_id
      left join school_visits v on v.id = s.visit_id
      left join staff f on f.id = coalesce(s.staff_id, v.staff_id)
      left join family_links l on l.id = s.family_link_id
    where s.token_hash = coalesce((select r.session_hash from session_tokens r where r.token_hash = ${hash}), ${hash})
      and s.ended_at is null and s.idle_until > ${now} and s.expires_at > ${now}
      and u.disabled_at is null and f.disabled_at is null and l.revoked_at is null and v.ended_at is null`.execute(
    db,
  )
  const [session] = rows
  if (session && isReused(session, now)) {
    await endReused(db, now, session.tokenHash)
    throw new Refusal('session.reused', { facts: { who: `account:${session.userId}` } })
  }
  if (session?.tokenMadeAt && !session.tokenUsedAt && !session.tokenReplacedAt)
    await takeUpToken(db, now, session.tokenHash, token)
  if (session && now.getTime() - session.lastSeenAt.getTime() > minute && session.kind !== 'family') {
    const idle = await restOf(db, session)
    await db
      .updateTable('sessions')
      .set({ last_seen_at: now, idle_until: new Date(now.getTime() + idle) })
      .where('token_hash', '=', session.tokenHash)
      .execute()
    session.lastSeenAt = now
  }
  if (session) remember(db, now, hash, session)
  return session
}

/**
 * For so long a session is remembered as it was found, in milliseconds. Shorter than a token is good once it was replaced
 * (below): of the token nothing is asked again.
 */
const rememberedFor = 30_000
const mostRemembered = 20_000

interface Asking {
  session: FoundSession
  answer(same: Promise<boolean>): void
}

interface Memory {
  /** By the hash of the token */
  sessions: Map<string, { at: number; session: FoundSession }>
  /** Calls that came while the last question was with the database: the next one asks for all of them */
  waiting: Asking[]
  busy: boolean
}

const memories = new WeakMap<Db, Memory>()

function memoryOf(db: Db): Memory {
  const memory = memories.get(db) ?? { sessions: new Map(), waiting: [], busy: false }
  memories.set(db, memory)
  return memory
}

/** Of the own people of a school that is active: a visiting officer's right, a family's link and the office are looked up each time. */
function remember(db: Db, now: Date, token: string, session: FoundSession): void {
  if (session.kind !== 'account' || !session.schoolActive || session.visitId !== null) return
  const due = session.tokenDueAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (session.tokenReplacedAt !== null || due < now.getTime() + rememberedFor) return
  const { sessions } = memoryOf(db)
  if (sessions.size >= mostRemembered) sessions.clear()
  sessions.set(token, { at: now.getTime(), session })
}

/**
 * The living session of a token that was found moments ago, where the database says that it is still the same; undefined
 * where it has to be looked up. Nothing is believed from memory: what is saved is the lookup of everything beside it, and
 * that each call asks by itself. It is asked after the call has come, so that a session that was ended before is over.
 */
export async function recallSession(db: Db, now: Date, token: string): Promise<FoundSession | undefined> {
  const memory = memoryOf(db)
  const known = memory.sessions.get(tokenHash(token))
  if (!known) return undefined
  const { at, session } = known
  const age = now.getTime() - at
  if (age < 0 || age >= rememberedFor || now.getTime() - session.lastSeenAt.getTime() > minute)
    return undefined
  const { promise, resolve } = Promise.withResolvers<boolean>()
  memory.waiting.push({ session, answer: resolve })
  if (!memory.busy) void askForAll(db, now, memory)
  return (await promise) ? session : undefined
}

async function askForAll(db: Db, now: Date, memory: Memory): Promise<void> {
  memory.busy = true
  while (memory.waiting.length > 0) {
    const asking = memory.waiting.splice(0)
    const found = findSame(
      db,
      now,
      asking.map(({ session }) => session.tokenHash),
    )
    for (const { session, answer } of asking)
      answer(found.then((same) => isSame(session, same.get(session.tokenHash))))
    await found.catch(() => undefined)
  }
  memory.busy = false
}

type Same = Pick<
  FoundSession,
  'tokenHash' | 'userId' | 'userName' | 'userEmail' | 'coordinator' | 'schoolId' | 'schoolCode'
>

async function findSame(db: Db, now: Date, sessions: readonly string[]): Promise<Map<string, Same>> {
  const { rows } = await sql<Same>`
    select s.token_hash as "tokenHash", u.id as "userId", u.name as "userName", u.email as "userEmail", u.coordinator,
      c.id as "schoolId", c.code as "schoolCode"
    from sessions s join users u on u.id = s.user_id join schools c on c.id = u.school_id
    where s.token_hash = any(${sessions}::text[]) and s.ended_at is null and s.idle_until > ${now} and s.expires_at > ${now}
      and s.visit_id is null and u.disabled_at is null and c.active`.execute(db)
  return new Map(rows.map((row) => [row.tokenHash, row]))
}

const isSame = (session: FoundSession, same: Same | undefined): boolean =>
  same !== undefined && (Object.keys(same) as Array<keyof Same>).every((key) => session[key] === same[key])

const hour = 60 * 60_000

/** A session that stays signed in gets a new token after a day of use (docs/security.md, T7). */
const tokenLife = 24 * hour
/** A token that was replaced is good for so long: other tabs, and calls under way, still bring it. */
const replacedGoodFor = 60_000
/** A token that was offered and not taken up, because its answer was lost, is offered again after so long. */
const offeredAgain = hour

/** What is known of the token that was brought, beside its session; all null while the session has had only one. */
interface BroughtToken {
  /** The hash of the session's first token, which is the session's name */
  tokenHash: string
  tokenDueAt: Date | null
  tokenMadeAt: Date | null
  tokenUsedAt: Date | null
  tokenReplacedAt: Date | null
}

/** Whether a token comes back long after it was replaced: somebody else has a copy, or is who took the new one. */
const isReused = ({ tokenReplacedAt }: BroughtToken, now: Date): boolean =>
  tokenReplacedAt !== null && now.getTime() - tokenReplacedAt.getTime() > replacedGoodFor

/** Ends a session of which an old token came back: which of the two is the right person can't be known. */
async function endReused(db: Db, now: Date, session: string): Promise<void> {
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
async function takeUpToken(db: Db, now: Date, session: string, token: string): Promise<void> {
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
