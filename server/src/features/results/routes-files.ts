import { exportAnomalies } from '@podium/contract/results/calls-anomalies'
import { exportResults, marksTemplate } from '@podium/contract/results/calls-files'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { ownSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { found } from '#platform/errors'
import { serve } from '#platform/http/http'
import { faultsFile, marksFile, resultsFile } from './documents.ts'
import { countAnomalies, everyAnomaly } from './marks/queries-anomalies.ts'
import { candidatesOf, countCandidates, marksEvent, marksOfSet } from './marks/queries-candidates.ts'
import { resultEventsOf, searchResults } from './queries.ts'

const actions = { 2: 'medal', 3: 'prize', 5: 'award' } as const

/** Results and marks as spreadsheets: what a school has filtered, and the empty file of marks of an event. */
export function resultFileRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, exportResults, 'school', async ({ scope, body, now }) => {
    ownSchool(scope, { schCode: body.schCode })
    const events = await resultEventsOf(db, scope, now, body.fyear)
    const event = found(events.find(({ eventYearId }) => eventYearId === body.eventYearId))
    const { data } = await searchResults(db, scope, now, {
      season: body.fyear,
      eventId: body.eventYearId,
      letter: body.eventLetter,
      level: body.examLevel,
      classId: body.classId,
      action: body.action ? actions[body.action] : undefined,
      offset: body.offset,
      limit: body.limit,
    })
    const about = {
      subjectName: event.subjectName,
      season: body.fyear,
      letterLeadsOn: event.leadsOn,
      level: body.examLevel,
    }
    return { file: resultsFile(data, about, body.format) }
  })

  serve(app, deps, exportAnomalies, 'office:results.read', async ({ scope, body, now }) => {
    const { setId, kind, open, format } = body
    const set = await marksOfSet(db, scope, setId)
    const subject = { kind: 'result_set', id: setId, season: set.season }
    await db.transaction().execute(async (tx) => {
      await audit(tx, now, scope, 'results.anomalies_exported', subject, { format, filters: { kind, open } })
      const lines = await countAnomalies(tx, scope, { setId, kind, open })
      await tellOfFile(tx, scope, now, 'faults of a file of marks', lines)
    })
    return { file: faultsFile(set, everyAnomaly(db, scope, { setId, kind, open }), format) }
  })

  serve(app, deps, marksTemplate, 'office:results.import', async ({ scope, query, now }) => {
    const { eventYearId: eventId, format } = query
    const event = await marksEvent(db, scope, eventId)
    await db.transaction().execute(async (tx) => {
      const students = await countCandidates(tx, scope, eventId)
      const subject = { kind: 'event', id: eventId, season: event.season }
      await audit(tx, now, scope, 'results.template_taken', subject, { format, students })
      await tellOfFile(tx, scope, now, 'the students of an exam, to enter marks', students)
    })
    return { file: marksFile(event, candidatesOf(db, scope, eventId), format) }
  })
}
