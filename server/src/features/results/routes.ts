import { messages } from '@podium/contract/messages'
import {
  explainResult,
  exportResults,
  marksTemplate,
  resultEvents,
  searchResults as searchCall,
} from '@podium/contract/results/calls'
import {
  correctMarksRow,
  correctResults,
  exportAnomalies,
  officeResultChanges,
  reopenAnomalies as reopenCall,
  resolveAnomalies as resolveCall,
  resultAnomalies,
  resultCorrections,
  resultOnRecord,
  searchCandidates,
} from '@podium/contract/results/calls-corrections'
import * as calls from '@podium/contract/results/calls-office'
import { rulesOfEvent, tryRules, whatIfState } from '@podium/contract/results/calls-what-if'
import type { FastifyInstance } from 'fastify'
import { notifyOfExport, notifyOfResults } from '#features/staff/commands-owners'
import { audit, auditRead } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { command, serve, write } from '#platform/http/http'
import { jobOfKind } from '#platform/jobs/jobs'
import { bulkCertificateRoutes } from './certificates/routes.ts'
import { approveSet, reopenAnomalies, resolveAnomalies, startCompute } from './commands.ts'
import { correctRow, startCorrection } from './corrections/commands.ts'
import { candidatesLike, correctionsOf, officeChanges, recordedResult } from './corrections/queries.ts'
import { eventsFile, faultsFile, marksFile, previewFile, resultsFile } from './documents.ts'
import { checkMarksFile, mayImport, sectionsOfEvent, startImport } from './marks/commands.ts'
import {
  anomaliesOf,
  candidatesOf,
  countAnomalies,
  countCandidates,
  everyAnomaly,
  marksEvent,
  marksOfSet,
} from './marks/queries-anomalies.ts'
import { filterOf, listResults, resultEventsOf, searchResults, visibleAnnouncement } from './queries.ts'
import { officeEventOf, officeEvents } from './queries-office.ts'
import { decideOnPapers } from './ranking/commands.ts'
import { startTrial, whatIfKind } from './ranking/commands-what-if.ts'
import { papersOf, rulesHistory, whatIfOutcomes } from './ranking/queries.ts'
import { holdSchool, mailReleased, releaseSet, unholdSchool, withdrawRelease } from './release/commands.ts'
import { everyResult, holdsOf, previewOf, summaryOf } from './release/queries-preview.ts'
import { previewCorrectionsOf, previewForSchool, previewSchoolsOf } from './release/queries-school-preview.ts'
import { explainForOffice, explainForSchool } from './why/queries.ts'

/** Routes for versions: import, review, compute, approve by someone else, release. */
function officeVersionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  serve(
    app,
    deps,
    calls.importMarks,
    'office:results.import',
    async ({ scope, query, upload, now }) => {
      const { eventYearId: eventId, reason, early, version } = query
      const options = { eventId, reason, early, version, again: query.again === 'true' }
      const read = await mayImport(db, now, options, upload.received)
      if (read) return read
      await checkMarksFile(db, eventId, upload)
      const file = { name: upload.name, stored: await files.put(upload.received) }
      const started = await db
        .transaction()
        .execute((tx) => startImport(tx, files, scope, now, { ...options, file }))
      deps.wake()
      return started
    },
    {
      async guard({ query }) {
        await sectionsOfEvent(db, query.eventYearId)
        return undefined
      },
    },
  )

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

  write(app, deps, calls.computeResults, 'office:results.import', async (tx, { scope, body, now }) => {
    const jobId = await startCompute(tx, scope, now, body.setId)
    return { jobId }
  })

  write(app, deps, calls.approveResults, 'office:results.approve', async (tx, { scope, body, now }) => {
    const { setId } = body
    await approveSet(tx, scope, now, body)
    await notifyOfResults(tx, scope, now, { setId }, { what: 'approved' })
  })

  write(app, deps, calls.releaseResults, 'office:results.release', async (tx, { scope, body, now }) => {
    const releaseAt = body.releaseAt === undefined ? undefined : new Date(body.releaseAt)
    const { setId } = body
    const from = await releaseSet(tx, scope, now, { ...body, releaseAt })
    await notifyOfResults(tx, scope, now, { setId }, { what: 'released', at: from })
    return { releaseAt: from.toISOString() }
  })

  write(app, deps, calls.withdrawRelease, 'office:results.release', async (tx, { scope, body, now }) => {
    const { setId } = body
    await withdrawRelease(tx, scope, now, setId)
    await notifyOfResults(tx, scope, now, { setId }, { what: 'release-withdrawn' })
  })
}

/** Routes for spreadsheets: a school's filtered results, and an event's empty marks file. */
function resultFileRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, exportResults, 'school', async ({ scope, body, now }) => {
    const events = await resultEventsOf(db, scope, now, body.fyear)
    const event = orNotFound(events.find(({ eventYearId }) => eventYearId === body.eventYearId))
    const { offset, limit } = body
    const { data } = await searchResults(db, scope, now, { ...filterOf(body), offset, limit })
    const about = {
      subjectName: event.subjectName,
      season: body.fyear,
      letterLeadsOn: event.leadsOn,
      level: body.examLevel,
    }
    return { file: resultsFile(data, about, body.format) }
  })

  write(app, deps, exportAnomalies, 'office:results.read', async (tx, { scope, body, now }) => {
    const { setId, kind, open, format } = body
    const set = await marksOfSet(tx, scope, setId)
    const subject = { kind: 'result_set', id: setId, season: set.season }
    await audit(tx, now, scope, 'results.anomalies_exported', subject, { format, filters: { kind, open } })
    const lines = await countAnomalies(tx, scope, { setId, kind, open })
    await notifyOfExport(tx, scope, now, 'faults of a file of marks', lines)
    return { file: faultsFile(set, everyAnomaly(db, scope, { setId, kind, open }), format) }
  })

  write(app, deps, calls.exportPreview, 'office:results.read', async (tx, { scope, body, now }) => {
    const { setId, format, schCode, classId, action } = body
    const set = await marksOfSet(tx, scope, setId)
    const filters = { schCode, classId, action }
    const { total } = await previewOf(tx, scope, { setId, ...filters, page: 1, pageSize: 1 })
    const subject = { kind: 'result_set', id: setId, season: set.season }
    await audit(tx, now, scope, 'results.exported', subject, { format, students: total, filters })
    await notifyOfExport(tx, scope, now, 'results of students', total)
    return { file: previewFile(set, everyResult(db, scope, { setId, ...filters }), format) }
  })

  write(app, deps, marksTemplate, 'office:results.import', async (tx, { scope, query, now }) => {
    const { eventYearId: eventId, format } = query
    const event = await marksEvent(tx, scope, eventId)
    const students = await countCandidates(tx, scope, eventId)
    const subject = { kind: 'event', id: eventId, season: event.season }
    await audit(tx, now, scope, 'results.template_taken', subject, { format, students })
    await notifyOfExport(tx, scope, now, 'the students of an exam, to enter marks', students)
    return { file: marksFile(event, candidatesOf(db, scope, eventId), format) }
  })
}

/** Routes for results, for schools and the office. */
export function resultRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, resultEvents, 'school', async ({ scope, query, now }) => ({
    data: await resultEventsOf(db, scope, now, query.FYear),
  }))

  serve(app, deps, searchCall, 'school', async ({ scope, body, now }) => {
    const wanted = { ...filterOf(body), offset: body.offset, limit: body.limit }
    const { releasedAt, ...found } = await listResults(db, scope, now, wanted)
    const message =
      found.state === 'withheld'
        ? messages.resultsHeld
        : found.state === 'awaited'
          ? 'The results are not out yet.'
          : ''
    return { ...found, message, releasedAt: releasedAt?.toISOString() ?? null }
  })

  serve(app, deps, explainResult, 'school', async ({ scope, query, now }) => ({
    why: await explainForSchool(db, scope, now, query.resultId),
  }))

  officeResultRoutes(app, deps)
  officeVersionRoutes(app, deps)
  resultCorrectionRoutes(app, deps)
  resultFileRoutes(app, deps)
  bulkCertificateRoutes(app, deps)
  whatIfRoutes(app, deps)
}

/** Routes for the office's results, and decisions on whole events: rules, withheld schools. */
function officeResultRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.officeResultEvents, 'office:results.read', async ({ scope, query, now }) => ({
    data: await officeEvents(db, scope, now, query.season),
  }))

  serve(app, deps, calls.exportResultEvents, 'office:results.read', async ({ scope, body, now }) => {
    const { season, format } = body
    const events = await officeEvents(db, scope, now, season)
    const change = { format, events: events.length }
    const subject = { kind: 'season', id: season, season }
    await auditRead(db, now, scope, 'results.events_exported', subject, change)
    return { file: eventsFile(events, season, now, format) }
  })

  serve(app, deps, calls.officeResultEvent, 'office:results.read', ({ scope, query, now }) =>
    officeEventOf(db, scope, now, query.eventYearId),
  )

  serve(app, deps, resultAnomalies, 'office:results.read', ({ scope, query }) =>
    anomaliesOf(db, scope, {
      ...query,
      kind: query.kind,
      open: query.open === undefined ? undefined : query.open === 'true',
    }),
  )

  serve(app, deps, calls.previewResults, 'office:results.read', ({ scope, query }) =>
    previewOf(db, scope, { ...query, schCode: query.schCode, classId: query.classId, action: query.action }),
  )

  serve(app, deps, calls.previewSchools, 'office:results.read', async ({ scope, query, now }) => ({
    data: await previewSchoolsOf(db, scope, now, query),
  }))

  serve(app, deps, calls.schoolPreview, 'office:results.read', ({ scope, query, now }) =>
    previewForSchool(db, scope, now, { ...query, action: query.action }),
  )

  serve(app, deps, calls.previewCorrections, 'office:results.read', async ({ scope, query, now }) => ({
    data: await previewCorrectionsOf(db, scope, now, query),
  }))

  serve(app, deps, calls.resultsSummary, 'office:results.read', ({ scope, query }) =>
    summaryOf(db, scope, query.setId),
  )

  serve(app, deps, calls.explainResultForOffice, 'office:results.read', async ({ scope, query }) => ({
    why: await explainForOffice(db, scope, query.resultId),
  }))

  serve(app, deps, calls.resultHolds, 'office:results.read', async ({ scope, query }) => ({
    data: await holdsOf(db, scope, query.eventYearId),
  }))

  write(app, deps, calls.holdResults, 'office:results.release', async (tx, { scope, body, now }) => {
    const { eventYearId: eventId, schCode, reason } = body
    await holdSchool(tx, scope, now, { eventId, schCode, reason })
  })

  write(app, deps, calls.unholdResults, 'office:results.release', async (tx, { scope, body, now }) => {
    const { eventYearId: eventId, schCode } = body
    const schoolId = await unholdSchool(tx, scope, now, { eventId, schCode })
    const set = await visibleAnnouncement(tx, now, eventId)
    if (set) await mailReleased(tx, now, deps.settings.publicUrl, set, [schoolId])
  })
}

/** Routes for an event's rules with versions, and for trials. */
function whatIfRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, rulesOfEvent, 'office:catalogue.read', ({ scope, query }) =>
    rulesHistory(db, scope, query.eventYearId),
  )

  write(app, deps, tryRules, 'office:catalogue.rules', async (tx, { scope, body, now }) => {
    const jobId = await startTrial(tx, scope, now, body)
    return { jobId }
  })

  serve(app, deps, whatIfState, 'office:catalogue.rules', async ({ scope, query }) => {
    const job = await jobOfKind(db, whatIfKind, query.jobId)
    const { id, kind, state, done, total, error } = job
    return {
      job: { jobId: id, kind, state, done, total, error },
      events: await whatIfOutcomes(db, scope, job),
    }
  })
}

/** Routes for decisions outside a version's usual steps: differing papers, and corrections after the release. */
function resultCorrectionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  write(app, deps, correctResults, 'office:results.import', async (tx, { scope, body, now }) => {
    const { eventYearId: eventId, reason, rows } = body
    return startCorrection(tx, scope, now, { eventId, reason, rows })
  })

  serve(app, deps, resultOnRecord, 'office:results.read', ({ scope, query, now }) =>
    recordedResult(db, scope, now, query),
  )

  command(app, deps, correctMarksRow, 'office:results.import', correctRow)

  serve(app, deps, searchCandidates, 'office:results.read', ({ scope, query }) =>
    candidatesLike(db, scope, query),
  )

  serve(app, deps, calls.resultPapers, 'office:results.read', ({ scope, query }) =>
    papersOf(db, scope, query.setId),
  )

  command(app, deps, calls.decidePapers, 'office:results.import', decideOnPapers)

  serve(app, deps, officeResultChanges, 'office:results.read', ({ scope, query }) =>
    officeChanges(db, scope, query),
  )

  serve(app, deps, resultCorrections, 'school', async ({ scope, query, now }) => ({
    data: await correctionsOf(db, scope, now, query.eventYearId),
  }))
}
