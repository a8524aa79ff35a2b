import { paymentStates } from '@podium/contract/payments/calls'
import { bankFilters, paymentSorts } from '@podium/contract/payments/calls-verification'
import { waiverSorts } from '@podium/contract/payments/calls-waivers'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Filters of the office's waivers. */
export const waiverFilters = defineFilters({
  state: choiceFilter(['asked', 'approved', 'declined'] as const, 'asked'),
  search: textFilter(),
  sort: choiceFilter(waiverSorts, ''),
  page: numberFilter(1),
})

/** Filters of the office's payment queue, and the open payment. */
export const officePaymentFilters = defineFilters({
  state: choiceFilter(paymentStates, 'pending'),
  search: textFilter(),
  sort: choiceFilter(paymentSorts, 'oldest'),
  bank: choiceFilter(['', ...bankFilters] as const, ''),
  assigned: textFilter(),
  page: numberFilter(1),
  id: numberFilter(0),
})
