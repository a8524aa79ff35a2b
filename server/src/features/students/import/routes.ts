import { sentences } from '@podium/contract/sentences'
import {
  cancelImport,
  confirmImport,
  importStatus,
  importStudents,
  importTemplate,
  undoImport,
} from '@podium/contract/students/calls-import'
import {
  importFaults,
  importHistory,
  previewImport,
  recheckImport,
} from '@podium/contract/students/calls-import-preview'
import type { FastifyInstance } from 'fastify'
import { loadCatalogue } from '#features/catalogue/queries'
import type { Deps } from '#platform/deps'
import { refuseField } from '#platform/errors'
import { serve } from '#platform/http/http'
import { carryRoutes } from '../carry-over/routes.ts'
import * as check from './commands.ts'
import * as confirm from './commands.ts'
import * as undo from './commands-undo.ts'
import * as documents from './documents-faults.ts'
import { faultsFile } from './documents-faults.ts'
import { listImports, readFaulty, readImport, readPreview } from './queries.ts'

/** Students from a spreadsheet or from last season: check, confirm, watch, take back. */
export function importRoutes(app: FastifyInstance, deps: Deps): void {
  carryRoutes(app, deps)

  serve(
    app,
    deps,
    importStudents,
    'school',
    ({ scope, query, now, upload }) => check.checkImport(deps.db, scope, now, query.FYear, upload),
    {
      async guard({ query, now }) {
        await check.openCatalogue(deps.db, query.FYear, now)
        return undefined
      },
    },
  )

  serve(app, deps, previewImport, 'school', ({ scope, query }) => readPreview(deps.db, scope, query.importId))

  serve(app, deps, recheckImport, 'school', ({ scope, body, now }) =>
    check.recheckImport(deps.db, scope, now, body),
  )

  serve(app, deps, importHistory, 'school', ({ scope, query }) => listImports(deps.db, scope, query.FYear))

  serve(app, deps, importFaults, 'school', async ({ scope, query }) => ({
    file: faultsFile(await readFaulty(deps.db, scope, query.importId)),
  }))

  serve(app, deps, confirmImport, 'school', async ({ scope, body, now }) => {
    const status = await confirm.confirmImport(deps.db, scope, now, body)
    deps.nudge()
    return status
  })

  serve(app, deps, cancelImport, 'school', ({ scope, body, now }) =>
    confirm.cancelImport(deps.db, scope, now, body.importId),
  )

  serve(app, deps, importStatus, 'school', ({ scope, query }) => readImport(deps.db, scope, query.importId))

  serve(app, deps, undoImport, 'school', ({ scope, body, now }) =>
    undo.undoImport(deps.db, scope, deps.keys, now, body.importId),
  )

  serve(app, deps, importTemplate, 'account', async ({ query, now }) => {
    const season = query.FYear
    const catalogue = await loadCatalogue(deps.db, season, now)
    if (!catalogue) throw refuseField('FYear', sentences.seasonNotValid)
    return documents.importTemplate(season, catalogue)
  })
}
