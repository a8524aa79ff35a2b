import type { NextLevelRound } from '@podium/contract/results/calls-next-level'
import {
  type InvitationRow,
  type InvitationStatus,
  invitationStatuses,
} from '@podium/contract/results/calls-next-level-list'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useDisabledReason } from '#shell/disabled-reason.ts'
import { count, Day, nothing, placeText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { choicesBy, choicesOf, classChoices, ListFilters, ListTable } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import type { IconName } from '#ui/icon.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, NothingFound } from '#ui/note.tsx'
import type { InvitationDecision } from './dialogs.tsx'
import { officeWords, type RoundChildren } from './use-round.ts'

const statusLooks: Record<InvitationStatus, readonly [BadgeTone, IconName]> = {
  toInvite: ['info', 'plus'],
  waiting: ['due', 'clock'],
  yes: ['ok', 'check'],
  no: ['mute', 'close'],
  left: ['mute', 'struck'],
  toWithdraw: ['bad', 'dash'],
  withdrawn: ['mute', 'dash'],
}

/** Returns the columns of the list. */
function useInvitationColumns(): Column<InvitationRow>[] {
  const t = officeWords.use()
  return columnsOf(t, [
    {
      key: 'student',
      title: true,
      cell: (row) =>
        lines(
          <Link to={officePaths.student} params={{ id: String(row.studentId) }}>
            {row.studentName}
          </Link>,
          translateSentence(row.className) + (row.section === '-' ? '' : ` ${row.section}`),
          row.nioRollNo,
        ),
    },
    {
      key: 'school',
      card: 'lead wide',
      cell: (row) => lines(row.schName, `${row.schCode}, ${placeText(row.city, row.state)}`),
    },
    {
      key: 'marks',
      label: t('scoreAndRank'),
      num: true,
      cell: ({ marks, olympiadRank: rank }) =>
        lines(marks.toFixed(4), rank !== null && t('rankOf', { rank: count(rank) })),
    },
    { key: 'why', card: 'wide', cell: (row) => <InvitationReason row={row} /> },
    {
      key: 'status',
      card: 'lead',
      cell: (row) => {
        const [tone, icon] = statusLooks[row.status]
        return lines(
          <Badge tone={tone} icon={icon}>
            {t(`status_${row.status}`)}
          </Badge>,
          row.withheld && t('withheld'),
        )
      },
    },
    {
      key: 'answer',
      label: t('answered'),
      card: 'wide',
      cell: (row) =>
        row.answeredAt ? (
          <>
            <Day value={row.answeredAt} />
            <span className="under nl-answer-note">
              {row.answeredBy}
              {row.answerNote && `: ${row.answerNote}`}
            </span>
          </>
        ) : (
          nothing
        ),
    },
  ])
}

const scopes = {
  olympiad: 'byOlympiad',
  zonal: 'byZonal',
  state: 'byStateRank',
  class: 'byClassRank',
} as const

/** Shows the criterion that is met and, for a manual decision, who made it and why. */
function InvitationReason({ row }: { row: InvitationRow }) {
  const t = officeWords.use()
  const { because } = row
  return (
    <span className="nl-why">
      {because
        ? t(scopes[because.by], {
            rank: count(because.rank),
            upTo: count(because.upToRank),
            percent: because.percent,
            needed: because.neededPercent,
          })
        : t(row.eligible ? 'eligibleByRules' : 'notEligible')}
      {row.byHand && (
        <span className="under">{t('decidedByHand', { name: row.decidedBy, reason: row.reason })}</span>
      )}
    </span>
  )
}

const DecideDialog = lazyDialog(() => import('./dialogs.tsx'), 'DecideDialog')
const AddDialog = lazyDialog(() => import('./dialogs.tsx'), 'AddDialog')

/** Two children of a class may have the same name. */
const nameWithRoll = ({ studentName, nioRollNo }: InvitationRow) => `${studentName}, ${nioRollNo}`

const ways = ['leave', 'invite', 'rules'] as const

interface ListProps {
  round: NextLevelRound
  of: RoundChildren
  states: readonly { key: string }[]
}

/** The students of a list, with search, filters and manual decisions, also for several at once. */
export function RoundList({ round, of, states }: ListProps) {
  const t = officeWords.use()
  const reason = useDisabledReason(t('mayNot'))
  const { filters, list, set } = of
  const view = useListView('next-level', useInvitationColumns())
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [deciding, setDeciding] = useState<InvitationDecision>()
  const [adding, setAdding] = useState(false)
  const { data, error, refetch } = list
  const disabled = reason(round.can.change)
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <div>
      <div className="row between mb-3">
        <h2>{t('children')}</h2>
        <Button icon="plus" disabled={disabled} onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      </div>
      <Filters of={of} states={states} view={view.tools} />
      <ListTable
        caption={t('children')}
        columns={view.columns}
        list={list}
        filters={filters}
        rowKey={(row) => String(row.studentId)}
        cardColumns={2}
        folds={nameWithRoll}
        gone={(row) => row.status === 'left' || row.status === 'withdrawn'}
        empty={
          set > 0 ? (
            <NothingFound title={t('nothing')} onClear={filters.clear}>
              {t('nothingHint')}
            </NothingFound>
          ) : (
            <EmptyState icon="users" title={t('nobodyEligible')}>
              {t('nobodyEligibleHint')}
            </EmptyState>
          )
        }
        selection={{
          selected,
          onChange: setSelected,
          selectable: () => disabled === false,
          name: nameWithRoll,
        }}
        bulk={
          <>
            <span>{t('selected', { n: selected.size })}</span>
            <Button onClick={() => setSelected(new Set())}>{t('unselect')}</Button>
            {ways.map((how) => (
              <Button key={how} onClick={() => setDeciding(how)}>
                {t(`as_${how}`)}
              </Button>
            ))}
          </>
        }
      />
      {deciding && (
        <DecideDialog
          round={round}
          how={deciding}
          studentIds={[...selected].map(Number)}
          onClose={() => setDeciding(undefined)}
          onDone={() => setSelected(new Set())}
        />
      )}
      {adding && <AddDialog round={round} onClose={() => setAdding(false)} />}
    </div>
  )
}

function Filters({ of, states, view }: Pick<ListProps, 'of' | 'states'> & { view: ReactNode }) {
  const t = officeWords.use()
  const { filters } = of
  const all = t('any')
  const places = new Set([...states.map(({ key }) => key), filters.shown.state].filter(Boolean))
  return (
    <ListFilters
      filters={filters}
      fields={{
        search: { label: t('search'), placeholder: t('searchHint') },
        status: {
          label: t('status'),
          all,
          choices: choicesOf(invitationStatuses, (value) => t(`status_${value}`)),
        },
        classId: { label: t('class'), all, choices: classChoices() },
        state: { label: t('stateOf'), all, choices: choicesOf([...places], translateSentence) },
        how: { label: t('decided'), all, choices: choicesBy({ rules: t('howRules'), hand: t('howHand') }) },
      }}
      view={view}
    />
  )
}
