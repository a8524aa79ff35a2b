import { jobStates } from '@podium/contract/settings'
import { choiceFilter, defineFilters, numberFilter } from '#shell/filters.ts'

/** Which long work is shown. */
export const jobFilters = defineFilters({ state: choiceFilter(jobStates, 'open'), page: numberFilter(1) })
