import type { UserDetails } from '@podium/contract/accounts/calls'
import type { LinkedSchool } from '@podium/contract/accounts/calls-registration'
import type { BounceMark } from '@podium/contract/office/calls-bounces'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import { tokenHash } from '#platform/auth/secrets'
import { sessionName } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { notFound } from '#platform/errors'
import { bounceOf } from '#platform/mail/bounces'

/** Account steps that leave a proof in the browser: a ticket in a cookie that scripts can't read. */
export type TicketKind = 'otp' | 'email' | 'school' | 'reset' | 'social' | 'flow'

/** Minutes that each proof is valid; the office can shorten that of a one-time password. */
const minutes: Record<TicketKind, number> = { otp: 10, email: 30, school: 30, reset: 30, social: 5, flow: 15 }

/** How long a proof is valid, in seconds (docs/security.md, T2, T3). */
export function ticketSeconds(kind: TicketKind): number {
  return minutes[kind] * 60
}

/** The cookie's name; with https its prefix binds it to this host and to secure transport. */
export function ticketCookie(kind: TicketKind, secure: boolean): string {
  return `${secure ? '__Host-' : ''}podium-${kind}`
}

/** Attempts allowed for a one-time password. */
export const otpTries = 5

/** Seconds until another one-time password can be requested; matches the limit `otp.per-minute`. */
export const resendSeconds = 45

export const providerNames = { google: 'Google', facebook: 'Facebook' } as const

/** The role id of the session (specification, section 3). */
function roleIdOf(state: UserDetails['state'], coordinator: boolean): number {
  if (state === 'school') return coordinator ? 1 : 2
  return state === 'pending' || state === 'asked' ? 3 : 4
}

const openToAll = ['/dashboard', '/school-detail']
const paymentPage = '/Importantlink/managepayment'
const ofSchools = [
  '/School/Details',
  '/School/examdate',
  '/School/contact-details',
  '/student/entry',
  '/student/summery',
  '/student/finalsummery',
  '/student/UploadForm',
  '/books/order',
  '/books/summary',
  '/result/viewresult',
  '/result/medalist',
  '/result/award',
  '/result/prize',
  '/Importantlink/trackorder',
  '/Importantlink/teacherquestion',
  '/Importantlink/QuctionStatus',
  '/Importantlink/examScheduleStatus',
]

/** The pages a user may open (specification, sections 2.1 and 6). Each call checks its own permission. */
function formPermissionsOf(state: UserDetails['state']): UserDetails['formPermissions'] {
  const school = state === 'school'
  return [
    ...openToAll.map((route) => ({ route, allowed: true })),
    { route: paymentPage, allowed: school || state === 'pending' || state === 'asked' },
    ...ofSchools.map((route) => ({ route, allowed: school })),
  ]
}

const identity = z.object({ provider: z.enum(['google', 'facebook']), subject: z.string(), name: z.string() })

/** A user's identity at a sign-in provider: the key of the connected account (T1). */
export type Identity = z.output<typeof identity>

/** The identity in a ticket, if any. */
export function identityOf(data: unknown): Identity | undefined {
  return z.safeParse(z.object({ identity }), data).data?.identity
}

/** Reads a valid ticket without using it up; undefined if there is none. */
export async function readTicket(db: Db | Tx, now: Date, kind: TicketKind, token: string | undefined) {
  if (token === undefined) return undefined
  return db
    .selectFrom('tickets')
    .select(['email', 'school_link_id', 'user_id', 'data', 'created_at'])
    .where('id_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The school whose access code this browser has proved, if its link is still active. */
export async function provedSchool(db: Db | Tx, now: Date, token: string | undefined) {
  const ticket = await readTicket(db, now, 'school', token)
  if (!ticket?.school_link_id) return undefined
  return schoolLink(db, ticket.school_link_id)
}

/** An active link of an active school. */
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

/** The address this browser has proved or, with `confirm`, one named by a provider that an e-mailed code must still prove. */
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

/** A user's record, and how far they are in joining a school. */
export async function readUserDetails(db: Db | Tx, userId: number): Promise<UserDetails> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('schools as s', 's.id', 'u.school_id')
    .leftJoinLateral(
      (values) =>
        values
          .selectFrom('applications as a')
          .select(['a.state_of_review', 'a.reason', 'a.decided_by', 'a.question'])
          .whereRef('a.user_id', '=', 'u.id')
          .orderBy('a.id', 'desc')
          .limit(1)
          .as('a'),
      (join) => join.onTrue(),
    )
    .select(['u.id', 'u.name', 'u.email', 'u.mobile', 'u.designation', 'u.coordinator', 'u.school_id'])
    .select(['s.code', 's.name as schoolName'])
    .select(['a.state_of_review', 'a.reason', 'a.decided_by', 'a.question'])
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow(notFound)
  const state = stateOf(row.school_id, row.state_of_review)
  return {
    userId: row.id,
    userName: row.name,
    emailId: row.email,
    mobile: row.mobile,
    designation: row.designation,
    schId: row.school_id ?? 0,
    schCode: row.code ?? '',
    schName: row.schoolName ?? '',
    teacherId: state === 'school' || state === 'pending' || state === 'asked' ? row.id : 0,
    coordinator: row.coordinator,
    roleId: roleIdOf(state, row.coordinator),
    formPermissions: formPermissionsOf(state),
    state,
    reason: (state === 'rejected' ? rejectionOf(row) : state === 'asked' ? row.question : '') ?? '',
  }
}

/** Why the office rejected an application: empty if its applicant withdrew it, since then no officer decided. */
export const rejectionOf = (rejected: { reason: string | null; decided_by: number | null }) =>
  rejected.decided_by === null ? '' : (rejected.reason ?? '')

function stateOf(schoolId: number | null, review: string | null): UserDetails['state'] {
  if (schoolId !== null) return 'school'
  if (review === 'submitted') return 'pending'
  return review === 'rejected' || review === 'asked' ? review : 'none'
}

/** Since when e-mails to the caller's address have bounced. */
export async function bounceOfUser(db: Db, { userId }: AccountScope | SchoolScope): Promise<BounceMark> {
  const row = await db
    .selectFrom('users as u')
    .select(bounceOf('u.email').as('bounced'))
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return row?.bounced ?? null
}

/** The school behind a link, for the banner; undefined if there is no such link. */
export async function linkedSchool(db: Db, linkId: string): Promise<LinkedSchool | undefined> {
  const { rows } = await sql<LinkedSchool>`
    select s.id, s.name as "schName", s.address as "schAddress", s.city as "cityName", s.state as "stateName",
      s.pin_code as "schPinCode", s.country as "countryName", '' as "accessCode"
    from school_links l join schools s on s.id = l.school_id
    where l.id = ${linkId} and l.revoked_at is null and s.active`.execute(db)
  return rows[0]
}

/** A user's active sessions, with their token hashes. Visits of officers are listed under their names (act-as-school). */
export async function activeSessions(db: Db | Tx, now: Date, userId: number) {
  return db
    .selectFrom('sessions')
    .select(['token_hash', 'agent', 'created_at', 'last_seen_at', 'stay_signed_in'])
    .where('user_id', '=', userId)
    .where('acting_session_id', 'is', null)
    .where('ended_at', 'is', null)
    .where('idle_until', '>', now)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute()
}

/** The same, as shown on screen; `current` is the token hash of the calling session. */
export async function listSessions(db: Db, now: Date, userId: number, current: string) {
  return (await activeSessions(db, now, userId)).map((row) => ({
    id: sessionName(row.token_hash),
    current: row.token_hash === current,
    agent: row.agent,
    since: row.created_at.toISOString(),
    lastSeen: row.last_seen_at.toISOString(),
    staySignedIn: row.stay_signed_in,
  }))
}

/** A recipient of e-mails to a school. */
interface Reader {
  id: number
  name: string
  email: string
  language: string
  schoolId: number
}

/** The recipients of e-mails to these schools: their coordinators or, without one, all users who can sign in. */
export async function readersOf(db: Db | Tx, schools: readonly number[]): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select u.id, u.name, u.email, u.language, u.school_id as "schoolId"
    from users u join schools o on o.id = u.school_id and o.active
    where u.school_id = any(${[...schools]}::bigint[]) and u.disabled_at is null and (u.coordinator or not exists (
      select from users c where c.school_id = u.school_id and c.coordinator and c.disabled_at is null))
    order by u.id`.execute(db)
  return rows
}
