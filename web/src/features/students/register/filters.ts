import { studentFees, studentSorts, studentStatuses } from '@podium/contract/students/calls-register'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The filters of the office's student register; `seasons` is '' for the season in the header. */
export const studentListFilters = defineFilters({
  search: textFilter(),
  school: textFilter(),
  classId: textFilter(),
  subject: textFilter(),
  fee: choiceFilter(['', ...studentFees] as const, ''),
  status: choiceFilter(studentStatuses, 'active'),
  seasons: choiceFilter(['', 'all'] as const, ''),
  sort: choiceFilter(studentSorts, 'name'),
  page: numberFilter(1),
})
