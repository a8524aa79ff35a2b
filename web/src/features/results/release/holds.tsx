import { resultHolds } from '@podium/contract/results/calls-office'
import { lazy, Suspense, useState } from 'react'
import { Day } from '#shell/format.tsx'
import { mayUse } from '#shell/guard.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { useReason } from '../office-parts.tsx'
import { officeWords } from '../words-office.tsx'
import type { Hold } from './hold-dialog.tsx'

const HoldDialog = lazy(() => import('./hold-dialog.tsx').then((m) => ({ default: m.HoldDialog })))
const LiftDialog = lazy(() => import('./hold-dialog.tsx').then((m) => ({ default: m.LiftDialog })))

/** The schools whose results in an event are held back; hold one with a reason, or lift it. */
export function Holds({ eventYearId }: { eventYearId: number }) {
  const t = officeWords.use()
  const reason = useReason()
  const [holding, setHolding] = useState(false)
  const [lifting, setLifting] = useState<Hold>()
  const { data, error, refetch } = useEndpoint(resultHolds, { query: { eventYearId: String(eventYearId) } })
  const off = reason(mayUse('results.release') ? true : 'access.denied')
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <section aria-label={t('holdsTitle')}>
      <div className="res-head row mb-3">
        <h2>{t('holdsTitle')}</h2>
        <Button icon="lock" disabled={off} onClick={() => setHolding(true)}>
          {t('hold')}
        </Button>
      </div>
      <DataTable
        caption={t('holdsCaption')}
        rows={data?.data}
        rowKey={(row) => row.schCode}
        empty={<EmptyState icon="ok">{t('noHolds')}</EmptyState>}
        cardColumns={2}
        columns={[
          {
            key: 'school',
            label: t('school'),
            title: true,
            cell: (row) => (
              <>
                {row.schName}
                <span className="under">{row.schCode}</span>
              </>
            ),
          },
          { key: 'reason', label: t('reason'), card: 'wide', cell: (row) => row.reason },
          { key: 'by', label: t('heldBy'), cell: (row) => row.heldBy },
          { key: 'at', label: t('heldAt'), cell: (row) => <Day value={row.heldAt} /> },
          {
            key: 'act',
            label: '',
            act: true,
            cell: (row) => (
              <Button
                kind="text"
                disabled={off}
                aria-label={t('liftFor', { name: row.schName })}
                onClick={() => setLifting(row)}
              >
                {t('lift')}
              </Button>
            ),
          },
        ]}
      />
      <Suspense>
        {holding && <HoldDialog eventYearId={eventYearId} onClose={() => setHolding(false)} />}
        {lifting && (
          <LiftDialog eventYearId={eventYearId} hold={lifting} onClose={() => setLifting(undefined)} />
        )}
      </Suspense>
    </section>
  )
}
