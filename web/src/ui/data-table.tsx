import './check.css'
import './table.css'
import './table-cards.css'
import { useId } from 'react'
import { TableBody } from './data-table-body.tsx'
import { TableHead } from './data-table-head.tsx'
import type { DataTableProps } from './data-table-types.ts'
import { ErrorState } from './error-state.tsx'
import { walkRows } from './list-arrows.ts'
import { Pager } from './pager.tsx'
import { Skeleton } from './skeleton.tsx'

/** A table that is wider than its panel scrolls inside it; in any other the head stays in sight as the page scrolls. */
function watch(box: HTMLElement | null) {
  const table = box?.firstElementChild
  if (!box || !table) return
  const sizes = new ResizeObserver(() => box.classList.toggle('spills', table.clientWidth > box.clientWidth))
  sizes.observe(box)
  sizes.observe(table)
  return () => sizes.disconnect()
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
        <div aria-live="polite">{rows?.length === 0 && empty}</div>
        {rows && (rows.length > 0 || empty === undefined) && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          <section ref={watch} className={wrap} aria-labelledby={captionId} tabIndex={0} onKeyDown={walkRows}>
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
      {paging && <Pager {...paging} shown={rows?.length ?? 0} />}
    </div>
  )
}
