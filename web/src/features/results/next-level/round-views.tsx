import type { AnswerOf } from '@podium/contract/endpoint'
import {
  type InvitationCounts,
  type NextLevelRound,
  type nextLevelRound,
  takeOverNextLevel,
} from '@podium/contract/results/calls-next-level'
import { type DifferenceRow, nextLevelDifference } from '@podium/contract/results/calls-next-level-list'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { useDisabledReason } from '#shell/disabled-reason.ts'
import { count, nothing } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ListTable } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { officeWords, type RoundChildren, roundCalls } from './use-round.ts'

type Line = InvitationCounts & { key: string; label: string }
type Figure = keyof InvitationCounts

interface CountsProps {
  of: AnswerOf<typeof nextLevelRound>
  filters: RoundChildren['filters']
}

/** Counts of a list by class or by state. Selecting a row filters the list below. */
export function RoundCounts({ of, filters }: CountsProps) {
  const t = officeWords.use()
  const [by, setBy] = useState<'classes' | 'states'>('classes')
  const rows: Line[] = of[by]
  const figure = (key: Figure, label: string, card?: 'said'): Column<Line> => ({
    key,
    label,
    num: true,
    ...(card ? { card } : {}),
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
      }>
      <DataTable
        caption={t('counts')}
        className="inset"
        compact
        rows={rows}
        rowKey={(row) => row.key}
        folds={(row) => translateSentence(row.label)}
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
                {translateSentence(row.label)}
              </button>
            ),
          },
          figure('eligible', t('eligible')),
          figure('invited', t('invited'), 'said'),
          figure('byHand', t('byHand')),
          figure('leftOut', t('leftOut')),
          figure('yes', t('status_yes'), 'said'),
          figure('no', t('status_no'), 'said'),
          figure('waiting', t('status_waiting'), 'said'),
          figure('pending', t('pending')),
        ]}
      />
    </Panel>
  )
}

/** Shows what a correction of the results changes in the list. The changes apply only when someone accepts them. */
export function CorrectionDifference({ round }: { round: NextLevelRound }) {
  const t = officeWords.use()
  const reason = useDisabledReason(t('mayNot'))
  const { busy, act } = useAction(roundCalls)
  const [page, setPage] = useState(1)
  const { eventYearId, version, added, removed } = round
  const difference = useEndpoint(nextLevelDifference, {
    query: { eventYearId: String(eventYearId), page: String(page) },
  })
  const { data } = difference
  const visibleVersion = round.visibleVersion ?? 0
  const take = () =>
    act(
      () => call(takeOverNextLevel, { body: { eventYearId, version, visibleVersion } }),
      (done) => t('updatedToast', { added: done.added, removed: done.removed }),
    )
  return (
    <Panel
      title={t('difference')}
      padded={false}
      aside={
        <Button kind="primary" busy={busy} disabled={reason(round.can.change)} onClick={() => void take()}>
          {t('updateList')}
        </Button>
      }>
      <div className="pad">
        <Note kind="due">
          {t('differenceHint', { list: round.listVersion ?? 0, now: visibleVersion, added, removed })}
        </Note>
      </div>
      <ListTable
        list={difference}
        caption={t('difference')}
        className="inset"
        compact
        rowKey={(row) => String(row.studentId)}
        columns={differenceColumns(t)}
        empty={<EmptyState icon="ok">{t('differenceNone')}</EmptyState>}
        paging={
          data && data.total > data.pageSize
            ? { total: data.total, page, size: data.pageSize, onPage: setPage }
            : undefined
        }
      />
    </Panel>
  )
}

const differenceColumns = (t: ReturnType<typeof officeWords.use>): Column<DifferenceRow>[] =>
  columnsOf(t, [
    { key: 'student', title: true, cell: (row) => lines(row.studentName, row.nioRollNo) },
    { key: 'class', cell: (row) => translateSentence(row.className) },
    { key: 'school', card: 'wide', cell: (row) => `${row.schName}, ${row.schCode}` },
    {
      key: 'change',
      cell: (row) =>
        row.change === 'added' ? (
          <Badge tone="ok" icon="plus">
            {t('added')}
          </Badge>
        ) : (
          lines(
            <Badge tone="bad" icon="dash">
              {t('removed')}
            </Badge>,
            row.notified && t('removedNotified'),
          )
        ),
    },
    { key: 'before', label: t('rankBefore'), num: true, cell: (row) => row.before ?? nothing },
    { key: 'after', label: t('rankAfter'), num: true, cell: (row) => row.after ?? nothing },
  ])
