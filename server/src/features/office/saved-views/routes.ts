import { messages } from '@podium/contract/messages'
import * as calls from '@podium/contract/office/calls-saved-views'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { findRows } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { serve, write } from '#platform/http/http'

/** The saved views of a list by name: the caller's own, and shared views of active colleagues. */
async function listViews(db: Db, scope: OfficeScope, list: string): Promise<calls.SavedView[]> {
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
    filters: filters as calls.SavedView['filters'],
    hidden: hidden as string[],
    isAuthor: staff_id === scope.staffId,
    madeBy: made_by,
  }))
}

interface ViewInput extends Pick<calls.SavedView, 'name' | 'filters' | 'hidden' | 'shared'> {
  list: string
}

/**
 * Saves a view and returns its id, replacing the caller's view of the same name. At most 30 of a user for each list, and 300 in
 * all: names of lists are the web's. Refuses with `views.share` to share it with everyone from a role that only reads.
 */
async function saveView(tx: Tx, scope: OfficeScope, now: Date, view: ViewInput): Promise<number> {
  const { list, name, shared } = view
  if (shared && !mayDo(scope.role, 'views.share')) throw new Refusal('views.share')
  // Saves of one user wait for each other: in parallel each would count without the others.
  await tx.selectFrom('staff').select('id').where('id', '=', scope.staffId).forNoKeyUpdate().execute()
  const existing = await findRows(tx, 'saved_views', { staff_id: scope.staffId }, ['list', 'name'])
  const ofList = existing.filter((item) => item.list === list)
  if (!ofList.some((item) => item.name === name)) {
    if (ofList.length >= calls.maxViews) throw refuseField('name', messages.viewsTooMany)
    if (existing.length >= calls.maxAllViews) throw refuseField('name', messages.allViewsTooMany)
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

/** Deletes one of the caller's views; another user's is `not_found`. */
async function deleteView(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const gone = await tx
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('staff_id', '=', scope.staffId)
    .returning(['list', 'name', 'shared'])
    .executeTakeFirst()
  await audit(tx, now, scope, 'view.deleted', { kind: 'view', id }, { from: orNotFound(gone) })
}

/** Routes for saved views of the office's lists. */
export function viewRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.officeViews, 'office:signed-in', async ({ scope, query }) => ({
    data: await listViews(db, scope, query.list),
  }))

  write(app, deps, calls.saveView, 'office:signed-in', async (tx, { scope, body, now }) => ({
    id: await saveView(tx, scope, now, body),
    message: messages.saved,
  }))

  write(app, deps, calls.deleteView, 'office:signed-in', async (tx, { scope, body, now }) => {
    await deleteView(tx, scope, now, body.id)
    return { message: messages.saved }
  })
}
