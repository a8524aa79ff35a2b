import { noticeStates } from '@podium/contract/notices/calls'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which notices the office's list shows. */
export const noticeFilters = defineFilters({
  state: choiceFilter(noticeStates, 'live'),
  search: textFilter(),
  page: numberFilter(1),
})
