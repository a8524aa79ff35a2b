import { messages } from '@podium/contract/messages'
import { mostViews, type SavedView } from '@podium/contract/office/calls-saved-views'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, refuseField } from '#platform/errors'

interface Save extends Pick<SavedView, 'name' | 'filters' | 'hidden' | 'shared'> {
  list: string
}

/** Saves a view and gives its id; one of the same name by the same person is replaced. At most 30 for a list each. */
export async function saveView(tx: Tx, scope: OfficeScope, now: Date, view: Save): Promise<number> {
  const { list, name, shared } = view
  const kept = await tx
    .selectFrom('saved_views')
    .select('name')
    .where('staff_id', '=', scope.staffId)
    .where('list', '=', list)
    .execute()
  if (kept.length >= mostViews && !kept.some((one) => one.name === name)) {
    throw refuseField('name', messages.viewsTooMany)
  }
  const columns = { filters: JSON.stringify(view.filters), hidden: JSON.stringify(view.hidden), shared }
  const { id } = await tx
    .insertInto('saved_views')
    .values({ ...columns, staff_id: scope.staffId, list, name, created_at: now })
    .onConflict((clash) => clash.columns(['staff_id', 'list', 'name']).doUpdateSet(columns))
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(tx, now, scope, 'view.saved', { kind: 'view', id }, { to: { list, name, shared } })
  return id
}

/** Deletes a view of the caller's; another's is `not_found`. */
export async function deleteView(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const gone = await tx
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('staff_id', '=', scope.staffId)
    .returning(['list', 'name', 'shared'])
    .executeTakeFirst()
  await audit(tx, now, scope, 'view.deleted', { kind: 'view', id }, { from: orNotFound(gone) })
}
