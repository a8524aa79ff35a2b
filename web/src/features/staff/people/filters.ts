import { roles, staffStates } from '@podium/contract/staff/calls-people'
import { choiceFilter, defineFilters, textFilter } from '#shell/filters.ts'

/** The filters of the office's staff. */
export const peopleFilters = defineFilters({
  search: textFilter(),
  role: choiceFilter(['', ...roles] as const, ''),
  state: choiceFilter(['', ...staffStates] as const, ''),
})
