import { defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The filters of the online exams, and the page. */
export const scheduleFilters = defineFilters({
  search: textFilter(),
  subject: textFilter(),
  page: numberFilter(1),
})
