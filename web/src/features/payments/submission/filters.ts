import { choiceFilter, defineFilters } from '#shell/filters.ts'

/** The open tab of Manage Payments: fees to pay, statement of account, or the school's share. */
export const paymentFilters = defineFilters({
  view: choiceFilter(['pay', 'account', 'share'] as const, 'pay'),
})
