import { hindiNames } from '@podium/contract/catalogue/calls'
import * as calls from '@podium/contract/catalogue/calls-events'
import {
  exportList,
  exportPrices,
  type ListEntry,
  type ListKind,
  officeList,
  orderList,
  saveListEntry,
  switchListEntry,
} from '@podium/contract/catalogue/calls-lists'
import { getCountry, getDistrict, getState } from '@podium/contract/catalogue/calls-places'
import {
  deleteSeason,
  firstSeason,
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
import { command, type FileAnswer, serve, write } from '#platform/http/http'
import { type ListColumn, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-write'
import { addEvent as putEvent, saveEvent, saveRules, saveFees as writeFees } from './events/commands.ts'
import {
  feesEffect as effectOfFees,
  catalogueEvents as listEvents,
  subjectsToAdd as listSubjects,
  catalogueEvent as readEvent,
} from './events/queries.ts'
import { orderEntries, saveEntry, switchEntry } from './lists/commands.ts'
import {
  listCountries,
  listDistricts,
  listStates,
  officeList as readList,
  hindiNames as readNames,
} from './lists/queries.ts'
import { listForFile, type PricedClass, pricesForFile } from './queries.ts'
import {
  makeFirstSeason,
  openSeason as makeSeason,
  deleteSeason as removeSeason,
  setSeasonState as switchSeason,
  saveLateFee as writeLateFee,
  saveSeason as writeSeason,
} from './seasons/commands.ts'
import {
  allowances,
  officeSeasons as listSeasons,
  nextSeason,
  openingPlan as planOf,
  withoutAccount,
} from './seasons/queries.ts'

export function placesRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, getCountry, 'public', async () => ({ data: await listCountries(deps.db) }))
  serve(app, deps, getState, 'public', async ({ query }) => ({
    data: await listStates(deps.db, query.countryId),
  }))
  serve(app, deps, getDistrict, 'public', async ({ query }) => ({
    data: await listDistricts(deps.db, query.state),
  }))
}

const extraColumns: Partial<Record<ListKind, readonly ListColumn<ListEntry>[]>> = {
  states: [
    { title: 'Code', value: ({ code }) => code },
    { title: 'Zone', value: ({ zone }) => zone },
  ],
  districts: [{ title: 'State', value: ({ state }) => state }],
  holidays: [{ title: 'Day', kind: 'date', value: ({ day }) => day }],
}
const users: Partial<Record<ListKind, string>> = {
  designations: 'Contacts',
  titles: 'Contacts',
  zones: 'States',
  states: 'Schools',
  districts: 'Schools',
}

/** A list of choices as a file, with the number of users of each entry. */
function listFile(kind: ListKind, entries: readonly ListEntry[], format: SheetFormat): FileAnswer['file'] {
  const used = users[kind]
  const columns: ListColumn<ListEntry>[] = [
    { title: 'Name', width: 32, value: ({ name }) => name },
    { title: 'Name in Hindi', width: 32, value: ({ nameHi }) => nameHi },
    ...(extraColumns[kind] ?? []),
    ...(used === undefined
      ? []
      : [{ title: used, kind: 'number' as const, value: (entry: ListEntry) => entry.used }]),
    { title: 'Offered', value: ({ active }) => (active ? 'Yes' : 'No') },
  ]
  return sheetFile(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, columns, entries, format)
}

/** An event, with its prices for a class if it has any. */
interface PriceRow {
  event: calls.OfficeEventRow
  price?: PricedClass
}

const priceColumns: readonly ListColumn<PriceRow>[] = [
  { title: 'Subject', width: 24, value: ({ event }) => event.subjectName },
  { title: 'Letter', value: ({ event }) => event.eventLetter },
  { title: 'Level', kind: 'number', value: ({ event }) => event.examLevel },
  { title: 'Mode', value: ({ event }) => event.examMode },
  { title: 'Entries close', kind: 'date', value: ({ event }) => event.closesOn },
  { title: 'First date', kind: 'date', value: ({ event }) => event.firstDate },
  { title: 'Second date', kind: 'date', value: ({ event }) => event.secondDate },
  { title: 'Maximum marks', kind: 'number', value: ({ event }) => event.maximumMarks },
  { title: 'Late fee from', kind: 'date', value: ({ event }) => event.lateFrom },
  { title: 'Late fee', kind: 'money', value: ({ event }) => (event.lateFrom === '' ? '' : event.lateFee) },
  { title: 'Class', value: ({ price }) => price?.className },
  { title: 'Fee', kind: 'money', value: ({ price }) => price?.fee },
  { title: 'School’s share', kind: 'money', value: ({ price }) => price?.retained },
  { title: 'Comprehensive Book', kind: 'money', value: ({ price }) => price?.cb },
  { title: 'Previous Test Paper', kind: 'money', value: ({ price }) => price?.pyqp },
  { title: 'Olympiad Excellence Guide', kind: 'money', value: ({ price }) => price?.geneX },
  { title: 'Text Book', kind: 'money', value: ({ price }) => price?.tb },
  { title: 'Work Book', kind: 'money', value: ({ price }) => price?.wb },
  { title: 'School’s share per book', kind: 'money', value: ({ price }) => price?.bookRetained },
]

/** Routes for the office's seasons, events and prices. */
export function officeCatalogueRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  officeListRoutes(app, deps)
  serve(app, deps, officeSeasons, 'office:catalogue.read', async ({ scope, now }) => {
    const data = await listSeasons(db, scope)
    const next = nextSeason(
      data.map(({ FYear }) => FYear),
      now,
    )
    return { data, next, noAccount: await withoutAccount(db), can: allowances(scope) }
  })

  serve(app, deps, openingPlan, 'office:catalogue.read', ({ scope, query }) => planOf(db, scope, query.from))

  command(app, deps, openSeason, 'office:catalogue.write', makeSeason)
  command(app, deps, firstSeason, 'office:catalogue.write', makeFirstSeason)
  command(app, deps, saveSeason, 'office:catalogue.write', writeSeason)
  command(app, deps, setSeasonState, 'office:catalogue.write', switchSeason)
  command(app, deps, deleteSeason, 'office:catalogue.write', removeSeason)

  serve(app, deps, calls.catalogueEvents, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await listEvents(db, scope, query.FYear),
  }))

  serve(app, deps, calls.catalogueEvent, 'office:catalogue.read', ({ scope, query }) =>
    readEvent(db, scope, query.eventYearId),
  )

  serve(app, deps, calls.subjectsToAdd, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await listSubjects(db, scope, query.FYear),
  }))

  command(app, deps, calls.addEvent, 'office:catalogue.write', putEvent)
  command(app, deps, calls.saveCatalogueEvent, 'office:catalogue.write', saveEvent)

  write(app, deps, saveResultRules, 'office:catalogue.rules', async (tx, { scope, body, now }) => {
    const { eventYearId: eventId, rulesVersion, rules, note } = body
    return { rulesVersion: await saveRules(tx, scope, now, { eventId, rulesVersion, rules, note }) }
  })

  serve(app, deps, calls.feesEffect, 'office:catalogue.read', ({ scope, body }) =>
    effectOfFees(db, scope, body),
  )

  command(app, deps, calls.saveFees, 'office:catalogue.write', writeFees)
  command(app, deps, calls.saveLateFee, 'office:catalogue.write', writeLateFee)
}

/** Routes for the office's lists of choices, and for exports of lists and prices. */
function officeListRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, hindiNames, 'public', async () => ({ names: await readNames(db) }))

  serve(app, deps, officeList, 'office:catalogue.read', async ({ scope, query }) => ({
    data: await readList(db, scope, query.kind),
    can: { write: allowances(scope).write },
  }))

  command(app, deps, saveListEntry, 'office:catalogue.write', saveEntry)
  command(app, deps, switchListEntry, 'office:catalogue.write', switchEntry)
  command(app, deps, orderList, 'office:catalogue.write', orderEntries)

  write(app, deps, exportList, 'office:catalogue.read', async (tx, { scope, body, now }) => {
    const { kind, format, ...filters } = body
    const entries = await listForFile(tx, scope, kind, filters)
    const subject = { kind: 'list_entry', id: kind }
    await audit(tx, now, scope, 'list.exported', subject, { format, entries: entries.length, filters })
    return { file: listFile(kind, entries, format) }
  })

  write(app, deps, exportPrices, 'office:catalogue.read', async (tx, { scope, body, now }) => {
    const { FYear, format, ...filters } = body
    const events = await pricesForFile(tx, scope, FYear, filters)
    const subject = { kind: 'season', id: FYear, season: FYear }
    const change = { format, events: events.length, filters }
    await audit(tx, now, scope, 'season.prices_exported', subject, change)
    const rows = events.flatMap(({ prices, ...event }): PriceRow[] =>
      prices.length === 0 ? [{ event }] : prices.map((price) => ({ event, price })),
    )
    return { file: sheetFile(`Prices ${FYear}`, priceColumns, rows, format) }
  })
}
