import { anomalyKinds } from '@podium/contract/results/calls-corrections'
import { invitationStatuses } from '@podium/contract/results/calls-next-level-list'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Filters of a list of invitations. */
export const listFilters = defineFilters({
  search: textFilter(),
  state: textFilter(),
  classId: textFilter(),
  status: choiceFilter(['', ...invitationStatuses] as const, ''),
  how: choiceFilter(['', 'rules', 'hand'] as const, ''),
  page: numberFilter(1),
})

/** Which school and which of its pages are previewed. */
export const previewFilters = defineFilters({
  search: textFilter(),
  school: textFilter(),
  list: choiceFilter<'all' | 'medal' | 'award' | 'prize'>(['all', 'medal', 'award', 'prize'], 'all'),
  classId: numberFilter(0),
  page: numberFilter(1),
})

export const officeSteps = ['import', 'anomalies', 'compute', 'preview', 'approve', 'release'] as const
export type OfficeStep = (typeof officeSteps)[number]

/** The open step and the filters of its table. */
export const officeFilters = defineFilters({
  step: choiceFilter<OfficeStep | ''>(officeSteps, ''),
  kind: choiceFilter<(typeof anomalyKinds)[number] | ''>(anomalyKinds, ''),
  all: choiceFilter<'' | 'yes'>(['yes'], ''),
  school: textFilter(),
  classId: numberFilter(0),
  list: choiceFilter<'' | '2' | '3' | '5'>(['2', '3', '5'], ''),
  page: numberFilter(1),
})
