import { exportList, exportPrices } from '@podium/contract/catalogue/calls-files'
import { officeList, orderList, saveListEntry, switchListEntry } from '@podium/contract/catalogue/calls-lists'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { listFile, pricesFile } from '../documents.ts'
import { listForFile, pricesForFile } from '../queries-files.ts'
import { allowances } from '../seasons/queries.ts'
import { orderEntries, saveEntry, switchEntry } from './commands.ts'
import { officeList as readList } from './queries.ts'

/** The lists that forms choose from, in the office; they and a season's prices as files. */
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

  serve(app, deps, exportList, 'office:catalogue.read', async ({ scope, body, now }) => {
    const { kind, format, ...filters } = body
    const entries = await db.transaction().execute(async (tx) => {
      const found = await listForFile(tx, scope, kind, filters)
      const subject = { kind: 'list_entry', id: kind }
      await audit(tx, now, scope, 'list.exported', subject, { format, entries: found.length, filters })
      return found
    })
    return { file: listFile(kind, entries, format) }
  })

  serve(app, deps, exportPrices, 'office:catalogue.read', async ({ scope, body, now }) => {
    const { FYear, format, ...filters } = body
    const events = await db.transaction().execute(async (tx) => {
      const found = await pricesForFile(tx, scope, FYear, filters)
      const subject = { kind: 'season', id: FYear, season: FYear }
      await audit(tx, now, scope, 'season.prices_exported', subject, {
        format,
        events: found.length,
        filters,
      })
      return found
    })
    return { file: pricesFile(FYear, events, format) }
  })
}
