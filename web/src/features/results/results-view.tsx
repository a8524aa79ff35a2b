import type { ResultRow } from '@podium/contract/results/calls'
import type { ReactNode } from 'react'
import { dayText } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { classFact, type ResultList } from './choice.ts'
import { type NumberedRow, resultColumns } from './columns.tsx'
import { words } from './words.ts'

export const resultsPageSize = 50

interface Found {
  data:
    | {
        data: (ResultRow & { gift?: boolean })[]
        total: number
        state: 'released' | 'awaited' | 'held'
        version: number | null
        releasedAt: string | null
      }
    | undefined
  error: Error | null
  refetch: () => unknown
  isPlaceholderData: boolean
}

interface ResultsViewProps {
  list: ResultList
  event: { subjectName: string; examLevel: number; leadsOn: boolean }
  season: string
  classId: number
  page: number
  found: Found
  onPage: (page: number) => void
  /** All rows, while they are printed. */
  printed?: NumberedRow[] | undefined
  files: ReactNode
  /** Tabs and search form, between the title and the table, and what is to be known of the results. */
  children: ReactNode
  opened: string | undefined
  onOpen: (resultId: string | undefined) => void
  /** Below the row that is opened: the reasons, and what is done with a result. */
  below: (row: NumberedRow) => ReactNode
  /** The way from an empty list to all results. */
  toAll: ReactNode
}

/** Title, table and files of one subject as a school sees them; or why there is no table: not out yet, held, none in this list. */
export function ResultsView(props: ResultsViewProps) {
  const t = words.use()
  const { list, event, season, page, found, printed, opened } = props
  const { data } = found
  const offset = (Math.max(page, 1) - 1) * resultsPageSize
  const rows = data?.data.map((row, n) => ({ ...row, serial: offset + n + 1 }))
  const leadsTo = event.leadsOn ? (event.examLevel === 2 ? 3 : 2) : undefined
  const about = { subject: event.subjectName, season }
  const fact = [
    t('fact', { ...about, class: classFact(props.classId, t('allClassesFact')) }),
    data?.state === 'released' && data.releasedAt && t('factReleased', { day: dayText(data.releasedAt) }),
    data?.version && data.version > 1 && t('factVersion', { n: data.version }),
  ]
  return (
    <div className="results-page">
      <PageHeader title={t(list === 'all' ? 'title' : list)} fact={fact.filter(Boolean).join(' ')}>
        {props.files}
      </PageHeader>
      {props.children}
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
          columns={resultColumns({ t, leadsTo, opened, onOpen: props.onOpen })}
          rows={printed ?? rows}
          rowKey={(row) => row.resultId}
          folds={(row) => row.studentName}
          stale={found.isPlaceholderData}
          empty={
            <EmptyState icon="medal" actions={list !== 'all' && props.toAll}>
              {list === 'all' && props.classId === 0 ? t('emptyHere', about) : t(emptyWords[list])}
            </EmptyState>
          }
          more={(row) => (row.resultId === opened && !printed ? props.below(row) : undefined)}
          paging={{
            total: data?.total ?? 0,
            page: Math.max(page, 1),
            size: resultsPageSize,
            onPage: props.onPage,
          }}
        />
      )}
    </div>
  )
}

const emptyWords = {
  all: 'empty',
  medal: 'emptyMedal',
  award: 'emptyAward',
  prize: 'emptyPrize',
} as const
