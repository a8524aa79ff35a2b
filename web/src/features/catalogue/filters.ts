import { listKinds } from '@podium/contract/catalogue-lists'
import { choiceFilter, defineFilters, textFilter } from '#shell/filters.ts'

/** The season whose events are shown; empty: the newest that schools see. */
export const seasonFilters = defineFilters({ season: textFilter() })

export const eventParts = ['exam', 'fees', 'rules'] as const
export type EventPart = (typeof eventParts)[number]
export const eventFilters = defineFilters({ part: choiceFilter(eventParts, 'exam') })

export const listFilters = defineFilters({
  list: choiceFilter(listKinds, 'designations'),
  search: textFilter(),
})
