import { defineFilters, numberFilter } from '#shell/filters.ts'

/** Which page of the online exams is shown. */
export const scheduleFilters = defineFilters({ page: numberFilter(1) })
