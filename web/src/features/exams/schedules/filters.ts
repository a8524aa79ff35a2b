import { defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which of the online exams are shown, and which page of them. */
export const scheduleFilters = defineFilters({
  search: textFilter(),
  subject: textFilter(),
  page: numberFilter(1),
})
