import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { DataTableProps } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { pagingOf } from '#ui/pager.tsx'
import { useSentences } from './language/sentences.ts'
import { LoadProblem } from './load-problem.tsx'
import './record.css'

interface Props<Row> extends Omit<DataTableProps<Row>, 'rows' | 'stale' | 'error' | 'paging'> {
  /** The result of `useEndpoint` */
  list: {
    data: { data: readonly Row[]; total: number; pageSize: number } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  /** The filters in the address, with the `page` */
  filters: Parameters<typeof pagingOf>[1]
}

/** The table of a list from a call: its rows and pages, and its error, above earlier rows if there are any. */
export function ListTable<Row>({ list, filters, ...table }: Props<Row>) {
  const translate = useSentences()
  const { data, error, isPlaceholderData, refetch } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <DataTable
      {...table}
      rows={data?.data}
      stale={isPlaceholderData}
      {...(error ? { error: { message: translate(error.message), retry: refetch } } : {})}
      {...pagingOf(data, filters)}
    />
  )
}

interface NothingFoundProps {
  t: (key: 'nothing' | 'nothingSays' | 'clear') => string
  onClear: () => void
}

/** Shown when no rows match the filters. */
export function NothingFound({ t, onClear }: NothingFoundProps) {
  return (
    <EmptyState icon="search" title={t('nothing')} actions={<Button onClick={onClear}>{t('clear')}</Button>}>
      {t('nothingSays')}
    </EmptyState>
  )
}

/** A table in a record, below its own heading. */
export function RecordTable<Row>({
  title,
  ...table
}: Omit<DataTableProps<Row>, 'caption'> & { title: string }) {
  return (
    <section className="record-part">
      <h2>{title}</h2>
      <DataTable compact caption={title} {...table} />
    </section>
  )
}
