import { ledgerSorts, ledgerStatuses } from '@podium/contract/ledger/calls'
import { receiptSorts } from '@podium/contract/payments/calls-receipts'
import { paymentKinds } from '@podium/contract/payments/rules'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Filters of the receipts. */
export const receiptFilters = defineFilters({
  search: textFilter(),
  paymentFor: choiceFilter(['', ...paymentKinds] as const, ''),
  bank: choiceFilter(['', 'found', 'missing', 'cancelled'] as const, ''),
  from: textFilter(),
  until: textFilter(),
  sort: choiceFilter(receiptSorts, 'newest'),
  page: numberFilter(1),
})

export const closingViews = ['', 'open', 'difference'] as const

/** Filters of the daily closing, and the period of the journal. */
export const closingFilters = defineFilters({
  show: choiceFilter(closingViews, ''),
  from: textFilter(),
  until: textFilter(),
})

export const creditFilters = defineFilters({ search: textFilter() })

/** Filters of the ledger of all schools. */
export const ledgerFilters = defineFilters({
  search: textFilter(),
  state: textFilter(),
  status: choiceFilter(ledgerStatuses, ''),
  sort: choiceFilter(ledgerSorts, 'name'),
  page: numberFilter(1),
})
