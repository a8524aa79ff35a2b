import { hindiNames } from '@podium/contract/catalogue/calls'
import { addEvent, subjectsToAdd } from '@podium/contract/catalogue/calls-add'
import {
  catalogueEvent,
  catalogueEvents,
  feesEffect,
  saveCatalogueEvent,
  saveFees,
} from '@podium/contract/catalogue/calls-events'
import { exportList, exportPrices } from '@podium/contract/catalogue/calls-files'
import { saveLateFee } from '@podium/contract/catalogue/calls-late-fees'
import { officeList, orderList, saveListEntry, switchListEntry } from '@podium/contract/catalogue/calls-lists'
import {
  deleteSeason,
  officeSeasons,
  openingPlan,
  openSeason,
  saveSeason,
  setSeasonState,
} from '@podium/contract/catalogue/calls-seasons'
import { saveResultRules } from '@podium/contract/results/calls-office'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { listFile, pricesFile } from './documents.ts'
import {
  feesEffect as effectOfFees,
  addEvent as putEvent,
  saveEvent,
  saveFees as writeFees,
} from './events/commands.ts'
import { saveRules } from './events/commands-rules.ts'
import {
  catalogueEvents as listEvents,
  subjectsToAdd as listSubjects,
  catalogueEvent as readEvent,
} from './events/queries.ts'
import { saveLateFee as writeLateFee } from './fees/commands-late.ts'
import { orderEntries, saveEntry, switchEntry } from './lists/commands.ts'
import { officeList as readList, hindiNames as readNames } from './lists/queries.ts'
import { listForFile, pricesForFile } from './queries.ts'
import {
  openSeason as makeSeason,
  deleteSeason as removeSeason,
  setSeasonState as switchSeason,
  saveSeason as writeSeason,
} from './seasons/commands.ts'
import {
  allowances,
  officeSeasons as listSeasons,
  nextSeason,
  openingPlan as planOf,
} from './seasons/queries.ts'

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

  write(app, deps, openSeason, 'office:catalogue.write', (tx, { scope, body, now }) =>
    makeSeason(tx, scope, now, body),
  )

  write(app, deps, saveSeason, 'office:catalogue.write', (tx, { scope, body, now }) =>
    writeSeason(tx, scope, now, body),
  )

  write(app, deps, setSeasonState, 'office:catalogue.write', (tx, { scope, body, now }) =>
    switchSeason(tx, scope, now, body),
  )

  write(app, deps, deleteSeason, 'office:catalogue.write', (tx, { scope, body, now }) =>
    removeSeason(tx, scope, now, body),
  )

  serve(app, deps, catalogueEvents, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await listEvents(db, scope, query.FYear),
  }))

  serve(app, deps, catalogueEvent, 'office:catalogue.read', ({ scope, query }) =>
    readEvent(db, scope, query.eventYearId),
  )

  serve(app, deps, subjectsToAdd, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await listSubjects(db, scope, query.FYear),
  }))

  write(app, deps, addEvent, 'office:catalogue.write', (tx, { scope, body, now }) =>
    putEvent(tx, scope, now, body),
  )

  write(app, deps, saveCatalogueEvent, 'office:catalogue.write', (tx, { scope, body, now }) =>
    saveEvent(tx, scope, now, body),
  )

  write(app, deps, saveResultRules, 'office:catalogue.rules', async (tx, { scope, body, now }) => {
    const { eventYearId: eventId, rulesVersion, rules, note } = body
    return { rulesVersion: await saveRules(tx, scope, now, { eventId, rulesVersion, rules, note }) }
  })

  serve(app, deps, feesEffect, 'office:catalogue.read', ({ scope, body }) => effectOfFees(db, scope, body))

  write(app, deps, saveFees, 'office:catalogue.write', (tx, { scope, body, now }) =>
    writeFees(tx, scope, now, body),
  )

  write(app, deps, saveLateFee, 'office:catalogue.write', (tx, { scope, body, now }) =>
    writeLateFee(tx, scope, now, body),
  )
}

/** The lists that forms choose from, in the office; they and a season's prices as files. */
function officeListRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, hindiNames, 'public', async () => ({ names: await readNames(db) }))

  serve(app, deps, officeList, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await readList(db, scope, query.kind),
    can: { write: allowances(scope).write },
  }))

  write(app, deps, saveListEntry, 'office:catalogue.write', (tx, { scope, body, now }) =>
    saveEntry(tx, scope, now, body),
  )

  write(app, deps, switchListEntry, 'office:catalogue.write', (tx, { scope, body, now }) =>
    switchEntry(tx, scope, now, body),
  )

  write(app, deps, orderList, 'office:catalogue.write', (tx, { scope, body, now }) =>
    orderEntries(tx, scope, now, body),
  )

  serve(app, deps, exportList, 'office:catalogue.read', async ({ scope, body, now }) => {
    const { kind, format, ...filters } = body
    const entries = await db.transaction().execute(async (tx) => {
      const found = await listForFile(tx, scope, kind, filters)
      const subject = { kind: 'list_entry', id: kind }
      await audit(tx, now, scope, 'list.exported', subject, { format, entries: found.length, filters })
      return found
    })
    return { file: listFile(kind, entries, format) }
  })

  serve(app, deps, exportPrices, 'office:catalogue.read', async ({ scope, body, now }) => {
    const { FYear, format, ...filters } = body
    const events = await db.transaction().execute(async (tx) => {
      const found = await pricesForFile(tx, scope, FYear, filters)
      const subject = { kind: 'season', id: FYear, season: FYear }
      await audit(tx, now, scope, 'season.prices_exported', subject, {
        format,
        events: found.length,
        filters,
      })
      return found
    })
    return { file: pricesFile(FYear, events, format) }
  })
}
