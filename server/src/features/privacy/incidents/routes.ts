import type { IncidentRow } from '@podium/contract/privacy/calls-incidents'
import * as contract from '@podium/contract/privacy/calls-incidents'
import { istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { command, type FileAnswer, serve, write } from '#platform/http/http'
import {
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import {
  addAffected,
  changeIncident,
  closeIncident,
  markNotified,
  noteIncident,
  openIncident,
  removeAffected,
  reopenIncident,
  saveMail,
  sendMail,
} from './commands.ts'
import { allIncidents, findAffected, incidentOf, listIncidents, momentText, peopleOf } from './queries.ts'

const natureNames = {
  disclosed: 'Seen by the wrong people',
  changed: 'It was changed and is wrong',
  lost: 'It is lost',
  unavailable: 'It could not be reached',
} as const

const columns: readonly SheetColumn[] = [
  { title: 'No.', kind: 'number' },
  { title: 'Incident', width: 40 },
  { title: 'Nature', width: 32 },
  { title: 'Found', width: 22 },
  { title: 'State' },
  { title: 'Children', kind: 'number' },
  { title: 'School staff', kind: 'number' },
  { title: 'Notified', kind: 'number' },
  { title: 'Opened by', width: 24 },
  { title: 'Closed on', kind: 'date' },
]

/** The register as a file. */
function registerFile(rows: readonly IncidentRow[], format: SheetFormat): FileAnswer['file'] {
  const cells = rows.map((row): SheetValue[] => [
    ...[row.id, row.title, natureNames[row.nature], momentText(row.foundAt), row.state],
    ...[row.children, row.people, row.told, row.openedBy],
    row.closedAt === null ? '' : istDay(new Date(row.closedAt)),
  ])
  return sheetFile('Incidents', columns, cells, format)
}

/** Routes for personal data breaches: what happened, who is affected, and their e-mail. */
export function incidentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, contract.incidentList, 'office:incidents.read', ({ scope, query }) =>
    listIncidents(db, scope, query),
  )

  serve(app, deps, contract.exportIncidents, 'office:incidents.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const rows = await db.transaction().execute(async (tx) => {
      const found = await allIncidents(tx, scope, filters)
      const change = { format, incidents: found.length, filters }
      await audit(tx, now, scope, 'incident.exported', { kind: 'incident', id: 'all' }, change)
      return found
    })
    return { file: registerFile(rows, format) }
  })

  serve(app, deps, contract.incidentDetails, 'office:incidents.read', async ({ scope, query }) => ({
    incident: await incidentOf(db, scope, query.id),
  }))

  write(app, deps, contract.openIncident, 'office:incidents.write', async (tx, { scope, body, now }) => ({
    id: await openIncident(tx, scope, now, body),
  }))

  command(app, deps, contract.changeIncident, 'office:incidents.write', changeIncident)
  command(app, deps, contract.noteIncident, 'office:incidents.write', noteIncident)
  command(app, deps, contract.closeIncident, 'office:incidents.decide', closeIncident)
  command(app, deps, contract.reopenIncident, 'office:incidents.decide', reopenIncident)

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
    added: await addAffected(tx, scope, now, body),
  }))

  write(app, deps, contract.removeAffected, 'office:incidents.write', async (tx, { scope, body, now }) => ({
    removed: await removeAffected(tx, scope, now, body),
  }))

  write(
    app,
    deps,
    contract.markNotifiedOtherwise,
    'office:incidents.write',
    async (tx, { scope, body, now }) => ({ told: await markNotified(tx, scope, now, body) }),
  )

  command(app, deps, contract.saveIncidentMail, 'office:incidents.write', saveMail)
  command(app, deps, contract.sendIncidentMail, 'office:incidents.decide', sendMail)
}
