import { getOrder } from '@podium/contract/shipping/calls'
import { Link } from '@tanstack/react-router'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { PacketsTable } from './packets-table.tsx'
import { words } from './words.ts'

/** Importantlink/trackorder: the parcels of books and awards on their way to the school. */
export function TrackOrderPage() {
  const t = words.use()
  const season = useSeason()
  const orders = useEndpoint(getOrder, { query: { FYear: season } })
  return (
    <>
      <PageHeader title={t('trackTitle')} fact={t('trackFact', { season })} />
      {orders.isError && !orders.data ? (
        <Panel padded={false}>
          <LoadProblem error={orders.error} retry={() => orders.refetch()} />
        </Panel>
      ) : (
        <PacketsTable
          caption={t('trackTitle')}
          rows={orders.data?.data}
          stale={orders.isPlaceholderData}
          empty={
            <EmptyState
              icon="truck"
              title={t('trackEmptyTitle')}
              actions={
                <Link to={paths.managePayment} className={buttonClass('secondary')}>
                  {t('managePayments')}
                </Link>
              }
            >
              {t('trackEmpty')}
            </EmptyState>
          }
        />
      )}
    </>
  )
}
