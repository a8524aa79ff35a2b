import { incidentList, oneIncident } from '@podium/contract/incidents'
import { incidentPeople } from '@podium/contract/incidents-people'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { endpointQuery, useRenew } from '#shell/query.ts'

const often = 1_000
const clocksMove = 60_000

const people = [incidentPeople]

/** The breach that the address names; asked again as its clocks run, and more often while mails leave. */
export function useIncident() {
  const params = useParams({ strict: false })
  const id = Number(params.id) || 0
  const record = useQuery({
    ...endpointQuery(oneIncident, { query: { id: String(id) } }),
    refetchInterval: ({ state }) => (state.data?.incident.sending.state === 'running' ? often : clocksMove),
  })
  const incident = record.data?.incident.id === id ? record.data.incident : undefined
  // Whom the mails have reached is known when they have left, which may be after the list was asked for.
  const renewPeople = useRenew(people)
  const sending = incident?.sending.state
  const before = useRef(sending)
  useEffect(() => {
    if (before.current === 'running' && sending !== 'running') void renewPeople()
    before.current = sending
  }, [sending, renewPeople])
  return { record, incident }
}

/** All that is shown of breaches. */
export const shownOfIncidents = [oneIncident, incidentList, incidentPeople]
