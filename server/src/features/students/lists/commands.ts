import type { Season } from '@podium/contract/season'
import { type StudentState, studentState } from '@podium/contract/students/calls-export'
import { mostPrinted, type PaperKind, printHours } from '@podium/contract/students/calls-print-lists'
import { sql } from 'kysely'
import { findStudents } from '#features/students/entry/queries'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { dropContents, type FileStore } from '#platform/files/files'
import { enqueueJob, refuseTooMany } from '#platform/jobs/jobs'
import { printJob } from './queries.ts'

interface Wanted {
  FYear: Season
  classId?: number
  section?: string | null | undefined
  studentName?: string | null | undefined
  subjectName?: string | null | undefined
  state?: StudentState | undefined
  ids?: readonly number[] | undefined
  paper: PaperKind
  language?: 'en' | 'hi' | undefined
}

/**
 * Plans a PDF of the active students that the filters leave, and answers the id of the job. The job keeps their ids and
 * no names. Refuses where nobody is left, too many are, or the school has three under way already.
 */
export async function planPrint(db: Db, scope: SchoolScope, now: Date, wanted: Wanted): Promise<string> {
  const { FYear: season, classId, section, studentName: name, subjectName: subject, state } = wanted
  const chosen = wanted.ids && new Set(wanted.ids)
  const found = await findStudents(db, scope, now, { season, classId, section, name, subject })
  const ids = found
    .filter((row) => row.status && (!state || studentState(row) === state) && (!chosen || chosen.has(row.id)))
    .map(({ id }) => id)
  if (ids.length === 0) throw new Refusal('paper.nobody')
  if (ids.length > mostPrinted) throw new Refusal('paper.too_many')
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

/** Deletes printed files that are older than a day, content and all: they hold children's names. */
export async function dropOldPrints(db: Db, files: FileStore, now: Date): Promise<void> {
  const before = new Date(now.getTime() - printHours * 3_600_000)
  const { rows } = await sql<{ sha256: string }>`
    delete from files where kind = 'print' and created_at < ${before}::timestamptz returning sha256`.execute(
    db,
  )
  await dropContents(
    db,
    files,
    rows.map(({ sha256 }) => sha256),
  )
}
