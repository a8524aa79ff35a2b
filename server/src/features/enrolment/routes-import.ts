import {
  cancelImport,
  confirmImport,
  importStatus,
  importStudents,
  importTemplate,
} from '@podium/contract/enrolment-import'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { refuseField } from '#platform/errors'
import { serve } from '#platform/http'
import { readCatalogue } from '../catalogue/queries.ts'
import * as confirm from './commands-confirm.ts'
import { checkImport } from './commands-import.ts'
import * as documents from './documents-template.ts'
import { readImport } from './queries-import.ts'

/** Students from a spreadsheet: check, confirm, watch. */
export function importRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, importStudents, 'school', ({ scope, query, now, upload }) =>
    checkImport(deps.db, scope, now, query.FYear, upload),
  )

  serve(app, deps, confirmImport, 'school', async ({ scope, body, now }) => {
    const status = await confirm.confirmImport(deps.db, scope, now, body.importId)
    deps.nudge()
    return status
  })

  serve(app, deps, cancelImport, 'school', ({ scope, body, now }) =>
    confirm.cancelImport(deps.db, scope, now, body.importId),
  )

  serve(app, deps, importStatus, 'school', ({ scope, query }) => readImport(deps.db, scope, query.importId))

  serve(app, deps, importTemplate, 'school', async ({ query }) => {
    const season = query.FYear
    const catalogue = await readCatalogue(deps.db, season)
    if (!catalogue) throw refuseField('FYear', 'Season is not valid.')
    return documents.importTemplate(season, catalogue)
  })
}
