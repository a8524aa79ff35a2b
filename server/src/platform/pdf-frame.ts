import type { PdfOptions, PdfPage } from './pdf.ts'
import { inks, type TextStyle } from './pdf-text.ts'

/** The mark: the second, the first, the third place, as on the web pages' head. `height` of the tallest in points. */
export function drawMark(page: PdfPage, x: number, y: number, height: number): void {
  const unit = height / 22
  const bar = (left: number, tall: number, color: string) =>
    page.doc.roundedRect(x + left * unit, y + (22 - tall) * unit, 8 * unit, tall * unit, unit).fill(color)
  bar(0, 14, inks.primary)
  bar(9, 22, inks.marigold)
  bar(18, 10, '#6b8aa5')
}

/** Draws a page's head and answers where its content begins. */
export function drawHead(page: PdfPage, options: PdfOptions): number {
  const { x, width } = page
  const top = 30
  drawMark(page, x, top, 20)
  const name: TextStyle = { size: 11.5, bold: true }
  const half = (width - 34) / 2
  page.painter.line(shortened(page, options.foundation, half, name), x + 34, top + 3, half, name)
  const title: TextStyle = { size: 10, color: inks.soft, align: 'right' }
  page.painter.line(shortened(page, options.title, half, title), x + width - half, top + 4, half, title)
  const line = top + 28
  page.doc
    .moveTo(x, line)
    .lineTo(x + width, line)
    .lineWidth(0.9)
    .stroke(inks.primary)
  return line + 14
}

function shortened(page: PdfPage, text: string, width: number, style: TextStyle): string {
  const [first = '', more] = page.painter.lines(text, width, style)
  return more === undefined ? first : `${page.painter.lines(text, width - style.size, style)[0]}…`
}

/** Draws the feet once all pages are there: the note, and `Page 1 of 3`. */
export function drawFeet(page: PdfPage, options: PdfOptions): void {
  const { start, count } = page.doc.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    page.doc.switchToPage(start + index)
    const numbers =
      options.language === 'hi' ? `पृष्ठ ${index + 1} / ${count}` : `Page ${index + 1} of ${count}`
    drawFoot(page, options, numbers)
  }
}

/** Draws the foot of the page that is drawn on: the note, and its number. */
export function drawFoot(page: PdfPage, options: PdfOptions, numbers: string): void {
  const style: TextStyle = { size: 8.5, color: inks.soft }
  const top = page.doc.page.height - 36
  page.doc
    .moveTo(page.x, top - 4)
    .lineTo(page.x + page.width, top - 4)
    .lineWidth(0.5)
    .stroke(inks.line)
  page.painter.line(numbers, page.x, top, page.width, { ...style, align: 'right' })
  if (!options.foot) return
  const width = page.width - 80
  page.painter.line(shortened(page, options.foot, width, style), page.x, top, width, style)
}
