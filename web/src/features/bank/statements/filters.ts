import { bankViews } from '@podium/contract/bank/calls'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Filters of the lines, and the open line. */
export const bankFilters = defineFilters({
  /** `first`: the first state that has lines */
  state: choiceFilter(['first', ...bankViews] as const, 'first'),
  search: textFilter(),
  statement: numberFilter(0),
  assigned: textFilter(),
  page: numberFilter(1),
  id: numberFilter(0),
})
