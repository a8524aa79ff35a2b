import '../exams.css'
import { className } from '@podium/contract/classes'
import { type ExamSchedule, getOnlineExamSchedule } from '@podium/contract/exams/calls'
import { istTime } from '@podium/contract/season'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useFilters } from '#shell/filters.ts'
import { dayText, Mail, Moment, nothing } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import type { IconName } from '#ui/icon.tsx'
import { EmptyState, NothingFound } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type en from '#words/en/exams-schedules.json'
import { scheduleFilters } from './filters.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-schedules.json'))

type BadgeLook = readonly [BadgeTone, IconName]

const examSigns: Record<ExamSchedule['ExamStatus'], BadgeLook> = {
  'Not started': ['mute', 'circle'],
  'In progress': ['info', 'clock'],
  Completed: ['ok', 'ok'],
  Missed: ['bad', 'close'],
}

const scheduleSigns: Record<ExamSchedule['ScheduleStatus'], BadgeLook> = {
  Scheduled: ['info', 'calendar'],
  Rescheduled: ['due', 'rotate'],
  Cancelled: ['bad', 'struck'],
}

/**
 * Returns the columns with the specification's names (2.13). Class and roll no distinguish students with the same
 * name.
 */
function useScheduleColumns(): Column<ExamSchedule>[] {
  const t = words.use()
  return columnsOf(t, [
    { key: 'student', title: true, cell: (row) => <Student row={row} /> },
    { key: 'parent', card: 'wide', cell: (row) => row.M_F_Name || nothing },
    {
      key: 'email',
      card: 'wide',
      cell: (row) => (row.Email === '' ? nothing : <Mail address={row.Email} />),
    },
    { key: 'event', card: 'wide', cell: (row) => translateSentence(row.subjectName) },
    { key: 'from', num: true, cell: (row) => <Time instant={row.ExamSchedule_From} /> },
    {
      key: 'to',
      num: true,
      cell: (row) => <Time instant={row.ExamSchedule_To} since={row.ExamSchedule_From} />,
    },
    {
      key: 'exam',
      label: t('examStatus'),
      card: 'lead',
      cell: ({ ExamStatus }) => <StatusBadge sign={examSigns[ExamStatus]}>{t(ExamStatus)}</StatusBadge>,
    },
    {
      key: 'schedule',
      label: t('scheduleStatus'),
      card: 'lead',
      cell: ({ ScheduleStatus }) => (
        <StatusBadge sign={scheduleSigns[ScheduleStatus]}>{t(ScheduleStatus)}</StatusBadge>
      ),
    },
  ])
}

function Student({ row }: { row: ExamSchedule }) {
  const t = words.use()
  const named =
    row.ClassId <= 12 ? t('classNo', { n: row.ClassId }) : translateSentence(className(row.ClassId))
  const place = { className: named, section: row.Section, rollNo: row.RollNo }
  return (
    <>
      {row.StudentName}
      <small className="under">{t('inClass', place)}</small>
    </>
  )
}

function StatusBadge({ sign: [tone, icon], children }: { sign: BadgeLook; children: string }) {
  return (
    <Badge tone={tone} icon={icon}>
      {children}
    </Badge>
  )
}

/** `09-Jan-2027 10:00 AM`, without a break inside day or time. An end on the same day shows only the time. */
function Time({ instant, since }: { instant: string; since?: string }) {
  const sameDay = since !== undefined && dayText(since) === dayText(instant)
  return (
    <time dateTime={instant}>
      {!sameDay && (
        <>
          <span className="nowrap">{dayText(instant)}</span>{' '}
        </>
      )}
      <span className="nowrap">{istTime(new Date(instant))}</span>
    </time>
  )
}

const pageSize = 50

/** Returns the key by which the list is grouped: an exam and its time. */
const slotOf = (row: ExamSchedule) => `${row.ExamSchedule_From} ${row.ExamSchedule_To} ${row.EventLetter}`

const byTime = (a: ExamSchedule, b: ExamSchedule) =>
  slotOf(a).localeCompare(slotOf(b)) ||
  a.ClassId - b.ClassId ||
  a.Section.localeCompare(b.Section) ||
  a.RollNo - b.RollNo

function matchesFilters(
  row: ExamSchedule,
  { search, subject }: { search: string; subject: string },
): boolean {
  if (subject !== '' && row.EventLetter !== subject) return false
  const searchText = search.trim().toLowerCase()
  return [row.StudentName, row.M_F_Name, row.Email].some((text) => text.toLowerCase().includes(searchText))
}

/** Importantlink/examScheduleStatus: when each student takes an online exam; “Not Applicable” if there is none. */
export function ExamSchedulePage() {
  const t = words.use()
  const season = useSeason()
  const school = useSession()?.schName
  const filters = useFilters(scheduleFilters)
  const { values, change, clear, countSet } = filters
  const [onPaper, setOnPaper] = useState(false)
  const columns = useScheduleColumns()
  const schedules = useEndpoint(getOnlineExamSchedule, { query: { FYear: season } })
  const all = schedules.data?.data
  const rows = all?.filter((row) => matchesFilters(row, values)).sort(byTime)
  const sizes = new Map([...Map.groupBy(rows ?? [], slotOf)].map(([slot, members]) => [slot, members.length]))
  // The page number may come from an earlier, longer list.
  const last = Math.max(1, Math.ceil((rows?.length ?? 0) / pageSize))
  const page = Math.min(Math.max(1, values.page), last)
  const subjects = new Map(all?.map((row) => [row.EventLetter, translateSentence(row.subjectName)]))
  const set = countSet('search', 'subject')
  const print = () => {
    flushSync(() => setOnPaper(true))
    window.print()
    setOnPaper(false)
  }
  const slot = (row: ExamSchedule) => ({
    key: slotOf(row),
    heading: (
      <>
        {translateSentence(row.subjectName)}, <Moment value={row.ExamSchedule_From} /> –{' '}
        <Time instant={row.ExamSchedule_To} since={row.ExamSchedule_From} />{' '}
        <span className="quiet nowrap">{t('inSlot', { n: sizes.get(slotOf(row)) ?? 0 })}</span>
      </>
    ),
  })
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })}>
        {all && all.length > 0 && (
          <Button icon="print" disabled={rows?.length === 0 ? t('nobodyFound') : undefined} onClick={print}>
            {t('print')}
          </Button>
        )}
      </PageHeader>
      <p className="print-only">
        {school}, {dayText(new Date().toISOString())}
      </p>
      {all && all.length > 0 && (
        <FilterRow
          set={countSet('subject')}
          {...(set > 0 ? { onClear: clear } : {})}
          search={
            <SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />
          }>
          <SelectField
            label={t('subject')}
            choices={[
              { value: '', label: t('allSubjects') },
              ...[...subjects].map(([value, label]) => ({ value, label })),
            ]}
            {...filters.field('subject')}
          />
        </FilterRow>
      )}
      <ListTable
        list={schedules}
        className="schedules"
        caption={t('title')}
        columns={columns}
        rows={onPaper ? rows : rows?.slice((page - 1) * pageSize, page * pageSize)}
        rowKey={({ scheduleId }) => String(scheduleId)}
        folds={(row) => row.StudentName}
        group={slot}
        paging={{ total: rows?.length ?? 0, page, size: pageSize, onPage: (to) => change({ page: to }) }}
        empty={
          all?.length ? (
            <NothingFound title={t('nobodyFound')} onClear={clear} />
          ) : (
            <EmptyState icon="clock" title={t('notApplicable')}>
              {t('empty')}
            </EmptyState>
          )
        }
        cardColumns={2}
      />
    </>
  )
}
