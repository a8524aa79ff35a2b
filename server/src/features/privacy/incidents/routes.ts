import * as contract from '@podium/contract/privacy/calls-incidents'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
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

  serve(app, deps, contract.openIncident, 'office:incidents.write', async ({ scope, body, now }) => ({
    id: await db.transaction().execute((tx) => openIncident(tx, scope, now, body)),
  }))

  serve(app, deps, contract.changeIncident, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => changeIncident(tx, scope, now, body))
    return {}
  })

  serve(app, deps, contract.noteIncident, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => noteIncident(tx, scope, now, body))
    return {}
  })

  serve(app, deps, contract.closeIncident, 'office:incidents.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => closeIncident(tx, scope, now, body))
    return {}
  })

  serve(app, deps, contract.reopenIncident, 'office:incidents.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => reopenIncident(tx, scope, now, body))
    return {}
  })

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

  serve(app, deps, contract.addAffected, 'office:incidents.write', async ({ scope, body, now }) => ({
    added: await db.transaction().execute((tx) => addAffected(tx, scope, now, body)),
  }))

  serve(app, deps, contract.removeAffected, 'office:incidents.write', async ({ scope, body, now }) => ({
    removed: await db.transaction().execute((tx) => removeAffected(tx, scope, now, body)),
  }))

  serve(
    app,
    deps,
    contract.markNotifiedOtherwise,
    'office:incidents.write',
    async ({ scope, body, now }) => ({
      told: await db.transaction().execute((tx) => markNotified(tx, scope, now, body)),
    }),
  )

  serve(app, deps, contract.saveIncidentMail, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => saveMail(tx, scope, now, body))
    return {}
  })

  serve(app, deps, contract.sendIncidentMail, 'office:incidents.decide', async ({ scope, body, now }) => {
    const sent = await db.transaction().execute((tx) => sendMail(tx, scope, now, body))
    deps.nudge()
    return sent
  })
}
