import type { AnswerOf } from '@podium/contract/endpoint'
import type { InvitationCounts, nextLevelRound } from '@podium/contract/results/calls-next-level-office'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { Segmented } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import type { Children } from './use-round.ts'
import { officeWords } from './words-office.ts'

type Line = InvitationCounts & { key: string; label: string }
type Figure = keyof InvitationCounts

interface CountsProps {
  of: AnswerOf<typeof nextLevelRound>
  filters: Children['filters']
}

/** The counts of a list by class or by state; a line filters the list below. */
export function RoundCounts({ of, filters }: CountsProps) {
  const t = officeWords.use()
  const [by, setBy] = useState<'classes' | 'states'>('classes')
  const rows: Line[] = of[by]
  const figure = (key: Figure, label: string): Column<Line> => ({
    key,
    label,
    num: true,
    cell: (row) => (row[key] === 0 ? <span className="quiet">0</span> : count(row[key])),
    foot: count(rows.reduce((sum, row) => sum + row[key], 0)),
  })
  const open = (row: Line) => filters.change(by === 'classes' ? { classId: row.key } : { state: row.key })
  return (
    <Panel
      title={t('counts')}
      padded={false}
      aside={
        <Segmented
          label={t('countsBy')}
          value={by}
          choices={[
            { value: 'classes', label: t('byClass') },
            { value: 'states', label: t('byState') },
          ]}
          onChange={setBy}
        />
      }
    >
      <DataTable
        caption={t('counts')}
        className="inset"
        compact
        rows={rows}
        rowKey={(row) => row.key}
        cardColumns={2}
        empty={<EmptyState icon="users">{t('nobodyEligible')}</EmptyState>}
        columns={[
          {
            key: 'label',
            label: t(by === 'classes' ? 'class' : 'stateOf'),
            title: true,
            foot: t('all'),
            cell: (row) => (
              <button type="button" className="lk" onClick={() => open(row)}>
                {row.label}
              </button>
            ),
          },
          figure('eligible', t('eligible')),
          figure('invited', t('invited')),
          figure('byHand', t('byHand')),
          figure('leftOut', t('leftOut')),
          figure('yes', t('standing_yes')),
          figure('no', t('standing_no')),
          figure('waiting', t('standing_waiting')),
          figure('pending', t('pending')),
        ]}
      />
    </Panel>
  )
}
