import { paperKinds } from '@podium/contract/exams/calls-attendance'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The online olympiad whose schedule is shown, by id. */
export const scheduleFilters = defineFilters({ event: numberFilter(0) })

/** Which papers, of which olympiad and schools. */
export const paperFilters = defineFilters({
  event: numberFilter(0),
  kind: choiceFilter(paperKinds, 'attendance'),
  search: textFilter(),
  state: textFilter(),
  classId: textFilter(),
  page: numberFilter(1),
})
