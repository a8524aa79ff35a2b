import type { SavedView } from '@podium/contract/office/calls-saved-views'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

/** The views of a list that somebody may use, by name: their own, and shared ones of others who still work here. */
export async function listViews(db: Db, scope: OfficeScope, list: string): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views as v')
    .innerJoin('staff as s', 's.id', 'v.staff_id')
    .select(['v.id', 'v.name', 'v.filters', 'v.hidden', 'v.shared', 'v.staff_id', 's.name as made_by'])
    .where('v.list', '=', list)
    .where((is) =>
      is.or([
        is('v.staff_id', '=', scope.staffId),
        is.and([is('v.shared', '=', true), is('s.disabled_at', 'is', null)]),
      ]),
    )
    .orderBy('v.name')
    .orderBy('v.id')
    .execute()
  return rows.map(({ staff_id, made_by, filters, hidden, ...row }) => ({
    ...row,
    filters: filters as SavedView['filters'],
    hidden: hidden as string[],
    own: staff_id === scope.staffId,
    madeBy: made_by,
  }))
}
