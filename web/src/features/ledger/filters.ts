import { ledgerSorts, ledgerStatuses } from '@podium/contract/ledger/calls'
import { receiptSorts } from '@podium/contract/payments/calls-receipts'
import { paymentKinds } from '@podium/contract/payments/rules'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** What the list of receipts shows. */
export const receiptFilters = defineFilters({
  search: textFilter(),
  paymentFor: choiceFilter(['', ...paymentKinds] as const, ''),
  bank: choiceFilter(['', 'found', 'missing'] as const, ''),
  from: textFilter(),
  until: textFilter(),
  sort: choiceFilter(receiptSorts, 'newest'),
  page: numberFilter(1),
})

export const dayShows = ['', 'open', 'difference'] as const

/** Which days of the daily closing are shown, and from when until when the journal is. */
export const closingFilters = defineFilters({
  show: choiceFilter(dayShows, ''),
  from: textFilter(),
  until: textFilter(),
})

export const creditFilters = defineFilters({ search: textFilter() })

/** What the ledger over all schools shows. */
export const ledgerFilters = defineFilters({
  search: textFilter(),
  state: textFilter(),
  standing: choiceFilter(ledgerStatuses, ''),
  sort: choiceFilter(ledgerSorts, 'name'),
  page: numberFilter(1),
})
