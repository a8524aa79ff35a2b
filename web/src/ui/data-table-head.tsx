import type { Column, DataTableProps, Sort } from './data-table-types.ts'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'
import { unbroken } from './panel.tsx'

type HeadProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

export function TableHead<Row>({ columns, rows, rowKey, selection, sort, onSort }: HeadProps<Row>) {
  const words = useKitWords()
  const keys = selection ? rows.filter((row) => selection.selectable?.(row) ?? true).map(rowKey) : []
  const chosen = keys.filter((key) => selection?.selected.has(key)).length
  const all = keys.length > 0 && chosen === keys.length
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
                if (box) box.indeterminate = chosen > 0 && !all
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

interface HeadCellProps<Row> {
  column: Column<Row>
  sort?: Sort
  onSort?: (sort: Sort) => void
  actions: string
}

function HeadCell<Row>({ column, sort, onSort, actions }: HeadCellProps<Row>) {
  const sorted = sort?.key === column.key
  const order = !sorted ? undefined : sort.down ? 'descending' : 'ascending'
  const shape = [column.num && 'num', column.act && 'act', column.title && 'ttl'].filter(Boolean).join(' ')
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={shape || undefined}>
        {column.act ? <span className="sr">{column.label || actions}</span> : unbroken(column.label)}
      </th>
    )
  }
  return (
    <th scope="col" className={shape || undefined} aria-sort={order}>
      <button
        type="button"
        className="sort"
        onClick={() => onSort({ key: column.key, down: sorted && !sort.down })}
      >
        {unbroken(column.label)}
        <span className={sorted ? undefined : 'idle'}>
          <Icon name={!sorted ? 'sorts' : sort.down ? 'down' : 'up'} />
        </span>
      </button>
    </th>
  )
}
