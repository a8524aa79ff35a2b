import { incidentList, oneIncident } from '@podium/contract/incidents'
import { incidentPeople } from '@podium/contract/incidents-people'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '#shell/query.ts'

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
