import { writtenLanguages } from '@podium/contract/languages'
import { mailViews } from '@podium/contract/office/calls-mails'
import { nextSteps, reminderSpans } from '@podium/contract/office/calls-overview'
import { jobStates } from '@podium/contract/office/calls-settings'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Filters of the background jobs. */
export const jobFilters = defineFilters({
  state: choiceFilter(jobStates, 'open'),
  search: textFilter(),
  page: numberFilter(1),
})

/** Filters of the schools to remind. */
export const overviewFilters = defineFilters({
  search: textFilter(),
  step: choiceFilter(['', ...nextSteps] as const, ''),
  state: textFilter(),
  within: choiceFilter(['', ...reminderSpans] as const, ''),
  page: numberFilter(1),
})

export const mailTabs = ['queue', 'texts'] as const

/** The open tab of the e-mails page, with the filters of the queue or the open text. */
export const mailFilters = defineFilters({
  tab: choiceFilter(mailTabs, 'queue'),
  /** Empty: the first status with an e-mail in it */
  state: choiceFilter(['', ...mailViews] as const, ''),
  search: textFilter(),
  /** Id of an e-mail to many schools */
  mailing: numberFilter(0),
  page: numberFilter(1),
  text: textFilter(),
  language: choiceFilter(writtenLanguages, 'en'),
})
