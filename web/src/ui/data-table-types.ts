import type { ReactNode } from 'react'
import type { Paging } from './pager.tsx'

export interface Column<Row> {
  key: string
  /** The head of the column, and the small label on a card. */
  label: string
  cell: (row: Row) => ReactNode
  /** Numbers, money and dates stand right. */
  num?: boolean
  strong?: boolean
  /** The row's name: title of the card, row header for speech. */
  title?: boolean
  /** The row's buttons, without a visible head. */
  act?: boolean
  sortable?: boolean
  /**
   * On a card: the whole width, or not at all. On one that folds: beside the name, or in the line below it, there with its
   * label (`said`) or without (`lead`); the others are seen once it is opened.
   */
  card?: 'wide' | 'none' | 'beside' | 'lead' | 'said'
  /** The total in the foot. */
  foot?: ReactNode
}

export interface Sort {
  key: string
  down: boolean
}

export interface Selection<Row> {
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
  /** Rows without a box (paid, deleted). All have one unless said. */
  selectable?: (row: Row) => boolean
  /** The name of a row for its box. */
  name: (row: Row) => string
}

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
  /** Rows of one name stand below it, as they come; what is drawn for it is the second. */
  group?: (row: Row) => { key: string; says: ReactNode }
  /** What opens below a row; undefined for none. */
  more?: (row: Row) => ReactNode
  paging?: Paging
  compact?: boolean
  /** Cards below 720 px have three columns; two where values are long. */
  cardColumns?: 2 | 3
  /** On a phone a row is two lines at first and opens by a button; the function names the row for it. */
  folds?: (row: Row) => string
  className?: string
}
