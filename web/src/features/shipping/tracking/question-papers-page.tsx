import { getQuestionPaperStatus } from '@podium/contract/shipping/calls'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { PacketsTable } from './packets-table.tsx'
import { words } from './words.ts'

/** Importantlink/QuctionStatus: the parcels of question papers; «Not Applicable» while there are none. */
export function QuestionPapersPage() {
  const t = words.use()
  const season = useSeason()
  const papers = useEndpoint(getQuestionPaperStatus, { query: { FYear: season } })
  return (
    <>
      <PageHeader title={t('papersTitle')} fact={t('papersFact', { season })} />
      {papers.isError && !papers.data ? (
        <Panel padded={false}>
          <LoadProblem error={papers.error} retry={() => papers.refetch()} />
        </Panel>
      ) : (
        <PacketsTable
          caption={t('papersTitle')}
          rows={papers.data && (papers.data.data ?? [])}
          stale={papers.isPlaceholderData}
          empty={
            <EmptyState icon="file" title={t('papersEmptyTitle')}>
              {t('papersEmpty')}
            </EmptyState>
          }
        />
      )}
    </>
  )
}
