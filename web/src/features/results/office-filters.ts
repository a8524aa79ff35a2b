import { anomalyKinds } from '@podium/contract/results/calls-anomalies'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

export const officeSteps = ['import', 'anomalies', 'compute', 'preview', 'approve', 'release'] as const
export type OfficeStep = (typeof officeSteps)[number]

/** The step that is looked at, and the filters of its table. */
export const officeFilters = defineFilters({
  step: choiceFilter<OfficeStep | ''>(officeSteps, ''),
  kind: choiceFilter<(typeof anomalyKinds)[number] | ''>(anomalyKinds, ''),
  all: choiceFilter<'' | 'yes'>(['yes'], ''),
  school: textFilter(),
  classId: numberFilter(0),
  list: choiceFilter<'' | '2' | '3' | '5'>(['2', '3', '5'], ''),
  page: numberFilter(1),
})
