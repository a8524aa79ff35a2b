import * as contract from '@podium/contract/privacy/calls-incidents'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
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
import { registerFile } from './documents.ts'
import { allIncidents, incidentOf, listIncidents } from './queries.ts'
import { findAffected, peopleOf } from './queries-people.ts'

/** The register of breaches of personal data: what happened, who is affected, and the mail that tells them. */
export function incidentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, contract.incidentList, 'office:incidents.read', ({ scope, query }) =>
    listIncidents(db, scope, query),
  )

  serve(app, deps, contract.exportIncidents, 'office:incidents.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const rows = await db.transaction().execute(async (tx) => {
      const found = await allIncidents(tx, scope, filters)
      const told = { format, incidents: found.length, filters }
      await audit(tx, now, scope, 'incident.exported', { kind: 'incident', id: 'all' }, told)
      return found
    })
    return { file: registerFile(rows, format) }
  })

  serve(app, deps, contract.oneIncident, 'office:incidents.read', async ({ scope, query }) => ({
    incident: await incidentOf(db, scope, query.id),
  }))

  write(app, deps, contract.openIncident, 'office:incidents.write', async (tx, { scope, body, now }) => ({
    id: await openIncident(tx, scope, now, body),
  }))

  write(app, deps, contract.changeIncident, 'office:incidents.write', (tx, { scope, body, now }) =>
    changeIncident(tx, scope, now, body),
  )

  write(app, deps, contract.noteIncident, 'office:incidents.write', (tx, { scope, body, now }) =>
    noteIncident(tx, scope, now, body),
  )

  write(app, deps, contract.closeIncident, 'office:incidents.decide', (tx, { scope, body, now }) =>
    closeIncident(tx, scope, now, body),
  )

  write(app, deps, contract.reopenIncident, 'office:incidents.decide', (tx, { scope, body, now }) =>
    reopenIncident(tx, scope, now, body),
  )

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

  write(app, deps, contract.saveIncidentMail, 'office:incidents.write', (tx, { scope, body, now }) =>
    saveMail(tx, scope, now, body),
  )

  write(app, deps, contract.sendIncidentMail, 'office:incidents.decide', (tx, { scope, body, now }) =>
    sendMail(tx, scope, now, body),
  )
}
