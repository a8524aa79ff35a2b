import { incidentList, oneIncident } from '@podium/contract/incidents'
import { incidentPeople } from '@podium/contract/incidents-people'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { endpointQuery, useRenew } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'

const often = 1_000
const clocksMove = 60_000

/** The breach that the address names; asked again as its clocks run, and more often while mails leave. */
export function useIncident() {
  const params = useParams({ strict: false })
  const id = Number(params.id) || 0
  const record = useQuery({
    ...endpointQuery(oneIncident, { query: { id: String(id) } }),
    refetchInterval: ({ state }) => (state.data?.incident.sending.state === 'running' ? often : clocksMove),
  })
  const incident = record.data?.incident.id === id ? record.data.incident : undefined
  return { record, incident }
}

/** All that is shown of breaches. */
export const shownOfIncidents = [oneIncident, incidentList, incidentPeople]

/** Does something and says so, or says why not; then the latest state is shown. */
export function useAct() {
  const renew = useRenew(shownOfIncidents)
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  const act = async (what: () => Promise<unknown>, done: string): Promise<boolean> => {
    setBusy(true)
    try {
      await what()
      if (done !== '') toast.success(done)
      return true
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
      return false
    } finally {
      setBusy(false)
      await renew()
    }
  }
  return { busy, act }
}
