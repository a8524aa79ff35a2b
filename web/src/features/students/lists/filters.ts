import { defineFilters, textFilter } from '#shell/filters.ts'

/** The financial year of the final summary, in the address; the header's season where none is said. */
export const finalFilters = defineFilters({ FYear: textFilter() })
