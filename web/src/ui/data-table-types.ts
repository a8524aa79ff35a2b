import type { ReactNode } from 'react'

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
  /** On a card: the whole width, or not at all. */
  card?: 'wide' | 'none'
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
