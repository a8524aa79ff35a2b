import * as calls from '@podium/contract/schools/calls-import'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { command, type FileAnswer, noGuard, serve, write } from '#platform/http/http'
import { type SheetColumn, writeTemplate, writeXlsx } from '#platform/sheets/spreadsheet-write'
import { confirmImport, decideRows, mapImport, readHead, startImport } from './commands.ts'
import * as queries from './queries.ts'
import type { Fault } from './rules.ts'

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The template's column headings, which the import recognises. */
const fieldTitles: Readonly<Record<calls.ImportField, string>> = {
  schName: 'School Name',
  schCode: 'School Code',
  schAddress: 'Address',
  city: 'City',
  district: 'District',
  state: 'State',
  country: 'Country',
  pinCode: 'Pin Code',
  mobile: 'Phone',
  schEmail: 'E-mail',
  udiseCode: 'UDISE Code',
  affiliationNo: 'Affiliation No',
  whatsAppNo: 'WhatsApp',
  landLineNo: 'Landline',
  schFaxNo: 'Fax',
  schWebSite: 'Website',
  schGroupId: 'Group',
}

/** The template spreadsheet, with a dropdown list of states. */
async function schoolTemplate(states: readonly string[]): Promise<FileAnswer['file']> {
  const columns = Object.entries(fieldTitles).map(
    ([field, title]): SheetColumn & { choices?: readonly string[] } => ({
      title,
      width: field === 'schName' || field === 'schAddress' ? 36 : 18,
      ...(field === 'state' ? { choices: states } : {}),
    }),
  )
  return { name: 'Schools.xlsx', mediaType, content: await writeTemplate('Schools', columns) }
}

interface RowErrors {
  fileName: string
  headings: readonly queries.Heading[]
  rows: readonly { row: number; cells: readonly string[]; faults: readonly Fault[] }[]
}

/** The rows that could not be imported, with the reasons in front; once corrected, the file can be imported again. */
function faultySchools({ fileName, headings, rows }: RowErrors): FileAnswer['file'] {
  const columns: SheetColumn[] = [
    { title: 'Why not imported', width: 60 },
    { title: 'Row', kind: 'number' },
    ...headings.map(({ heading }) => ({ title: heading })),
  ]
  const reason = ({ field, message }: Fault) => {
    const title = Object.entries(fieldTitles).find(([name]) => name === field)?.[1]
    return title ? `${title}: ${message}` : message
  }
  const lines = rows.map(({ row, cells, faults }) => [
    faults.map(reason).join(' '),
    row,
    ...headings.map((_, index) => cells[index] ?? ''),
  ])
  const name = `${fileName.replace(/\.\w+$/, '')}, rows to correct.xlsx`
  return { name, mediaType, content: writeXlsx('Rows to correct', columns, lines) }
}

/** Routes for importing schools from a spreadsheet. */
export function schoolImportRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  serve(app, deps, calls.schoolImportTemplate, 'office:schools.write', async () => ({
    file: await schoolTemplate([...(await queries.placesOf(db)).states.values()].sort()),
  }))

  serve(
    app,
    deps,
    calls.startSchoolImport,
    'office:schools.write',
    async ({ scope, upload, now }) => {
      const headings = await readHead(upload)
      const file = { name: upload.name, stored: await files.put(upload.bytes) }
      const importId = await db
        .transaction()
        .execute((tx) => startImport(tx, files, scope, now, file, headings))
      deps.wake()
      return { importId }
    },
    { guard: noGuard },
  )

  serve(app, deps, calls.schoolImports, 'office:schools.read', async ({ scope }) => ({
    data: await queries.importsOf(db, scope),
  }))

  serve(app, deps, calls.schoolImport, 'office:schools.write', ({ scope, query }) =>
    queries.importOf(db, scope, query.id),
  )

  command(app, deps, calls.mapSchoolImport, 'office:schools.write', mapImport)

  serve(app, deps, calls.schoolImportRows, 'office:schools.write', ({ scope, query }) =>
    queries.importRowsOf(db, scope, query),
  )

  serve(app, deps, calls.schoolImportFaults, 'office:schools.write', async ({ query }) => {
    const { file_name: fileName, headings } = await queries.importRow(db, query.id)
    const rows = await queries.faultyRows(db, query.id)
    return { file: faultySchools({ fileName, headings: headings as queries.Heading[], rows }) }
  })

  command(app, deps, calls.decideSchoolImport, 'office:schools.write', decideRows)

  write(app, deps, calls.confirmSchoolImport, 'office:schools.write', (tx, { scope, body, now }) =>
    confirmImport(tx, scope, now, body.id),
  )
}
