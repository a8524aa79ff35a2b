import { className, isClassId } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { type ResultRow, type resultActions, resultEvents } from '@podium/contract/results/calls'
import { type ResultChange, resultCorrections } from '@podium/contract/results/calls-corrections'
import { parseSeason } from '@podium/contract/season'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFilters } from '#shell/filters.ts'
import { dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ListTable } from '#shell/list-table.tsx'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { seasons, useSeason } from '#shell/season.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { type NumberedRow, resultColumns } from './columns.tsx'
import { ChangedResults } from './corrections/changed-results.tsx'
import { resultFilters } from './filters.ts'
import { words } from './words.ts'

export const resultsPageSize = 50

interface ResultsAnswer {
  data:
    | {
        data: (ResultRow & { gift?: boolean })[]
        total: number
        state: 'released' | 'awaited' | 'withheld'
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
  found: ResultsAnswer
  onPage: (page: number) => void
  /** All rows, during printing. */
  printed?: NumberedRow[] | undefined
  files: ReactNode
  /** Tabs, search form and notes about the results, shown between the title and the table. */
  children: ReactNode
  opened: string | undefined
  onOpen: (resultId: string | undefined) => void
  /** Content below the open row: the explanation and the actions for the result. */
  below: (row: NumberedRow) => ReactNode
  /** Link from an empty list to all results. */
  toAll: ReactNode
}

/** One subject as a school sees it: title, table, files, or why there is no table (not released, withheld, empty). */
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
          {data.state === 'withheld' ? (
            <EmptyState icon="lock" title={t('heldTitle')}>
              {t('heldHelp')}
            </EmptyState>
          ) : (
            <EmptyState icon="clock" title={t('awaitedTitle')}>
              {t('awaited', about)}
            </EmptyState>
          )}
        </Panel>
      ) : (
        <ListTable
          list={found}
          caption={t('caption', { ...about, list: t(list) })}
          className="res"
          columns={resultColumns({ t, leadsTo, opened, onOpen: props.onOpen })}
          rows={printed ?? rows}
          rowKey={(row) => row.resultId}
          folds={(row) => row.studentName}
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

const emptyWords = { all: 'empty', medal: 'emptyMedal', award: 'emptyAward', prize: 'emptyPrize' } as const

export type ResultList = keyof typeof resultActions
export type ResultEvent = AnswerOf<typeof resultEvents>['data'][number]

/** The values of the search form; the table loads once `event` is set. */
export interface Choice {
  examLevel: '1' | '2'
  season: string
  event: ResultEvent | undefined
  classId: number
  page: number
}

const levelOf = ({ examLevel }: ResultEvent) => (examLevel === 2 ? '2' : '1')

/** How many seasons are searched for results to offer. */
const maxSearchedSeasons = 4

/**
 * Reads the choice from the URL. Without a season there, uses the header's season and the first subject with results of
 * this school, or else the first released subject. If none is released, `earlier` is the newest season with results of
 * this school. `choice` is undefined while this loads..
 */
export function useChoice() {
  const { values } = useFilters(resultFilters)
  const thisYear = useSeason()
  const seasonInUrl = parseSeason(values.FYear)
  const given = seasonInUrl !== undefined || values.eventYearId !== 0
  const season = seasonInUrl ?? thisYear
  const searchedSeasons = given
    ? [season]
    : [season, ...seasons().filter((item) => item < season)].slice(0, maxSearchedSeasons)
  const answers = useQueries({
    queries: searchedSeasons.map((FYear) => endpointQuery(resultEvents, { query: { FYear } })),
  })
  const lists = answers.map(({ data, isPlaceholderData }) => (isPlaceholderData ? undefined : data?.data))
  const [first] = answers
  const [list, ...older] = lists
  const { classId, page, eventYearId } = values
  const event = eventYearId
    ? list?.find((item) => item.eventYearId === eventYearId)
    : (list?.find(({ mine }) => mine) ?? list?.find(({ released }) => released))
  const examLevel = eventYearId || !event ? values.examLevel : levelOf(event)
  const choice: Choice = { examLevel, season, event, classId, page }
  const earlier = older.findIndex((events) => events?.some(({ mine }) => mine))
  return {
    error: first?.error ?? undefined,
    retry: () => first?.refetch(),
    given,
    noEvents: given && list?.length === 0,
    earlier: earlier < 0 ? undefined : searchedSeasons[earlier + 1],
    choice: list ? choice : undefined,
  }
}

/** Returns `all classes` or `Class 7` for the line below the title. */
function classFact(classId: number, all: string): string {
  return classId !== 0 && isClassId(classId) ? translateSentence(className(classId)) : all
}

/** Lists the corrections that changed the school's results in a subject: when, why and for whom. */
export function SchoolCorrections({ eventYearId }: { eventYearId: number }) {
  const { data } = useEndpoint(resultCorrections, { query: { eventYearId: String(eventYearId) } })
  return <Corrections rows={data?.data ?? []} />
}

interface Correction {
  version: number
  reason: string
  /** Null until released. */
  releasedAt: string | null
  changes: readonly ResultChange[]
  count: number
}

/** Corrections as a school sees them. */
export function Corrections({ rows }: { rows: readonly Correction[] }) {
  const t = words.use()
  return rows.map(({ version, reason, releasedAt, changes, count }) => (
    <section key={version} className="stack" aria-label={t('correctedCaption', { n: version })}>
      <Note kind="due">
        {releasedAt === null
          ? t('correctedSoon', { n: version, reason })
          : t('correctedOn', { day: dayText(releasedAt), n: version, reason })}
      </Note>
      <details className="res-changed no-print">
        <summary>{t('correctedShow', { n: count })}</summary>
        <p className="hint mb-3">{t('correctedCertificates')}</p>
        <ChangedResults caption={t('correctedCaption', { n: version })} rows={changes} />
      </details>
    </section>
  ))
}
