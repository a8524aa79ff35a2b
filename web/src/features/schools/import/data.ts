import { schoolImport } from '@podium/contract/schools/calls-import'
import { useQuery } from '@tanstack/react-query'
import type { Answer } from '#shell/call.ts'
import { endpointQuery } from '#shell/query.ts'

export type SchoolImport = Answer<typeof schoolImport>

const asksEvery = 1_500

/** The file that is open, asked for again while it is being worked on. */
export function useImport(id: string) {
  return useQuery({
    ...endpointQuery(schoolImport, { query: { id } }),
    enabled: id !== '',
    refetchInterval: ({ state }) =>
      state.data?.state === 'checking' || state.data?.state === 'importing' ? asksEvery : false,
  })
}
