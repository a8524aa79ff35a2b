import { bookKinds } from '@podium/contract/classes'
import { orderStatuses, packetContents } from '@podium/contract/shipping/calls'
import { awardKinds, dueSorts } from '@podium/contract/shipping/calls-orders'
import { packetMarks } from '@podium/contract/shipping/calls-packets'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Filters of the items to send: schools, items, and whether grouped by school or by item. */
export const dueFilters = defineFilters({
  by: choiceFilter(['school', 'item'] as const, 'school'),
  search: textFilter(),
  state: textFilter(),
  district: textFilter(),
  letter: textFilter(),
  classId: textFilter(),
  kind: choiceFilter(['', ...bookKinds, ...awardKinds] as const, ''),
  show: choiceFilter(['due', 'all', 'extra'] as const, 'due'),
  sort: choiceFilter(dueSorts, 'name'),
  page: numberFilter(1),
})

export const packetFilters = defineFilters({
  search: textFilter(),
  contents: choiceFilter(['', ...packetContents] as const, ''),
  status: choiceFilter(['', ...orderStatuses] as const, ''),
  state: textFilter(),
  courier: textFilter(),
  mark: choiceFilter(packetMarks, ''),
  page: numberFilter(1),
})
