import { tidy } from '@podium/contract/fields'
import type { WrittenLanguage } from '@podium/contract/languages'
import type { Logo } from '../files/images.ts'

export interface TextStyle {
  size: number
  bold?: boolean
  color?: string
  align?: 'left' | 'right' | 'center'
}

/** Ink colours on paper; all remain readable when printed in grey. */
export const inks = {
  text: '#15212b',
  soft: '#4a555f',
  line: '#b4bec5',
  tint: '#eef1f3',
  primary: '#14466f',
  marigold: '#e6a70f',
}

/** A piece of text in one script: Devanagari needs its own font, which shapes conjuncts and moves vowel signs. */
export interface Run {
  text: string
  devanagari: boolean
}

// Joiners (\u200c, \u200d) and blanks between words stay inside a run: shaping must not be interrupted there.
const devanagariRun =
  /[\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff](?:[\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff\u25cc]|\u200c|\u200d| (?=[\u0900-\u097f]))*/g

/** Splits text by script, in order and without loss. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = []
  let position = 0
  for (const match of text.matchAll(devanagariRun)) {
    if (match.index > position) runs.push({ text: text.slice(position, match.index), devanagari: false })
    runs.push({ text: match[0], devanagari: true })
    position = match.index + match[0].length
  }
  if (position < text.length) runs.push({ text: text.slice(position), devanagari: false })
  return runs
}

export function lineHeight(style: TextStyle): number {
  return style.size * 1.42
}

const graphemes = new Intl.Segmenter('hi', { granularity: 'grapheme' })

/** Measures, wraps and draws text of mixed scripts on one document. */
export class TextPainter {
  readonly #doc: PDFKit.PDFDocument
  readonly #widths = new Map<string, number>()

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc
  }

  #use(run: Run, style: TextStyle): void {
    const name = run.devanagari ? 'devanagari' : 'latin'
    this.#doc.font(style.bold ? `${name}Bold` : name).fontSize(style.size)
  }

  width(text: string, style: TextStyle): number {
    const key = `${style.size}${style.bold ? 'b' : ''}${text}`
    let width = this.#widths.get(key)
    if (width === undefined) {
      width = 0
      for (const run of runsOf(text)) {
        this.#use(run, style)
        width += this.#doc.widthOfString(run.text)
      }
      // Words repeat, whole cells seldom do.
      if (text.length <= 24) this.#widths.set(key, width)
    }
    return width
  }

  /** Wraps a text to this width. Words too long for a line are split, addresses at their punctuation. */
  lines(text: string, width: number, style: TextStyle): string[] {
    const lines: string[] = []
    const blank = this.width(' ', style)
    for (const paragraph of text.split('\n')) {
      let line = ''
      let used = 0
      for (const word of tidy(paragraph)
        .split(' ')
        .flatMap((long) => this.#cut(long, width, style))) {
        const wide = this.width(word, style)
        if (line !== '' && used + blank + wide > width + 0.01) {
          lines.push(line)
          line = word
          used = wide
        } else {
          used += (line === '' ? 0 : blank) + wide
          line = line === '' ? word : `${line} ${word}`
        }
      }
      lines.push(line)
    }
    return lines
  }

  #cut(word: string, width: number, style: TextStyle): string[] {
    if (this.width(word, style) <= width) return [word]
    const pieces: string[] = []
    let piece = ''
    const add = (part: string) => {
      if (piece !== '' && this.width(piece + part, style) > width) {
        pieces.push(piece)
        piece = ''
      }
      piece += part
    }
    for (const part of word.split(/(?<=[@./_-])/)) {
      if (this.width(part, style) <= width) add(part)
      else for (const { segment } of graphemes.segment(part)) add(segment)
    }
    return [...pieces, piece]
  }

  height(text: string, width: number, style: TextStyle): number {
    return this.lines(text, width, style).length * lineHeight(style)
  }

  /** Draws one line whose box begins at `top`; returns its width. */
  line(text: string, x: number, top: number, width: number, style: TextStyle): number {
    const wide = this.width(text, style)
    let left = x
    if (style.align === 'right') left = x + width - wide
    if (style.align === 'center') left = x + (width - wide) / 2
    // Centres the capitals (0.714 of the size in Noto) in the line.
    const baseline = top + (lineHeight(style) + style.size * 0.714) / 2
    this.#doc.fillColor(style.color ?? inks.text)
    for (const run of runsOf(text)) {
      this.#use(run, style)
      // Shaped Devanagari is drawn in a different order from its text: this is the text for copying and reading aloud.
      if (run.devanagari) this.#doc.markContent('Span', { actual: run.text })
      this.#doc.text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' })
      if (run.devanagari) this.#doc.endMarkedContent()
      left += this.#doc.widthOfString(run.text)
    }
    return wide
  }

  /** Draws wrapped text and returns its height. */
  block(text: string, x: number, top: number, width: number, style: TextStyle): number {
    const lines = this.lines(text, width, style)
    lines.forEach((line, index) => {
      this.line(line, x, top + index * lineHeight(style), width, style)
    })
    return lines.length * lineHeight(style)
  }
}

/** The drawing surface of a page's parts: the current column, and where the next thing begins. */
export interface Canvas {
  readonly doc: PDFKit.PDFDocument
  readonly painter: TextPainter
  readonly foundation: Letterhead
  x: number
  width: number
  y: number
  bottom: number
  /** The foundation's logo as loaded by pdfkit */
  logo(): Buffer | undefined
  newPage(): void
  /** Starts a new page unless this much space is left on the current one. */
  room(height: number): void
}

/** The issuer of a document: its name, and where to get help. Empty texts are left out. */
export interface Letterhead {
  name: string
  /** Used where space is short */
  shortName?: string
  /** Lines as on an envelope */
  postalAddress?: string
  website?: string
  phone?: string
  email?: string
  hours?: Readonly<Record<WrittenLanguage, string>>
  /** Absent: the built-in mark */
  logo?: Logo | undefined
  /** `#rrggbb` of mark and lines; empty: the built-in colour */
  colour?: string
}

/** Returns the postal address in one line; empty if none is set. */
export const addressLine = ({ postalAddress = '' }: Letterhead): string =>
  postalAddress.split('\n').filter(Boolean).join(', ')

/** Returns phone, e-mail and web address in one line, as far as they are set. */
export const reachLine = ({ phone = '', email = '', website = '' }: Letterhead, phoneWord = ''): string =>
  [phone === '' ? '' : `${phoneWord} ${phone}`.trim(), email, website.replace(/^https:\/\//, '')]
    .filter(Boolean)
    .join(' · ')

/** Returns where to get help, for the footer of English documents; empty if no phone is set. */
export const helpLine = ({ phone, hours }: Letterhead): string =>
  phone ? `Help: ${phone}${hours ? `, ${hours.en}` : ''}` : ''
