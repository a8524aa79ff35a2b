import { className } from '@podium/contract/classes'
import { type ExamSchedule, getOnlineExamSchedule } from '@podium/contract/exams/calls-schedules'
import { useFilters } from '#shell/filters.ts'
import { Mail } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge, type BadgeTone, Letters } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import type { IconName } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { examTime } from './exam-time.ts'
import { scheduleFilters } from './filters.ts'
import { words } from './words.ts'
import './schedules.css'

type Sign = readonly [BadgeTone, IconName]

const examSigns: Record<ExamSchedule['ExamStatus'], Sign> = {
  'Not started': ['mute', 'circle'],
  'In progress': ['info', 'clock'],
  Completed: ['ok', 'ok'],
  Missed: ['bad', 'close'],
}

const scheduleSigns: Record<ExamSchedule['ScheduleStatus'], Sign> = {
  Scheduled: ['info', 'calendar'],
  Rescheduled: ['due', 'rotate'],
  Cancelled: ['bad', 'struck'],
}

/** The columns as the specification names them (2.13); class and roll no tell two children of one name apart. */
export function useScheduleColumns(): Column<ExamSchedule>[] {
  const t = words.use()
  return [
    { key: 'student', label: t('student'), title: true, cell: (row) => <Student row={row} /> },
    { key: 'parent', label: t('parent'), card: 'wide', cell: (row) => row.M_F_Name || <Nothing /> },
    {
      key: 'email',
      label: t('email'),
      card: 'wide',
      cell: (row) => (row.Email === '' ? <Nothing /> : <Mail address={row.Email} />),
    },
    {
      key: 'event',
      label: t('event'),
      card: 'wide',
      cell: (row) => <Letters of={[{ letter: row.EventLetter, name: row.subjectName }]} />,
    },
    { key: 'from', label: t('from'), num: true, cell: (row) => <Time of={row.ExamSchedule_From} /> },
    { key: 'to', label: t('to'), num: true, cell: (row) => <Time of={row.ExamSchedule_To} /> },
    {
      key: 'exam',
      label: t('examStatus'),
      cell: ({ ExamStatus }) => <Status sign={examSigns[ExamStatus]}>{t(ExamStatus)}</Status>,
    },
    {
      key: 'schedule',
      label: t('scheduleStatus'),
      cell: ({ ScheduleStatus }) => <Status sign={scheduleSigns[ScheduleStatus]}>{t(ScheduleStatus)}</Status>,
    },
  ]
}

function Student({ row }: { row: ExamSchedule }) {
  const t = words.use()
  const named = row.ClassId <= 12 ? t('classNo', { n: row.ClassId }) : className(row.ClassId)
  const place = { className: named, section: row.Section, rollNo: row.RollNo }
  return (
    <>
      {row.StudentName}
      <small className="under">{t('inClass', place)}</small>
    </>
  )
}

function Status({ sign: [tone, icon], children }: { sign: Sign; children: string }) {
  return (
    <Badge tone={tone} icon={icon}>
      {children}
    </Badge>
  )
}

/** Day above hour where the column is narrow. */
function Time({ of }: { of: string }) {
  const shown = examTime(of)
  return (
    <time dateTime={of}>
      <span className="nowrap">{shown.slice(0, 10)}</span> <span className="nowrap">{shown.slice(11)}</span>
    </time>
  )
}

function Nothing() {
  return <span className="quiet">–</span>
}

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
