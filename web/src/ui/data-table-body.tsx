import { Fragment } from 'react'
import type { Column, DataTableProps } from './data-table-types.ts'
import { fill } from './fill.ts'
import { useKitWords } from './kit-words.ts'

type BodyProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

export function TableBody<Row>(props: BodyProps<Row>) {
  const { columns, rows, rowKey, selection, gone, more } = props
  return (
    <tbody>
      {rows.map((row) => {
        const key = rowKey(row)
        const below = more?.(row)
        const shape = [
          selection?.selected.has(key) && 'sel-row',
          gone?.(row) && 'gone',
          below !== undefined && below !== null && 'open',
        ]
        return (
          <Fragment key={key}>
            <tr className={shape.filter(Boolean).join(' ') || undefined}>
              {selection && <SelectCell rowId={key} row={row} selection={selection} />}
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
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
  const chosen = selection.selected.has(rowId)
  const toggle = () => {
    const next = new Set(selection.selected)
    chosen ? next.delete(rowId) : next.add(rowId)
    selection.onChange(next)
  }
  return (
    <td className="cb">
      <input
        type="checkbox"
        aria-label={fill(words.selectRow, { name: selection.name(row) })}
        checked={chosen}
        onChange={toggle}
      />
    </td>
  )
}
