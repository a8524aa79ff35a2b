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
