import { resultActions, searchResults, whyResult } from '@podium/contract/results/calls'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { buttonClass } from '#ui/button.tsx'
import type { Choice, ResultEvent, ResultList } from './choice.ts'
import type { NumberedRow } from './columns.tsx'
import { SchoolCorrections } from './corrections/corrections.tsx'
import { ResultActions } from './result-actions.tsx'
import { PrintHead, ResultFiles } from './result-files.tsx'
import { ResultsView, resultsPageSize } from './results-view.tsx'
import { WhyPanel } from './why/panel.tsx'
import { words } from './words.ts'

const CertificatesJob = lazy(() =>
  import('./certificates/job.tsx').then((m) => ({ default: m.CertificatesJob })),
)

interface ResultsOfEventProps {
  list: ResultList
  choice: Choice & { event: ResultEvent }
  onPage: (page: number) => void
  /** Tabs and search form, between the title and the table. */
  children: ReactNode
}

/** The results of the own school in one subject, with what is done with them: files, certificates, links. */
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
  const offset = (Math.max(page, 1) - 1) * resultsPageSize
  const found = useEndpoint(searchResults, { body: { ...asked, offset, limit: resultsPageSize } })
  // Rows of another subject would stand under this one's title while it loads.
  const data =
    found.data && found.isPlaceholderData && !sameEvent(found.data.data, event) ? undefined : found.data
  const { error, refetch, isPlaceholderData } = found
  return (
    <ResultsView
      list={list}
      event={event}
      season={season}
      classId={classId}
      page={page}
      found={{ data, error, refetch, isPlaceholderData }}
      onPage={onPage}
      printed={printed}
      files={<ResultFiles asked={asked} total={data?.total ?? 0} onPrint={setPrinted} />}
      opened={opened}
      onOpen={setOpened}
      below={(row) => (
        <>
          <WhyPanel resultId={row.resultId} endpoint={whyResult} />
          <ResultActions row={row} />
        </>
      )}
      toAll={
        <Link to={paths.viewResult} search={(search: object) => search} className={buttonClass()}>
          {t('toAll')}
        </Link>
      }
    >
      <PrintHead />
      {children}
      <Suspense>
        <CertificatesJob of="school" />
      </Suspense>
      {data?.state === 'released' && (data.version ?? 1) > 1 && (
        <SchoolCorrections eventYearId={event.eventYearId} />
      )}
    </ResultsView>
  )
}

const sameEvent = (rows: readonly { eventYearId: number }[], event: ResultEvent) =>
  rows[0]?.eventYearId === event.eventYearId
