import { getParticipationFinalSummary } from '@podium/contract/students/calls'
import { lazy } from 'react'
import { useFilters } from '#shell/filters.ts'
import { useEndpoint } from '#shell/query.ts'
import { seasons, useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { finalFilters } from './filters.ts'
import { Summary } from './summary.tsx'
import { words } from './words.ts'

const FinalDialog = lazy(() => import('./final-dialog.tsx').then((m) => ({ default: m.FinalDialog })))

/** student/finalsummery: the participation of any season. `schId` carries the school's code (specification, 7). */
export function FinalSummaryPage() {
  const t = words.use()
  const current = useSeason()
  const schId = useSession()?.schCode
  const { values, shown, change } = useFilters(finalFilters)
  const known = seasons()
  const chosen = (said: string) => known.find((one) => one === said) ?? current
  const season = chosen(values.FYear)
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
      filters={
        <FilterRow
          set={0}
          search={
            <SelectField
              label={t('season')}
              value={chosen(shown.FYear)}
              choices={known.map((one) => ({ value: one, label: one }))}
              onChange={(event) => change({ FYear: event.currentTarget.value })}
            />
          }
        />
      }
    />
  )
}
