import { ledgerStatuses } from '@podium/contract/ledger/calls'
import { nextSteps, nudgeSpans } from '@podium/contract/office/calls-overview'
import { schoolStatuses } from '@podium/contract/schools/calls-register'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Ids with commas between, as the register's ticks give them. */
const ids = (raw: unknown) => (/^\d{1,15}(,\d{1,15})*$/.test(String(raw)) ? String(raw).slice(0, 5_000) : '')

/** What the register is narrowed by, and schools that are ticked. */
const chosen = {
  ids,
  search: textFilter(),
  state: textFilter(),
  district: textFilter(),
  standing: choiceFilter(schoolStatuses, 'all'),
  due: choiceFilter(['', 'open'] as const, ''),
  staff: choiceFilter(['', 'some', 'none'] as const, ''),
  contacts: choiceFilter(['', 'waiting'] as const, ''),
  followUp: choiceFilter(['', 'due', 'open'] as const, ''),
}

/** Which schools get a letter: those that are ticked, those of a file, or all that the register's filters leave. */
export const letterFilters = defineFilters({ ...chosen, file: textFilter() })

/** Which schools get an e-mail, by the register, the ledger or the reminders; the page is one of those that were sent before. */
export const mailingFilters = defineFilters({
  ...chosen,
  list: choiceFilter(['', 'ledger', 'reminders'] as const, ''),
  balance: choiceFilter(ledgerStatuses, ''),
  step: choiceFilter(['', ...nextSteps] as const, ''),
  within: choiceFilter(['', ...nudgeSpans] as const, ''),
  page: numberFilter(1),
})
