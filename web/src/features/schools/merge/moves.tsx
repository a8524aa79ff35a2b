import { count, Rupees } from '#shell/format.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import type { Preview } from './data.ts'
import { words } from './words.ts'

/** What goes over, counted for both. */
export function Moves({ preview }: { preview: Preview }) {
  const t = words.use()
  const rows = preview.moves.filter(({ leaves }) => leaves > 0)
  return (
    <Panel title={t('movesTitle')} padded={false}>
      <div className="pad">
        <p className="hint">{t('movesSays')}</p>
        {preview.seasons.length > 0 && (
          <p className="hint">{t('seasonsAre', { seasons: preview.seasons.join(', ') })}</p>
        )}
      </div>
      <DataTable
        caption={t('movesTitle')}
        compact
        rows={rows}
        rowKey={({ kind }) => kind}
        empty={<p className="pad">{t('nothingMoves')}</p>}
        columns={[
          { key: 'what', label: t('what'), title: true, cell: ({ kind }) => t(`kind_${kind}`) },
          { key: 'stays', label: t('stays'), num: true, cell: ({ stays }) => count(stays) },
          { key: 'leaves', label: t('leaves'), num: true, cell: ({ leaves }) => count(leaves) },
          { key: 'sum', label: t('together'), num: true, cell: (row) => count(row.stays + row.leaves) },
        ]}
      />
    </Panel>
  )
}

/** The money of both, which is the same after the merge. */
export function Sums({ sums }: { sums: NonNullable<Preview['sums']> }) {
  const t = words.use()
  return (
    <Panel title={t('sumsTitle')} padded={false}>
      <div className="pad">
        <p className="hint">{t('sumsSays')}</p>
      </div>
      <DataTable
        caption={t('sumsTitle')}
        compact
        rows={sums}
        rowKey={({ kind }) => kind}
        empty=""
        columns={[
          { key: 'what', label: t('what'), title: true, cell: ({ kind }) => t(`sum_${kind}`) },
          { key: 'stays', label: t('stays'), num: true, cell: ({ stays }) => <Rupees amount={stays} /> },
          { key: 'leaves', label: t('leaves'), num: true, cell: ({ leaves }) => <Rupees amount={leaves} /> },
          {
            key: 'sum',
            label: t('together'),
            num: true,
            strong: true,
            cell: (row) => <Rupees amount={Math.round((row.stays + row.leaves) * 100) / 100} />,
          },
        ]}
      />
    </Panel>
  )
}
