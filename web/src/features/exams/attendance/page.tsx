import {
  cancelPapers,
  officePaperSchools,
  type PaperKind,
  type PaperSchool,
  type PaperShape,
  paperFileOf,
  paperJobState,
  paperKinds,
  paperShapes,
  printPapers,
  startPapers,
} from '@podium/contract/exams/calls-attendance'
import { officeExams } from '@podium/contract/exams/calls-office'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Day, placeText } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { JobFiles, JobPanel, pollUntilEnded } from '#shell/jobs/job-panel.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { classChoices, ListTable, usePlaceChoices } from '#shell/list-table.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { SchoolLink } from '#shell/record-links.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState, NothingFound } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type en from '#words/en/exams-attendance.json'
import { paperFilters } from '../office-filters.ts'
import '../exams.css'

/** The words of the office's page for attendance sheets, answer-sheet lists and admit cards. */
const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-attendance.json'))

/** Loads the schools that take the olympiad in the URL, by default the season's first. */
function usePapers() {
  const season = useSeason()
  const filters = useFilters(paperFilters)
  const exams = useEndpoint(officeExams, { query: { FYear: season } })
  const { event, search, state, page } = filters.values
  // Prints what the filter shows, even in the moment before the URL follows.
  const { kind } = filters.shown
  const classId = /^\d{1,2}$/.test(filters.values.classId) ? filters.values.classId : ''
  const all = exams.data?.data ?? []
  const exam = all.find(({ eventYearId }) => eventYearId === event) ?? all[0]
  const request = { FYear: season, eventYearId: exam?.eventYearId ?? 0, search, state, classId }
  const list = useEndpoint(officePaperSchools, {
    query: { ...request, eventYearId: String(request.eventYearId), page: String(page) },
    enabled: exam !== undefined,
  })
  const set = filters.countSet('search', 'state', 'classId')
  const mayWrite = useMay('exams.write')
  return { season, filters, exams, exam, kind, request, list, set, mayWrite }
}

type Papers = ReturnType<typeof usePapers>

export const kindWords = {
  attendance: 'attendance',
  answers: 'answers',
  admit: 'admit',
} as const satisfies Record<PaperKind, string>

/** Attendance sheets, answer-sheet lists and admit cards: for one school at once, for many by a background job. */
export function PapersPage() {
  const t = words.use()
  const papers = usePapers()
  const { filters, kind, list, exams } = papers
  const view = useListView('exam-papers', usePaperColumns(papers))
  if (exams.isError && !exams.data)
    return <PageProblem title={t('title')} error={exams.error} retry={exams.refetch} />
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={list.data && t('fact', { students: count(list.data.students), n: list.data.total })}>
        <PrintAll papers={papers} />
      </PageHeader>
      <div className="mb-4">
        <Segmented
          label={t('paper')}
          value={kind}
          choices={paperKinds.map((value) => ({ value, label: t(kindWords[value]) }))}
          onChange={(next) => filters.change({ kind: next })}
        />
      </div>
      <PapersJob />
      <PapersFilters papers={papers} view={view.tools} />
      <PapersTable papers={papers} columns={view.columns} />
    </>
  )
}

const paperJobCalls = [paperJobState]

/** Prints for every school that matches the filters: one PDF per class, or one ZIP with a PDF per school. */
function PrintAll({ papers }: { papers: Papers }) {
  const t = words.use()
  const [asking, setAsking] = useState(false)
  const [as, setAs] = useState<PaperShape>('classes')
  const { list, request, kind, mayWrite, exam } = papers
  const { students = 0, total = 0 } = list.data ?? {}
  return (
    <>
      <Button
        kind="primary"
        icon="print"
        disabled={mayWrite ? (students === 0 ? t('nobody') : undefined) : t('mayNotWrite')}
        onClick={() => setAsking(true)}>
        {t('printAll')}
      </Button>
      {asking && (
        <ConfirmAction
          title={t('printAllTitle', { paper: t(kindWords[kind]), subject: exam?.subjectName ?? '' })}
          action={t('printNow')}
          act={() => call(startPapers, { body: { ...request, kind, as } })}
          invalidates={paperJobCalls}
          onClose={() => setAsking(false)}>
          <div className="stack">
            <p>{t('printAllHint', { students: count(students), n: total })}</p>
            <RadioField
              label={t('shape')}
              name="shape"
              value={as}
              choices={paperShapes.map((value) => ({
                value,
                label: t(value === 'classes' ? 'byClass' : 'bySchool'),
              }))}
              onChange={(next) => setAs(next as PaperShape)}
            />
          </div>
        </ConfirmAction>
      )}
    </>
  )
}

/** Olympiad, school, state and class. */
function PapersFilters({ papers, view }: { papers: Papers; view: ReactNode }) {
  const t = words.use()
  const { filters, set, exams, exam } = papers
  const { states } = usePlaceChoices(filters.shown.state)
  const level = (examLevel: number) => (examLevel > 1 ? `, ${t('level', { n: examLevel })}` : '')
  return (
    <FilterRow
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      view={view}
      search={<SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />}>
      <SelectField
        className="mid"
        label={t('olympiad')}
        value={String(filters.shown.event || exam?.eventYearId || '')}
        choices={(exams.data?.data ?? []).map((olympiad) => ({
          value: String(olympiad.eventYearId),
          label: `${translateSentence(olympiad.subjectName)} (${olympiad.eventLetter})${level(olympiad.examLevel)}`,
        }))}
        onChange={(event) => filters.change({ event: Number(event.currentTarget.value) })}
      />
      <SelectField label={t('state')} empty={t('all')} choices={states} {...filters.field('state')} />
      <SelectField
        label={t('class')}
        empty={t('all')}
        choices={classChoices()}
        {...filters.field('classId')}
      />
    </FilterRow>
  )
}

/** The schools that take the olympiad; each row has a button to print that school's papers. */
function PapersTable({
  papers: { list, filters, set, exams, exam },
  columns,
}: {
  papers: Papers
  columns: Column<PaperSchool>[]
}) {
  const t = words.use()
  const nobody = (
    <EmptyState icon="users" title={t('nobody')}>
      {t('nobodyHint')}
    </EmptyState>
  )
  // A season without events has no list to load.
  if (exams.data && !exam) return <Panel padded={false}>{nobody}</Panel>
  return (
    <ListTable
      caption={t('caption')}
      columns={columns}
      list={list}
      filters={filters}
      rowKey={(row) => String(row.schoolId)}
      empty={
        set > 0 ? (
          <NothingFound title={t('nothing')} onClear={filters.clear}>
            {t('nothingHint')}
          </NothingFound>
        ) : (
          nobody
        )
      }
    />
  )
}

function usePaperColumns(papers: Papers): Column<PaperSchool>[] {
  const t = words.use()
  return columnsOf(t, [
    { key: 'school', title: true, cell: (row) => <SchoolLink id={row.schoolId}>{row.schName}</SchoolLink> },
    { key: 'code', cell: (row) => <span className="num nowrap">{row.schCode}</span> },
    { key: 'place', card: 'wide', cell: (row) => placeText(row.city, row.state) },
    {
      key: 'date',
      num: true,
      card: 'wide',
      cell: (row) =>
        row.examDate ? (
          <Day value={row.examDate} />
        ) : papers.exam?.examMode === 'Online' ? (
          t('online')
        ) : (
          <Badge kind="waiting">{t('noDate')}</Badge>
        ),
    },
    { key: 'classes', num: true, cell: (row) => count(row.classes) },
    {
      key: 'students',
      num: true,
      strong: true,
      cell: (row) => lines(count(row.students), row.numberless > 0 && t('numberless', { n: row.numberless })),
    },
    { key: 'act', label: t('print'), act: true, cell: (row) => <Print papers={papers} row={row} /> },
  ])
}

function Print({ papers, row }: { papers: Papers; row: PaperSchool }) {
  const t = words.use()
  const { busy, act } = useAction()
  const { request, kind, mayWrite } = papers
  const { FYear, eventYearId, classId } = request
  const body = { FYear, eventYearId, classId, schoolId: row.schoolId, kind }
  const print = () => act(() => download(printPapers, { body }))
  return (
    <Button
      icon="print"
      busy={busy}
      disabled={mayWrite ? undefined : t('mayNotWrite')}
      aria-label={t('printFor', { name: row.schName })}
      onClick={() => void print()}>
      {t('print')}
    </Button>
  )
}

/** The print job for many schools: its progress, and each class's file as soon as it is ready. */
function PapersJob() {
  const t = words.use()
  const stop = useAction(paperJobCalls)
  const mayWrite = useMay('exams.write')
  const { data } = useQuery({ ...endpointQuery(paperJobState, {}), refetchInterval: pollUntilEnded })
  const { busy, fetchFile } = useDownloads<number>()
  const job = data?.job
  if (!job) return null
  const refusal = mayWrite ? undefined : t('mayNotWrite')
  const zip = job.as === 'schools'
  const { jobId } = job
  return (
    <JobPanel
      className="mb-4"
      title={t('jobTitle', { paper: t(job.kind) })}
      job={job}
      making={t('making')}
      progressText={t(zip ? 'makingZip' : 'makingProgress', { done: count(job.done), n: count(job.total) })}
      stopped={t(zip ? 'stoppedZip' : 'stopped')}
      disabledReason={refusal}
      stopping={stop.busy}
      onStop={() => void stop.act(() => call(cancelPapers, { body: { jobId } }))}>
      <JobFiles
        files={job.files.map(({ classId: classPart, students: n, ...file }) => {
          return { ...file, part: classPart, contents: t('studentsOf', { n }) }
        })}
        until={job.until}
        busy={busy}
        disabledReason={refusal}
        onFetch={(classId) => void fetchFile(classId, paperFileOf, { body: { jobId, classId } })}
      />
    </JobPanel>
  )
}
