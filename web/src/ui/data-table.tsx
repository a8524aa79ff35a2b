import './check.css'
import './table.css'
import './table-cards.css'
import { type ReactNode, useId } from 'react'
import { TableBody } from './data-table-body.tsx'
import { TableHead } from './data-table-head.tsx'
import type { Column, Selection, Sort } from './data-table-types.ts'
import { ErrorState } from './error-state.tsx'
import { Pager } from './pager.tsx'
import { Skeleton } from './skeleton.tsx'

export interface DataTableProps<Row> {
  /** What the table holds, for speech: «Students of class 7». */
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined while the first load runs: grey bars stand in. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** What stands here when there are no rows. */
  empty?: ReactNode
  error?: { message: ReactNode; retry?: () => unknown }
  /** Earlier rows are shown while new ones load. */
  stale?: boolean
  sort?: Sort
  onSort?: (sort: Sort) => void
  selection?: Selection<Row>
  /** The bar of bulk actions, shown while rows are selected: words left, buttons right. */
  bulk?: ReactNode
  /** Struck rows (deleted). */
  gone?: (row: Row) => boolean
  /** What opens below a row; undefined for none. */
  more?: (row: Row) => ReactNode
  /** Server paging: all rows that match, this page (from 1) and the rows of a page (50). */
  paging?: { total: number; page: number; size?: number; onPage: (page: number) => void; says?: ReactNode }
  compact?: boolean
  /** Cards below 720 px have three columns; two where values are long. */
  cardColumns?: 2 | 3
  className?: string
}

/** The thin table of the product: native cells, one header row, totals in the foot, cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, empty, error, stale, selection, bulk, paging, compact, cardColumns } = props
  const captionId = useId()
  if (error && !rows) {
    return (
      <section className="panel">
        <ErrorState retry={error.retry}>{error.message}</ErrorState>
      </section>
    )
  }
  const chosen = selection?.selected.size ?? 0
  const foot = columns.some((column) => column.foot !== undefined)
  const wrap = ['tw', 'cards', cardColumns === 2 && 'wide2'].filter(Boolean).join(' ')
  return (
    <div className={['dt', 'sticky', stale && 'stale', props.className].filter(Boolean).join(' ')}>
      <section className="panel" aria-busy={stale || !rows || undefined}>
        {!rows && <Skeleton shape="table" rows={8} />}
        {rows?.length === 0 && empty}
        {rows && (rows.length > 0 || empty === undefined) && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          <section className={wrap} aria-labelledby={captionId} tabIndex={0}>
            <table className={compact ? 'compact' : undefined}>
              <caption className="sr" id={captionId}>
                {caption}
              </caption>
              <TableHead {...props} rows={rows} />
              <TableBody {...props} rows={rows} />
              {foot && (
                <tfoot>
                  <tr>
                    {selection && <td className="cb none" />}
                    {columns.map((column) => (
                      <td
                        key={column.key}
                        className={[
                          column.num && 'num',
                          column.foot === undefined && 'none',
                          column.title && 'ttl',
                        ]
                          .filter(Boolean)
                          .join(' ')}
                        data-l={column.title || column.foot === undefined ? undefined : column.label}
                      >
                        {column.foot}
                      </td>
                    ))}
                  </tr>
                </tfoot>
              )}
            </table>
          </section>
        )}
      </section>
      {chosen > 0 && bulk && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
        <div className="selbar" role="group" aria-label={caption}>
          {bulk}
        </div>
      )}
      {paging && rows && <Pager {...paging} shown={rows.length} />}
    </div>
  )
}
