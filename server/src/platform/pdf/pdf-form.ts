import { type Canvas, inks, type TextStyle } from './pdf-text.ts'
import { darkRuns, qrModules, quietZone } from './qr.ts'

// The parts of a page that PdfPage's methods of the same names describe.

export interface Choice {
  label: string
  ticked?: boolean
}

export function drawBlank(page: Canvas, label: string, value: string): void {
  const style: TextStyle = { size: 10 }
  page.room(26)
  const used =
    label === ''
      ? 0
      : page.painter.line(label, page.x, page.y + 6, page.width, { ...style, color: inks.soft }) + 8
  if (value !== '')
    page.painter.line(value, page.x + used, page.y + 6, page.width - used, { ...style, bold: true })
  const line = page.y + 21
  page.doc
    .moveTo(page.x + used, line)
    .lineTo(page.x + page.width, line)
    .lineWidth(0.6)
    .stroke(inks.soft)
  page.y += 26
}

export function drawBoxes(page: Canvas, label: string, count: number, value: string): void {
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

export function drawChoices(page: Canvas, options: readonly Choice[]): void {
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

export function drawQr(page: Canvas, text: string, side: number, caption: string): void {
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
