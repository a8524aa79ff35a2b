import { messages } from '@podium/contract/messages'
import {
  cancelDispatchJob,
  type DispatchJob,
  dispatchJobState,
  exportDue,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officeSpares,
  packAll,
  packSchool,
  saveSpares as saveRule,
} from '@podium/contract/shipping/calls-orders'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { found } from '#platform/errors'
import { serve } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import { cancelJob, enqueueJob, type Job, readJob } from '#platform/jobs/jobs'
import { packDue } from '../packets/commands.ts'
import { packKind } from '../packets/jobs.ts'
import { newestJob } from '../packets/queries-jobs.ts'
import { countStale } from './commands-needs.ts'
import { saveSpares } from './commands-spares.ts'
import { dueFile } from './documents.ts'
import { dueItems, dueOfSchool, dueSchools, everyDueLine } from './queries.ts'
import { readSpares } from './queries-spares.ts'

function jobAnswer(job: Job | undefined): DispatchJob | null {
  if (!job) return null
  const { id: jobId, kind, state, done, total, error } = job
  const outcome = Object.fromEntries(
    Object.entries(job.output ?? {}).filter((one): one is [string, number] => typeof one[1] === 'number'),
  )
  return { jobId, kind, state, done, total, error, outcome }
}

/** What has to go out, and packing it. What the lists show is counted anew first where payments or entries have changed. */
export function dueRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps

  serve(app, deps, officeDue, 'office:dispatch.read', async ({ scope, query, now }) => {
    const counting = await countStale(db, now)
    return { ...(await dueSchools(db, scope, query)), counting }
  })

  serve(app, deps, officeDueItems, 'office:dispatch.read', async ({ scope, query, now }) => {
    const counting = await countStale(db, now)
    return { ...(await dueItems(db, scope, query)), counting }
  })

  serve(app, deps, officeDueOfSchool, 'office:dispatch.read', async ({ scope, query, now }) => {
    await countStale(db, now)
    return dueOfSchool(db, scope, query)
  })

  serve(app, deps, exportDue, 'office:dispatch.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    await countStale(db, now)
    const subject = { kind: 'dispatch', id: query.contents, season: query.FYear }
    const lines = await reads.caughtUp((tx) => everyDueLine(tx, scope, query))
    const told = { format, lines: lines.length, filters: query }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'dispatch.due_exported', subject, told))
    return { file: dueFile(lines, query.contents, query.FYear, format) }
  })

  serve(app, deps, officeSpares, 'office:dispatch.read', ({ query }) => readSpares(db, query.FYear))

  serve(app, deps, saveRule, 'office:dispatch.write', async ({ scope, body, now }) => {
    const { FYear: season, ...rule } = body
    await db.transaction().execute((tx) => saveSpares(tx, scope, now, { season, ...rule }))
    return { message: messages.saved }
  })

  serve(app, deps, packSchool, 'office:dispatch.write', async ({ scope, body, now, request }) => {
    const { schoolId, FYear: season, contents, lines, most } = body
    await countStale(db, now)
    const wanted = lines?.map(({ eventYearId: eventId, ...line }) => ({ eventId, ...line }))
    const answer = await db.transaction().execute((tx) =>
      once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, async () => ({
        packetIds: await packDue(tx, scope, now, { schoolId, season, contents, lines: wanted, most }),
      })),
    )
    return { ...answer, message: messages.saved }
  })

  serve(app, deps, packAll, 'office:dispatch.write', async ({ scope, body, now }) => {
    const { most, ...query } = body
    await countStale(db, now)
    const jobId = await db.transaction().execute(async (tx) => {
      const input = { query, most }
      const id = await enqueueJob(tx, now, {
        kind: packKind,
        season: query.FYear,
        input,
        createdBy: scope.staffId,
      })
      const subject = { kind: 'job', id, season: query.FYear }
      await audit(tx, now, scope, 'dispatch.packing_started', subject, { most, filters: query })
      return id
    })
    deps.nudge()
    return { jobId }
  })

  serve(app, deps, dispatchJobState, 'office:dispatch.read', async ({ query, now }) => {
    const job =
      query.jobId === undefined ? await newestJob(db, packKind, now) : await readJob(db, query.jobId)
    return { job: jobAnswer(job?.kind === packKind ? job : undefined) }
  })

  serve(app, deps, cancelDispatchJob, 'office:dispatch.write', async ({ scope, body, now }) => {
    const job = await readJob(db, body.jobId)
    found(job?.kind === packKind ? job : undefined)
    await db.transaction().execute(async (tx) => {
      if (!(await cancelJob(tx, now, body.jobId))) return
      await audit(tx, now, scope, 'dispatch.packing_stopped', { kind: 'job', id: body.jobId })
    })
    return { message: messages.saved }
  })
}
