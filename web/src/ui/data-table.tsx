import './check.css'
import './table.css'
import './table-cards.css'
import { Fragment, type ReactNode, useId, useState } from 'react'
import type { Column, DataTableProps, Sort } from './columns.ts'
import { Icon } from './icon.tsx'
import { fill, useKitWords } from './kit-words.ts'
import { moveBetweenRows } from './list-arrows.ts'
import { Pager } from './pager.tsx'
import { keepHyphensTogether } from './panel.tsx'
import { Skeleton } from './skeleton.tsx'

/**
 * A table wider than its panel scrolls inside it; otherwise its header stays visible while the page scrolls. Only a box
 * that scrolls can be focused, or one in a dialog, because the dialog may scroll and have nothing else to focus.
 */
function watch(box: HTMLElement | null) {
  const table = box?.firstElementChild
  if (!box || !table) return
  const sizes = new ResizeObserver(() => {
    const wide = box.classList.toggle('spills', table.clientWidth > box.clientWidth)
    if (wide || box.scrollHeight > box.clientHeight + 1 || box.closest('.db')) box.tabIndex = 0
    else if (document.activeElement !== box) box.removeAttribute('tabindex')
  })
  sizes.observe(box)
  sizes.observe(table)
  return () => sizes.disconnect()
}

/** The product's compact table: native cells, one header row, totals in the footer, cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, empty, problem, stale, selection, bulk, paging, compact, cardColumns } =
    props
  const captionId = useId()
  const selectedCount = selection?.selected.size ?? 0
  const foot = columns.some((column) => column.foot !== undefined)
  const wrap = ['tw', 'cards', cardColumns === 2 && 'wide2'].filter(Boolean).join(' ')
  return (
    <div className={['dt', 'sticky', stale && 'stale', props.className].filter(Boolean).join(' ')}>
      <section className="panel" aria-busy={stale || (!rows && !problem) || undefined}>
        {problem}
        {!rows && !problem && <Skeleton shape="table" rows={8} />}
        <div aria-live="polite">{rows?.length === 0 && empty}</div>
        {rows && (rows.length > 0 || empty === undefined) && (
          <section ref={watch} className={wrap} aria-labelledby={captionId} onKeyDown={moveBetweenRows}>
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
                        data-l={column.title || column.foot === undefined ? undefined : column.label}>
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
      {selectedCount > 0 && bulk && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
        <div className="selbar" role="group" aria-label={caption}>
          {bulk}
        </div>
      )}
      {paging && <Pager {...paging} shown={rows?.length ?? 0} />}
    </div>
  )
}

/** A cell of several lines; the smaller ones below are left out if there is nothing to say. */
export const lines = (first: ReactNode, ...below: ReactNode[]) => (
  <>
    {first}
    {below.filter(Boolean).map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines stay in their order
      <span key={index} className="under">
        {line}
      </span>
    ))}
  </>
)

type HeadProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

function TableHead<Row>({ columns, rows, rowKey, selection, sort, onSort }: HeadProps<Row>) {
  const words = useKitWords()
  const keys = selection ? rows.filter((row) => selection.selectable?.(row) ?? true).map(rowKey) : []
  const selectedCount = keys.filter((key) => selection?.selected.has(key)).length
  const all = keys.length > 0 && selectedCount === keys.length
  const toggle = () => {
    const next = new Set(selection?.selected)
    for (const key of keys) all ? next.delete(key) : next.add(key)
    selection?.onChange(next)
  }
  return (
    <thead>
      <tr>
        {selection && (
          <th className="cb" scope="col">
            <input
              type="checkbox"
              aria-label={words.selectPage}
              checked={all}
              disabled={keys.length === 0}
              ref={(box) => {
                if (box) box.indeterminate = selectedCount > 0 && !all
              }}
              onChange={toggle}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} actions={words.actions} />
        ))}
      </tr>
    </thead>
  )
}

/** Up to so many characters the heading of figures stays on one line: «To pack». */
const shortLabel = 8

interface HeadCellProps<Row> {
  column: Column<Row>
  sort?: Sort
  onSort?: (sort: Sort) => void
  actions: string
}

function HeadCell<Row>({ column, sort, onSort, actions }: HeadCellProps<Row>) {
  const sorted = sort?.key === column.key
  const order = !sorted ? undefined : sort.down ? 'descending' : 'ascending'
  const { num, act, title, label } = column
  const isShort = num && label.length <= shortLabel
  const shape = [num && 'num', isShort && 'short', act && 'act', title && 'ttl'].filter(Boolean).join(' ')
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={shape || undefined}>
        {column.act ? (
          <span className="sr">{column.label || actions}</span>
        ) : (
          keepHyphensTogether(column.label)
        )}
      </th>
    )
  }
  return (
    <th scope="col" className={shape || undefined} aria-sort={order}>
      <button
        type="button"
        className="sort"
        onClick={() => onSort({ key: column.key, down: sorted && !sort.down })}>
        {keepHyphensTogether(column.label)}
        <span className={sorted ? undefined : 'idle'}>
          <Icon name={!sorted ? 'sorts' : sort.down ? 'down' : 'up'} />
        </span>
      </button>
    </th>
  )
}

type BodyProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

function TableBody<Row>(props: BodyProps<Row>) {
  const { columns, rows, rowKey, selection, gone, more, folds, group } = props
  const [unfolded, setUnfolded] = useState<readonly string[]>([])
  return (
    <tbody>
      {rows.map((row, index) => {
        const key = rowKey(row)
        const below = more?.(row)
        const of = group?.(row)
        const previousRow = rows[index - 1]
        const first = of && (previousRow === undefined || group?.(previousRow).key !== of.key)
        const shape = [
          selection?.selected.has(key) && 'sel-row',
          gone?.(row) && 'gone',
          below !== undefined && below !== null && 'open',
          folds && !unfolded.includes(key) && 'folded',
        ]
        return (
          <Fragment key={key}>
            {first && (
              <tr className="grouprow">
                <th scope="rowgroup" colSpan={columns.length + (selection ? 1 : 0)}>
                  {of.heading}
                </th>
              </tr>
            )}
            <tr className={shape.filter(Boolean).join(' ') || undefined}>
              {selection && <SelectCell rowId={key} row={row} selection={selection} />}
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
              {folds && (
                <FoldCell
                  name={folds(row)}
                  opened={unfolded.includes(key)}
                  onPress={() =>
                    setUnfolded(
                      unfolded.includes(key)
                        ? [...unfolded].filter((open) => open !== key)
                        : [...unfolded, key],
                    )
                  }
                />
              )}
            </tr>
            {below !== undefined && below !== null && (
              <tr className="morerow">
                <td colSpan={columns.length + (selection ? 1 : 0)}>{below}</td>
              </tr>
            )}
          </Fragment>
        )
      })}
    </tbody>
  )
}

/** Opens the rest of a row's card; hidden in the full table. */
function FoldCell({ name, opened, onPress }: { name: string; opened: boolean; onPress: () => void }) {
  const words = useKitWords()
  return (
    <td className="fold">
      <button
        type="button"
        className="ib"
        aria-expanded={opened}
        aria-label={fill(words.unfold, { name })}
        onClick={onPress}>
        <Icon name={opened ? 'up' : 'down'} />
      </button>
    </td>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const shape = [
    column.num && 'num',
    column.strong && 'strong',
    column.title && 'ttl',
    column.act && 'act',
    column.card,
  ]
  const name = shape.filter(Boolean).join(' ') || undefined
  if (column.title) {
    return (
      <th scope="row" className={name}>
        <span className="nm">{column.cell(row)}</span>
      </th>
    )
  }
  return (
    <td className={name} data-l={column.act ? undefined : column.label}>
      {column.act ? <span className="ra">{column.cell(row)}</span> : column.cell(row)}
    </td>
  )
}

type SelectCellProps<Row> = {
  rowId: string
  row: Row
  selection: NonNullable<DataTableProps<Row>['selection']>
}

function SelectCell<Row>({ rowId, row, selection }: SelectCellProps<Row>) {
  const words = useKitWords()
  if (selection.selectable?.(row) === false) return <td className="cb none" />
  const isSelected = selection.selected.has(rowId)
  const toggle = () => {
    const next = new Set(selection.selected)
    isSelected ? next.delete(rowId) : next.add(rowId)
    selection.onChange(next)
  }
  return (
    <td className="cb">
      <input
        type="checkbox"
        aria-label={fill(words.selectRow, { name: selection.name(row) })}
        checked={isSelected}
        onChange={toggle}
      />
    </td>
  )
}
