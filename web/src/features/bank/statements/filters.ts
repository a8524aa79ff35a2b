import { bankViews } from '@podium/contract/bank/calls'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which lines are shown, and which one is open. */
export const bankFilters = defineFilters({
  /** The first state that holds lines unless chosen */
  state: choiceFilter(['first', ...bankViews] as const, 'first'),
  search: textFilter(),
  statement: numberFilter(0),
  assigned: textFilter(),
  page: numberFilter(1),
  id: numberFilter(0),
})
