import { schoolImport } from '@podium/contract/schools-import'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { endpointQuery } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'

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

/** Does something and shows the latest state after it; a refusal is said. `busy` while it is on its way. */
export function useActing() {
  const client = useQueryClient()
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  const act = async (what: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await what()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      await client.invalidateQueries()
      setBusy(false)
    }
  }
  return { act, busy }
}
