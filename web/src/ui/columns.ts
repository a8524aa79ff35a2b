import type { ReactNode } from 'react'
import type { Paging } from './pager.tsx'

export interface Column<Row> {
  key: string
  /** The column's heading, and the small label on a card. */
  label: string
  cell: (row: Row) => ReactNode
  /** Right-aligned: numbers, money and dates. */
  num?: boolean
  strong?: boolean
  /** The row's name: title of its card, row header for screen readers. */
  title?: boolean
  /** The row's buttons, without a visible heading. */
  act?: boolean
  sortable?: boolean
  /**
   * On a card: full width, or hidden. On one that folds: beside the name, or in the line below it, with its label
   * (`said`) or without (`lead`); other columns are visible once it is opened, `lead wide` then at full width.
   */
  card?: 'wide' | 'none' | 'beside' | 'lead' | 'lead wide' | 'said'
  /** The total in the footer. */
  foot?: ReactNode
}

/** A column of `columnsOf`: its heading is the word of its key unless it has a label. */
type WordedColumn<Row, Word> = Omit<Column<Row>, 'key' | 'label'> &
  ({ key: string; label: string } | { key: Word; label?: undefined })

/** Returns columns whose headings are the words of their keys, unless they have labels of their own; false is left out. */
export const columnsOf = <Row, Word extends string>(
  t: (word: Word) => string,
  columns: readonly (WordedColumn<Row, NoInfer<Word>> | false | undefined)[],
): Column<Row>[] =>
  columns
    .filter((column) => column !== false && column !== undefined)
    .map((column) => ({ ...column, label: column.label ?? t(column.key as Word) }))

export interface Sort {
  key: string
  down: boolean
}

export interface Selection<Row> {
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
  /** Which rows have a checkbox, e.g. not paid or deleted ones. Default: all. */
  selectable?: (row: Row) => boolean
  /** The row's name, for its checkbox. */
  name: (row: Row) => string
}

export interface DataTableProps<Row> {
  /** What the table contains, for speech: «Students of class 7». */
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined during the first load: a skeleton is shown. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Shown if there are no rows. */
  empty?: ReactNode
  /** Shown instead of the rows: why there are none. */
  problem?: ReactNode
  /** Earlier rows are shown while new ones load. */
  stale?: boolean
  sort?: Sort
  onSort?: (sort: Sort) => void
  selection?: Selection<Row> | undefined
  /** The toolbar of bulk actions, shown while rows are selected: text left, buttons right. */
  bulk?: ReactNode
  /** Rows shown struck through (deleted). */
  gone?: (row: Row) => boolean
  /** Consecutive rows with the same key are below its `heading`. */
  group?: (row: Row) => { key: string; heading: ReactNode }
  /** Content that opens below a row; undefined for none. */
  more?: (row: Row) => ReactNode
  paging?: Paging | undefined
  compact?: boolean
  /** Columns of a card below 720 px: three, or two if values are long. */
  cardColumns?: 2 | 3
  /** On a phone a row has two lines and a button that opens the rest; the function names the row for the button. */
  folds?: (row: Row) => string
  className?: string
}
