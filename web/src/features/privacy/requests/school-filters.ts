import { defineFilters, numberFilter } from '#shell/filters.ts'

export const askFilters = defineFilters({ page: numberFilter(1) })
