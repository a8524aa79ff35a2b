import { mailLanguages, mailStates } from '@podium/contract/office/calls-mails'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

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
