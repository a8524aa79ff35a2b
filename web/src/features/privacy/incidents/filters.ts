import { incidentSorts, natures, personStatuses } from '@podium/contract/privacy/calls-incidents'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which breaches the register shows. */
export const incidentFilters = defineFilters({
  state: choiceFilter(['open', 'closed', 'all'] as const, 'open'),
  nature: choiceFilter(['', ...natures] as const, ''),
  search: textFilter(),
  sort: choiceFilter(incidentSorts, 'newest'),
  page: numberFilter(1),
})

/** Which of those affected the page of a breach shows. */
export const peopleFilters = defineFilters({
  standing: choiceFilter(personStatuses, ''),
  search: textFilter(),
  page: numberFilter(1),
})
