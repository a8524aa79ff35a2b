import { parseSeason } from '@podium/contract/season'
import type { Db } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { mayDo, type Permission } from './policy.ts'
import {
  type AccountScope,
  type Acting,
  type FamilyScope,
  mint,
  type OfficeScope,
  type SchoolScope,
} from './scope.ts'
import { hasBearerToken } from './secrets.ts'
import { endedByReuse, type FoundSession, findSession, offerToken, recallSession } from './session.ts'

/**
 * Who may make a call: anyone, a signed-in account, staff of a registered school, a family with its code, office staff
 * with a permission, or the mail provider with its secret.
 */
export type Door = 'public' | 'mail-server' | 'account' | 'school' | 'family' | `office:${Permission}`

export type ScopeOf<D extends Door> = D extends 'account'
  ? AccountScope | SchoolScope
  : D extends 'school'
    ? SchoolScope
    : D extends 'family'
      ? FamilyScope
      : D extends `office:${Permission}`
        ? OfficeScope
        : undefined

/** Returns the token of an Authorization header if it has the shape of one of ours. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const match = /^Bearer ([A-Za-z0-9_-]{43})$/.exec(authorization ?? '')
  return match?.[1]
}

/** Returns the officer behind a school's session, if their role still allows it. */
function actingOf({ actingSessionId, staffId, staffName, staffRole }: FoundSession): { acting?: Acting } {
  if (actingSessionId === null) return {}
  if (staffId === null || staffName === null || !mayDo(staffRole ?? '', 'schools.act'))
    throw new Refusal('session.ended')
  return { acting: { actingSessionId, staffId, name: staffName } }
}

function accountScope(session: FoundSession): AccountScope | SchoolScope {
  if (session.userId === null || session.userName === null || session.userEmail === null)
    throw new Refusal('session.ended')
  const person = {
    userId: session.userId,
    name: session.userName,
    email: session.userEmail,
    session: session.tokenHash,
    ...actingOf(session),
  }
  if (session.schoolId === null || session.schoolCode === null) {
    return mint<AccountScope>({ kind: 'account', ...person, schoolId: undefined })
  }
  if (session.schoolActive !== true) throw new Refusal('access.school_inactive')
  const coordinator = session.coordinator === true
  return mint<SchoolScope>({
    kind: 'school',
    ...person,
    schoolId: session.schoolId,
    schoolCode: session.schoolCode,
    coordinator,
  })
}

function familyScope(session: FoundSession): FamilyScope {
  const season = parseSeason(session.linkSeason ?? '')
  if (session.linkId === null || session.linkSchoolId === null || !season) throw new Refusal('session.ended')
  return mint<FamilyScope>({
    kind: 'family',
    linkId: session.linkId,
    schoolId: session.linkSchoolId,
    season,
    session: session.tokenHash,
  })
}

function officeScope(session: FoundSession): OfficeScope {
  if (
    session.staffId === null ||
    session.staffName === null ||
    session.staffEmail === null ||
    session.staffRole === null
  ) {
    throw new Refusal('session.ended')
  }
  return mint<OfficeScope>({
    kind: 'office',
    staffId: session.staffId,
    name: session.staffName,
    email: session.staffEmail,
    role: session.staffRole,
    session: session.tokenHash,
    ...(session.confirmedAt === null ? {} : { confirmedAt: session.confirmedAt }),
  })
}

/** Names a session's owner for the log. Families have no id that would be safe to log. */
const subjectOf = ({ kind, userId, staffId }: FoundSession): string =>
  kind === 'family' ? 'family' : `${kind}:${userId ?? staffId}`

/**
 * Authorises the bearer of a session, or refuses: 401 without a live session; 403 if the session is of another kind,
 * lacks the permission, or belongs to a deactivated school. Scopes of people are minted only here. `renew` receives the
 * new token of a session that is due for one.
 */
export async function enter<D extends Door>(
  { db, settings: { mailBounceSecret } }: Pick<Deps, 'db' | 'settings'>,
  now: Date,
  door: D,
  authorization: string | undefined,
  renew: (token: string) => void,
): Promise<ScopeOf<D>> {
  if (door === 'public') return undefined as ScopeOf<D>
  if (door === 'mail-server') {
    // Answers as if it did not exist, so that a caller without the secret learns nothing.
    if (!hasBearerToken(authorization, mailBounceSecret)) throw new Refusal('not_found')
    return undefined as ScopeOf<D>
  }
  const token = bearerToken(authorization)
  if (token === undefined) throw new Refusal('session.missing')
  const session = (await recallSession(db, now, token)) ?? (await findSession(db, now, token))
  if (!session) throw new Refusal((await endedByReuse(db, token)) ? 'session.reused' : 'session.ended')
  const renewed = await offerToken(db, now, session)
  if (renewed !== undefined) renew(renewed)
  const kindOfDoor = door.startsWith('office:') ? 'office' : door === 'family' ? 'family' : 'account'
  const denied = () => new Refusal('access.denied', { facts: { who: subjectOf(session) } })
  if (session.kind !== kindOfDoor) throw denied()
  if (kindOfDoor === 'family') return familyScope(session) as ScopeOf<D>
  if (kindOfDoor === 'office') {
    const scope = officeScope(session)
    if (!mayDo(scope.role, door.slice('office:'.length) as Permission)) throw denied()
    return scope as ScopeOf<D>
  }
  const scope = accountScope(session)
  if (door === 'school' && scope.kind !== 'school') throw new Refusal('access.no_school')
  return scope as ScopeOf<D>
}

/**
 * Returns the family behind a token, for a call that is public but answers more to its own family; undefined for anyone
 * else.
 */
export async function familyOf(
  db: Db,
  now: Date,
  token: string | undefined,
): Promise<FamilyScope | undefined> {
  if (token === undefined) return undefined
  const session = await findSession(db, now, token)
  return session?.kind === 'family' ? familyScope(session) : undefined
}
