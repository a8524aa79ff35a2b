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

/** Loads one list of invitations with its counts, and polls while e-mails are going out to schools. */
export function useRound(eventYearId: number) {
  return useQuery({
    ...endpointQuery(nextLevelRound, { query: { eventYearId: String(eventYearId) } }),
    refetchInterval: ({ state }) => (state.data?.round.stage === 'sending' ? often : false),
  })
}

/** Loads the students of the list that match the filters in the URL. */
export function useInvitations(eventYearId: number) {
  const filters = useFilters(listFilters)
  const { page, ...wanted } = filters.values
  const classId = /^\d{1,2}$/.test(wanted.classId) ? wanted.classId : ''
  const query = { eventYearId, ...wanted, classId }
  const list = useEndpoint(nextLevelList, {
    query: { ...query, eventYearId: String(eventYearId), page: String(page) },
  })
  return { filters, asked: query, list, set: filters.countSet('search', 'state', 'classId', 'status', 'how') }
}
export type RoundChildren = ReturnType<typeof useInvitations>

/** The queries to refresh after an action on a list, even if it was refused. */
export const roundCalls = [nextLevelRound, nextLevelRounds, nextLevelList]
