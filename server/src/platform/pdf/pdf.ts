import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { yieldingToEventLoop } from '../concurrency-limit.ts'
import {
  drawFoot,
  drawHead,
  drawTable,
  ending,
  type NumberedPages,
  type PdfOptions,
  type Table,
} from './pdf-parts.ts'
import { type Canvas, inks, type Letterhead, lineHeight, TextPainter, type TextStyle } from './pdf-text.ts'
import { darkRuns, qrModules, quietZone } from './qr.ts'

const margin = 42

/** A picture loaded by pdfkit; its types lack it, but `image` accepts it. */
type PdfImage = Buffer
interface ImageReader {
  openImage(bytes: Buffer): PdfImage
}

/**
 * Draws on the pages of one document from top to bottom; what does not fit continues on the next page. Lengths are
 * points (72 to the inch). Used through `makePdf`.
 */
export class PdfPage implements Canvas {
  readonly doc: PDFKit.PDFDocument
  readonly painter: TextPainter
  readonly #options: PdfOptions
  readonly numbered: NumberedPages[]
  #inColumn = false
  #logo: PdfImage | undefined
  /** The current column: its left edge and width, where the next thing begins, and where the page ends. */
  x = 0
  width = 0
  y = 0
  bottom = 0

  constructor(doc: PDFKit.PDFDocument, options: PdfOptions) {
    this.doc = doc
    this.painter = new TextPainter(doc)
    this.#options = options
    this.numbered = [{ first: 0, foot: options.foot ?? '' }]
  }

  get foundation(): Letterhead {
    return this.#options.foundation
  }

  /** The foundation's logo, loaded once for all pages; undefined if it has none. */
  logo(): PdfImage | undefined {
    const { logo } = this.foundation
    if (logo) this.#logo ??= (this.doc as unknown as ImageReader).openImage(logo.bytes)
    return this.#logo
  }

  newPage(): void {
    this.doc.addPage()
    const { width, height } = this.doc.page
    const edge = this.#options.bare ? 18 : margin
    const column = this.#inColumn ? { x: this.x, width: this.width } : undefined
    this.x = edge
    this.width = width - 2 * edge
    this.y = this.#options.bare ? edge : drawHead(this, this.#options)
    this.bottom = height - (this.#options.bare ? edge : margin + 14)
    if (this.#options.unnumbered && !this.#options.bare) drawFoot(this, this.#options.foot ?? '', '')
    if (column) Object.assign(this, column)
  }

  /**
   * Numbers the pages from 1 again, beginning with this one, with this note at their foot: for sheets that are handed
   * out apart.
   */
  numberFromHere(foot: string): void {
    const { start, count } = this.doc.bufferedPageRange()
    const first = start + count - 1
    if (this.numbered.at(-1)?.first === first) this.numbered.pop()
    this.numbered.push({ first, foot })
  }

  /** Starts a new page unless this much space is left on the current one. */
  room(height: number): void {
    if (this.y + height > this.bottom) this.newPage()
  }

  space(height = 8): void {
    this.y += height
  }

  /** Draws wrapped text, line by line across pages. Line breaks are kept. */
  text(text: string, style: Partial<TextStyle> = {}): void {
    const whole: TextStyle = { size: 10, ...style }
    for (const line of this.painter.lines(text, this.width, whole)) {
      this.room(lineHeight(whole))
      this.painter.line(line, this.x, this.y, this.width, whole)
      this.y += lineHeight(whole)
    }
  }

  heading(text: string): void {
    this.room(60)
    this.text(text, { size: 16, bold: true })
    this.space(4)
  }

  /** Draws a heading with so much room for itself and what begins below it. A short table with totals needs 150. */
  subheading(text: string, room = 50): void {
    this.room(room)
    this.space(6)
    this.text(text, { size: 11.5, bold: true })
    this.space(2)
  }

  rule(): void {
    this.doc
      .moveTo(this.x, this.y)
      .lineTo(this.x + this.width, this.y)
      .lineWidth(0.7)
      .stroke(inks.line)
    this.y += 6
  }

  /** Draws labels with their values, in one or more columns; empty values show as a dash. */
  keyValues(pairs: readonly (readonly [label: string, value: string])[], columns = 1): void {
    const gap = 18
    const column = (this.width - gap * (columns - 1)) / columns
    const label = Math.min(130, column * 0.38)
    const style: TextStyle = { size: 10 }
    for (let first = 0; first < pairs.length; first += columns) {
      const row = pairs.slice(first, first + columns)
      const heights = row.map(([name, value]) =>
        Math.max(
          this.painter.height(name, label - 6, style),
          this.painter.height(value || '–', column - label, { ...style, bold: true }),
        ),
      )
      const height = Math.max(...heights)
      this.room(height + 3)
      row.forEach(([name, value], index) => {
        const x = this.x + index * (column + gap)
        this.painter.block(name, x, this.y, label - 6, { ...style, color: inks.soft })
        this.painter.block(value || '–', x + label, this.y, column - label, { ...style, bold: true })
      })
      this.y += height + 3
    }
  }

  table(table: Table): void {
    drawTable(this, table)
  }

  /**
   * Draws parts side by side in columns of these weights; the next thing begins below the longest. All must fit on this
   * page: call `room` first.
   */
  beside(weights: readonly number[], parts: readonly (() => void)[], gap = 20): void {
    const { x, width, y } = this
    const sum = weights.reduce((total, weight) => total + weight, 0)
    let left = x
    let lowest = y
    parts.forEach((draw, index) => {
      const share = ((width - gap * (weights.length - 1)) * (weights[index] ?? 1)) / sum
      this.#within(left, y, share, draw)
      lowest = Math.max(lowest, this.y)
      this.y = y
      left += share + gap
    })
    this.y = lowest
  }

  /** Draws in a box anywhere on this page (labels, admit cards); the flow then continues where it was. */
  at(box: { x: number; y: number; width: number }, draw: () => void): void {
    const { y } = this
    this.#within(box.x, box.y, box.width, draw)
    this.y = y
  }

  #within(x: number, y: number, width: number, draw: () => void): void {
    const before = { x: this.x, width: this.width }
    const inColumn = this.#inColumn
    this.#inColumn = true
    Object.assign(this, { x, y, width })
    draw()
    Object.assign(this, before)
    this.#inColumn = inColumn
  }

  /**
   * Draws a frame with a light background around its content; its height must be known, because the background is drawn
   * first.
   */
  panel(height: number, draw: () => void): void {
    this.room(height)
    const { x, y, width } = this
    this.doc.roundedRect(x, y, width, height, 4).lineWidth(0.7).fillAndStroke(inks.tint, inks.line)
    this.#within(x + 12, y + 9, width - 24, draw)
    this.y = y + height + 8
  }

  /** Draws a line to write on after its label; with a value it is filled in. */
  blank(label: string, value = ''): void {
    drawBlank(this, label, value)
  }

  /** Draws one box per character, to be filled in by hand in capitals. */
  boxes(label: string, count: number, value = ''): void {
    drawBoxes(this, label, count, value)
  }

  /** Draws boxes to tick, in a row that wraps. */
  choices(options: readonly Choice[]): void {
    drawChoices(this, options)
  }

  /** Draws a QR code with its white border, at the left of the column; `side` in points, including the border. */
  qr(text: string, side = 110, caption = ''): void {
    drawQr(this, text, side, caption)
  }

  /** Draws text that opens an https address; no other links are allowed (docs/security.md, T32). */
  link(text: string, address: string, style: Partial<TextStyle> = {}): void {
    if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
      throw new RangeError('only https is linked to')
    const whole: TextStyle = { size: 10, color: inks.primary, ...style }
    this.room(lineHeight(whole))
    const wide = this.painter.line(text, this.x, this.y, this.width, whole)
    this.doc.link(this.x, this.y, wide, lineHeight(whole), new URL(address).href)
    this.y += lineHeight(whole)
  }

  /** Yields to other work; await it now and then in documents of many pages. */
  pause(): Promise<void> {
    return setImmediate()
  }
}

/**
 * Loads the PDF libraries with the first document: it takes as long as a tenth of the server's start, and yields
 * between the parts.
 */
async function load() {
  // Used for compressed fonts: a third of what fontkit loads
  createRequire(import.meta.resolve('fontkit'))('brotli/decompress.js')
  await setImmediate()
  const { fontHandles, readFonts } = await import('./pdf-fonts.ts')
  await setImmediate()
  await readFonts()
  await setImmediate()
  const { default: PDFDocument } = await import('pdfkit')
  await setImmediate()
  return { fontHandles, PDFDocument }
}

let loaded: ReturnType<typeof load> | undefined

/** Makes a PDF: `draw` receives the first page, with its header drawn. The fonts are embedded, Latin and Devanagari. */
export async function makePdf(
  options: PdfOptions,
  draw: (page: PdfPage) => void | Promise<void>,
): Promise<Buffer> {
  loaded ??= load().catch((error) => {
    loaded = undefined
    throw error
  })
  const { fontHandles, PDFDocument } = await loaded
  const doc = new PDFDocument({
    size: 'A4',
    layout: options.landscape ? 'landscape' : 'portrait',
    margin: 0,
    autoFirstPage: false,
    bufferPages: !options.unnumbered,
    pdfVersion: '1.7',
    lang: options.language === 'hi' ? 'hi-IN' : 'en-IN',
    displayTitle: true,
    info: {
      Title: options.title,
      Author: options.foundation.name,
      CreationDate: options.createdAt,
      Producer: 'Podium',
      Creator: 'Podium',
    },
  })
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  for (const [handle, name] of fontHandles) doc.registerFont(name, handle)
  const page = new PdfPage(doc, options)
  await page.pause()
  page.newPage()
  await draw(page)
  await yieldingToEventLoop(ending(page, options, page.numbered))
  await ended
  return Buffer.concat(chunks)
}

// The implementations of PdfPage's methods with these names.

interface Choice {
  label: string
  ticked?: boolean
}

function drawBlank(page: Canvas, label: string, value: string): void {
  const style: TextStyle = { size: 10 }
  page.room(26)
  const used =
    label === ''
      ? 0
      : page.painter.line(label, page.x, page.y + 6, page.width, { ...style, color: inks.soft }) + 8
  const line = page.y + 21
  if (value !== '') {
    // A value longer than the line is printed smaller, and finally in two lines above it.
    const width = page.width - used
    const sizes = [10, 9, 8, 7].map((size): TextStyle => ({ size, bold: true }))
    const fitting = sizes.find((style) => page.painter.width(value, style) <= width)
    if (fitting) page.painter.line(value, page.x + used, page.y + 6, width, fitting)
    else {
      const small: TextStyle = { size: 7, bold: true }
      const top = line - page.painter.height(value, width, small)
      page.painter.block(value, page.x + used, top, width, small)
    }
  }
  page.doc
    .moveTo(page.x + used, line)
    .lineTo(page.x + page.width, line)
    .lineWidth(0.6)
    .stroke(inks.soft)
  page.y += 26
}

function drawBoxes(page: Canvas, label: string, count: number, value: string): void {
  const side = Math.min(18, (page.width - 130) / count)
  page.room(side + 14)
  page.y += 6
  page.painter.line(label, page.x, page.y + 2, 126, { size: 10, color: inks.soft })
  const letters = [...value]
  for (let index = 0; index < count; index++) {
    const x = page.x + 130 + index * side
    page.doc.rect(x, page.y, side, side).lineWidth(0.6).stroke(inks.soft)
    const letter = letters[index]
    if (letter) page.painter.line(letter, x, page.y + 1, side, { size: 11, bold: true, align: 'center' })
  }
  page.y += side + 8
}

function drawChoices(page: Canvas, options: readonly Choice[]): void {
  const style: TextStyle = { size: 10 }
  let left = page.x
  page.room(20)
  for (const { label, ticked } of options) {
    const wide = 16 + page.painter.width(label, style)
    if (left > page.x && left + wide > page.x + page.width) {
      left = page.x
      page.y += 18
      page.room(20)
    }
    page.doc
      .rect(left, page.y + 2.5, 10, 10)
      .lineWidth(0.8)
      .stroke(inks.text)
    if (ticked) {
      page.doc
        .moveTo(left + 2, page.y + 7.5)
        .lineTo(left + 4.3, page.y + 10)
        .lineTo(left + 8.3, page.y + 4.8)
      page.doc.lineWidth(1.4).stroke(inks.text)
    }
    page.painter.line(label, left + 16, page.y, wide, style)
    left += wide + 18
  }
  page.y += 20
}

function drawQr(page: Canvas, text: string, side: number, caption: string): void {
  const modules = qrModules(text)
  const unit = side / (modules.length + 2 * quietZone)
  page.room(side + (caption ? 16 : 0))
  page.doc.rect(page.x, page.y, side, side).fill('#ffffff')
  for (const run of darkRuns(modules)) {
    page.doc.rect(
      page.x + (run.x + quietZone) * unit,
      page.y + (run.y + quietZone) * unit,
      run.length * unit,
      unit,
    )
  }
  page.doc.fill('#000000')
  page.y += side
  if (caption === '') return
  const style: TextStyle = { size: 8.5, color: inks.soft, align: 'center' }
  page.y += page.painter.block(caption, page.x, page.y, side, style)
}
