import { paymentStates } from '@podium/contract/payments/calls'
import { bankFilters, paymentSorts } from '@podium/contract/payments/calls-verification'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** What the office's queue shows, and which payment is open. */
export const officePaymentFilters = defineFilters({
  state: choiceFilter(paymentStates, 'pending'),
  search: textFilter(),
  sort: choiceFilter(paymentSorts, 'oldest'),
  bank: choiceFilter(['', ...bankFilters] as const, ''),
  assigned: textFilter(),
  page: numberFilter(1),
  id: numberFilter(0),
})
