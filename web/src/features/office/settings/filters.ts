import { jobStates } from '@podium/contract/office/calls-settings'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which long work is shown. */
export const jobFilters = defineFilters({
  state: choiceFilter(jobStates, 'open'),
  search: textFilter(),
  page: numberFilter(1),
})
