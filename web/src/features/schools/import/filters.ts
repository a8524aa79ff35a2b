import { importRowStates } from '@podium/contract/schools/calls-import'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which file of schools is open, and which of its rows are shown. */
export const importFilters = defineFilters({
  file: textFilter(),
  state: choiceFilter(importRowStates, 'new'),
  page: numberFilter(1),
})
