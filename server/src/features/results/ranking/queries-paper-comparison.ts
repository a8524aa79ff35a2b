import { className } from '@podium/contract/classes'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { found } from '#platform/errors'
import { seenMark } from '#platform/seen'
import { decidedUpon } from '../release/queries-seen.ts'
import type { ComparedClass } from './rules-paper-comparison.ts'

/** The comparison of the dates' papers that was kept with a version, and what was decided. */
export async function papersOf(db: Db, scope: OfficeScope, setId: number) {
  const set = found(
    await db
      .selectFrom('result_sets as s')
      .leftJoin('staff', 'staff.id', 's.papers_decided_by')
      .select(['state', 'papers', 'papers_differ', 'papers_note', 'papers_decided_at', 'staff.name'])
      .select(decidedUpon.as('facts'))
      .where('s.id', '=', setId)
      .executeTakeFirst(),
  )
  const classes = (set.papers ?? []) as unknown as ComparedClass[]
  const open = set.state === 'computed' && set.papers_differ && set.papers_decided_at === null
  return {
    classes: classes.map((one) => ({ ...one, className: className(one.classId) })),
    differ: set.papers_differ,
    decision: set.papers_decided_at && {
      note: set.papers_note,
      by: set.name ?? '',
      at: set.papers_decided_at.toISOString(),
    },
    seen: seenMark(set.facts),
    canDecide: !mayDo(scope.role, 'results.import')
      ? 'access.denied'
      : open
        ? (true as const)
        : 'results.papers_alike',
  }
}
