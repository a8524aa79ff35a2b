import { parseSeason, type Season } from '@podium/contract/season'
import { type PaperKind, paperKinds } from '@podium/contract/students/calls-print-lists'
import * as z from 'zod/mini'
import { loadCatalogue } from '#features/catalogue/queries'
import { findStudents } from '#features/students/entry/queries'
import { teacherBehind } from '#platform/auth/job-askers'
import type { SchoolScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files/files'
import { letterhead } from '#platform/foundation'
import type { Job, JobContext, JobHandlers, RunContext } from '#platform/jobs/jobs'
import { dropOldPrints } from './commands.ts'
import { classListPdf, familyFormsPdf, feeListPdf } from './documents.ts'
import { printJob, readPaperDates, readPaperSchool } from './queries.ts'

const printInput = z.object({
  paper: z.enum(paperKinds),
  language: z.enum(['en', 'hi']),
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
  const told = (done: number) => progress(done, students.length)
  const list = { foundation, school, season, subject, now, progress: told }
  if (paper === 'class-list') return classListPdf(students, list)
  if (paper === 'fee-list') return feeListPdf(students, list)
  const catalogue = await loadCatalogue(db, season, now)
  if (!catalogue) throw new Refusal('not_found')
  const dates = await readPaperDates(db, scope.schoolId, season)
  const { offerTo } = catalogue
  return familyFormsPdf(students, { ...list, language, offerTo, dates })
}

/** Makes one PDF of students and keeps it for its school for a day. Started again, it begins anew. */
async function print(deps: Deps, job: Job, context: RunContext) {
  const { db, clock } = context
  const input = z.parse(printInput, job.input)
  const season = parseSeason(job.season ?? '')
  if (!season) throw new Refusal('not_found')
  const scope = teacherBehind(context)
  const bytes = await draw(deps.files, context, scope, season, input)
  await dropOldPrints(db, deps.files, clock())
  const fileId = await db.transaction().execute((tx) =>
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

/** Long work of printing: a school's lists and the forms of its families. */
export function paperJobs(deps: Deps): JobHandlers {
  return { [printJob]: (job, context) => print(deps, job, context) }
}
