import { mailLanguages, mailStates } from '@podium/contract/office/calls-mails'
import { nextSteps, nudgeSpans } from '@podium/contract/office/calls-overview'
import { jobStates } from '@podium/contract/office/calls-settings'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which long work is shown. */
export const jobFilters = defineFilters({
  state: choiceFilter(jobStates, 'open'),
  search: textFilter(),
  page: numberFilter(1),
})

/** Which schools stand under «who needs a nudge». */
export const overviewFilters = defineFilters({
  search: textFilter(),
  step: choiceFilter(['', ...nextSteps] as const, ''),
  state: textFilter(),
  within: choiceFilter(['', ...nudgeSpans] as const, ''),
  page: numberFilter(1),
})

export const mailTabs = ['queue', 'texts'] as const

/** Which mails, or which text, the page shows. */
export const mailFilters = defineFilters({
  tab: choiceFilter(mailTabs, 'queue'),
  state: choiceFilter(mailStates, 'failed'),
  search: textFilter(),
  page: numberFilter(1),
  text: textFilter(),
  language: choiceFilter(mailLanguages, 'en'),
})
