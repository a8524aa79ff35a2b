import { officeList, orderList, saveListEntry, switchListEntry } from '@podium/contract/catalogue-lists'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { orderEntries, saveEntry, switchEntry } from './commands-lists.ts'
import { officeList as readList } from './queries-lists.ts'
import { allowances } from './queries-seasons.ts'

/** The lists that forms choose from, in the office. */
export function officeListRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, officeList, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await readList(db, scope, query.kind),
    can: { write: allowances(scope).write },
  }))

  serve(app, deps, saveListEntry, 'office:catalogue.write', ({ scope, body, now }) =>
    db.transaction().execute((tx) => saveEntry(tx, scope, now, body)),
  )

  serve(app, deps, switchListEntry, 'office:catalogue.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => switchEntry(tx, scope, now, body))
    return {}
  })

  serve(app, deps, orderList, 'office:catalogue.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => orderEntries(tx, scope, now, body))
    return {}
  })
}
