import { messages } from '@podium/contract/messages'
import { deleteView as drop, officeViews, saveView as save } from '@podium/contract/office/calls-saved-views'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { deleteView, saveView } from './commands.ts'
import { listViews } from './queries.ts'

/** Saved views of the office's lists. */
export function viewRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, officeViews, 'office:signed-in', async ({ scope, query }) => ({
    data: await listViews(db, scope, query.list),
  }))

  serve(app, deps, save, 'office:signed-in', async ({ scope, body, now }) => ({
    id: await db.transaction().execute((tx) => saveView(tx, scope, now, body)),
    message: messages.saved,
  }))

  write(app, deps, drop, 'office:signed-in', async (tx, { scope, body, now }) => {
    await deleteView(tx, scope, now, body.id)
    return { message: messages.saved }
  })
}
