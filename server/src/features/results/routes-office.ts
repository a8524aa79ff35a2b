import { resultAnomalies } from '@podium/contract/results/calls-anomalies'
import {
  holdResults,
  officeResultEvent,
  officeResultEvents,
  officeWhyResult,
  previewResults,
  resultHolds,
  resultsSummary,
  saveResultRules,
  unholdResults,
} from '@podium/contract/results/calls-office'
import { previewCorrections, previewSchools, schoolPreview } from '@podium/contract/results/calls-preview'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { saveRules } from './commands.ts'
import { anomaliesOf } from './marks/queries-anomalies.ts'
import { visibleAnnouncement } from './queries.ts'
import { officeEventOf, officeEvents } from './queries-office.ts'
import { holdSchool, unholdSchool } from './release/commands-holds.ts'
import { mailReleased, resultsPage } from './release/commands-mails.ts'
import { holdsOf, previewOf, summaryOf } from './release/queries-preview.ts'
import { previewCorrectionsOf, previewForSchool, previewSchoolsOf } from './release/queries-school-preview.ts'
import { whyForOffice } from './why/queries.ts'

/** What the office reads of results, and what it decides about an event as a whole: its rules, schools held back. */
export function officeResultRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, officeResultEvents, 'office:results.read', async ({ scope, query, now }) => ({
    data: await officeEvents(db, scope, now, query.season),
  }))

  serve(app, deps, officeResultEvent, 'office:results.read', ({ scope, query, now }) =>
    officeEventOf(db, scope, now, query.eventYearId),
  )

  serve(app, deps, resultAnomalies, 'office:results.read', ({ scope, query }) =>
    anomaliesOf(db, scope, {
      ...query,
      kind: query.kind,
      open: query.open === undefined ? undefined : query.open === 'true',
    }),
  )

  serve(app, deps, previewResults, 'office:results.read', ({ scope, query }) =>
    previewOf(db, scope, {
      ...query,
      schCode: query.schCode,
      classId: query.classId,
      action: query.action,
    }),
  )

  serve(app, deps, previewSchools, 'office:results.read', async ({ scope, query, now }) => ({
    data: await previewSchoolsOf(db, scope, now, query),
  }))

  serve(app, deps, schoolPreview, 'office:results.read', ({ scope, query, now }) =>
    previewForSchool(db, scope, now, { ...query, action: query.action }),
  )

  serve(app, deps, previewCorrections, 'office:results.read', async ({ scope, query, now }) => ({
    data: await previewCorrectionsOf(db, scope, now, query),
  }))

  serve(app, deps, resultsSummary, 'office:results.read', ({ scope, query }) =>
    summaryOf(db, scope, query.setId),
  )

  serve(app, deps, officeWhyResult, 'office:results.read', async ({ scope, query }) => ({
    why: await whyForOffice(db, scope, query.resultId),
  }))

  serve(app, deps, resultHolds, 'office:results.read', async ({ scope, query }) => ({
    data: await holdsOf(db, scope, query.eventYearId),
  }))

  serve(app, deps, saveResultRules, 'office:catalogue.rules', async ({ scope, body, now }) => {
    const { eventYearId: eventId, rulesVersion, rules, note } = body
    return {
      rulesVersion: await db
        .transaction()
        .execute((tx) => saveRules(tx, scope, now, { eventId, rulesVersion, rules, note })),
    }
  })

  serve(app, deps, holdResults, 'office:results.release', async ({ scope, body, now }) => {
    const { eventYearId: eventId, schCode, reason } = body
    await db.transaction().execute((tx) => holdSchool(tx, scope, now, { eventId, schCode, reason }))
    return {}
  })

  serve(app, deps, unholdResults, 'office:results.release', async ({ scope, body, now }) => {
    const { eventYearId: eventId, schCode } = body
    await db.transaction().execute(async (tx) => {
      const schoolId = await unholdSchool(tx, scope, now, { eventId, schCode })
      const set = await visibleAnnouncement(tx, now, eventId)
      if (set)
        await mailReleased(tx, now, { ...set, resultsPage: resultsPage(deps.settings.publicUrl) }, [schoolId])
    })
    deps.nudge()
    return {}
  })
}
