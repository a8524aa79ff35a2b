import {
  confirmSchoolImport,
  decideSchoolImport,
  mapSchoolImport,
  schoolImport,
  schoolImportFaults,
  schoolImportRows,
  schoolImports,
  schoolImportTemplate,
  startSchoolImport,
} from '@podium/contract/schools/calls-import'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { nothingInTheWay, serve, write } from '#platform/http/http'
import { confirmImport, decideRows, mapImport, readHead, startImport } from './commands.ts'
import { faultySchools, schoolTemplate } from './documents.ts'
import {
  faultyRows,
  type Heading,
  importOf,
  importRow,
  importRowsOf,
  importsOf,
  placesOf,
} from './queries.ts'

/** Schools brought in from a spreadsheet. */
export function schoolImportRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  serve(app, deps, schoolImportTemplate, 'office:schools.write', async () => ({
    file: await schoolTemplate([...(await placesOf(db)).states.values()].sort()),
  }))

  serve(
    app,
    deps,
    startSchoolImport,
    'office:schools.write',
    async ({ scope, upload, now }) => {
      const headings = await readHead(upload)
      const file = { name: upload.name, kept: await files.put(upload.bytes) }
      const importId = await db
        .transaction()
        .execute((tx) => startImport(tx, files, scope, now, file, headings))
      deps.nudge()
      return { importId }
    },
    { guard: nothingInTheWay },
  )

  serve(app, deps, schoolImports, 'office:schools.read', async ({ scope }) => ({
    data: await importsOf(db, scope),
  }))

  serve(app, deps, schoolImport, 'office:schools.write', ({ scope, query }) => importOf(db, scope, query.id))

  write(app, deps, mapSchoolImport, 'office:schools.write', (tx, { scope, body, now }) =>
    mapImport(tx, scope, now, body),
  )

  serve(app, deps, schoolImportRows, 'office:schools.write', ({ scope, query }) =>
    importRowsOf(db, scope, query),
  )

  serve(app, deps, schoolImportFaults, 'office:schools.write', async ({ query }) => {
    const { file_name: fileName, headings } = await importRow(db, query.id)
    const rows = await faultyRows(db, query.id)
    return { file: faultySchools({ fileName, headings: headings as Heading[], rows }) }
  })

  write(app, deps, decideSchoolImport, 'office:schools.write', (tx, { scope, body, now }) =>
    decideRows(tx, scope, now, body),
  )

  write(app, deps, confirmSchoolImport, 'office:schools.write', (tx, { scope, body, now }) =>
    confirmImport(tx, scope, now, body.id),
  )
}
