import { incidentDetails, incidentList, incidentPeople } from '@podium/contract/privacy/calls-incidents'
import { useParams } from '@tanstack/react-router'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import type en from '#words/en/privacy-incidents.json'

/** The words of the register of breaches of personal data. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/privacy-incidents.json'))

/** Loads the breach in the URL. */
export function useIncident() {
  const params = useParams({ strict: false })
  const id = Number(params.id) || 0
  const record = useEndpoint(incidentDetails, { query: { id: String(id) } })
  return { record, incident: record.data?.incident.id === id ? record.data.incident : undefined }
}

/** Everything that shows breaches. */
export const incidentCalls = [incidentDetails, incidentList, incidentPeople]
