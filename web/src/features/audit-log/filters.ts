import { auditActors } from '@podium/contract/audit-log/calls'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The filters of the activity log. */
export const changeFilters = defineFilters({
  search: textFilter(),
  who: textFilter(),
  by: choiceFilter(['', ...auditActors] as const, ''),
  action: textFilter(),
  kind: textFilter(),
  record: textFilter(),
  school: textFilter(),
  from: textFilter(),
  until: textFilter(),
  page: numberFilter(1),
})
