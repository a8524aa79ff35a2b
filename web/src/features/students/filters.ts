import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The filters of the students' list, kept in the URL. */
export const studentFilters = defineFilters({
  name: textFilter(),
  /** 0 for all */
  classId: numberFilter(0),
  section: textFilter(),
  subject: textFilter(),
  state: choiceFilter(['unpaid', 'locked', 'paid', 'deleted', ''], ''),
  page: numberFilter(1),
})

const importSteps = ['', 'columns', 'faults', 'questions', 'outcome'] as const

/** Which import the import page shows, and at which step; kept in the URL. */
export const importFilters = defineFilters({ import: textFilter(), step: choiceFilter(importSteps, '') })
