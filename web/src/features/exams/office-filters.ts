import { paperKinds } from '@podium/contract/exams/calls-attendance'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Whose schedule: an online olympiad by its id. */
export const scheduleFilters = defineFilters({ event: numberFilter(0) })

/** Which olympiad's papers, of which schools. */
export const paperFilters = defineFilters({
  event: numberFilter(0),
  kind: choiceFilter(paperKinds, 'attendance'),
  search: textFilter(),
  state: textFilter(),
  classId: textFilter(),
  page: numberFilter(1),
})
