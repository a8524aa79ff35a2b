import { noticeStates } from '@podium/contract/notices/calls'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The filters of the office's notices. */
export const noticeFilters = defineFilters({
  state: choiceFilter(noticeStates, 'live'),
  search: textFilter(),
  page: numberFilter(1),
})
