import { choiceFilter, defineFilters, numberFilter } from '#shell/filters.ts'

/** Which waivers the office looks at. */
export const waiverFilters = defineFilters({
  state: choiceFilter(['asked', 'approved', 'declined'] as const, 'asked'),
  page: numberFilter(1),
})
