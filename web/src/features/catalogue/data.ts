import { catalogueEvent, catalogueEvents } from '@podium/contract/catalogue/calls-events'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue/calls-seasons'
import { useParams } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { useEndpoint } from '#shell/query.ts'

/** Everything shown of seasons and events. */
export const shownOfCatalogue = [officeSeasons, openingPlan, catalogueEvents, catalogueEvent]

export type EventOne = Answer<typeof catalogueEvent>

/** The event that the address names. */
export function useEvent() {
  const params = useParams({ strict: false })
  const id = Number(params.eventYearId) || 0
  const one = useEndpoint(catalogueEvent, { query: { eventYearId: String(id) } })
  // Earlier data stays while the next loads: it is not the event that was asked for.
  const data = one.data?.event.eventYearId === id ? one.data : undefined
  return { one, data }
}
