import { mix } from '@podium/contract/brand'
import { addressLine, type Canvas, inks, type Letterhead, type TextStyle } from './pdf-text.ts'

export interface PdfOptions {
  /** Stands at the head of each page and in the document's properties. */
  title: string
  /** The moment of the document. The same input with the same moment gives the same bytes. */
  createdAt: Date
  /** Who issues it, at the head of each page. */
  foundation: Letterhead
  /** A line at the foot of each page: where to get help, whose data it is. */
  foot?: string
  landscape?: boolean
  language?: 'en' | 'hi'
  /** Pages without head, foot and margins of their own: labels. */
  bare?: boolean
  /**
   * Pages that are handed out one by one have no numbers. They leave the memory as they are drawn, so that hundreds of
   * them cost no more than a few.
   */
  unnumbered?: boolean
}

/** Widest logo, in heights */
const widest = 4.5

/**
 * The foundation's logo or, where it has none, the mark: the second, the first, the third place, as at the head of the
 * web pages. `height` of the tallest in points. Answers the width drawn.
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
  bar(18, 10, mix(primary, '#ffffff', 0.38))
  return width
}

/** How wide `drawMark` draws at this height, in points. */
export function markSize(page: Canvas, height: number): { width: number } {
  const { logo } = page.foundation
  if (!logo) return { width: (26 * height) / 22 }
  return { width: Math.min((height * logo.width) / logo.height, height * widest) }
}

/** Draws a page's head and answers where its content begins. */
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

/** Draws the feet once all pages are there, page by page: the note, and `Page 1 of 3`. */
function* drawFeet(page: Canvas, options: PdfOptions): Generator<undefined, void> {
  const { start, count } = page.doc.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    page.doc.switchToPage(start + index)
    const numbers = options.language === 'hi' ? `पेज ${index + 1} / ${count}` : `Page ${index + 1} of ${count}`
    drawFoot(page, options, numbers)
    yield
  }
}

/** What pdfkit's `end` does first, for all pages in one go; its types know of none of it. */
interface PageKeeper {
  _pageBuffer: { end(): void }[]
  _pageBufferStart: number
  endPageMarkings(page: object): void
}

/** Ends a document page by page: a thousand pages to number and to compress take a second and more. */
export function* ending(page: Canvas, options: PdfOptions): Generator<undefined, void> {
  if (!options.bare && !options.unnumbered) yield* drawFeet(page, options)
  const keeper = page.doc as unknown as PageKeeper
  const pages = keeper._pageBuffer
  keeper._pageBuffer = []
  keeper._pageBufferStart += pages.length
  for (const done of pages) {
    keeper.endPageMarkings(done)
    done.end()
    yield
  }
  page.doc.end()
}

/** Draws the foot of the page that is drawn on: the note, and its number. */
export function drawFoot(page: Canvas, options: PdfOptions, numbers: string): void {
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
