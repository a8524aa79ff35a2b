import {
  approveIncidentSending,
  askIncidentSending,
  incidentMails,
  noteToldOtherwise,
  saveIncidentWords,
  withdrawIncidentSending,
} from '@podium/contract/incidents-mails'
import {
  addPick as add,
  incidentActors,
  incidentPeople,
  previewPick,
  removePick as remove,
} from '@podium/contract/incidents-people'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { addPick, removePick } from './commands-people.ts'
import { approveSending, askSending, saveWords, withdrawSending } from './commands-send.ts'
import { noteTold } from './commands-told.ts'
import { previewMails } from './queries-mail.ts'
import { actorsLike, peopleOf } from './queries-people.ts'
import { previewOf } from './queries-pick.ts'

/** Who is affected by a breach, how they were found, and when they were told. */
export function incidentPeopleRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, incidentPeople, 'office:incidents.read', ({ scope, query }) => peopleOf(db, scope, query))

  serve(app, deps, incidentActors, 'office:incidents.write', async ({ scope, query }) => ({
    data: await actorsLike(db, scope, query.search),
  }))

  serve(app, deps, previewPick, 'office:incidents.write', ({ body }) => previewOf(db, body.id, body.pick))

  serve(app, deps, add, 'office:incidents.write', async ({ scope, body, now }) => ({
    added: await db.transaction().execute((tx) => addPick(tx, scope, now, body)),
  }))

  serve(app, deps, remove, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => removePick(tx, scope, now, body))
    return {}
  })

  serve(app, deps, noteToldOtherwise, 'office:incidents.write', async ({ scope, body, now }) => ({
    told: await db.transaction().execute((tx) => noteTold(tx, scope, now, body)),
  }))

  mailRoutes(app, deps)
}

function mailRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, incidentMails, 'office:incidents.read', async ({ scope, query }) => ({
    data: await previewMails(db, scope, query.id),
  }))

  serve(app, deps, saveIncidentWords, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => saveWords(tx, scope, now, body))
    return {}
  })

  serve(app, deps, askIncidentSending, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => askSending(tx, scope, now, body))
    return {}
  })

  serve(app, deps, withdrawIncidentSending, 'office:incidents.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => withdrawSending(tx, scope, now, body))
    return {}
  })

  serve(app, deps, approveIncidentSending, 'office:incidents.decide', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => approveSending(tx, scope, now, body))
    deps.nudge()
    return {}
  })
}
