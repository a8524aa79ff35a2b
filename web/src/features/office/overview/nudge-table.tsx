import type { NudgeRow, nudgeList } from '@podium/contract/office/calls-overview'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count, Day, Moment, Rupees } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { pagingOf } from '#shell/paging.ts'
import { officePaths } from '#shell/paths.ts'
import type { useEndpoint } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { type NudgeFiltering, stepWords } from './steps.ts'
import { words } from './words.ts'

interface Props {
  list: ReturnType<typeof useEndpoint<typeof nudgeList>>
  /** The first so many alone, without choosing and turning pages. */
  few?: number | undefined
  filters: NudgeFiltering
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  /** Why this role sends nothing. */
  mayNot: string | undefined
  columns: readonly Column<NudgeRow>[]
  bulk: ReactNode
}

/** Schools with what they have to do next, those with the least time first. */
export function NudgeTable({ list, few, filters, selected, onSelect, mayNot, columns, bulk }: Props) {
  const t = words.use()
  const say = useSentences()
  const { data, error, refetch } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  const set = filters.countSet('search', 'step', 'state', 'within') > 0
  return (
    <DataTable
      caption={t('nudgesCaption')}
      columns={columns.filter(({ key }) => key !== 'due' || data?.data.some(({ due }) => due !== null))}
      rows={data?.data.slice(0, few)}
      rowKey={(row) => String(row.id)}
      stale={list.isPlaceholderData}
      {...(mayNot === undefined && few === undefined
        ? {
            selection: {
              selected,
              onChange: onSelect,
              selectable: (row: NudgeRow) => row.can === true,
              name: (row: NudgeRow) => row.schName,
            },
          }
        : {})}
      bulk={bulk}
      {...(error ? { error: { message: say(error.message), retry: refetch } } : {})}
      empty={
        <EmptyState
          icon="ok"
          title={t(set ? 'noNudges' : 'noNudgesAll')}
          actions={set && <Button onClick={filters.clear}>{t('clear')}</Button>}
        />
      }
      {...(few === undefined ? pagingOf(data, filters) : {})}
    />
  )
}

/** What the list can show. */
export function useNudgeColumns(
  mayNot: string | undefined,
  onRemind: (row: NudgeRow) => void,
): Column<NudgeRow>[] {
  const t = words.use()
  return [
    {
      key: 'school',
      label: t('school'),
      title: true,
      cell: (row) => (
        <>
          <Link to={officePaths.school} params={{ id: String(row.id) }}>
            {row.schName}
          </Link>
          <span className="under quiet">
            {row.schCode}, {row.city}, {row.state}
          </span>
        </>
      ),
    },
    { key: 'step', label: t('step'), card: 'wide', cell: (row) => t(stepWords[row.step]) },
    {
      key: 'left',
      label: t('left'),
      cell: (row) => (
        <>
          <Left days={row.daysLeft} />
          {row.until !== null && (
            <span className="under quiet">
              <Day value={row.until} />
            </span>
          )}
        </>
      ),
    },
    { key: 'students', label: t('students'), num: true, cell: (row) => count(row.students) },
    { key: 'due', label: t('outstanding'), num: true, cell: (row) => <Rupees amount={row.due} dash /> },
    {
      key: 'last',
      label: t('lastNudge'),
      card: 'wide',
      cell: (row) =>
        row.lastNudge === null ? (
          <span className="quiet">{t('never')}</span>
        ) : (
          <>
            <Moment value={row.lastNudge.at} />
            <span className="under quiet">{t('by', { name: row.lastNudge.by })}</span>
          </>
        ),
    },
    {
      key: 'act',
      label: t('remind'),
      act: true,
      cell: (row) => (
        <Button
          className="sm"
          icon="mail"
          aria-label={t('remindOf', { name: row.schName })}
          disabled={mayNot ?? (row.can === true ? undefined : t(row.can))}
          onClick={() => onRemind(row)}
        >
          {t('remind')}
        </Button>
      ),
    },
  ]
}

/** Days left in words, late ones marked. */
function Left({ days }: { days: number | null }) {
  const t = words.use()
  if (days === null) return <span className="quiet">{t('noDay')}</span>
  if (days < 0) return <Badge kind="rejected">{t('overBy', { n: -days })}</Badge>
  if (days === 0) return <Badge kind="waiting">{t('today')}</Badge>
  return days <= 7 ? <Badge kind="waiting">{t('leftOf', { n: days })}</Badge> : t('leftOf', { n: days })
}
