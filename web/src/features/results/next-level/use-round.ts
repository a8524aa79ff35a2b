import { nextLevelRound, nextLevelRounds } from '@podium/contract/results/calls-next-level'
import { nextLevelList } from '@podium/contract/results/calls-next-level-list'
import { useQuery } from '@tanstack/react-query'
import { useFilters } from '#shell/filters.ts'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import type en from '#words/en/results-next-level-office.json'
import { listFilters } from '../office-filters.ts'

export const officeWords = defineWords<typeof en>(import.meta.glob('#words/*/results-next-level-office.json'))

const often = 1_000

/** One list of invitations with its counts; asked again while schools are being told, so that its counts move. */
export function useRound(eventYearId: number) {
  return useQuery({
    ...endpointQuery(nextLevelRound, { query: { eventYearId: String(eventYearId) } }),
    refetchInterval: ({ state }) => (state.data?.round.stage === 'sending' ? often : false),
  })
}

/** The children of the list that the address asks for. */
export function useChildren(eventYearId: number) {
  const filters = useFilters(listFilters)
  const { page, ...wanted } = filters.values
  const classId = /^\d{1,2}$/.test(wanted.classId) ? wanted.classId : ''
  const asked = { eventYearId, ...wanted, classId }
  const list = useEndpoint(nextLevelList, {
    query: { ...asked, eventYearId: String(eventYearId), page: String(page) },
  })
  return { filters, asked, list, set: filters.countSet('search', 'state', 'classId', 'standing', 'how') }
}
export type Children = ReturnType<typeof useChildren>

/** All that an action on a list makes old, refused or not. */
export const shownOfRounds = [nextLevelRound, nextLevelRounds, nextLevelList]
