import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which requests about children's data are shown. */
export const requestFilters = defineFilters({
  state: choiceFilter(['open', 'over', 'all'] as const, 'open'),
  kind: choiceFilter(['', 'export', 'erase', 'correct'] as const, ''),
  student: textFilter(),
  search: textFilter(),
  page: numberFilter(1),
})
