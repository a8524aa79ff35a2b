import { bookNames, classes, sections } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import {
  carryOverOffer,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import * as calls from '@podium/contract/students/calls-import'
import {
  type ImportRowError,
  importFaults,
  importHistory,
  previewImport,
  recheckImport,
} from '@podium/contract/students/calls-import-preview'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { catalogueForSchool, loadCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { auditRead } from '#platform/audit'
import { teacherScope } from '#platform/auth/job-requesters'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { Refusal, refuseField } from '#platform/errors'
import { type FileAnswer, serve } from '#platform/http/http'
import type { JobContext, JobHandlers } from '#platform/jobs/jobs'
import { updateSlabShares } from '#platform/paid-students'
import {
  type SheetColumn,
  type SheetValue,
  writeTemplate,
  writeXlsx,
} from '#platform/sheets/spreadsheet-write'
import { carryPreview, confirmCarry, readOffer } from '../carry-over/commands.ts'
import * as commands from './commands.ts'
import * as entry from './commands-rows.ts'
import { listImports, readFaulty, readImport, readPreview } from './queries.ts'
import type { Findings } from './queries-check.ts'
import type { ValidRow } from './rules-classify.ts'

interface RowErrors {
  fileName: string
  sheet: ReadonlyArray<{ n: number; c: readonly string[] }>
  cells: Record<string, string> | null
  findings: Findings
  /** Valid rows that could not be saved */
  refused: readonly ImportRowError[]
}

const undecided = 'This row may be a child who is there already, and nobody has said which.'

/**
 * The rows not imported, with the reasons in front and cells as corrected on the page. Columns keep their headings, so that the
 * corrected file can be imported again; the added columns are ignored.
 */
function faultsFile({ fileName, sheet, cells, findings, refused }: RowErrors): FileAnswer['file'] {
  const reasons = new Map<number, string[]>()
  const addReason = (row: number, reason: string) => reasons.set(row, [...(reasons.get(row) ?? []), reason])
  for (const error of [...findings.errors, ...refused]) addReason(error.row, reasonOf(error))
  for (const { row, choice } of findings.questions)
    if (choice === '' && !reasons.has(row)) addReason(row, undecided)
  const headings = findings.columns.map(
    ({ heading, columnName }): SheetColumn => ({ title: heading || columnName }),
  )
  const columns: SheetColumn[] = [
    { title: 'Why not imported', width: 60 },
    { title: 'Row in your file', kind: 'number' },
    ...headings,
  ]
  const rows = sheet.flatMap(({ n, c }): SheetValue[][] => {
    const rowReasons = reasons.get(n)
    if (!rowReasons) return []
    return [
      [
        rowReasons.join(' '),
        n,
        ...findings.columns.map((_, index) => cells?.[`${n}:${index}`] ?? c[index] ?? ''),
      ],
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

/** The template: headings recognised by the import, with dropdown lists of classes and sections. */
async function templateFile(season: Season, catalogue: SeasonCatalogue): Promise<FileAnswer> {
  const letters = [...catalogue.closesOn.keys()].join(', ')
  const content = await writeTemplate(`Students ${season}`, [
    { title: 'Class', choices: classes.map((schoolClass) => schoolClass.className) },
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

/** Routes for the carry-over: offer, preview, confirmation. */
function carryRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, carryOverOffer, 'school', ({ scope, query, now }) =>
    readOffer(deps.db, scope, query.FYear, now),
  )

  serve(app, deps, previewCarryOver, 'school', ({ scope, body, now }) =>
    carryPreview(deps.db, scope, now, body.FYear, body.options),
  )

  serve(app, deps, confirmCarryOver, 'school', async ({ scope, body, now }) => {
    const status = await confirmCarry(deps.db, scope, now, body)
    deps.wake()
    return status
  })
}

/** Routes for imports from a spreadsheet or last season: check, confirm, progress, undo. */
export function importRoutes(app: FastifyInstance, deps: Deps): void {
  carryRoutes(app, deps)

  serve(
    app,
    deps,
    calls.importStudents,
    'school',
    ({ scope, query, now, upload }) => commands.checkImport(deps.db, scope, now, query.FYear, upload),
    {
      async guard({ query, now }) {
        await commands.openCatalogue(deps.db, query.FYear, now)
        return undefined
      },
    },
  )

  serve(app, deps, previewImport, 'school', ({ scope, query }) => readPreview(deps.db, scope, query.importId))

  serve(app, deps, recheckImport, 'school', ({ scope, body, now }) =>
    commands.recheckImport(deps.db, scope, now, body),
  )

  serve(app, deps, importHistory, 'school', ({ scope, query }) => listImports(deps.db, scope, query.FYear))

  serve(app, deps, importFaults, 'school', async ({ scope, query, now }) => {
    const faulty = await readFaulty(deps.db, scope, query.importId)
    const about = { kind: 'import', id: query.importId }
    await auditRead(deps.db, now, scope, 'students.exported', about, { file: faulty.fileName })
    return { file: faultsFile(faulty) }
  })

  serve(app, deps, calls.confirmImport, 'school', async ({ scope, body, now }) => {
    const status = await commands.confirmImport(deps.db, scope, now, body)
    deps.wake()
    return status
  })

  serve(app, deps, calls.cancelImport, 'school', ({ scope, body, now }) =>
    commands.cancelImport(deps.db, scope, now, body.importId),
  )

  serve(app, deps, calls.importStatus, 'school', ({ scope, query }) =>
    readImport(deps.db, scope, query.importId),
  )

  serve(app, deps, calls.undoImport, 'school', (call) =>
    entry.undoImport(deps.db, deps.keys, call, call.body.importId),
  )

  serve(app, deps, calls.importTemplate, 'account', async ({ query, now }) => {
    const season = query.FYear
    const catalogue = await loadCatalogue(deps.db, season, now)
    if (!catalogue) throw refuseField('FYear', sentences.seasonNotValid)
    return templateFile(season, catalogue)
  })
}

/** New students in one transaction, few enough to hold locks only briefly. */
const piece = 500
/** Changes in one transaction; existing students are changed one by one. */
const changes = 100

interface StoredImport {
  schoolId: number
  season: Season
  done: number
  undoneAt: Date | null
  good: ValidRow[]
}

async function getImport(db: Db, importId: string): Promise<StoredImport> {
  const { rows } = await sql<StoredImport>`
    select school_id as "schoolId", season, done, good_rows as good, undone_at as "undoneAt"
    from student_imports where id = ${importId}`.execute(db)
  if (!rows[0]) throw new Refusal('not_found')
  return rows[0]
}

async function saveValidRows(
  deps: Deps,
  importId: string,
  scope: SchoolScope,
  { db, clock, progress }: JobContext,
) {
  const { schoolId, season, good, ...stored } = await getImport(db, importId)
  if (schoolId !== scope.schoolId) throw new Refusal('access.other_school')
  let done = stored.done
  await progress(done, good.length)
  while (done < good.length) {
    const rows = good.slice(done, done + (good[done]?.change ? changes : piece))
    const now = clock()
    await db.transaction().execute(async (tx) => {
      const listed = await loadCatalogue(tx, season, now)
      if (!listed?.open) throw new Refusal('enrolment.season_closed')
      const toCome = good.slice(done).filter(({ change }) => !change).length
      const catalogue = await catalogueForSchool(tx, listed, scope, season, toCome)
      const by = { scope, keys: deps.keys, now }
      const { imported, changed, refused } = await entry.importRows(
        tx,
        by,
        { season, importId, catalogue },
        rows,
      )
      // The count moves with the rows: a runner overtaken by another finds it changed and saves nothing; nor does one whose
      // import was stopped, and perhaps undone, during this batch.
      const moved = await sql`
        update student_imports i set done = ${done + rows.length}, imported = imported + ${imported}, changed = changed + ${changed}, refused = refused || ${JSON.stringify(refused)}::jsonb
        where id = ${importId} and done = ${done} and undone_at is not distinct from ${stored.undoneAt}::timestamptz
          and not exists (select from jobs j where j.id = i.job_id and j.state = 'cancelled')
        returning id`.execute(tx)
      if (moved.rows.length === 0) throw new Refusal('changed_meanwhile')
    })
    done += rows.length
    await progress(done, good.length)
  }
  await updateSlabShares(db, clock(), { schoolId, season })
  await commands.storeUnsavedRows(db, scope, clock(), importId)
  return { importId }
}

/** Job that saves the valid rows of an import in batches, from where the last run stopped. */
export function enrolmentJobs(deps: Deps): JobHandlers {
  return {
    [commands.importJob]: (job, context) =>
      saveValidRows(deps, String(job.input.importId), teacherScope(context), context),
  }
}
