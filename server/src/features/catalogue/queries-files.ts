import type { ClassFees, OfficeEventRow } from '@podium/contract/catalogue/calls-events'
import {
  type EventFilters,
  eventFits,
  type ListFilters,
  listed,
} from '@podium/contract/catalogue/calls-files'
import type { ListEntry, ListKind } from '@podium/contract/catalogue/calls-lists'
import { className } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { catalogueEvents, pricesInOrder } from './events/queries.ts'
import { officeList } from './lists/queries.ts'

/** The entries of a list that the filters leave. */
export async function listForFile(
  tx: Tx,
  scope: OfficeScope,
  kind: ListKind,
  wanted: ListFilters,
): Promise<ListEntry[]> {
  return listed(await officeList(tx, scope, kind), wanted)
}

export type PricedClass = ClassFees & { className: string }

/** The events of a season that the filters leave, each with its prices by class in the order of the classes. */
export async function pricesForFile(
  tx: Tx,
  scope: OfficeScope,
  season: Season,
  wanted: EventFilters,
): Promise<Array<OfficeEventRow & { prices: PricedClass[] }>> {
  const events = (await catalogueEvents(tx, scope, season)).filter((event) => eventFits(event, wanted))
  const found = []
  for (const event of events) {
    const prices = await pricesInOrder(tx, event.eventYearId)
    found.push({ ...event, prices: prices.map((row) => ({ ...row, className: className(row.classId) })) })
  }
  return found
}
