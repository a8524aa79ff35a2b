import type { HistoryLine } from '@podium/contract/schools-record'
import { sql } from 'kysely'
import type { Db } from '#platform/database'
import { mayDo } from '#platform/policy'
import type { JsonValue } from '#platform/schema.generated'
import type { OfficeScope } from '#platform/scope'
import { changesOf, isNoAmount, masked } from './rules-history.ts'

const linesAtOnce = 20

interface Row extends Omit<HistoryLine, 'at' | 'changes'> {
  at: Date
  change: JsonValue
}

/** What a role may not read elsewhere does not stand in the history either. */
function hidden(scope: OfficeScope): string[] {
  const kinds: string[] = []
  if (!mayDo(scope.role, 'payments.read')) kinds.push('payment', 'library-line')
  if (!mayDo(scope.role, 'results.read')) kinds.push('result', 'result_set', 'event')
  return kinds
}

const lineOf = ({ change: _, ...line }: Row) => line

/** A child's parents are the school's and the family's affair, and amounts are for who may read payments. */
function shownOf(scope: OfficeScope, { subjectKind, change }: Row) {
  const changes = changesOf(change)
  if (subjectKind !== 'student') return changes
  return masked(mayDo(scope.role, 'payments.read') ? changes : changes.filter(isNoAmount))
}

/** The audit lines of a school, the newest first, from before a line on. */
export async function schoolHistory(db: Db, scope: OfficeScope, id: number, before: number | undefined) {
  const from = before === undefined ? sql`` : sql`and a.id < ${before}`
  const { rows } = await sql<Row>`
    select a.id, a.at, a.actor_kind as "actorKind", a.actor_name as "actorName", a.action,
      a.subject_kind as "subjectKind", a.subject_id as "subjectId", a.change
    from audit a
    where a.school_id = ${id} and a.subject_kind <> all(${hidden(scope)}::text[]) ${from}
    order by a.id desc limit ${linesAtOnce + 1}`.execute(db)
  return {
    data: rows
      .slice(0, linesAtOnce)
      .map((row) => ({ ...lineOf(row), at: row.at.toISOString(), changes: shownOf(scope, row) })),
    more: rows.length > linesAtOnce,
  }
}
