import { waiverSorts } from '@podium/contract/payments/calls-waivers'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

/** Which waivers the office looks at. */
export const waiverFilters = defineFilters({
  state: choiceFilter(['asked', 'approved', 'declined'] as const, 'asked'),
  search: textFilter(),
  sort: choiceFilter(waiverSorts, ''),
  page: numberFilter(1),
})
