import { mixColours } from '@podium/contract/brand'
import type { WrittenLanguage } from '@podium/contract/languages'
import { addressLine, type Canvas, inks, type Letterhead, type TextStyle } from './pdf-text.ts'

export interface PdfOptions {
  /** Shown at the top of each page and in the document's properties. */
  title: string
  /** The document's date. The same input with the same date gives the same bytes. */
  createdAt: Date
  /** The issuer, at the top of each page. */
  foundation: Letterhead
  /** A line at the bottom of each page: where to get help, whose data it is. */
  foot?: string
  landscape?: boolean
  language?: WrittenLanguage
  /** Pages without header, footer and margins: labels. */
  bare?: boolean
  /**
   * Pages handed out one by one have no numbers. They leave memory as they are drawn, so that hundreds cost no more
   * than a few.
   */
  unnumbered?: boolean
}

/** Maximum width of the logo, relative to its height */
const widest = 4.5

/**
 * Draws the foundation's logo or, without one, the mark: the second, first and third place, as at the top of the web
 * pages. `height` is the tallest bar's, in points. Returns the width drawn.
 */
export function drawMark(page: Canvas, x: number, y: number, height: number): number {
  const { width } = markSize(page, height)
  const image = page.logo()
  if (image) {
    page.doc.image(image, x, y, { fit: [width, height], valign: 'center' })
    return width
  }
  const unit = height / 22
  const primary = page.foundation.colour || inks.primary
  const bar = (left: number, tall: number, color: string) =>
    page.doc.roundedRect(x + left * unit, y + (22 - tall) * unit, 8 * unit, tall * unit, unit).fill(color)
  bar(0, 14, primary)
  bar(9, 22, inks.marigold)
  bar(18, 10, mixColours(primary, '#ffffff', 0.38))
  return width
}

/** Returns the width that `drawMark` needs at this height, in points. */
export function markSize(page: Canvas, height: number): { width: number } {
  const { logo } = page.foundation
  if (!logo) return { width: (26 * height) / 22 }
  return { width: Math.min((height * logo.width) / logo.height, height * widest) }
}

/** Draws a page's header and returns where its content begins. */
export function drawHead(page: Canvas, options: PdfOptions): number {
  const { x, width } = page
  const top = 30
  const left = x + drawMark(page, x, top, 20) + 10
  const address = addressLine(options.foundation)
  const name: TextStyle = { size: 11.5, bold: true }
  const half = (width - 34) / 2
  const room = x + half + 34 - left
  const nameTop = address === '' ? top + 3 : top - 2
  page.painter.line(shortened(page, options.foundation.name, room, name), left, nameTop, room, name)
  const small: TextStyle = { size: 7.5, color: inks.soft }
  const wide = width - (left - x)
  if (address !== '') page.painter.line(shortened(page, address, wide, small), left, top + 13, wide, small)
  const title: TextStyle = { size: 10, color: inks.soft, align: 'right' }
  const titleTop = address === '' ? top + 4 : top - 1
  page.painter.line(shortened(page, options.title, half, title), x + width - half, titleTop, half, title)
  const line = top + 28
  page.doc
    .moveTo(x, line)
    .lineTo(x + width, line)
    .lineWidth(0.9)
    .stroke(options.foundation.colour || inks.primary)
  return line + 14
}

function shortened(page: Canvas, text: string, width: number, style: TextStyle): string {
  const [first = '', more] = page.painter.lines(text, width, style)
  return more === undefined ? first : `${page.painter.lines(text, width - style.size, style)[0]}…`
}

/** Pages with one count and one note at the foot, up to the next ones. */
export interface NumberedPages {
  /** Index of the first page */
  first: number
  foot: string
}

/** Draws the footers once all pages exist, page by page: the note, and `Page 1 of 3`. */
function* drawFeet(
  page: Canvas,
  options: PdfOptions,
  numbered: readonly NumberedPages[],
): Generator<undefined, void> {
  for (const [index, { first, foot }] of numbered.entries()) {
    const count = (numbered[index + 1]?.first ?? page.doc.bufferedPageRange().count) - first
    for (let n = 1; n <= count; n++) {
      page.doc.switchToPage(first + n - 1)
      drawFoot(page, foot, options.language === 'hi' ? `पेज ${n} / ${count}` : `Page ${n} of ${count}`)
      yield
    }
  }
}

/** Internals that pdfkit's `end` uses on all pages at once; missing from its types. */
interface BufferedDocument {
  _pageBuffer: { end(): void }[]
  _pageBufferStart: number
  endPageMarkings(page: object): void
}

/** Ends a document page by page: numbering and compressing a thousand pages takes over a second. */
export function* ending(
  page: Canvas,
  options: PdfOptions,
  numbered: readonly NumberedPages[],
): Generator<undefined, void> {
  if (!options.bare && !options.unnumbered) yield* drawFeet(page, options, numbered)
  const document = page.doc as unknown as BufferedDocument
  const pages = document._pageBuffer
  document._pageBuffer = []
  document._pageBufferStart += pages.length
  for (const done of pages) {
    document.endPageMarkings(done)
    done.end()
    yield
  }
  page.doc.end()
}

/** Draws the footer of the current page: the note, and its number. */
export function drawFoot(page: Canvas, foot: string, numbers: string): void {
  const style: TextStyle = { size: 8.5, color: inks.soft }
  const top = page.doc.page.height - 36
  page.doc
    .moveTo(page.x, top - 4)
    .lineTo(page.x + page.width, top - 4)
    .lineWidth(0.5)
    .stroke(inks.line)
  page.painter.line(numbers, page.x, top, page.width, { ...style, align: 'right' })
  if (foot === '') return
  const width = page.width - 80
  page.painter.line(shortened(page, foot, width, style), page.x, top, width, style)
}

interface TableColumn {
  title: string
  /** Its width relative to the other columns. */
  weight: number
  align?: 'left' | 'right' | 'center'
}

export interface Table {
  columns: readonly TableColumn[]
  rows: readonly (readonly string[])[]
  /** Totals under the last row. */
  foot?: readonly string[]
  /** Space for totals drawn by hand below the table; like the footer they stay on the page of the last rows. */
  below?: number
  /** Shown instead of rows if there are none. */
  empty?: string
  /** Lines around every cell, and rows high enough to write in: attendance sheets, order forms. */
  toFillIn?: boolean
  /** The first cell is written once for the rows that share it, and again at the head of a page. */
  grouped?: boolean
  size?: number
}

const pad = 4

/** Draws a table; its header is repeated on each page. A row is never split. */
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

  // The line shown instead of rows is as high as one row.
  const heights = table.rows.length > 0 ? table.rows.map(rowHeight) : [24]
  const totals = (table.foot ? heightOf(table.foot, true) : 0) + (table.below ?? 0)
  const lastTwo = Math.max(0, heights.length - 2)
  /**
   * Returns the space that a row needs on its page: the last two and the totals stay together, so that neither stands
   * alone on a page.
   */
  const together = (index: number) =>
    index < lastTwo
      ? (heights[index] ?? 0)
      : heights.slice(index).reduce((sum, height) => sum + height, totals)
  /** Returns whether a new page was needed. */
  const go = (height: number) => {
    // The same heights added in another order may differ in the last digit.
    if (page.y + height <= page.bottom + 0.01) return false
    page.newPage()
    head()
    return true
  }
  // So do the first two.
  page.room(headHeight + (lastTwo > 0 ? (heights[0] ?? 0) + together(1) : together(0)))
  head()
  table.rows.forEach((row, index) => {
    const isFirst = index === 0 || go(together(index))
    const isSame = table.grouped && !isFirst && row[0] === table.rows[index - 1]?.[0]
    draw(isSame ? ['', ...row.slice(1)] : row, heights[index] ?? 0, false)
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
