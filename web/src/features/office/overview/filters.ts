import { nextSteps, nudgeSpans } from '@podium/contract/office/calls-overview'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which schools stand under «who needs a nudge». */
export const overviewFilters = defineFilters({
  search: textFilter(),
  step: choiceFilter(['', ...nextSteps] as const, ''),
  state: textFilter(),
  within: choiceFilter(['', ...nudgeSpans] as const, ''),
  page: numberFilter(1),
})
