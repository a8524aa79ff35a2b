import { questionStates } from '@podium/contract/questions/calls'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '#shell/filters.ts'

export const questionFilters = defineFilters({
  status: choiceFilter(questionStates, 'sent'),
  letter: textFilter(),
  classId: textFilter(),
  search: textFilter(),
  assigned: textFilter(),
  page: numberFilter(1),
})
