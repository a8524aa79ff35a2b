import { incidentNatures, incidentSorts, personStatuses } from '@podium/contract/privacy/calls-incidents'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The filters of the requests about children's data. */
export const requestFilters = defineFilters({
  state: choiceFilter(['open', 'over', 'all'] as const, 'open'),
  kind: choiceFilter(['', 'export', 'erase', 'correct'] as const, ''),
  student: textFilter(),
  search: textFilter(),
  page: numberFilter(1),
})

/** The filters of the register of breaches. */
export const incidentFilters = defineFilters({
  state: choiceFilter(['open', 'closed', 'all'] as const, 'open'),
  nature: choiceFilter(['', ...incidentNatures] as const, ''),
  search: textFilter(),
  sort: choiceFilter(incidentSorts, 'newest'),
  page: numberFilter(1),
})

/** The filters of the people affected by a breach. */
export const peopleFilters = defineFilters({
  status: choiceFilter(personStatuses, ''),
  search: textFilter(),
  page: numberFilter(1),
})
