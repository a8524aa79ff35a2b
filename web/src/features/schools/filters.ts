import { ledgerStatuses } from '@podium/contract/ledger/calls'
import { nextSteps, reminderSpans } from '@podium/contract/office/calls-overview'
import { importRowStates } from '@podium/contract/schools/calls-import'
import { schoolSorts, schoolStatuses } from '@podium/contract/schools/calls-register'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** The filters shared by the register and by what is sent to its schools. */
export const schoolFilters = {
  search: textFilter(),
  state: textFilter(),
  district: textFilter(),
  status: choiceFilter(schoolStatuses, 'all'),
  due: choiceFilter(['', 'open'] as const, ''),
  staff: choiceFilter(['', 'some', 'none'] as const, ''),
  contacts: choiceFilter(['', 'waiting'] as const, ''),
  followUp: choiceFilter(['', 'due', 'open'] as const, ''),
}
export const schoolFilterKeys = Object.keys(schoolFilters) as (keyof typeof schoolFilters)[]

/** The filters of the register. */
export const registerFilters = defineFilters({
  ...schoolFilters,
  sort: choiceFilter(schoolSorts, 'name'),
  page: numberFilter(1),
})

export const recordTabs = [
  ...(['details', 'students', 'money', 'parcels', 'results', 'people', 'emails', 'notes', 'link'] as const),
] as const
export type RecordTab = (typeof recordTabs)[number]

/** Which tab of a school's record is open. */
export const recordFilters = defineFilters({
  tab: choiceFilter(recordTabs, 'details'),
  page: numberFilter(1),
})

export const reviewStates = ['submitted', 'asked', 'approved', 'rejected'] as const

/** The queue's filters in the URL; `id` is the open application, 0 for the first in the list. */
export const applicationFilters = defineFilters({
  state: choiceFilter(reviewStates, 'submitted'),
  search: textFilter(),
  assigned: textFilter(),
  page: numberFilter(1),
  id: numberFilter(0),
})

/** Which file of schools is open, and which of its rows are shown. */
export const importFilters = defineFilters({
  file: textFilter(),
  state: choiceFilter(importRowStates, 'new'),
  page: numberFilter(1),
})

/** Reads ids separated by commas, from the register's selection. */
const ids = (raw: unknown) => (/^\d{1,15}(,\d{1,15})*$/.test(String(raw)) ? String(raw).slice(0, 5_000) : '')

/** Which schools get a letter: the selected ones, those of a file, or all that match the register's filters. */
export const letterFilters = defineFilters({ ids, ...schoolFilters, file: textFilter() })

/**
 * Which schools get an e-mail, from the register, the ledger or the reminders; `page` is the page of earlier e-mails.
 */
export const mailingFilters = defineFilters({
  ids,
  ...schoolFilters,
  list: choiceFilter(['', 'ledger', 'reminders'] as const, ''),
  balance: choiceFilter(ledgerStatuses, ''),
  step: choiceFilter(['', ...nextSteps] as const, ''),
  within: choiceFilter(['', ...reminderSpans] as const, ''),
  page: numberFilter(1),
})

/** The other school of a merge, and the search for it. */
export const mergeFilters = defineFilters({ other: numberFilter(0), search: textFilter() })
