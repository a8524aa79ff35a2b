import './schedules.css'
import { getOnlineExamSchedule } from '@podium/contract/exams/calls-schedules'
import { useFilters } from '#shell/filters.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { DataTable } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { useScheduleColumns } from './columns.tsx'
import { scheduleFilters } from './filters.ts'
import { words } from './words.ts'

const pageSize = 50

/** Importantlink/examScheduleStatus: when each student takes an online exam; «Not Applicable» where there is none. */
export function ExamSchedulePage() {
  const t = words.use()
  const season = useSeason()
  const { values, change } = useFilters(scheduleFilters)
  const columns = useScheduleColumns()
  const schedules = useEndpoint(getOnlineExamSchedule, { query: { FYear: season } })
  const rows = schedules.data?.data
  // A page of an earlier, longer season may be past the end of this one.
  const last = Math.max(1, Math.ceil((rows?.length ?? 0) / pageSize))
  const page = Math.min(Math.max(1, values.page), last)
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })} />
      {schedules.isError && !rows ? (
        <Panel padded={false}>
          <LoadProblem error={schedules.error} retry={() => schedules.refetch()} />
        </Panel>
      ) : (
        <DataTable
          className="schedules"
          caption={t('title')}
          columns={columns}
          rows={rows?.slice((page - 1) * pageSize, page * pageSize)}
          rowKey={({ scheduleId }) => String(scheduleId)}
          stale={schedules.isPlaceholderData}
          paging={{ total: rows?.length ?? 0, page, size: pageSize, onPage: (to) => change({ page: to }) }}
          empty={
            <EmptyState icon="clock" title={t('notApplicable')}>
              {t('empty')}
            </EmptyState>
          }
          cardColumns={2}
        />
      )}
    </>
  )
}
