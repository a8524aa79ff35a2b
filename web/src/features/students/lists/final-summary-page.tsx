import { getParticipationFinalSummary } from '@podium/contract/students/calls'
import { lazy } from 'react'
import { OwnSeason, useOwnSeason } from '#shell/own-season.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { Summary } from './summary.tsx'
import { words } from './words.ts'

const FinalDialog = lazy(() => import('./final-dialog.tsx').then((m) => ({ default: m.FinalDialog })))

/** student/finalsummery: the participation of any season. `schId` carries the school's code (specification, 7). */
export function FinalSummaryPage() {
  const t = words.use()
  const own = useOwnSeason()
  const { season } = own
  const schId = useSession()?.schCode
  const { data, error, isPlaceholderData, refetch } = useEndpoint(getParticipationFinalSummary, {
    query: { FYear: season, ...(schId ? { schId } : {}) },
  })
  const subjects = data?.data.map(({ details, ...of }) => ({
    ...of,
    details: details.map(({ classId, studentCount }) => ({ classId, count: studentCount })),
  }))
  return (
    <Summary
      title={t('finalTitle')}
      season={season}
      subjects={subjects}
      stale={isPlaceholderData}
      error={error}
      retry={refetch}
      dialog={FinalDialog}
      filters={<FilterRow set={0} search={<OwnSeason of={own} />} />}
    />
  )
}
