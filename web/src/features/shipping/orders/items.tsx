import type { DueItem } from '@podium/contract/shipping/calls-orders'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { words } from '../words.ts'
import type { Due } from './data.ts'
import { Nothing, wantedWords } from './table.tsx'

/** What has to go out by subject, class and kind: what to print and to take from the shelf. */
export function DueItemsTable({ due, columns }: { due: Due; columns: Column<DueItem>[] }) {
  const t = words.use()
  const say = useSentences()
  const { data, error, isPlaceholderData, refetch } = due.items
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <DataTable
      caption={t('itemsCaption')}
      columns={columns}
      rows={data?.data}
      rowKey={(row) => `${row.eventYearId}.${row.classId}.${row.kind}`}
      stale={isPlaceholderData}
      compact
      {...(error ? { error: { message: say(error.message), retry: refetch } } : {})}
      empty={<Nothing due={due} />}
    />
  )
}

export function useItemColumns(due: Due): Column<DueItem>[] {
  const t = words.use()
  const rows = due.items.data?.data ?? []
  const sum = (of: (row: DueItem) => number) => count(rows.reduce((total, row) => total + of(row), 0))
  const number = (key: 'wanted' | 'packed' | 'due' | 'spare' | 'extra', label: string): Column<DueItem> => ({
    key,
    label,
    num: true,
    strong: key === 'due',
    cell: (row) => count(row[key]),
    foot: sum((row) => row[key]),
  })
  return [
    {
      key: 'subject',
      label: t('subject'),
      title: true,
      foot: t('all'),
      cell: (row) => `${row.subjectName} (${row.eventLetter})`,
    },
    { key: 'class', label: t('class'), cell: (row) => row.className },
    { key: 'kind', label: t('item'), card: 'wide', cell: (row) => row.bookCategory },
    { key: 'schools', label: t('schools'), num: true, cell: (row) => count(row.schools) },
    number('wanted', t(wantedWords[due.contents])),
    ...(due.contents === 'papers' ? [number('spare', t('spare'))] : []),
    number('packed', t('packed')),
    number('due', t('due')),
    ...(due.contents === 'awards' ? [number('extra', t('extra'))] : []),
  ]
}
