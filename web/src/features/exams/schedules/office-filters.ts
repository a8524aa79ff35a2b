import { defineFilters, numberFilter } from '#shell/filters.ts'

/** Whose schedule: an online olympiad by its id. */
export const scheduleFilters = defineFilters({ event: numberFilter(0) })
