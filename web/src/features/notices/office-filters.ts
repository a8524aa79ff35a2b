import { noticeStates } from '@podium/contract/notices'
import { choiceFilter, defineFilters, numberFilter } from '#shell/filters.ts'

/** Which notices the office's list shows. */
export const noticeFilters = defineFilters({
  state: choiceFilter(noticeStates, 'live'),
  page: numberFilter(1),
})
