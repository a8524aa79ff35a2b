import { ledgerStatuses } from '@podium/contract/ledger/calls'
import { nextSteps, nudgeSpans } from '@podium/contract/office/calls-overview'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'
import { narrowing } from '../register/filters.ts'

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
