import {
  reopenAnomalies as reopenCall,
  resolveAnomalies as resolveCall,
} from '@podium/contract/results/calls-anomalies'
import {
  approveResults,
  computeResults,
  importMarks,
  releaseResults,
  resultJobState,
  withdrawRelease as withdrawCall,
} from '@podium/contract/results/calls-office'
import type { FastifyInstance } from 'fastify'
import { tellOfResults } from '#features/staff/commands-owners'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { readJob } from '#platform/jobs/jobs'
import { approveSet, reopenAnomalies, resolveAnomalies, startCompute } from '../commands.ts'
import { checkMarksFile, mayImport, sectionsOfEvent, startImport } from '../marks/commands.ts'
import { releaseSet, withdrawRelease } from './commands.ts'

/** The way of a version: imported, looked at, computed, approved by somebody else, released. */
export function officeVersionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  serve(
    app,
    deps,
    importMarks,
    'office:results.import',
    async ({ scope, query, upload, now }) => {
      const { eventYearId: eventId, reason, early } = query
      const asked = { eventId, reason, early, again: query.again === 'true' }
      const read = await mayImport(db, now, asked, upload.received)
      if (read) return read
      await checkMarksFile(db, eventId, upload)
      const file = { name: upload.name, kept: await files.put(upload.received) }
      const started = await db
        .transaction()
        .execute((tx) => startImport(tx, files, scope, now, { ...asked, file }))
      deps.nudge()
      return started
    },
    {
      async guard({ query }) {
        await sectionsOfEvent(db, query.eventYearId)
        return undefined
      },
    },
  )

  serve(app, deps, resultJobState, 'office:results.read', async ({ query }) => {
    const job = await readJob(db, query.jobId)
    const { id, kind, state, done, total, error } = orNotFound(
      job?.kind.startsWith('results.') ? job : undefined,
    )
    return { job: { jobId: id, kind, state, done, total, error } }
  })

  write(app, deps, resolveCall, 'office:results.import', async (tx, { scope, body, now }) => ({
    resolved: await resolveAnomalies(tx, scope, now, {
      setId: body.setId,
      anomalyIds: body.anomalyIds,
      kind: body.kind,
      note: body.note,
    }),
  }))

  write(app, deps, reopenCall, 'office:results.import', async (tx, { scope, body, now }) => ({
    reopened: await reopenAnomalies(tx, scope, now, body),
  }))

  write(app, deps, computeResults, 'office:results.import', async (tx, { scope, body, now }) => {
    const jobId = await startCompute(tx, scope, now, body.setId)
    return { jobId }
  })

  write(app, deps, approveResults, 'office:results.approve', async (tx, { scope, body, now }) => {
    const { setId } = body
    await approveSet(tx, scope, now, body)
    await tellOfResults(tx, scope, now, { setId }, { what: 'approved' })
  })

  write(app, deps, releaseResults, 'office:results.release', async (tx, { scope, body, now }) => {
    const releaseAt = body.releaseAt === undefined ? undefined : new Date(body.releaseAt)
    const { setId } = body
    const from = await releaseSet(tx, scope, now, { ...body, releaseAt })
    await tellOfResults(tx, scope, now, { setId }, { what: 'released', at: from })
    return { releaseAt: from.toISOString() }
  })

  write(app, deps, withdrawCall, 'office:results.release', async (tx, { scope, body, now }) => {
    const { setId } = body
    await withdrawRelease(tx, scope, now, setId)
    await tellOfResults(tx, scope, now, { setId }, { what: 'release-withdrawn' })
  })
}
