import { resultActions, searchResults, whyResult } from '@podium/contract/results'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { dayText } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { buttonClass } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { type Choice, classFact, type ResultEvent, type ResultList } from './choice.ts'
import { type NumberedRow, resultColumns } from './columns.tsx'
import { ResultActions } from './result-actions.tsx'
import { PrintHead, ResultFiles } from './result-files.tsx'
import { SchoolCorrections } from './school-corrections.tsx'
import { WhyPanel } from './why-panel.tsx'
import { words } from './words.ts'

const CertificatesJob = lazy(() =>
  import('./certificates-job.tsx').then((m) => ({ default: m.CertificatesJob })),
)
const pageSize = 50

interface ResultsOfEventProps {
  list: ResultList
  choice: Choice & { event: ResultEvent }
  onPage: (page: number) => void
  /** Tabs and search form, between the title and the table. */
  children: ReactNode
}

/** Title, table and files of one subject; or why there is no table: not out yet, held, none in this list. */
export function ResultsOfEvent({ list, choice, onPage, children }: ResultsOfEventProps) {
  const t = words.use()
  const schCode = useSession()?.schCode ?? undefined
  const [opened, setOpened] = useState<string>()
  const [printed, setPrinted] = useState<NumberedRow[]>()
  const { event, season, classId, page } = choice
  const asked = {
    schCode,
    examLevel: Number(choice.examLevel),
    fyear: season,
    eventYearId: event.eventYearId,
    eventLetter: event.eventLetter,
    classId,
    action: resultActions[list],
  }
  const offset = (Math.max(page, 1) - 1) * pageSize
  const found = useEndpoint(searchResults, { body: { ...asked, offset, limit: pageSize } })
  // Rows of another subject would stand under this one's title while it loads.
  const data =
    found.data && found.isPlaceholderData && !sameEvent(found.data.data, event) ? undefined : found.data
  const rows = data?.data.map((row, n) => ({ ...row, serial: offset + n + 1 }))
  const leadsTo = event.leadsOn ? (event.examLevel === 2 ? 3 : 2) : undefined
  const about = { subject: event.subjectName, season }
  const fact = [
    t('fact', { ...about, class: classFact(classId, t('allClassesFact')) }),
    data?.state === 'released' && t('factReleased', { day: dayText(data.releasedAt) }),
    data?.version && data.version > 1 && t('factVersion', { n: data.version }),
  ]
  return (
    <div className="results-page">
      <PageHeader title={t(list === 'all' ? 'title' : list)} fact={fact.filter(Boolean).join(' ')}>
        <ResultFiles asked={asked} total={data?.total ?? 0} onPrint={setPrinted} />
      </PageHeader>
      <PrintHead />
      {children}
      <Suspense>
        <CertificatesJob of="school" />
      </Suspense>
      {data?.state === 'released' && (data.version ?? 1) > 1 && (
        <SchoolCorrections eventYearId={event.eventYearId} />
      )}
      {data && data.state !== 'released' ? (
        <Panel padded={false}>
          {data.state === 'held' ? (
            <EmptyState icon="lock" title={t('heldTitle')}>
              {t('heldHelp')}
            </EmptyState>
          ) : (
            <EmptyState icon="clock" title={t('awaitedTitle')}>
              {t('awaited', about)}
            </EmptyState>
          )}
        </Panel>
      ) : found.error && !data ? (
        <LoadProblem error={found.error} retry={found.refetch} />
      ) : (
        <DataTable
          caption={t('caption', { ...about, list: t(list) })}
          className="res"
          columns={resultColumns({ t, leadsTo, opened, onOpen: setOpened })}
          rows={printed ?? rows}
          rowKey={(row) => row.resultId}
          stale={found.isPlaceholderData}
          empty={<EmptyList list={list} />}
          more={(row) =>
            row.resultId === opened && !printed ? (
              <>
                <WhyPanel resultId={row.resultId} endpoint={whyResult} />
                <ResultActions row={row} />
              </>
            ) : undefined
          }
          paging={{ total: data?.total ?? 0, page: Math.max(page, 1), size: pageSize, onPage }}
        />
      )}
    </div>
  )
}

const sameEvent = (rows: readonly { eventYearId: number }[], event: ResultEvent) =>
  rows[0]?.eventYearId === event.eventYearId

const emptyWords = {
  all: 'empty',
  medal: 'emptyMedal',
  award: 'emptyAward',
  prize: 'emptyPrize',
} as const

function EmptyList({ list }: { list: ResultList }) {
  const t = words.use()
  return (
    <EmptyState
      icon="medal"
      actions={
        list !== 'all' && (
          <Link to={paths.viewResult} search={(search: object) => search} className={buttonClass()}>
            {t('toAll')}
          </Link>
        )
      }
    >
      {t(emptyWords[list])}
    </EmptyState>
  )
}
