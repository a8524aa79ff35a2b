import { ledgerStatuses } from '@podium/contract/ledger/calls'
import { nextSteps, nudgeSpans } from '@podium/contract/office/calls-overview'
import { importRowStates } from '@podium/contract/schools/calls-import'
import { schoolSorts, schoolStatuses } from '@podium/contract/schools/calls-register'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** What the register, and what is sent to its schools, is narrowed by. */
export const narrowing = {
  search: textFilter(),
  state: textFilter(),
  district: textFilter(),
  standing: choiceFilter(schoolStatuses, 'all'),
  due: choiceFilter(['', 'open'] as const, ''),
  staff: choiceFilter(['', 'some', 'none'] as const, ''),
  contacts: choiceFilter(['', 'waiting'] as const, ''),
  followUp: choiceFilter(['', 'due', 'open'] as const, ''),
}
export const narrowed = Object.keys(narrowing) as (keyof typeof narrowing)[]

/** What the register shows. */
export const registerFilters = defineFilters({
  ...narrowing,
  sort: choiceFilter(schoolSorts, 'name'),
  page: numberFilter(1),
})

export const recordTabs = [
  ...(['details', 'students', 'money', 'parcels', 'results', 'people', 'emails', 'notes', 'link'] as const),
] as const
export type RecordTab = (typeof recordTabs)[number]

/** Which part of a school's record is open. */
export const recordFilters = defineFilters({
  tab: choiceFilter(recordTabs, 'details'),
  page: numberFilter(1),
})

export const reviewStates = ['submitted', 'asked', 'approved', 'rejected'] as const

/** The queue in its address; `id` is the application that is open, 0 the first of the list. */
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

/** Ids with commas between, as the register's ticks give them. */
const ids = (raw: unknown) => (/^\d{1,15}(,\d{1,15})*$/.test(String(raw)) ? String(raw).slice(0, 5_000) : '')

/** Which schools get a letter: those that are ticked, those of a file, or all that the register's filters leave. */
export const letterFilters = defineFilters({ ids, ...narrowing, file: textFilter() })

/** Which schools get an e-mail, by the register, the ledger or the reminders; the page is one of those that were sent before. */
export const mailingFilters = defineFilters({
  ids,
  ...narrowing,
  list: choiceFilter(['', 'ledger', 'reminders'] as const, ''),
  balance: choiceFilter(ledgerStatuses, ''),
  step: choiceFilter(['', ...nextSteps] as const, ''),
  within: choiceFilter(['', ...nudgeSpans] as const, ''),
  page: numberFilter(1),
})

/** The other school of a merge, and what it is looked for by. */
export const mergeFilters = defineFilters({ other: numberFilter(0), search: textFilter() })
