import type { StudentHistoryLine } from '@podium/contract/students-record'
import { sql } from 'kysely'
import type { Db } from '#platform/database'
import { mayDo } from '#platform/policy'
import type { JsonValue } from '#platform/schema.generated'
import type { OfficeScope } from '#platform/scope'
import { changesOf, isNoAmount, masked } from '../schools/rules-history.ts'

const linesAtOnce = 20

interface Row extends Omit<StudentHistoryLine, 'at' | 'changes'> {
  at: Date
  change: JsonValue
}

/** The audit lines of a child, the newest first: that its parents' contact changed, not what it was. */
export async function studentHistory(db: Db, scope: OfficeScope, id: number, before: number | undefined) {
  const from = before === undefined ? sql`` : sql`and a.id < ${before}`
  const { rows } = await sql<Row>`
    select a.id, a.at, a.actor_kind as "actorKind", a.actor_name as "actorName", a.action, a.change
    from audit a where a.subject_kind = 'student' and a.subject_id = ${String(id)} ${from}
    order by a.id desc limit ${linesAtOnce + 1}`.execute(db)
  const money = mayDo(scope.role, 'payments.read')
  const shown = (change: JsonValue) => {
    const changes = changesOf(change)
    return masked(money ? changes : changes.filter(isNoAmount))
  }
  return {
    data: rows
      .slice(0, linesAtOnce)
      .map(({ change, at, ...line }) => ({ ...line, at: at.toISOString(), changes: shown(change) })),
    more: rows.length > linesAtOnce,
  }
}
