import { className } from '@podium/contract/classes'
import type { ParsedBody } from '@podium/contract/endpoint'
import { writtenLanguages } from '@podium/contract/languages'
import { parseSeason, type Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { studentState } from '@podium/contract/students/calls'
import {
  blankForm,
  cancelPrint,
  maxPrinted,
  type PaperKind,
  type PrintProgress,
  paperKinds,
  printFile,
  printPaper,
  printStatus,
} from '@podium/contract/students/calls-print-lists'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { loadCatalogue } from '#features/catalogue/queries'
import { findStudents } from '#features/students/entry/queries'
import { audit } from '#platform/audit'
import { teacherScope } from '#platform/auth/job-requesters'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { dropDayOld, type FileStore, readStored, storeFile } from '#platform/files/files'
import { letterhead } from '#platform/foundation'
import { serve } from '#platform/http/http'
import {
  cancelJob,
  enqueueJob,
  type Job,
  type JobContext,
  type JobHandlers,
  type RunContext,
  readJob,
  refuseTooMany,
} from '#platform/jobs/jobs'
import { blankFamilyForm, classListPdf, familyFormsPdf, feeListPdf } from './documents.ts'
import { printJob, readFormSchool, readPaperDates, readPaperSchool } from './queries.ts'

const progressOf = ({ id, state, done, total, error }: Job): PrintProgress => ({
  printId: id,
  state,
  done,
  total,
  error: error ?? '',
})

/** Routes for a school's printed lists: start, progress, download. */
export function paperRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  async function ownJob(scope: SchoolScope, printId: string): Promise<Job> {
    const job = orNotFound(await readJob(db, printId, { schoolId: scope.schoolId }))
    if (job.kind !== printJob) throw new Refusal('not_found')
    return job
  }

  serve(app, deps, printPaper, 'school', async ({ scope, body, now }) => {
    const FYear = parseSeason(body.FYear)
    if (!FYear) throw refuseField('FYear', sentences.seasonNotValid)
    const id = await planPrint(db, scope, now, { ...body, FYear })
    deps.wake()
    return progressOf(await ownJob(scope, id))
  })

  serve(app, deps, blankForm, 'account', async ({ scope, query, now }) => {
    const { FYear: season, classId, language } = query
    const catalogue = await loadCatalogue(db, season, now)
    if (!catalogue?.published || catalogue.offerTo(classId).length === 0) throw new Refusal('paper.no_offer')
    const { offerTo } = catalogue
    const foundation = await letterhead(db, deps.files)
    const school = await readFormSchool(db, scope)
    const dates = await readPaperDates(db, scope.schoolId, season)
    const making = { foundation, school, season, language, now, offerTo, dates }
    const content = await blankFamilyForm(classId, making)
    const name = `Registration form ${className(classId)} ${season}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, printStatus, 'school', async ({ scope, query }) =>
    progressOf(await ownJob(scope, query.printId)),
  )

  serve(app, deps, cancelPrint, 'school', async ({ scope, body, now }) => {
    await ownJob(scope, body.printId)
    await cancelJob(db, now, body.printId, { schoolId: scope.schoolId })
    return progressOf(await ownJob(scope, body.printId))
  })

  serve(app, deps, printFile, 'school', async ({ scope, query, now }) => {
    const { output, endedAt } = await ownJob(scope, query.printId)
    // Its file is deleted with the next list, or at night.
    if (endedAt && now.getTime() - endedAt.getTime() > 24 * 3_600_000) throw new Refusal('not_found')
    const fileId = typeof output?.fileId === 'string' ? output.fileId : ''
    const file = orNotFound(await readStored(db, files, fileId, { schoolId: scope.schoolId, kind: 'print' }))
    return { file: { name: file.name, mediaType: file.mediaType, content: file.content } }
  })
}

type PrintRequest = Omit<ParsedBody<typeof printPaper>, 'FYear'> & { FYear: Season }

/**
 * Enqueues a PDF of the active students that match the filters, and returns the id of the job, which stores their ids but no
 * names. Refuses with `paper.nobody`, `paper.too_many`, or if three of the school's jobs are running already.
 */
async function planPrint(db: Db, scope: SchoolScope, now: Date, wanted: PrintRequest): Promise<string> {
  const { FYear: season, classId, section, studentName: name, subjectName: subject, state } = wanted
  const chosen = wanted.ids && new Set(wanted.ids)
  const found = await findStudents(db, scope, now, { season, classId, section, name, subject })
  const ids = found
    .filter((row) => row.status && (!state || studentState(row) === state) && (!chosen || chosen.has(row.id)))
    .map(({ id }) => id)
  if (ids.length === 0) throw new Refusal('paper.nobody')
  if (ids.length > maxPrinted) throw new Refusal('paper.too_many')
  const { paper, language = 'en' } = wanted
  return db.transaction().execute(async (tx) => {
    await refuseTooMany(tx, printJob, scope.schoolId)
    const job = await enqueueJob(tx, now, {
      kind: printJob,
      schoolId: scope.schoolId,
      season,
      total: ids.length,
      input: { paper, language, subject: subject ?? '', ids },
      createdBy: scope.userId,
      acting: scope.acting,
    })
    const about = { kind: 'school', id: scope.schoolId, season }
    await audit(tx, now, scope, 'student.printed', about, { paper, students: ids.length })
    return job
  })
}

const printInput = z.object({
  paper: z.enum(paperKinds),
  language: z.enum(writtenLanguages),
  subject: z.string(),
  ids: z.array(z.int()),
})
type Input = z.output<typeof printInput>

const names: Record<PaperKind, string> = {
  'class-list': 'Class list',
  'fee-list': 'Fee collection list',
  registration: 'Registration forms',
}

async function draw(
  files: FileStore,
  context: JobContext,
  scope: SchoolScope,
  season: Season,
  input: Input,
): Promise<Buffer> {
  const { db, clock, progress } = context
  const now = clock()
  const wanted = new Set(input.ids)
  const students = (await findStudents(db, scope, now, { season })).filter(
    (row) => row.status && wanted.has(row.id),
  )
  if (students.length === 0) throw new Refusal('paper.nobody')
  const foundation = await letterhead(db, files)
  const school = await readPaperSchool(db, scope.schoolId)
  const { paper, language, subject } = input
  const report = (done: number) => progress(done, students.length)
  const list = { foundation, school, season, subject, now, progress: report }
  if (paper === 'class-list') return classListPdf(students, list)
  if (paper === 'fee-list') return feeListPdf(students, list)
  const catalogue = await loadCatalogue(db, season, now)
  if (!catalogue) throw new Refusal('not_found')
  const dates = await readPaperDates(db, scope.schoolId, season)
  const { offerTo } = catalogue
  return familyFormsPdf(students, { ...list, language, offerTo, dates })
}

/** Creates a PDF of students and stores it for a day. A restarted job begins again. */
async function print(deps: Deps, job: Job, context: RunContext) {
  const { db, clock } = context
  const input = z.parse(printInput, job.input)
  const season = parseSeason(job.season ?? '')
  if (!season) throw new Refusal('not_found')
  const scope = teacherScope(context)
  const bytes = await draw(deps.files, context, scope, season, input)
  await dropDayOld(db, deps.files, 'print', clock())
  const fileId = await db
    .transaction()
    .execute((tx) =>
      storeFile(tx, deps.files, clock(), {
        schoolId: scope.schoolId,
        kind: 'print',
        name: `${names[input.paper]} ${season}.pdf`,
        mediaType: 'application/pdf',
        bytes,
        createdBy: scope.userId,
      }),
    )
  return { fileId }
}

/** Jobs that print a school's lists and forms for families. */
export function paperJobs(deps: Deps): JobHandlers {
  return { [printJob]: (job, context) => print(deps, job, context) }
}
