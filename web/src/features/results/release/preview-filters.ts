import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The school whose pages are looked at, and which of them. */
export const previewFilters = defineFilters({
  search: textFilter(),
  school: textFilter(),
  list: choiceFilter<'all' | 'medal' | 'award' | 'prize'>(['all', 'medal', 'award', 'prize'], 'all'),
  classId: numberFilter(0),
  page: numberFilter(1),
})
