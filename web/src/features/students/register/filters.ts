import { studentFees, studentSorts, studentStatuses } from '@podium/contract/students/calls-register'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** What the register of students shows; `seasons` is '' for the header's season. */
export const studentListFilters = defineFilters({
  search: textFilter(),
  school: textFilter(),
  classId: textFilter(),
  subject: textFilter(),
  fee: choiceFilter(['', ...studentFees] as const, ''),
  standing: choiceFilter(studentStatuses, 'active'),
  seasons: choiceFilter(['', 'all'] as const, ''),
  sort: choiceFilter(studentSorts, 'name'),
  page: numberFilter(1),
})
