import type { UserDetails } from '@podium/contract/accounts/calls'
import type { LinkedSchool } from '@podium/contract/accounts/calls-registration'
import type { BounceMark } from '@podium/contract/office/calls-bounces'
import { sql } from 'kysely'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import { sessionName } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound } from '#platform/errors'
import { bounceOf } from '#platform/mail/bounces'
import { formPermissionsOf, roleIdOf } from './rules.ts'

/** The record of a person and where they stand on the way to a school. */
export async function readUserDetails(db: Db | Tx, userId: number): Promise<UserDetails> {
  const row = orNotFound(
    await db
      .selectFrom('users as u')
      .leftJoin('schools as s', 's.id', 'u.school_id')
      .leftJoinLateral(
        (values) =>
          values
            .selectFrom('applications as a')
            .select(['a.state_of_review', 'a.reason', 'a.question'])
            .whereRef('a.user_id', '=', 'u.id')
            .orderBy('a.id', 'desc')
            .limit(1)
            .as('a'),
        (join) => join.onTrue(),
      )
      .select(['u.id', 'u.name', 'u.email', 'u.mobile', 'u.designation', 'u.coordinator', 'u.school_id'])
      .select(['s.code', 's.name as schoolName', 'a.state_of_review', 'a.reason', 'a.question'])
      .where('u.id', '=', userId)
      .executeTakeFirst(),
  )
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
    reason: (state === 'rejected' ? row.reason : state === 'asked' ? row.question : '') ?? '',
  }
}

function stateOf(schoolId: number | null, review: string | null): UserDetails['state'] {
  if (schoolId !== null) return 'school'
  if (review === 'submitted') return 'pending'
  return review === 'rejected' || review === 'asked' ? review : 'none'
}

/** Since when e-mails to a person's own address come back. */
export async function bounceOfUser(db: Db, { userId }: AccountScope | SchoolScope): Promise<BounceMark> {
  const row = await db
    .selectFrom('users as u')
    .select(bounceOf('u.email').as('bounced'))
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return row?.bounced ?? null
}

/** The school behind a link, as its banner shows it; undefined when there is no such link. */
export async function linkedSchool(db: Db, linkId: string): Promise<LinkedSchool | undefined> {
  const row = await db
    .selectFrom('school_links as l')
    .innerJoin('schools as s', 's.id', 'l.school_id')
    .select(['s.id', 's.name', 's.address', 's.city', 's.state', 's.pin_code', 's.country'])
    .where('l.id', '=', linkId)
    .where('l.revoked_at', 'is', null)
    .where('s.active', '=', true)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      schName: row.name,
      schAddress: row.address,
      cityName: row.city,
      stateName: row.state,
      schPinCode: row.pin_code,
      countryName: row.country,
      accessCode: '',
    }
  )
}

/** The living sessions of a person, with the names that they have in the database. */
export async function livingSessions(db: Db | Tx, now: Date, userId: number) {
  return db
    .selectFrom('sessions')
    .select(['token_hash', 'agent', 'created_at', 'last_seen_at', 'stay_signed_in'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('idle_until', '>', now)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute()
}

/** The same as they are shown; `current` is the hashed token of the one that asks. */
export async function listSessions(db: Db, now: Date, userId: number, current: string) {
  return (await livingSessions(db, now, userId)).map((row) => ({
    id: sessionName(row.token_hash),
    current: row.token_hash === current,
    agent: row.agent,
    since: row.created_at.toISOString(),
    lastSeen: row.last_seen_at.toISOString(),
    staySignedIn: row.stay_signed_in,
  }))
}

/** Somebody of a school to whom a mail goes. */
interface Reader {
  id: number
  name: string
  email: string
  language: string
  schoolId: number
}

/** Who reads the mails to these schools: their coordinators; where there is none, everybody who can sign in. */
export async function readersOf(db: Db | Tx, schools: readonly number[]): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select u.id, u.name, u.email, u.language, u.school_id as "schoolId" from users u
    where u.school_id = any(${[...schools]}::bigint[]) and u.disabled_at is null and (u.coordinator or not exists (
      select from users c where c.school_id = u.school_id and c.coordinator and c.disabled_at is null))
    order by u.id`.execute(db)
  return rows
}
