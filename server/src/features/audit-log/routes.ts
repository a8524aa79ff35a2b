import { changeActions, changeList, exportChanges, recordHistory } from '@podium/contract/audit-log/calls'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import type { FastifyInstance } from 'fastify'
import { schoolRecord } from '#features/schools/register/queries-years'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { changesFile } from './documents.ts'
import { changesOfFilters, changesPage, historyOf, knownActions, schoolHistory } from './queries.ts'
import { searched } from './queries-search.ts'

/** The record of changes: of one record for whoever may read it, and of everything with search. */
export function auditLogRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps

  serve(app, deps, recordHistory, 'office:signed-in', ({ scope, query }) => historyOf(db, scope, query))

  serve(app, deps, officeSchoolHistory, 'office:schools.read', async ({ scope, query }) => {
    await schoolRecord(db, scope, query.id)
    return schoolHistory(db, scope, query.id, query.before)
  })

  serve(app, deps, changeList, 'office:changes.read', async ({ scope, query }) =>
    changesPage(db, scope, query, await searched(db, scope, query.search)),
  )

  serve(app, deps, changeActions, 'office:changes.read', ({ scope }) => knownActions(db, scope))

  serve(app, deps, exportChanges, 'office:changes.export', async ({ scope, body, now }) => {
    const { format, ...asked } = body
    const rows = await reads.caughtUp(async (tx) =>
      changesOfFilters(tx, scope, asked, await searched(tx, scope, asked.search)),
    )
    await db.transaction().execute(async (tx) => {
      const filters = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''))
      const change = { format, lines: rows.length, filters }
      await audit(tx, now, scope, 'changes.exported', { kind: 'changes', id: 'all' }, change)
      await tellOfFile(tx, scope, now, 'the record of changes', rows.length)
    })
    return { file: changesFile(rows, format) }
  })
}
