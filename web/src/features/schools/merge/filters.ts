import { defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The other school of a merge, and what it is looked for by. */
export const mergeFilters = defineFilters({ other: numberFilter(0), search: textFilter() })
