import { className } from '@podium/contract/classes'
import { mostPaperStudents, type PaperKind } from '@podium/contract/exams-papers'
import { readFoundation } from '#features/foundation/queries'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files'
import type { Job, JobContext, JobHandlers } from '#platform/jobs'
import { papersPdf, paperTitles } from './documents-papers.ts'
import {
  type PaperGroup,
  type PaperQuery,
  paperClasses,
  paperEvent,
  paperSchoolIds,
  papersOfSchools,
} from './queries-papers.ts'

export const papersKind = 'exams.papers'

/** A file that a job has made; kept in its output. */
export interface MadeFile {
  classId: number
  name: string
  students: number
  fileId: string
}

/** The long work of exams: papers of many schools, one PDF for each class. */
export function examJobs({ files }: Pick<Deps, 'files'>): JobHandlers {
  return { [papersKind]: (job, context) => runPapers(files, job, context) }
}

export const madeFiles = (job: Pick<Job, 'output'>): MadeFile[] =>
  (job.output as { files?: MadeFile[] } | null)?.files ?? []

const schoolsAtOnce = 50

/** Makes class by class; started again it goes on after the classes that are ready. */
async function runPapers(files: FileStore, job: Job, context: JobContext) {
  const { db, clock, progress, checkpoint } = context
  const query = job.input.query as unknown as PaperQuery
  const kind = job.input.kind as PaperKind
  const event = await paperEvent(db, query.eventYearId, query.FYear)
  const { name: foundation } = await readFoundation(db)
  const classes = await paperClasses(db, query)
  const total = classes.reduce((sum, { students }) => sum + students, 0)
  if (total === 0) throw new Refusal('papers.none')
  if (total > mostPaperStudents) throw new Refusal('papers.too_many')
  const made = madeFiles(job)
  let done = made.reduce((sum, { students }) => sum + students, 0)
  for (const { classId, students } of classes) {
    if (made.some((file) => file.classId === classId)) continue
    const before = done
    const ofClass = { ...query, classId: String(classId) }
    const parts = inParts(context, ofClass, (drawn) => progress(before + drawn, total))
    const making = {
      kind,
      foundation,
      season: query.FYear,
      subject: event.subject,
      mode: event.mode,
      createdAt: clock(),
    }
    const bytes = await papersPdf(parts, making)
    const name = `${paperTitles[kind]} ${event.subject} ${className(classId)} ${query.FYear}.pdf`
    const fileId = await db.transaction().execute((tx) =>
      storeFile(tx, files, clock(), {
        kind: papersKind,
        name,
        mediaType: 'application/pdf',
        bytes,
      }),
    )
    made.push({ classId, name, students, fileId })
    done = before + students
    await checkpoint({ files: made })
    await progress(done, total)
  }
  return { files: made }
}

/** The groups of a class, some schools at a time; says how many students have been handed on. */
async function* inParts(
  { db }: JobContext,
  query: PaperQuery,
  say: (students: number) => Promise<void>,
): AsyncGenerator<PaperGroup[]> {
  const ids = await paperSchoolIds(db, query)
  let drawn = 0
  for (let at = 0; at < ids.length; at += schoolsAtOnce) {
    const groups = await papersOfSchools(db, query, ids.slice(at, at + schoolsAtOnce))
    yield groups
    drawn += groups.reduce((sum, { students }) => sum + students.length, 0)
    await say(drawn)
  }
}
