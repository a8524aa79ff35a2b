import { type LedgerRow, type SeasonFigures, shareLedger } from '@podium/contract/ledger/calls-statement'
import { formatRupees } from '@podium/contract/money'
import { count, Rupees } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { feeOf } from './account-view.tsx'
import { PrintButton, PrintedFor } from './print.tsx'
import { words } from './words.ts'

type T = ReturnType<typeof words.use>
type Figures = Pick<SeasonFigures, 'gross' | 'retained' | 'payable'>

/** The three figures of a row, with their totals in the foot where there is one. */
function figureColumns<Row extends Figures>(t: T, totals?: Figures): Column<Row>[] {
  const column = (key: keyof Figures, label: string): Column<Row> => ({
    key,
    label,
    num: true,
    strong: key === 'retained',
    cell: (row) => <Rupees amount={row[key]} />,
    ...(totals ? { foot: <Rupees amount={totals[key]} /> } : {}),
  })
  return [
    column('gross', t('collected')),
    column('retained', t('shareKept')),
    column('payable', t('payable')),
  ]
}

function perHead(t: T, { shareFrom, shareTo }: LedgerRow): string {
  const [from, to] = [formatRupees(shareFrom), formatRupees(shareTo)]
  return from === to ? from : t('fromTo', { from, to })
}

/** What the school keeps: by kind of fee and subject, and season by season. */
export function ShareView() {
  const t = words.use()
  const say = useSentences()
  const season = useSeason()
  const { data, error, refetch, isPlaceholderData } = useEndpoint(shareLedger, { query: { FYear: season } })
  const columns: Column<LedgerRow>[] = [
    {
      key: 'subject',
      label: t('subject'),
      title: true,
      cell: (row) => translateSentence(row.subjectName),
      foot: t('total'),
    },
    {
      key: 'fee',
      label: t('fee'),
      card: 'wide',
      cell: (row) => (row.late ? t('lateFee') : feeOf(t, row.paymentFor)),
    },
    { key: 'heads', label: t('heads'), num: true, cell: (row) => count(row.heads) },
    { key: 'paid', label: t('paidHeads'), num: true, cell: (row) => count(row.paidHeads) },
    { key: 'each', label: t('perHead'), num: true, cell: (row) => perHead(t, row) },
    ...figureColumns<LedgerRow>(t, data?.totals),
  ]
  return (
    <div className="statement">
      <PrintedFor />
      <div className="statement-head row gap-5 mb-4">
        <p className="quiet">{t('headsSays')}</p>
        <div className="acts">
          <PrintButton />
        </div>
      </div>
      <DataTable
        caption={t('share')}
        columns={columns}
        rows={data?.data}
        rowKey={(row) => `${row.paymentFor}${row.eventLetter}${row.late}`}
        stale={isPlaceholderData}
        empty={<EmptyState icon="rupee">{t('emptyShare')}</EmptyState>}
        {...(error ? { error: { message: say(error.message), retry: refetch } } : {})}
      />
      {data && data.seasons.length > 1 && <Seasons seasons={data.seasons} />}
    </div>
  )
}

function Seasons({ seasons }: { seasons: readonly SeasonFigures[] }) {
  const t = words.use()
  return (
    <div className="statement-seasons">
      <h2>{t('seasons')}</h2>
      <DataTable
        caption={t('seasons')}
        compact
        columns={[
          { key: 'season', label: t('season'), title: true, cell: (row) => row.season },
          ...figureColumns<SeasonFigures>(t),
        ]}
        rows={seasons}
        rowKey={(row) => row.season}
      />
    </div>
  )
}
