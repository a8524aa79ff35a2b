import { messages } from '@podium/contract/messages'
import * as calls from '@podium/contract/results/calls-certificates-bulk'
import type { FastifyInstance } from 'fastify'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit, auditRead } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { readStored } from '#platform/files/files'
import { zipStream } from '#platform/files/zip'
import { serve } from '#platform/http/http'
import { cancelJob, enqueueJob, type Job, newestJob, readJob, refuseTooMany } from '#platform/jobs/jobs'
import { actions } from '../queries.ts'
import * as queries from './queries.ts'

type Actor = SchoolScope | OfficeScope

/** Routes for certificates of long lists (start, progress, stop, download): a school's own, or any for the office. */
export function bulkCertificateRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  async function start(
    scope: Actor,
    now: Date,
    wanted: Omit<queries.BulkInput, 'subjectName' | 'office' | 'schoolId'>,
    school: number | null,
  ) {
    const { name: subjectName, season } = await queries.subjectOfEvent(db, wanted.eventId)
    const input = { ...wanted, schoolId: school, office: scope.kind === 'office', subjectName }
    const { rows } = await queries.plannedCertificates(db, now, input)
    const jobId = await db.transaction().execute(async (tx) => {
      if (scope.kind === 'school') await refuseTooMany(tx, queries.certificatesKind, scope.schoolId)
      const id = await enqueueJob(tx, now, {
        kind: queries.certificatesKind,
        season,
        total: rows.length,
        input: { ...input },
        ...(scope.kind === 'school'
          ? { schoolId: scope.schoolId, createdBy: scope.userId, acting: scope.acting }
          : { createdBy: scope.staffId }),
      })
      const subject = {
        kind: 'event',
        id: wanted.eventId,
        season,
        ...(scope.kind === 'school' ? { schoolId: scope.schoolId } : {}),
      }
      await audit(tx, now, scope, 'results.certificates_asked', subject, {
        certificates: rows.length,
        as: wanted.as,
      })
      if (scope.kind === 'office') await notifyOfExport(tx, scope, now, 'certificates', rows.length)
      return id
    })
    deps.wake()
    return { jobId }
  }

  async function jobFor(scope: Actor, jobId: string): Promise<Job> {
    const job = await readJob(db, jobId, scope.kind === 'school' ? { schoolId: scope.schoolId } : {})
    const isOwn = job?.kind === queries.certificatesKind && (scope.kind === 'school' || job.schoolId === null)
    return orNotFound(isOwn ? job : undefined)
  }

  async function shownJob(now: Date, job: Job | undefined) {
    if (!job) return null
    const answer = queries.jobAnswer(job)
    // Nothing to download is not old.
    const download = answer.files.length === 0 || (await queries.canDownload(db, now, job))
    return { ...answer, can: { download } }
  }

  async function stop(scope: Actor, now: Date, jobId: string) {
    const job = await jobFor(scope, jobId)
    await db.transaction().execute(async (tx) => {
      if (!(await cancelJob(tx, now, jobId))) return
      const subject = { kind: 'event', id: queries.inputOf(job).eventId, season: job.season ?? '' }
      const of = scope.kind === 'school' ? { ...subject, schoolId: scope.schoolId } : subject
      await audit(tx, now, scope, 'results.certificates_stopped', of)
    })
    return { message: messages.saved }
  }

  /** A missing file contained a child whose data was erased since. */
  async function contentOf(fileId: string) {
    const file = await readStored(db, files, fileId, { kind: queries.certificatesKind })
    return orNotFound(file, 'results.certificates_old').content
  }

  async function* archivesOf(job: Job) {
    for (const { fileId } of queries.outputOf(job)?.files ?? []) yield await contentOf(fileId)
  }

  async function fetchFile(scope: Actor, now: Date, jobId: string, part: number) {
    const job = await jobFor(scope, jobId)
    await queries.checkFetchable(db, now, job)
    const wanted = orNotFound(queries.jobAnswer(job).files.find((file) => file.part === part))
    const subject = { kind: 'event', id: queries.inputOf(job).eventId, season: job.season ?? '' }
    const of = scope.kind === 'school' ? { ...subject, schoolId: scope.schoolId } : subject
    const content = part === 0 ? await zipStream(archivesOf(job)) : await archivePart(job, part)
    const { name, certificates } = wanted
    await auditRead(db, now, scope, 'results.certificates_fetched', of, { file: name, certificates })
    return { file: { name, mediaType: part === 0 ? 'application/zip' : 'application/pdf', content } }
  }

  async function archivePart(job: Job, part: number) {
    return contentOf(orNotFound(queries.outputOf(job)?.files[part - 1]).fileId)
  }

  serve(app, deps, calls.startSchoolCertificates, 'school', ({ scope, body, now }) => {
    const action = body.action ? actions[body.action] : null
    const { eventYearId: eventId, classId, language, as } = body
    return start(scope, now, { eventId, state: '', classId, action, language, as }, scope.schoolId)
  })

  serve(app, deps, calls.schoolCertificateJob, 'school', async ({ scope, now }) => ({
    job: await shownJob(now, await newestJob(db, queries.certificatesKind, now, scope.schoolId)),
  }))

  serve(app, deps, calls.cancelSchoolCertificates, 'school', ({ scope, body, now }) =>
    stop(scope, now, body.jobId),
  )

  serve(app, deps, calls.schoolCertificateFile, 'school', ({ scope, body, now }) =>
    fetchFile(scope, now, body.jobId, body.part),
  )

  serve(app, deps, calls.startOfficeCertificates, 'office:results.release', async ({ scope, body, now }) => {
    const { eventYearId: eventId, schCode, state, classId, language, as } = body
    const code = schCode.toUpperCase()
    const school =
      code === ''
        ? undefined
        : await db.selectFrom('schools').select('id').where('code', '=', code).executeTakeFirst()
    const schoolId = code === '' ? null : orNotFound(school).id
    const action = body.action ? actions[body.action] : null
    return start(scope, now, { eventId, state, classId, action, language, as }, schoolId)
  })

  serve(app, deps, calls.officeCertificateJob, 'office:results.read', async ({ now }) => ({
    job: await shownJob(now, await newestJob(db, queries.certificatesKind, now)),
  }))

  serve(app, deps, calls.cancelOfficeCertificates, 'office:results.release', ({ scope, body, now }) =>
    stop(scope, now, body.jobId),
  )

  serve(app, deps, calls.officeCertificateFile, 'office:results.release', ({ scope, body, now }) =>
    fetchFile(scope, now, body.jobId, body.part),
  )
}
