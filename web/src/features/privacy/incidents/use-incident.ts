import { incidentList, incidentPeople, oneIncident } from '@podium/contract/privacy/calls-incidents'
import { useParams } from '@tanstack/react-router'
import { useEndpoint } from '#shell/query.ts'

/** The breach that the address names. */
export function useIncident() {
  const params = useParams({ strict: false })
  const id = Number(params.id) || 0
  const record = useEndpoint(oneIncident, { query: { id: String(id) } })
  return { record, incident: record.data?.incident.id === id ? record.data.incident : undefined }
}

/** All that is shown of breaches. */
export const shownOfIncidents = [oneIncident, incidentList, incidentPeople]
