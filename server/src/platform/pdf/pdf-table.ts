import { type Canvas, inks, type TextStyle } from './pdf-text.ts'

export interface TableColumn {
  title: string
  /** Weight of its width among the others. */
  weight: number
  align?: 'left' | 'right' | 'center'
}

export interface Table {
  columns: readonly TableColumn[]
  rows: readonly (readonly string[])[]
  /** Totals under the last row. */
  foot?: readonly string[]
  /** Room for totals that are drawn below the table by hand; like its foot they have the last rows on their page. */
  below?: number
  /** What stands in place of rows where there are none. */
  empty?: string
  /** Lines around every cell, and rows high enough to write in: attendance sheets, order forms. */
  toFillIn?: boolean
  size?: number
}

const pad = 4

/** Draws a table; its head comes again on each page that it reaches. A row is never cut. */
export function drawTable(page: Canvas, table: Table): void {
  const style: TextStyle = { size: table.size ?? 9.5 }
  const sum = table.columns.reduce((total, column) => total + column.weight, 0)
  const widths = table.columns.map((column) => (column.weight / sum) * page.width)

  const blockHeight = (cell: string, index: number, bold: boolean) =>
    page.painter.height(cell, (widths[index] ?? 0) - 2 * pad, { ...style, bold })
  const heightOf = (cells: readonly string[], bold: boolean) =>
    Math.max(0, ...cells.map((cell, index) => blockHeight(cell, index, bold))) + 2 * pad
  // High enough for handwriting
  const rowHeight = (cells: readonly string[]) => Math.max(table.toFillIn ? 27 : 0, heightOf(cells, false))

  const draw = (cells: readonly string[], height: number, bold: boolean) => {
    let left = page.x
    table.columns.forEach((column, index) => {
      const width = widths[index] ?? 0
      const align = column.align ?? 'left'
      const cell = cells[index] ?? ''
      const top = table.toFillIn ? (height - blockHeight(cell, index, bold)) / 2 : pad
      page.painter.block(cell, left + pad, page.y + top, width - 2 * pad, { ...style, bold, align })
      if (table.toFillIn) page.doc.rect(left, page.y, width, height).lineWidth(0.6).stroke(inks.soft)
      left += width
    })
    page.y += height
  }

  const line = (weight: number, color: string) =>
    page.doc
      .moveTo(page.x, page.y)
      .lineTo(page.x + page.width, page.y)
      .lineWidth(weight)
      .stroke(color)

  const titles = table.columns.map((column) => column.title)
  const headHeight = heightOf(titles, true)
  const head = () => {
    page.doc.rect(page.x, page.y, page.width, headHeight).fill(inks.tint)
    draw(titles, headHeight, true)
    line(0.9, inks.soft)
  }

  // A line in place of rows is as high as one.
  const heights = table.rows.length > 0 ? table.rows.map(rowHeight) : [24]
  const totals = (table.foot ? heightOf(table.foot, true) : 0) + (table.below ?? 0)
  const lastTwo = totals > 0 ? Math.max(0, heights.length - 2) : heights.length
  /** The room that a row wants on its page; the last two want that of the totals as well, which say nothing alone. */
  const together = (index: number) =>
    index < lastTwo ? (heights[index] ?? 0) : heights.slice(index).reduce((sum, own) => sum + own, totals)
  const go = (height: number) => {
    // The same heights added in another order may differ in their last digit.
    if (page.y + height <= page.bottom + 0.01) return
    page.newPage()
    head()
  }
  page.room(headHeight + together(0))
  head()
  table.rows.forEach((row, index) => {
    if (index > 0) go(together(index))
    draw(row, heights[index] ?? 0, false)
    if (!table.toFillIn) line(0.4, inks.line)
  })
  if (table.rows.length === 0 && table.empty) {
    page.painter.block(table.empty, page.x + pad, page.y + pad, page.width - 2 * pad, {
      ...style,
      color: inks.soft,
    })
    page.y += 24
  }
  if (table.foot) {
    const height = heightOf(table.foot, true)
    go(height)
    line(0.9, inks.soft)
    draw(table.foot, height, true)
  }
  page.y += 8
}
