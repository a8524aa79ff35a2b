import { className } from '@podium/contract/classes'
import { maxPaperStudents, type PaperKind } from '@podium/contract/exams/calls-attendance'
import * as z from 'zod/mini'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { dropDayOld, type FileStore, safeName, storeFile } from '#platform/files/files'
import { type ZipEntry, zip } from '#platform/files/zip'
import { letterhead } from '#platform/foundation'
import type { Job, JobContext, JobHandlers } from '#platform/jobs/jobs'
import {
  type MadeArchive,
  type MadeFile,
  madeArchives,
  madeFiles,
  papersKind,
  papersPdf,
  paperTitles,
  plannedSchools,
  type SheetOptions,
  shapeOf,
} from './documents.ts'
import * as queries from './queries.ts'

/** Jobs of exams: papers of many schools, as a PDF for each class or a ZIP with a PDF for each school. */
export function examJobs({ files }: Pick<Deps, 'files'>): JobHandlers {
  return { [papersKind]: (job, context) => runPapers(files, job, context) }
}

const schoolsAtOnce = 50

interface Work {
  job: Job
  context: JobContext
  files: FileStore
  query: queries.PaperQuery
  making: Omit<SheetOptions, 'createdAt'>
  total: number
}

async function runPapers(files: FileStore, job: Job, context: JobContext) {
  const { db, clock } = context
  await dropDayOld(db, files, papersKind, clock())
  const query = z.parse(queries.paperQuery, job.input.query)
  const kind = job.input.kind as PaperKind
  const event = await queries.paperEvent(db, query.eventYearId, query.FYear)
  const foundation = await letterhead(db, files)
  const classes = await queries.paperClasses(db, query)
  const total = classes.reduce((sum, { students }) => sum + students, 0)
  if (total === 0) throw new Refusal('papers.none')
  if (total > maxPaperStudents) throw new Refusal('papers.too_many')
  const making = { kind, foundation, season: query.FYear, subject: event.subject, mode: event.mode }
  const work = { job, context, files, query, making, total }
  return shapeOf(job) === 'schools'
    ? { archives: await makeSchools(work) }
    : { files: await makeClasses(work, classes) }
}

const store = ({ context, files }: Work, name: string, mediaType: string, bytes: Buffer) =>
  context.db
    .transaction()
    .execute((tx) => storeFile(tx, files, context.clock(), { kind: papersKind, name, mediaType, bytes }))

/** Makes the papers class by class; after a restart it continues with the next class. */
async function makeClasses(
  work: Work,
  classes: readonly { classId: number; students: number }[],
): Promise<MadeFile[]> {
  const { job, context, query, making, total } = work
  const made = madeFiles(job)
  let done = made.reduce((sum, { students }) => sum + students, 0)
  for (const { classId, students } of classes) {
    if (made.some((file) => file.classId === classId)) continue
    const before = done
    const ofClass = { ...query, classId: String(classId) }
    const parts = inParts(context, ofClass, (drawn) => context.progress(before + drawn, total))
    const bytes = await papersPdf(parts, { ...making, createdAt: context.clock() })
    const name = `${paperTitles[making.kind]} ${making.subject} ${className(classId)} ${query.FYear}.pdf`
    const fileId = await store(work, name, 'application/pdf', bytes)
    made.push({ classId, name, students, fileId, bytes: bytes.length })
    done = before + students
    await context.checkpoint({ files: made })
    await context.progress(done, total)
  }
  return made
}

/**
 * Makes the papers school by school in partial archives, which are joined on download. After a restart it continues after
 * the last stored archive.
 */
async function makeSchools(work: Work): Promise<MadeArchive[]> {
  const { job, context, query, making, total } = work
  // The list of schools is fixed at the start, so that new ones do not shift the others.
  const ids = plannedSchools(job) ?? (await queries.paperSchoolIds(context.db, query))
  const made = madeArchives(job)
  let done = made.reduce((sum, { students }) => sum + students, 0)
  for (let start = made.length * schoolsAtOnce; start < ids.length; start += schoolsAtOnce) {
    const groups = await queries.papersOfSchools(context.db, query, ids.slice(start, start + schoolsAtOnce))
    const before = done
    const entries: ZipEntry[] = []
    for (const [code, ofSchool] of Map.groupBy(groups, ({ school }) => school.code)) {
      const content = await papersPdf([ofSchool], { ...making, createdAt: context.clock() })
      entries.push({ name: safeName(`${code} ${ofSchool[0]?.school.name ?? ''}.pdf`), content })
      done += ofSchool.reduce((sum, { students }) => sum + students.length, 0)
      await context.progress(done, total)
    }
    const archive = zip(entries)
    const fileId = await store(work, `Papers ${start + 1}.zip`, 'application/zip', archive)
    made.push({ fileId, students: done - before, bytes: archive.length })
    await context.checkpoint({ archives: made, ids })
  }
  return made
}

/** Yields the groups of a class, a few schools at a time, and reports the number of students. */
async function* inParts(
  { db }: JobContext,
  query: queries.PaperQuery,
  report: (students: number) => Promise<void>,
): AsyncGenerator<queries.PaperGroup[]> {
  const ids = await queries.paperSchoolIds(db, query)
  let drawn = 0
  for (let start = 0; start < ids.length; start += schoolsAtOnce) {
    const groups = await queries.papersOfSchools(db, query, ids.slice(start, start + schoolsAtOnce))
    yield groups
    drawn += groups.reduce((sum, { students }) => sum + students.length, 0)
    await report(drawn)
  }
}
