import type { useFilters } from '#shell/filters.ts'
import type { cockpitFilters } from './filters.ts'

/** What a school has to do next, by the names of their words. */
export const stepWords = { enrol: 'enrol', pay: 'pay', 'choose-dates': 'choose' } as const

export type NudgeFiltering = ReturnType<typeof useFilters<typeof cockpitFilters.readers>>
