import type { AuditLine } from '@podium/contract/audit-log/calls'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb } from '#platform/db/database'
import type { JsonValue } from '#platform/db/schema.generated'
import { Refusal } from '#platform/errors'
import { namesOf } from './queries-names.ts'
import { kindPermissions, type Leaf, leavesOf, masked, permissionOfKind } from './rules.ts'
import { entityOfSubject, ownName } from './rules-names.ts'
import { isAmount, namesIn, saidOf } from './rules-words.ts'

const linesAtOnce = 20

export interface AuditRow extends Omit<AuditLine, 'at' | 'changes' | 'subjectName'> {
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
function leavesFor(scope: OfficeScope, { subjectKind, action, change }: AuditRow): Leaf[] {
  const leaves = leavesOf(change)
  const ofMoney = ['students.read', 'schools.read', 'waivers.read'].includes(permissionOfKind(subjectKind))
  const shown =
    ofMoney && !mayDo(scope.role, 'payments.read') ? leaves.filter((leaf) => !isAmount(action, leaf)) : leaves
  return subjectKind === 'student' ? masked(shown) : shown
}

/** Audit lines as a role may read them, with the names of what they hold by number, looked up once for all. */
export async function linesOf<Row extends AuditRow>(
  db: ReadDb,
  scope: OfficeScope,
  rows: readonly Row[],
): Promise<(Omit<Row, 'at' | 'change'> & AuditLine)[]> {
  const told = rows.map((row) => {
    const subject = entityOfSubject(row.subjectKind, row.subjectId)
    return { row, subject, leaves: leavesFor(scope, row) }
  })
  const wanted = told.flatMap(({ row, subject, leaves }) => [
    ...(subject ? [subject] : []),
    ...leaves.flatMap((leaf) => [...namesIn(row.action, leaf)]),
  ])
  const nameOf = await namesOf(db, scope, wanted)
  return told.map(({ row: { change: _, at, ...line }, subject, leaves }) => ({
    ...line,
    at: at.toISOString(),
    subjectName: subject ? (nameOf(...subject) ?? '') : ownName(line.subjectKind, line.subjectId),
    changes: leaves.map((leaf) => saidOf(line.action, leaf, nameOf)),
  }))
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
    data: await linesOf(db, scope, rows.slice(0, linesAtOnce)),
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
