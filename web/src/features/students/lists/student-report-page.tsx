import { getParticipationSummary } from '@podium/contract/students/calls'
import { lazy } from 'react'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Summary } from './summary.tsx'
import { words } from './words.ts'

const StudentsDialog = lazy(() =>
  import('./students-dialog.tsx').then((m) => ({ default: m.StudentsDialog })),
)

/** student/summery: the participation of the header's season. */
export function StudentReportPage() {
  const t = words.use()
  const season = useSeason()
  const { data, error, isPlaceholderData, refetch } = useEndpoint(getParticipationSummary, {
    query: { FYear: season },
  })
  const subjects = data?.data.map(({ details, ...of }) => ({
    ...of,
    details: details.map(({ classId, totalStudent }) => ({ classId, count: totalStudent })),
  }))
  return (
    <Summary
      title={t('reportTitle')}
      season={season}
      subjects={subjects}
      stale={isPlaceholderData}
      error={error}
      retry={refetch}
      dialog={StudentsDialog}
    />
  )
}
