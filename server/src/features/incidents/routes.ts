import {
  changeIncident as change,
  closeIncident as close,
  exportIncidents,
  incidentFile,
  incidentList,
  noteIncidentReport,
  oneIncident,
  openIncident as open,
  reopenIncident as reopen,
} from '@podium/contract/incidents'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { letterhead } from '../foundation/queries.ts'
import {
  changeIncident,
  closeIncident,
  noteReport,
  openIncident,
  reopenIncident,
  subjectOf,
} from './commands.ts'
import { registerFile, reportFile } from './documents.ts'
import { allIncidents, incidentOf, listIncidents } from './queries.ts'
import { picksOf } from './queries-people.ts'
import { timelineOf } from './queries-timeline.ts'
import { incidentPeopleRoutes } from './routes-people.ts'

/** The register of breaches of personal data. */
export function incidentRoutes(app: FastifyInstance, deps: Deps): void {
  readingRoutes(app, deps)
  writingRoutes(app, deps)
  incidentPeopleRoutes(app, deps)
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps

  serve(app, deps, incidentList, 'office:incidents.read', ({ scope, query, now }) =>
    listIncidents(db, scope, now, query),
  )

  serve(app, deps, exportIncidents, 'office:incidents.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const rows = await db.transaction().execute(async (tx) => {
      const found = await allIncidents(tx, scope, now, filters)
      const told = { format, incidents: found.length, filters }
      await audit(tx, now, scope, 'incident.exported', { kind: 'incident', id: 'all' }, told)
      return found
    })
    return { file: registerFile(rows, format) }
  })

  serve(app, deps, oneIncident, 'office:incidents.read', async ({ scope, query, now }) => ({
    incident: await incidentOf(db, scope, now, query.id),
  }))

  serve(app, deps, incidentFile, 'office:incidents.read', async ({ scope, body, now }) => {
    const incident = await incidentOf(db, scope, now, body.id)
    const [picks, timeline] = await db.transaction().execute(async (tx) => {
      const told = { format: body.format }
      const read = [await picksOf(tx, body.id), await timelineOf(tx, body.id)] as const
      await audit(tx, now, scope, 'incident.file_taken', subjectOf(body.id), told)
      return read
    })
    const making = { foundation: await letterhead(db, files), createdAt: now }
    return { file: await reportFile({ incident, picks, timeline }, body.format, making) }
  })
}

function writingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, open, 'office:incidents.write', async ({ scope, body, now }) => ({
    id: await db.transaction().execute((tx) => openIncident(tx, scope, now, body)),
  }))

  serve(app, deps, change, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => changeIncident(tx, scope, now, body))
    return {}
  })

  serve(app, deps, noteIncidentReport, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => noteReport(tx, scope, now, body))
    return {}
  })

  serve(app, deps, close, 'office:incidents.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => closeIncident(tx, scope, now, body))
    return {}
  })

  serve(app, deps, reopen, 'office:incidents.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => reopenIncident(tx, scope, now, body))
    return {}
  })
}
