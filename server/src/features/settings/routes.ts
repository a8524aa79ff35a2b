import {
  foundationSettings,
  officeJobs,
  saveFoundation as save,
  stopJob as stop,
} from '@podium/contract/settings'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { saveFoundation, stopJob } from './commands.ts'
import { allJobs, foundationAsSet } from './queries.ts'

/** The foundation's name and reach, and the long work of all features. */
export function settingsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, foundationSettings, 'office:signed-in', ({ scope }) => foundationAsSet(db, scope))

  serve(app, deps, save, 'office:settings.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => saveFoundation(tx, scope, now, body))
    return {}
  })

  serve(app, deps, officeJobs, 'office:jobs.read', ({ scope, query }) => allJobs(db, scope, query))

  serve(app, deps, stop, 'office:jobs.cancel', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => stopJob(tx, scope, now, body.id))
    return {}
  })
}
