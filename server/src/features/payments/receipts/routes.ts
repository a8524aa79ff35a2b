import { messages } from '@podium/contract/messages'
import * as calls from '@podium/contract/payments/calls-receipts'
import type { FastifyInstance } from 'fastify'
import { audit, auditRead } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { readStored } from '#platform/files/files'
import { zipStream } from '#platform/files/zip'
import { serve, write } from '#platform/http/http'
import { cancelJob, enqueueJob, type Job, jobOfKind, newestJob } from '#platform/jobs/jobs'
import { receiptsFile } from './documents.ts'
import * as queries from './queries.ts'

/** Routes for receipts: list, export, and PDFs in a ZIP. */
export function receiptRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, calls.officeReceipts, 'office:payments.read', ({ scope, query }) =>
    queries.receiptsPage(db, scope, query),
  )

  serve(app, deps, calls.exportReceipts, 'office:payments.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const subject = { kind: 'receipts', id: 'all', season: query.FYear }
    const receipts = await reads.caughtUp((tx) => queries.allReceipts(tx, scope, query))
    const change = { format, receipts: receipts.length, filters: query }
    await auditRead(db, now, scope, 'receipts.exported', subject, change)
    return { file: receiptsFile(receipts, query.FYear, format) }
  })

  const subjectOf = (job: Pick<Job, 'season'>) => ({ kind: 'receipts', id: 'all', season: job.season ?? '' })

  write(app, deps, calls.startReceiptsZip, 'office:payments.read', async (tx, { scope, body, now }) => {
    const { FYear: season, ...filters } = body
    const ids = await queries.receiptsToZip(tx, scope, body)
    const job = {
      kind: queries.receiptsZipKind,
      season,
      total: ids.length,
      input: { ids },
      createdBy: scope.staffId,
    }
    const jobId = await enqueueJob(tx, now, job)
    const change = { receipts: ids.length, filters }
    await audit(tx, now, scope, 'receipts.zip_asked', subjectOf(job), change)
    return { jobId }
  })

  serve(app, deps, calls.receiptsZip, 'office:payments.read', async ({ now }) => ({
    job: queries.zipAnswer(await newestJob(db, queries.receiptsZipKind, now)),
  }))

  write(app, deps, calls.cancelReceiptsZip, 'office:payments.read', async (tx, { scope, body, now }) => {
    const job = await jobOfKind(tx, queries.receiptsZipKind, body.jobId)
    if (await cancelJob(tx, now, job.id)) await audit(tx, now, scope, 'receipts.zip_stopped', subjectOf(job))
    return { message: messages.saved }
  })

  async function* archivesOf(job: Job) {
    for (const { fileId } of queries.receiptArchives(job))
      yield orNotFound(await readStored(db, deps.files, fileId, { kind: queries.receiptsZipKind })).content
  }

  serve(app, deps, calls.receiptsZipFile, 'office:payments.read', async ({ scope, body, now }) => {
    const job = await jobOfKind(db, queries.receiptsZipKind, body.jobId)
    const { file, until } = orNotFound(queries.zipAnswer(job) ?? undefined)
    if (!file || new Date(until) < now) throw new Refusal('not_found')
    const content = await zipStream(archivesOf(job))
    await auditRead(db, now, scope, 'receipts.zip_fetched', subjectOf(job), { receipts: job.total })
    return { file: { name: file.name, mediaType: 'application/zip', content } }
  })
}
