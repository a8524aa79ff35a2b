import { Fragment, useState } from 'react'
import type { Column, DataTableProps } from './data-table-types.ts'
import { fill } from './fill.ts'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'

type BodyProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

export function TableBody<Row>(props: BodyProps<Row>) {
  const { columns, rows, rowKey, selection, gone, more, folds, group } = props
  const [unfolded, setUnfolded] = useState<readonly string[]>([])
  return (
    <tbody>
      {rows.map((row, at) => {
        const key = rowKey(row)
        const below = more?.(row)
        const of = group?.(row)
        const before = rows[at - 1]
        const first = of && (before === undefined || group?.(before).key !== of.key)
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
                  {of.says}
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
                        ? [...unfolded].filter((one) => one !== key)
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

interface FoldProps {
  name: string
  opened: boolean
  onPress: () => void
}

/** Opens the rest of a row's card; a table in full has no use for it. */
function FoldCell({ name, opened, onPress }: FoldProps) {
  const words = useKitWords()
  return (
    <td className="fold">
      <button
        type="button"
        className="ib"
        aria-expanded={opened}
        aria-label={fill(words.unfold, { name })}
        onClick={onPress}
      >
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
