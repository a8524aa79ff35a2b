import { incidentSorts, natures, personStatuses } from '@podium/contract/privacy/calls-incidents'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which requests about children's data are shown. */
export const requestFilters = defineFilters({
  state: choiceFilter(['open', 'over', 'all'] as const, 'open'),
  kind: choiceFilter(['', 'export', 'erase', 'correct'] as const, ''),
  student: textFilter(),
  search: textFilter(),
  page: numberFilter(1),
})

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
