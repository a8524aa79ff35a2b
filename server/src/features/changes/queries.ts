import type { AuditLine } from '@podium/contract/changes'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database'
import { Refusal } from '#platform/errors'
import { mayDo } from '#platform/policy'
import type { JsonValue } from '#platform/schema.generated'
import type { OfficeScope } from '#platform/scope'
import { changesOf, isNoAmount, kindPermissions, masked, permissionOfKind } from './rules.ts'

const linesAtOnce = 20

export interface AuditRow extends Omit<AuditLine, 'at' | 'changes'> {
  at: Date
  change: JsonValue
}

/** The columns of an audit line `a` that are shown. */
export const lineColumns = sql`
  a.id, a.at, a.actor_kind as "actorKind", a.actor_name as "actorName", a.acting_for as "actingFor", a.action,
  a.subject_kind as "subjectKind", a.subject_id as "subjectId", a.change`

/** Whether a role may read about records of a kind. */
export const mayRead = (scope: OfficeScope, kind: string): boolean =>
  mayDo(scope.role, permissionOfKind(kind))

/** The owner reads every kind of line; other roles those of `kindPermissions`. */
export const readsAll = (scope: OfficeScope): boolean => mayDo(scope.role, 'staff.manage')

/** The lines `a` that a role may read: what it may not read elsewhere does not stand in a history either. */
export function readable(scope: OfficeScope): RawBuilder<unknown> {
  if (readsAll(scope)) return sql`true`
  const kinds = Object.entries(kindPermissions)
    .filter(([, permission]) => mayDo(scope.role, permission))
    .map(([kind]) => kind)
  return sql`a.subject_kind = any(${kinds}::text[])`
}

/** A child's parents are the school's and the family's affair, and amounts are for who may read payments. */
function shownOf(scope: OfficeScope, { subjectKind, change }: AuditRow) {
  const changes = changesOf(change)
  if (subjectKind !== 'student') return changes
  return masked(mayDo(scope.role, 'payments.read') ? changes : changes.filter(isNoAmount))
}

/** An audit line as a role may read it. */
export function lineOf(scope: OfficeScope, row: AuditRow): AuditLine {
  const { change: _, at, ...line } = row
  return { ...line, at: at.toISOString(), changes: shownOf(scope, row) }
}

/** The lines that a condition leaves, the newest first, from before a line on. */
export async function linesWhere(
  db: Db,
  scope: OfficeScope,
  condition: RawBuilder<unknown>,
  before: number | undefined,
) {
  const from = before === undefined ? sql`` : sql`and a.id < ${before}`
  const { rows } = await sql<AuditRow>`
    select ${lineColumns} from audit a where ${condition} and ${readable(scope)} ${from}
    order by a.id desc limit ${linesAtOnce + 1}`.execute(db)
  return {
    data: rows.slice(0, linesAtOnce).map((row) => lineOf(scope, row)),
    more: rows.length > linesAtOnce,
  }
}

/** What has happened to one record; refused where the role may not read records of its kind. */
export async function historyOf(
  db: Db,
  scope: OfficeScope,
  { kind, id, before }: { kind: string; id: string; before?: number | undefined },
) {
  if (!mayRead(scope, kind)) throw new Refusal('access.denied')
  return linesWhere(db, scope, sql`a.subject_kind = ${kind} and a.subject_id = ${id}`, before)
}
