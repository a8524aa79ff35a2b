import { choiceFilter, defineFilters, textFilter } from '#shell/filters.ts'

const deskSteps = ['', 'columns', 'faults', 'questions', 'outcome'] as const

/** Which import the desk shows, and at which step, in its address. */
export const deskFilters = defineFilters({
  import: textFilter(),
  step: choiceFilter(deskSteps, ''),
})
