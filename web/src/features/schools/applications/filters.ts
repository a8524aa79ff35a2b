import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

export const reviewStates = ['submitted', 'asked', 'approved', 'rejected'] as const

/** The queue in its address; `id` is the application that is open, 0 the first of the list. */
export const applicationFilters = defineFilters({
  state: choiceFilter(reviewStates, 'submitted'),
  search: textFilter(),
  assigned: textFilter(),
  page: numberFilter(1),
  id: numberFilter(0),
})
