import type { IncidentRow } from '@podium/contract/privacy/calls-incidents'
import * as contract from '@podium/contract/privacy/calls-incidents'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { command, serve, write } from '#platform/http/http'
import { dayCell, type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import * as commands from './commands.ts'
import { allIncidents, findAffected, incidentOf, listIncidents, momentText, peopleOf } from './queries.ts'

const natureNames = {
  disclosed: 'Seen by the wrong people',
  changed: 'It was changed and is wrong',
  lost: 'It is lost',
  unavailable: 'It could not be reached',
} as const

const columns: readonly ListColumn<IncidentRow>[] = [
  { title: 'No.', kind: 'number', value: (row) => row.id },
  { title: 'Incident', width: 40, value: (row) => row.title },
  { title: 'Nature', width: 32, value: (row) => natureNames[row.nature] },
  { title: 'Found', width: 22, value: (row) => momentText(row.foundAt) },
  { title: 'Status', value: (row) => (row.state === 'open' ? 'Open' : 'Closed') },
  { title: 'Children', kind: 'number', value: (row) => row.children },
  { title: 'School staff', kind: 'number', value: (row) => row.people },
  { title: 'Notified', kind: 'number', value: (row) => row.notified },
  { title: 'Opened by', width: 24, value: (row) => row.openedBy },
  { title: 'Closed on', kind: 'date', value: (row) => dayCell(row.closedAt) },
]

/** Routes for personal data breaches: what happened, who is affected, and their e-mail. */
export function incidentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, contract.incidentList, 'office:incidents.read', ({ scope, query }) =>
    listIncidents(db, scope, query),
  )

  write(app, deps, contract.exportIncidents, 'office:incidents.read', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const incidents = await allIncidents(tx, scope, filters)
    const change = { format, incidents: incidents.length, filters }
    await audit(tx, now, scope, 'incident.exported', { kind: 'incident', id: 'all' }, change)
    return { file: sheetFile('Incidents', columns, incidents, format) }
  })

  serve(app, deps, contract.incidentDetails, 'office:incidents.read', async ({ scope, query }) => ({
    incident: await incidentOf(db, scope, query.id),
  }))

  write(app, deps, contract.openIncident, 'office:incidents.write', async (tx, { scope, body, now }) => ({
    id: await commands.openIncident(tx, scope, now, body),
  }))

  command(app, deps, contract.changeIncident, 'office:incidents.write', commands.changeIncident)
  command(app, deps, contract.noteIncident, 'office:incidents.write', commands.noteIncident)
  command(app, deps, contract.closeIncident, 'office:incidents.decide', commands.closeIncident)
  command(app, deps, contract.reopenIncident, 'office:incidents.decide', commands.reopenIncident)

  peopleRoutes(app, deps)
}

function peopleRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, contract.incidentPeople, 'office:incidents.read', ({ scope, query }) =>
    peopleOf(db, scope, query),
  )

  serve(app, deps, contract.findAffected, 'office:incidents.write', ({ body }) =>
    findAffected(db, body.id, body.who),
  )

  write(app, deps, contract.addAffected, 'office:incidents.write', async (tx, { scope, body, now }) => ({
    added: await commands.addAffected(tx, scope, now, body),
  }))

  write(app, deps, contract.removeAffected, 'office:incidents.write', async (tx, { scope, body, now }) => ({
    removed: await commands.removeAffected(tx, scope, now, body),
  }))

  write(
    app,
    deps,
    contract.markNotifiedOtherwise,
    'office:incidents.write',
    async (tx, { scope, body, now }) => ({ notified: await commands.markNotified(tx, scope, now, body) }),
  )

  command(app, deps, contract.saveIncidentMail, 'office:incidents.write', commands.saveMail)
  command(app, deps, contract.sendIncidentMail, 'office:incidents.decide', commands.sendMail)
}
