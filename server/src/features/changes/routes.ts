import { changeActions, changeList, exportChanges, recordHistory } from '@podium/contract/changes'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { tellOfFile } from '../staff/commands-owners.ts'
import { changesFile } from './documents.ts'
import { historyOf } from './queries.ts'
import { changesOfFilters, changesPage, knownActions } from './queries-list.ts'

/** The record of changes: of one record for whoever may read it, and of everything with search. */
export function changesRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, recordHistory, 'office:signed-in', ({ scope, query }) => historyOf(db, scope, query))

  serve(app, deps, changeList, 'office:changes.read', ({ scope, query }) => changesPage(db, scope, query))

  serve(app, deps, changeActions, 'office:changes.read', ({ scope }) => knownActions(db, scope))

  serve(app, deps, exportChanges, 'office:changes.export', async ({ scope, body, now }) => {
    const { format, ...asked } = body
    const rows = await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = '30s'`.execute(tx)
      const found = await changesOfFilters(tx, scope, asked)
      const filters = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''))
      const change = { format, lines: found.length, filters }
      await audit(tx, now, scope, 'changes.exported', { kind: 'changes', id: 'all' }, change)
      await tellOfFile(tx, scope, now, 'the record of changes', found.length)
      return found
    })
    return { file: changesFile(rows, format) }
  })
}
