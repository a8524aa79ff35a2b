import { bookNames, classes, sections } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import {
  carryOverOffer,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import {
  cancelImport,
  confirmImport,
  importStatus,
  importStudents,
  importTemplate,
  undoImport,
} from '@podium/contract/students/calls-import'
import {
  type ImportRowError,
  importFaults,
  importHistory,
  previewImport,
  recheckImport,
} from '@podium/contract/students/calls-import-preview'
import type { FastifyInstance } from 'fastify'
import { loadCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { requireOwnSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { refuseField } from '#platform/errors'
import { type FileAnswer, serve } from '#platform/http/http'
import {
  type SheetColumn,
  type SheetValue,
  writeTemplate,
  writeXlsx,
} from '#platform/sheets/spreadsheet-write'
import { carryPreview, confirmCarry, readOffer } from '../carry-over/commands.ts'
import * as check from './commands.ts'
import * as confirm from './commands.ts'
import * as undo from './commands-rows.ts'
import { listImports, readFaulty, readImport, readPreview } from './queries.ts'
import type { Findings } from './queries-check.ts'

interface Faulty {
  fileName: string
  sheet: ReadonlyArray<{ n: number; c: readonly string[] }>
  cells: Record<string, string> | null
  findings: Findings
  /** Good rows that could not be saved after all */
  refused: readonly ImportRowError[]
}

const undecided = 'This row may be a child who is there already, and nobody has said which.'

/**
 * The rows of a file that were not imported, each cell as it stands (with what was corrected on the page), the reasons
 * before them. The columns keep their headings, so the corrected file can be sent again: the added ones are not used.
 */
function faultsFile({ fileName, sheet, cells, findings, refused }: Faulty): FileAnswer['file'] {
  const reasons = new Map<number, string[]>()
  const say = (row: number, reason: string) => reasons.set(row, [...(reasons.get(row) ?? []), reason])
  for (const error of [...findings.errors, ...refused]) say(error.row, reasonOf(error))
  for (const { row, choice } of findings.questions)
    if (choice === '' && !reasons.has(row)) say(row, undecided)
  const headings = findings.columns.map(
    ({ heading, columnName }): SheetColumn => ({ title: heading || columnName }),
  )
  const columns: SheetColumn[] = [
    { title: 'Why not imported', width: 60 },
    { title: 'Row in your file', kind: 'number' },
    ...headings,
  ]
  const rows = sheet.flatMap(({ n, c }): SheetValue[][] => {
    const why = reasons.get(n)
    if (!why) return []
    return [
      [why.join(' '), n, ...findings.columns.map((_, index) => cells?.[`${n}:${index}`] ?? c[index] ?? '')],
    ]
  })
  const name = `${fileName.replace(/\.\w+$/, '')}, rows to correct.xlsx`
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name, mediaType, content: writeXlsx('Rows to correct', columns, rows) }
}

function reasonOf({ heading, columnName, message, suggestions }: ImportRowError): string {
  const where = heading || columnName
  const meant = suggestions[0] ? ` Did you mean “${suggestions[0]}”?` : ''
  return `${where ? `${where}: ` : ''}${message}${meant}`
}

/** The spreadsheet that a school fills in: headings as the import reads them, classes and sections to choose from. */
async function templateFile(season: Season, catalogue: SeasonCatalogue): Promise<FileAnswer> {
  const letters = [...catalogue.closesOn.keys()].join(', ')
  const content = await writeTemplate(`Students ${season}`, [
    { title: 'Class', choices: classes.map((one) => one.className) },
    { title: 'Section', choices: sections },
    { title: 'Roll No', kind: 'number' },
    { title: 'Student Name', width: 30 },
    { title: 'Parent Name', width: 30 },
    { title: 'Parent E-mail', width: 30 },
    { title: 'Parent Mobile' },
    { title: `Subjects (${letters}; commas between)`, width: 48 },
    ...Object.values(bookNames).map((title) => ({ title: `${title} (subjects)` })),
  ])
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { file: { name: `Students ${season}.xlsx`, mediaType, content } }
}

/** Last season's students carried over into this one: offer, preview, confirmation. */
function carryRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, carryOverOffer, 'school', ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return readOffer(deps.db, scope, query.FYear)
  })

  serve(app, deps, previewCarryOver, 'school', ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    return carryPreview(deps.db, scope, now, body.FYear, body.options)
  })

  serve(app, deps, confirmCarryOver, 'school', async ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    const status = await confirmCarry(deps.db, scope, now, body)
    deps.nudge()
    return status
  })
}

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
    return templateFile(season, catalogue)
  })
}
