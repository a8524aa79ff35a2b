import { noteToldOtherwise } from '@podium/contract/incidents-mails'
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
import { noteTold } from './commands-told.ts'
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
}
