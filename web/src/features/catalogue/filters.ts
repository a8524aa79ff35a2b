import { eventModes, listKinds, listOffers, listSorts } from '@podium/contract/catalogue/calls-lists'
import { choiceFilter, defineFilters, textFilter } from '#shell/filters.ts'

/** The filters of the season's events. */
export const seasonFilters = defineFilters({ search: textFilter(), mode: choiceFilter(eventModes, '') })

export const eventParts = ['exam', 'fees', 'rules'] as const
export type EventPart = (typeof eventParts)[number]
export const eventFilters = defineFilters({ part: choiceFilter(eventParts, 'exam') })

export const listFilters = defineFilters({
  list: choiceFilter(listKinds, 'designations'),
  search: textFilter(),
  state: textFilter(),
  zone: textFilter(),
  offered: choiceFilter(listOffers, ''),
  sort: choiceFilter(listSorts, ''),
})
