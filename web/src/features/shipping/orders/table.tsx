import type { DueContents, DueSchool, dueSorts } from '@podium/contract/shipping/calls-orders'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count, placeText } from '#shell/format.tsx'
import { ListTable } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, NothingFound } from '#ui/note.tsx'
import { type Due, useMayWrite, words } from '../data.tsx'

const PackDialog = lazyDialog(() => import('../packets/pack-dialog.tsx'), 'PackDialog')

const sortOf: Record<string, (typeof dueSorts)[number]> = { school: 'name', due: 'copies', place: 'place' }

/** The schools with items to send; each can be packed from its row. */
export function DueTable({ due, columns }: { due: Due; columns: Column<DueSchool>[] }) {
  const t = words.use()
  const { list, filters } = due
  const { sort } = filters.values
  const [packing, setPacking] = useState<DueSchool>()
  const act = useAction(setPacking)
  const sorted = Object.entries(sortOf).find(([, name]) => name === sort)?.[0] ?? 'school'
  return (
    <>
      <ListTable
        caption={t('dueCaption')}
        columns={[...columns, act]}
        list={list}
        filters={filters}
        rowKey={(row) => String(row.schoolId)}
        sort={{ key: sorted, down: sort === 'copies' }}
        onSort={({ key }) => filters.change({ sort: sortOf[key] ?? 'name' })}
        gone={(row) => !row.active}
        empty={<NothingDue due={due} />}
      />
      {packing && (
        <PackDialog
          contents={due.contents}
          season={due.season}
          school={packing}
          onClose={() => setPacking(undefined)}
        />
      )}
    </>
  )
}

function useAction(open: (school: DueSchool) => void): Column<DueSchool> {
  const t = words.use()
  const mayWrite = useMayWrite()
  return {
    key: 'act',
    label: t('pack'),
    act: true,
    cell: (row) => (
      <Button
        disabled={mayWrite ? (row.due === 0 ? t('nothingDue') : undefined) : t('mayNotWrite')}
        aria-label={t('packFor', { name: row.schName })}
        onPointerEnter={() => void PackDialog.load()}
        onClick={() => open(row)}>
        {t('pack')}
      </Button>
    ),
  }
}

/** The word for the copies that a school must get. */
export const neededCopiesWords = {
  books: 'wantedBooks',
  papers: 'wantedPapers',
  awards: 'wantedAwards',
} as const satisfies Record<DueContents, string>

const emptyWords = {
  books: 'booksEmpty',
  papers: 'papersEmpty',
  awards: 'awardsEmpty',
} as const satisfies Record<DueContents, string>

export function useDueColumns(due: Due): Column<DueSchool>[] {
  const t = words.use()
  const { sums, contents } = due
  const number = (key: 'wanted' | 'packed' | 'spare' | 'extra', label: string): Column<DueSchool> => ({
    key,
    label,
    num: true,
    cell: (row) => count(row[key]),
    foot: sums && count(sums[key]),
  })
  return columnsOf(t, [
    {
      key: 'school',
      title: true,
      sortable: true,
      foot: t('all'),
      cell: (row) =>
        lines(
          <Link to={officePaths.school} params={{ id: String(row.schoolId) }}>
            {row.schName}
          </Link>,
          !row.active && <Badge kind="inactive">{t('inactive')}</Badge>,
        ),
    },
    { key: 'code', cell: (row) => <span className="num nowrap">{row.schCode}</span> },
    { key: 'place', sortable: true, card: 'wide', cell: (row) => placeText(row.city, row.state) },
    number('wanted', t(neededCopiesWords[contents])),
    contents === 'papers' && number('spare', t('spare')),
    number('packed', t('packed')),
    {
      key: 'due',
      num: true,
      strong: true,
      sortable: true,
      cell: (row) => count(row.due),
      foot: sums && count(sums.due),
    },
    contents === 'awards' && number('extra', t('extra')),
  ])
}

export function NothingDue({ due }: { due: Due }) {
  const t = words.use()
  if (due.set === 0)
    return (
      <EmptyState
        icon="ok"
        title={t('nothingDue')}
        actions={<Button onClick={() => due.filters.change({ show: 'all' })}>{t('showAll')}</Button>}>
        {t(emptyWords[due.contents])}
      </EmptyState>
    )
  return (
    <NothingFound title={t('nothing')} onClear={due.filters.clear}>
      {t('nothingHint')}
    </NothingFound>
  )
}
