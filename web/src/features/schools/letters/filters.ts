import { schoolStatuses } from '@podium/contract/schools/calls-register'
import { choiceFilter, defineFilters, textFilter } from '#shell/filters.ts'

/** Ids with commas between, as the register's ticks give them. */
const ids = (raw: unknown) => (/^\d{1,15}(,\d{1,15})*$/.test(String(raw)) ? String(raw).slice(0, 5_000) : '')

/** Which schools are written to: those that are ticked, those of a file, or all that the register's filters leave. */
export const letterFilters = defineFilters({
  ids,
  file: textFilter(),
  search: textFilter(),
  state: textFilter(),
  district: textFilter(),
  standing: choiceFilter(schoolStatuses, 'all'),
  due: choiceFilter(['', 'open'] as const, ''),
  staff: choiceFilter(['', 'some', 'none'] as const, ''),
  contacts: choiceFilter(['', 'waiting'] as const, ''),
})
