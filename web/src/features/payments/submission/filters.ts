import { choiceFilter, defineFilters } from '#shell/filters.ts'

/** Which part of Manage Payments is open: what is to be paid, the account, or the share that the school keeps. */
export const paymentFilters = defineFilters({
  view: choiceFilter(['pay', 'account', 'share'] as const, 'pay'),
})
