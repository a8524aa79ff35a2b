import { addEvent, subjectsToAdd } from '@podium/contract/catalogue/calls-add'
import {
  catalogueEvent,
  catalogueEvents,
  feesEffect,
  saveCatalogueEvent,
  saveFees,
} from '@podium/contract/catalogue/calls-events'
import { saveLateFee } from '@podium/contract/catalogue/calls-late-fees'
import {
  officeSeasons,
  openingPlan,
  openSeason,
  saveSeason,
  setSeasonState,
} from '@podium/contract/catalogue/calls-seasons'
import type { FastifyInstance } from 'fastify'
import { saveRules } from '#features/results/commands'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { feesEffect as effectOfFees, saveEvent, saveFees as writeFees } from './events/commands.ts'
import { addEvent as putEvent } from './events/commands-add.ts'
import { catalogueEvents as listEvents, catalogueEvent as readEvent } from './events/queries.ts'
import { subjectsToAdd as listSubjects } from './events/queries-add.ts'
import { saveLateFee as writeLateFee } from './fees/commands-late.ts'
import { officeListRoutes } from './lists/routes.ts'
import { setSeasonState as switchSeason, saveSeason as writeSeason } from './seasons/commands.ts'
import { openSeason as makeSeason } from './seasons/commands-open.ts'
import { allowances, officeSeasons as listSeasons, nextSeason } from './seasons/queries.ts'
import { openingPlan as planOf } from './seasons/queries-plan.ts'

/** Seasons, events and prices in the office. */
export function officeCatalogueRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  officeListRoutes(app, deps)
  serve(app, deps, officeSeasons, 'office:catalogue.read', async ({ scope, now }) => {
    const data = await listSeasons(db, scope)
    const next = nextSeason(
      data.map(({ FYear }) => FYear),
      now,
    )
    return { data, next, can: allowances(scope) }
  })

  serve(app, deps, openingPlan, 'office:catalogue.read', ({ scope, query }) => planOf(db, scope, query.from))

  serve(app, deps, openSeason, 'office:catalogue.write', ({ scope, body, now }) =>
    db.transaction().execute((tx) => makeSeason(tx, scope, now, body)),
  )

  serve(app, deps, saveSeason, 'office:catalogue.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => writeSeason(tx, scope, now, body))
    return {}
  })

  serve(app, deps, setSeasonState, 'office:catalogue.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => switchSeason(tx, scope, now, body))
    return {}
  })

  serve(app, deps, catalogueEvents, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await listEvents(db, scope, query.FYear),
  }))

  serve(app, deps, catalogueEvent, 'office:catalogue.read', ({ scope, query }) =>
    readEvent(db, scope, query.eventYearId),
  )

  serve(app, deps, subjectsToAdd, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await listSubjects(db, scope, query.FYear),
  }))

  serve(app, deps, addEvent, 'office:catalogue.write', ({ scope, body, now }) =>
    db.transaction().execute((tx) => putEvent(tx, scope, now, body)),
  )

  serve(app, deps, saveCatalogueEvent, 'office:catalogue.write', async ({ scope, body, now }) => {
    await db.transaction().execute(async (tx) => {
      const following = await saveEvent(tx, scope, now, body)
      if (following) await saveRules(tx, scope, now, { ...following, note: 'The sections have changed.' })
    })
    return {}
  })

  serve(app, deps, feesEffect, 'office:catalogue.read', ({ scope, body }) => effectOfFees(db, scope, body))

  serve(app, deps, saveFees, 'office:catalogue.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => writeFees(tx, scope, now, body))
    return {}
  })

  serve(app, deps, saveLateFee, 'office:catalogue.write', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => writeLateFee(tx, scope, now, body))
    return {}
  })
}
