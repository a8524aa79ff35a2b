import { paymentStates } from '@podium/contract/payments/calls'
import { bankFilters, paymentSorts } from '@podium/contract/payments/calls-verification'
import { waiverSorts } from '@podium/contract/payments/calls-waivers'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which waivers the office looks at. */
export const waiverFilters = defineFilters({
  state: choiceFilter(['asked', 'approved', 'declined'] as const, 'asked'),
  search: textFilter(),
  sort: choiceFilter(waiverSorts, ''),
  page: numberFilter(1),
})

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
