import { type RawBuilder, sql } from 'kysely'
import { addRow, changeRows } from '#platform/db/rows'
import type { Db, Tx } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { foundationLimits } from '../foundation.ts'
import { newToken, tokenHash } from './secrets.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How long a family stays signed in with its access code: phones are shared (docs/security.md, T15). */
export const familyMinutes = 30

/** How long a session lives: use extends `idle` but not `absolute` (docs/security.md, T7). */
const lives = {
  account: { idle: 30 * minute, absolute: 12 * 60 * minute },
  stay: { idle: 14 * day, absolute: 90 * day },
  office: { idle: 30 * minute, absolute: 12 * 60 * minute },
  family: { idle: familyMinutes * minute, absolute: familyMinutes * minute },
} as const

type SessionKind = 'account' | 'office' | 'family'

interface NewSession {
  kind: SessionKind
  userId?: number
  staffId?: number
  familyLinkId?: string
  staySignedIn?: boolean
  /** Set while an officer acts as the school, and its latest end */
  acting?: { id: number; until: Date }
  source: string
  agent: string
}

/** Returns how long a session may be idle, in milliseconds; the office may have shortened the built-in time. */
async function idleTimeOf(db: Db | Tx, session: { kind: string; staySignedIn?: boolean }): Promise<number> {
  if (session.kind === 'family') return lives.family.idle
  if (session.staySignedIn && session.kind === 'account') return lives.stay.idle
  return Math.min((await foundationLimits(db)).idleMinutes * minute, lives.office.idle)
}

/** Returns a session's public name. Its key in the database opens nothing, but is not shown anyway. */
export const sessionName = (session: string): string => tokenHash(session).slice(0, 22)

/** Opens a session and returns its token, which is shown once and stored only as a hash. */
export async function openSession(tx: Tx, now: Date, session: NewSession): Promise<string> {
  const token = newToken()
  const stays = session.kind === 'account' && session.staySignedIn === true
  const life = stays ? lives.stay : lives[session.kind]
  await addRow(tx, 'sessions', {
    token_hash: tokenHash(token),
    kind: session.kind,
    user_id: session.userId ?? null,
    staff_id: session.staffId ?? null,
    family_link_id: session.familyLinkId ?? null,
    created_at: now,
    last_seen_at: now,
    // The second factor has just been proved.
    confirmed_at: session.kind === 'office' ? now : null,
    idle_until: new Date(now.getTime() + (await idleTimeOf(tx, session))),
    expires_at: session.acting?.until ?? new Date(now.getTime() + life.absolute),
    acting_session_id: session.acting?.id ?? null,
    stay_signed_in: session.staySignedIn ?? false,
    token_due_at: stays ? new Date(now.getTime() + tokenLife) : null,
    source: session.source,
    agent: session.agent.slice(0, 200),
  })
  return token
}

/** Records that a session's officer has just proved a password or a second factor again. */
export async function confirmSession(tx: Tx, now: Date, session: string): Promise<void> {
  await tx.updateTable('sessions').set({ confirmed_at: now }).where('token_hash', '=', session).execute()
}

/** Ends one session, by the hash of any token it has had. */
export async function endSession(tx: Tx, now: Date, session: string): Promise<void> {
  await sql`
    update sessions set ended_at = ${now}
    where token_hash = coalesce((select session_hash from session_tokens where token_hash = ${session}), ${session})
      and ended_at is null`.execute(tx)
}

/** Ends these live sessions. An officer's visit to a school ends with its session, and the school sees when. */
async function endThese(tx: Tx, now: Date, which: RawBuilder<unknown>, but: string | undefined) {
  const spared = but === undefined ? sql`` : sql`and token_hash <> ${but}`
  await sql`
    with ended as (
      update sessions set ended_at = ${now} where ended_at is null and ${which} ${spared} returning acting_session_id)
    update acting_sessions v set ended_at = ${now} from ended
    where v.id = ended.acting_session_id and v.ended_at is null and v.until > ${now}`.execute(tx)
}

/** Ends all sessions of a user (password change, «sign out everywhere», disabled account), except `but`. */
export async function endSessionsOfUser(tx: Tx, now: Date, userId: number, but?: string): Promise<void> {
  await endThese(tx, now, sql`user_id = ${userId}`, but)
}

/**
 * Ends all sessions of a member of staff, in the office and in schools' portals (deactivated, other role, second factor
 * reset), except `but`.
 */
export async function endSessionsOfStaff(tx: Tx, now: Date, staffId: number, but?: string): Promise<void> {
  const visits = sql`select id from acting_sessions where staff_id = ${staffId} and until > ${now}`
  await endThese(tx, now, sql`(staff_id = ${staffId} or acting_session_id in (${visits}))`, but)
}

/** A live session with everything its scope needs; fields of other kinds of session are null. */
export interface FoundSession extends PresentedToken {
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
  actingSessionId: number | null
  staffId: number | null
  staffName: string | null
  staffEmail: string | null
  staffRole: string | null
  linkId: string | null
  linkSchoolId: number | null
  linkSeason: string | null
}

/**
 * Returns the live session of a token, in one statement; undefined if it never existed, has ended or its owner is
 * disabled. A token that was replaced more than a minute ago ends its session and is refused with `session.reused`. Use
 * extends the idle time, at most once a minute. This runs on every call: as raw SQL it takes a tenth of the time that
 * building the statement took.
 */
export async function findSession(db: Db, now: Date, token: string): Promise<FoundSession | undefined> {
  const hash = tokenHash(token)
  const { rows } = await sql<FoundSession>`
    select s.token_hash as "tokenHash", s.kind, s.last_seen_at as "lastSeenAt", s.stay_signed_in as "staySignedIn",
      s.confirmed_at as "confirmedAt", s.token_due_at as "tokenDueAt",
      t.made_at as "tokenMadeAt", t.used_at as "tokenUsedAt", t.replaced_at as "tokenReplacedAt",
      u.id as "userId", u.name as "userName", u.email as "userEmail", u.school_id as "schoolId", u.coordinator,
      c.code as "schoolCode", c.active as "schoolActive", v.id as "actingSessionId",
      f.id as "staffId", f.name as "staffName", f.email as "staffEmail", f.role as "staffRole",
      l.id as "linkId", l.school_id as "linkSchoolId", l.season as "linkSeason"
    from sessions s
      left join session_tokens t on t.token_hash = ${hash}
      left join users u on u.id = s.user_id
      left join schools c on c.id = u.school_id
      left join acting_sessions v on v.id = s.acting_session_id
      left join staff f on f.id = coalesce(s.staff_id, v.staff_id)
      left join family_links l on l.id = s.family_link_id
    where s.token_hash = coalesce((select r.session_hash from session_tokens r where r.token_hash = ${hash}), ${hash})
      and s.ended_at is null and s.idle_until > ${now} and s.expires_at > ${now}
      and u.disabled_at is null and f.disabled_at is null and l.revoked_at is null
      and v.ended_at is null`.execute(db)
  const [session] = rows
  if (session && isReused(session, now)) {
    await endReused(db, now, session.tokenHash)
    throw new Refusal('session.reused', { facts: { who: `account:${session.userId}` } })
  }
  if (session?.tokenMadeAt && !session.tokenUsedAt && !session.tokenReplacedAt)
    await takeUpToken(db, now, session.tokenHash, token)
  if (session && now.getTime() - session.lastSeenAt.getTime() > minute && session.kind !== 'family') {
    const idle = await idleTimeOf(db, session)
    await changeRows(db, 'sessions', {
      where: { token_hash: session.tokenHash },
      set: { last_seen_at: now, idle_until: new Date(now.getTime() + idle) },
    })
    session.lastSeenAt = now
  }
  if (session) remember(db, now, hash, session)
  return session
}

/**
 * How long a session found in the database is remembered, in milliseconds. Shorter than a replaced token stays valid
 * (below), because the token itself is not checked again.
 */
const rememberedFor = 30_000
const maxRemembered = 20_000

interface PendingCheck {
  session: FoundSession
  answer(same: Promise<boolean>): void
}

interface Memory {
  /** By the hash of the token */
  sessions: Map<string, { at: number; session: FoundSession }>
  /** Calls that arrived while a query was running: the next query asks for all of them */
  waiting: PendingCheck[]
  busy: boolean
}

const memories = new WeakMap<Db, Memory>()

function memoryOf(db: Db): Memory {
  const memory = memories.get(db) ?? { sessions: new Map(), waiting: [], busy: false }
  memories.set(db, memory)
  return memory
}

/**
 * Remembers only sessions of an active school's own staff; visiting officers, families and the office are looked up
 * each time.
 */
function remember(db: Db, now: Date, token: string, session: FoundSession): void {
  if (session.kind !== 'account' || !session.schoolActive || session.actingSessionId !== null) return
  const due = session.tokenDueAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (session.tokenReplacedAt !== null || due < now.getTime() + rememberedFor) return
  const { sessions } = memoryOf(db)
  if (sessions.size >= maxRemembered) sessions.clear()
  sessions.set(token, { at: now.getTime(), session })
}

/**
 * Returns the recently found session of a token, if the database confirms that it is unchanged; undefined if it must be
 * looked up. Memory alone is never trusted: it saves only the full lookup, and lets simultaneous calls share one query.
 * The query starts after the call has arrived, so a session that ended before is noticed.
 */
export async function recallSession(db: Db, now: Date, token: string): Promise<FoundSession | undefined> {
  const memory = memoryOf(db)
  const remembered = memory.sessions.get(tokenHash(token))
  if (!remembered) return undefined
  const { at: rememberedAt, session } = remembered
  const age = now.getTime() - rememberedAt
  if (age < 0 || age >= rememberedFor || now.getTime() - session.lastSeenAt.getTime() > minute)
    return undefined
  const { promise, resolve } = Promise.withResolvers<boolean>()
  memory.waiting.push({ session, answer: resolve })
  if (!memory.busy) void checkPending(db, now, memory)
  return (await promise) ? session : undefined
}

async function checkPending(db: Db, now: Date, memory: Memory): Promise<void> {
  memory.busy = true
  while (memory.waiting.length > 0) {
    const asking = memory.waiting.splice(0)
    const current = findCurrent(
      db,
      now,
      asking.map(({ session }) => session.tokenHash),
    )
    for (const { session, answer } of asking)
      answer(current.then((same) => isUnchanged(session, same.get(session.tokenHash))))
    await current.catch(() => undefined)
  }
  memory.busy = false
}

type CurrentSession = Pick<
  FoundSession,
  'tokenHash' | 'userId' | 'userName' | 'userEmail' | 'coordinator' | 'schoolId' | 'schoolCode'
>

async function findCurrent(
  db: Db,
  now: Date,
  sessions: readonly string[],
): Promise<Map<string, CurrentSession>> {
  const { rows } = await sql<CurrentSession>`
    select s.token_hash as "tokenHash", u.id as "userId", u.name as "userName", u.email as "userEmail", u.coordinator,
      c.id as "schoolId", c.code as "schoolCode"
    from sessions s join users u on u.id = s.user_id join schools c on c.id = u.school_id
    where s.token_hash = any(${sessions}::text[]) and s.ended_at is null and s.idle_until > ${now} and s.expires_at > ${now}
      and s.acting_session_id is null and u.disabled_at is null and c.active`.execute(db)
  return new Map(rows.map((row) => [row.tokenHash, row]))
}

const isUnchanged = (session: FoundSession, same: CurrentSession | undefined): boolean =>
  same !== undefined &&
  (Object.keys(same) as Array<keyof CurrentSession>).every((key) => session[key] === same[key])

const hour = 60 * 60_000

/** A session that stays signed in gets a new token after a day of use (docs/security.md, T7). */
const tokenLife = 24 * hour
/** How long a replaced token stays valid: other tabs and calls in progress still send it. */
const replacedValidFor = 60_000
/** When to offer a new token again if it was never used, because its answer was lost. */
const offerAgainAfter = hour

/** The state of the token sent, beside its session; all null while the session has had only one. */
interface PresentedToken {
  /** The hash of the session's first token, which identifies the session */
  tokenHash: string
  tokenDueAt: Date | null
  tokenMadeAt: Date | null
  tokenUsedAt: Date | null
  tokenReplacedAt: Date | null
}

/** Whether a token was used long after it was replaced: someone else has a copy, or took the new one. */
const isReused = ({ tokenReplacedAt }: PresentedToken, now: Date): boolean =>
  tokenReplacedAt !== null && now.getTime() - tokenReplacedAt.getTime() > replacedValidFor

/** Ends a session whose old token was used again: it can't be known which of the two users is the right one. */
async function endReused(db: Db, now: Date, session: string): Promise<void> {
  await changeRows(db, 'sessions', {
    where: { token_hash: session, ended_at: null },
    set: { ended_at: now, reused_at: now },
  })
}

/** Whether a token's session ended because an old token of it was used again. */
export async function endedByReuse(db: Db, token: string): Promise<boolean> {
  const hash = tokenHash(token)
  const { rows } = await sql<{ reused: boolean }>`
    select s.reused_at is not null as reused from sessions s
    where s.token_hash = coalesce((select t.session_hash from session_tokens t where t.token_hash = ${hash}),
    ${hash})`.execute(db)
  return rows[0]?.reused ?? false
}

/**
 * Records the first use of a new token, which replaces all others of its session. Locks the session's row first, as
 * `offerToken` does.
 */
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
    where t.session_hash = taken.session_hash and t.token_hash <> taken.token_hash
    and t.replaced_at is null`.execute(db)
}

/**
 * Returns a new token for a session that is due for one, to only one of several simultaneous calls; undefined for the
 * others. The old token stays valid until the new one is used: an answer may be lost, and a client may ignore the new
 * token.
 */
export async function offerToken(
  db: Db,
  now: Date,
  { tokenHash: session, tokenDueAt }: PresentedToken,
): Promise<string | undefined> {
  if (tokenDueAt === null || tokenDueAt > now) return undefined
  const token = newToken()
  const { rows } = await sql`
    with due as (
      update sessions set token_due_at = ${new Date(now.getTime() + offerAgainAfter)}
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
