import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The search form of the four result pages; the query parameters are named as in the specification. */
export const resultFilters = defineFilters({
  examLevel: choiceFilter<'1' | '2'>(['1', '2'], '1'),
  FYear: textFilter(),
  eventYearId: numberFilter(0),
  classId: numberFilter(0),
  page: numberFilter(1),
})
