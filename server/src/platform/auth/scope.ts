import type { Season } from '@podium/contract/season'
import { Refusal } from '../errors.ts'

/**
 * Proof types: who is making the request, established by the gate (gate.ts) and minted nowhere else. A query about a
 * school's data takes a SchoolScope, so it can't be called without one.
 */
declare const minted: unique symbol

interface Minted {
  readonly [minted]: true
}

/** An officer who temporarily uses a school's account: everything written carries both names. */
export interface Acting {
  readonly actingSessionId: number
  readonly staffId: number
  readonly name: string
}

/** A person signed in with a school account, with or without a school. */
export interface AccountScope extends Minted {
  readonly kind: 'account'
  readonly userId: number
  readonly name: string
  readonly email: string
  /** The hash of the session's token, which identifies the session in the database. */
  readonly session: string
  readonly schoolId: number | undefined
  readonly acting?: Acting
}

/** Staff of a registered school; sees and changes that school only. */
export interface SchoolScope extends Omit<AccountScope, 'kind' | 'schoolId'> {
  readonly kind: 'school'
  readonly schoolId: number
  readonly schoolCode: string
  readonly coordinator: boolean
}

/** One school whose data may be read and changed: by its own staff, and by the office for any school. */
export interface SchoolAccess extends Minted {
  readonly schoolId: number
}

/** A family that has entered its access code; sees only the students of its link. */
export interface FamilyScope extends Minted {
  readonly kind: 'family'
  readonly linkId: string
  readonly schoolId: number
  readonly season: Season
  readonly session: string
}

/** The foundation's staff, after the second factor. */
export interface OfficeScope extends Minted {
  readonly kind: 'office'
  readonly staffId: number
  readonly name: string
  readonly email: string
  readonly role: string
  readonly session: string
  /** When this session last proved a password or a second factor (policy.ts) */
  readonly confirmedAt?: Date
}

/** The program itself: jobs, imports, the demo world. */
export interface SystemScope extends Minted {
  readonly kind: 'system'
  readonly name: string
}

export type Scope = AccountScope | SchoolScope | FamilyScope | OfficeScope | SystemScope

type Unminted<S> = Omit<S, typeof minted>

/**
 * Makes a scope. Called by the gate, and by jobs and the demo world, which vouch for what they pass; never by a route.
 */
export function mint<S extends Scope>(scope: Unminted<S>): S {
  return scope as S
}

/** Returns the scope for what the program does itself, with the name that the audit trail shows. */
export function systemScope(name: string): SystemScope {
  return mint<SystemScope>({ kind: 'system', name })
}

/** Gives the office access to a school's data; the route has already checked the permission. */
export function accessToSchool(_office: OfficeScope | SystemScope, schoolId: number): SchoolAccess {
  return { schoolId } as SchoolAccess
}

/** The school that a specified call may name; the session's school is authoritative. */
interface NamedSchool {
  schId?: unknown
  SchId?: unknown
  schCode?: unknown
}

/** Checks that the school named in an input is the session's; refuses any other with 403 (docs/security.md, T13). */
export function requireOwnSchool(
  scope: Scope | undefined,
  { schId, SchId = schId, schCode }: NamedSchool,
): void {
  if (scope?.kind !== 'school' && scope?.kind !== 'account') return
  const ownCode = scope.kind === 'school' ? scope.schoolCode.toUpperCase() : ''
  const otherId = typeof SchId === 'number' && SchId !== scope.schoolId
  const otherCode = typeof schCode === 'string' && schCode.toUpperCase() !== ownCode
  if (otherId || otherCode) throw new Refusal('access.other_school')
}
