import type { BodyOf } from '@podium/contract/endpoint'
import * as calls from '@podium/contract/exams/calls-attendance'
import { messages } from '@podium/contract/messages'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit, auditRead } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { readStored } from '#platform/files/files'
import { joinedSize, zipStream } from '#platform/files/zip'
import { letterhead } from '#platform/foundation'
import { serve, write } from '#platform/http/http'
import { cancelJob, enqueueJob, type Job, jobOfKind, newestJob } from '#platform/jobs/jobs'
import {
  availableUntil,
  kindOf,
  madeArchives,
  madeFiles,
  papersKind,
  papersPdf,
  paperTitles,
  shapeOf,
} from './documents.ts'
import * as queries from './queries.ts'

type List = BodyOf<typeof calls.saveAttendance>['lists'][number]

/** Saves class lists of the school, all or none. Another school's list, or an absent student not on the list, is not_found. */
async function saveLists(tx: Tx, scope: SchoolScope, now: Date, lists: readonly List[]) {
  const ids = lists.map(({ eventManagementId }) => eventManagementId)
  // Locking the participation locks its lists.
  await sql`
    select from participations where id = any(${ids}::bigint[]) and school_id = ${scope.schoolId}
    order by id for update`.execute(tx)
  // Attendance and a decision about results wait for each other, so that each sees what the other did.
  await sql`
    select from result_sets where state in ('computed', 'approved')
      and event_id in (select event_id from participations where id = any(${ids}::bigint[]))
    order by id for share`.execute(tx)
  const rows = await queries.listRows(tx, scope, now, sql`p.id = any(${ids}::bigint[])`)
  for (const list of lists) {
    const row = orNotFound(
      rows.find(
        ({ participationId, classId }) =>
          participationId === list.eventManagementId && classId === list.classId,
      ),
    )
    const reason = queries.reasonAgainst(row, now)
    if (reason) throw new Refusal(reason)
    await saveList(tx, scope, now, list, row)
  }
}

async function saveList(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  list: List,
  { eventId, letter, season }: { eventId: number; letter: string; season: string },
): Promise<void> {
  const { eventManagementId, classId, version } = list
  const students = await queries.studentsOfList(tx, scope, list)
  const known = new Set(students.map(({ studentId }) => studentId))
  if (list.absent.some((id) => !known.has(id))) throw new Refusal('not_found')
  // Who was not shown would count as present.
  if (list.students !== undefined && list.students !== known.size) throw new Refusal('changed_meanwhile')
  const absent = new Set(list.absent)
  const { rows: saved } = await sql`
    insert into attendance_lists (participation_id, class_id, students, absent, saved_at)
    select ${eventManagementId}, ${classId}, ${students.length}, ${absent.size}, ${now}
    where ${version} = 0 or exists (
      select from attendance_lists where participation_id = ${eventManagementId} and class_id = ${classId})
    on conflict (participation_id, class_id) do update set students = excluded.students, absent = excluded.absent,
      saved_at = excluded.saved_at, version = attendance_lists.version + 1
      where attendance_lists.version = ${version}
    returning version`.execute(tx)
  if (saved.length === 0) throw new Refusal('changed_meanwhile')
  await sql`
    delete from attendance_absences
    where event_id = ${eventId} and student_id = any(${[...known]}::bigint[])`.execute(tx)
  await sql`
    insert into attendance_absences (event_id, student_id)
    select ${eventId}, unnest(${[...absent]}::bigint[])`.execute(tx)
  const was = students.filter((student) => student.absent).map(({ nioRollNo }) => nioRollNo)
  const is = students.filter(({ studentId }) => absent.has(studentId)).map(({ nioRollNo }) => nioRollNo)
  await audit(
    tx,
    now,
    scope,
    'attendance.saved',
    { kind: 'participation', id: eventManagementId, season },
    { letter, classId, students: students.length, from: { absent: was }, to: { absent: is } },
  )
}

const papersOfExams = 'papers of exams with the names of students'

function jobAnswer(job: Job | undefined): calls.PaperJob | null {
  if (!job) return null
  const { id: jobId, state, done, total, error } = job
  const until = availableUntil(job.createdAt).toISOString()
  const whole = wholeZip(job)
  const files = whole ? [whole] : madeFiles(job).map(({ fileId: _, ...file }) => file)
  return { jobId, kind: kindOf(job), as: shapeOf(job), until, state, done, total, error, files }
}

/** The complete ZIP of a job with all schools. */
function wholeZip(job: Job) {
  const archives = madeArchives(job)
  if (job.state !== 'done' || archives.length === 0) return undefined
  const students = archives.reduce((sum, archive) => sum + archive.students, 0)
  const name = `${paperTitles[kindOf(job)]} ${job.season}.zip`
  return { classId: 0, name, students, bytes: joinedSize(archives.map(({ bytes }) => bytes)) }
}

interface PaperRequest {
  schoolId: number
  eventId: number
  season: Season
  classId: string
  kind: calls.PaperKind
}

/** Routes for exam papers: immediately for one school, as a job for many. Files with students' names are logged. */
export function examPaperRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  async function print(scope: OfficeScope | SchoolScope, now: Date, wanted: PaperRequest) {
    const { schoolId, eventId, season, kind } = wanted
    const event = await queries.paperEvent(db, eventId, season)
    const groups = await queries.papersOfSchool(db, scope, wanted)
    const students = groups.reduce((sum, group) => sum + group.students.length, 0)
    if (students === 0) throw new Refusal('papers.none')
    if (students > calls.maxImmediatePaperStudents && wanted.classId === '')
      throw new Refusal('papers.too_many')
    const foundation = await letterhead(db, deps.files)
    const { subject, mode } = event
    const content = await papersPdf([groups], { kind, foundation, season, subject, mode, createdAt: now })
    const change = { paper: kind, eventLetter: event.letter, students }
    const about = { kind: 'exam_papers', id: eventId, schoolId, season }
    await db.transaction().execute(async (tx) => {
      await audit(tx, now, scope, 'exam_papers.printed', about, change)
      if (scope.kind === 'office') await notifyOfExport(tx, scope, now, papersOfExams, students)
    })
    const name = `${paperTitles[kind]} ${subject} ${groups[0]?.school.code ?? ''} ${season}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  }

  serve(app, deps, calls.schoolPapers, 'school', async ({ scope, body, now }) => {
    const { eventId, season } = await queries.ownEvent(db, scope, body.eventManagementId)
    const wanted = { schoolId: scope.schoolId, eventId, season, classId: '', kind: body.kind }
    return print(scope, now, wanted)
  })

  serve(app, deps, calls.officePaperSchools, 'office:exams.read', ({ scope, query }) =>
    queries.paperSchools(db, scope, query),
  )

  serve(app, deps, calls.printPapers, 'office:exams.write', ({ scope, body, now }) => {
    const { FYear: season, eventYearId: eventId, schoolId, classId, kind } = body
    return print(scope, now, { schoolId, eventId, season, classId, kind })
  })

  write(app, deps, calls.startPapers, 'office:exams.write', async (tx, { scope, body, now }) => {
    const { kind, as, ...query } = body
    await queries.paperEvent(tx, query.eventYearId, query.FYear)
    const input = { query, kind, as }
    const job = { kind: papersKind, season: query.FYear, input, createdBy: scope.staffId }
    const jobId = await enqueueJob(tx, now, job)
    const subject = { kind: 'exam_papers', id: query.eventYearId, season: query.FYear }
    await audit(tx, now, scope, 'exam_papers.printed', subject, { paper: kind, as, filters: query })
    const students = (await queries.paperClasses(tx, query)).reduce((sum, item) => sum + item.students, 0)
    await notifyOfExport(tx, scope, now, papersOfExams, students)
    return { jobId }
  })

  serve(app, deps, calls.paperJobState, 'office:exams.read', async ({ now }) => ({
    job: jobAnswer(await newestJob(db, papersKind, now)),
  }))

  write(app, deps, calls.cancelPapers, 'office:exams.write', async (tx, { scope, body, now }) => {
    const { id } = await jobOfKind(tx, papersKind, body.jobId)
    if (await cancelJob(tx, now, id)) await audit(tx, now, scope, 'exam_papers.stopped', { kind: 'job', id })
    return { message: messages.saved }
  })

  /** Yields the archives of a job one after the other. */
  async function* archivesOf(job: Job) {
    for (const { fileId } of madeArchives(job))
      yield orNotFound(await readStored(db, deps.files, fileId, { kind: papersKind })).content
  }

  async function storedPart(job: Job, classId: number) {
    const whole = wholeZip(job)
    if (classId === 0 && whole) {
      return {
        id: job.id,
        name: whole.name,
        mediaType: 'application/zip',
        content: await zipStream(archivesOf(job)),
      }
    }
    const { fileId } = orNotFound(madeFiles(job).find((file) => file.classId === classId))
    return orNotFound(await readStored(db, deps.files, fileId, { kind: papersKind }))
  }

  serve(app, deps, calls.paperFileOf, 'office:exams.write', async ({ scope, body, now }) => {
    const job = await jobOfKind(db, papersKind, body.jobId)
    if (availableUntil(job.createdAt) < now) throw new Refusal('not_found')
    const { id, name, mediaType, content } = await storedPart(job, body.classId)
    await auditRead(db, now, scope, 'exam_papers.fetched', { kind: 'exam_papers', id }, { file: name })
    return { file: { name, mediaType, content } }
  })
}

/** Routes for attendance, entered by the school. */
export function attendanceRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.attendanceEvents, 'school', async ({ scope, query, now }) => ({
    data: await queries.attendanceOf(db, scope, query.FYear, now),
  }))

  serve(app, deps, calls.attendanceList, 'school', async ({ scope, query }) => {
    const students = await queries.studentsOfList(db, scope, query)
    orNotFound(students[0])
    const list = await db
      .selectFrom('attendance_lists')
      .select('version')
      .where('participation_id', '=', query.eventManagementId)
      .where('class_id', '=', query.classId)
      .executeTakeFirst()
    return { version: list?.version ?? 0, students }
  })

  write(app, deps, calls.saveAttendance, 'school', async (tx, { scope, body, now }) => {
    await saveLists(tx, scope, now, body.lists)
    return { message: messages.saved }
  })
}
