import { choiceFilter, defineFilters } from '#shell/filters.ts'

/** Which contacts the page shows; by default the active ones (specification, section 9). */
export const contactFilters = defineFilters({
  show: choiceFilter(['active', 'inactive', 'all'] as const, 'active'),
})
