import { invitationStatuses } from '@podium/contract/results/calls-next-level-list'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** What a list of invitations shows. */
export const listFilters = defineFilters({
  search: textFilter(),
  state: textFilter(),
  classId: textFilter(),
  standing: choiceFilter(['', ...invitationStatuses] as const, ''),
  how: choiceFilter(['', 'rules', 'hand'] as const, ''),
  page: numberFilter(1),
})
