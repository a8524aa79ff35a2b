import { officeSchool, officeSchoolHistory, officeSchoolYears } from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { officeMe } from '@podium/contract/staff/calls'
import { useParams } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'

export type SchoolOne = Answer<typeof officeSchool>

/** The school that the address names, with its people, contacts and link. */
export function useRecord() {
  const season = useSeason()
  const params = useParams({ strict: false })
  const id = String(Number(params.id) || 0)
  const record = useEndpoint(officeSchool, { query: { id, FYear: season } })
  // Earlier data stays while the next loads: it is not the school that was asked for.
  const data = record.data?.school.id === Number(id) ? record.data : undefined
  return { id, season, record, data }
}

/** Everything that shows a school: asked for anew after each change. */
export const shownOfSchools = [officeSchool, officeSchoolYears, officeSchoolHistory, officeSchools, officeMe]
