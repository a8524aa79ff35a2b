import type { PdfPage } from '#platform/pdf/pdf'
import { inks } from '#platform/pdf/pdf-text'

/** The drawings of a certificate. Lengths are points, y grows downwards. */

export const paper = {
  gold: '#c9980a',
  goldLight: '#e9c75a',
  cream: '#fffdf7',
  navy: '#0e2d47',
  metals: {
    Gold: { disc: '#e2b21f', edge: '#946c00', shine: '#f6dd84', number: '1' },
    Silver: { disc: '#b9c3ca', edge: '#6d7982', shine: '#e4eaee', number: '2' },
    Bronze: { disc: '#c8875a', edge: '#8d5325', shine: '#e6b898', number: '3' },
  },
} as const
export type Metal = keyof typeof paper.metals

/** Draws interwoven waves along a straight edge, as on banknotes; each half wave is one curve with a sine's slope at its ends. */
function weave(page: PdfPage, x: number, y: number, length: number, upright: boolean): void {
  const halves = Math.round(length / 13)
  const half = length / halves
  const at = (along: number, off: number): [number, number] =>
    upright ? [x + off, y + along] : [x + along, y + off]
  for (const shift of [0, half / 2]) {
    for (const first of [1, -1]) {
      page.doc.moveTo(...at(shift, 0))
      for (let n = 0; n < halves - (shift > 0 ? 1 : 0); n++) {
        const [from, off] = [shift + n * half, (n % 2 === 0 ? first : -first) * 5.6]
        const lean = 0.4244 * half
        page.doc.bezierCurveTo(...at(from + lean, off), ...at(from + half - lean, off), ...at(from + half, 0))
      }
      page.doc.lineWidth(0.35).stroke(paper.gold)
    }
  }
}

/** Draws background and frame: cream, a dark line, a woven band, a thin gold line. */
export function drawFrame(page: PdfPage): void {
  const { width, height } = page.doc.page
  page.doc.rect(0, 0, width, height).fill(paper.cream)
  page.doc
    .rect(20, 20, width - 40, height - 40)
    .lineWidth(2.2)
    .stroke(paper.navy)
  const [left, top, right, bottom] = [31, 31, width - 31, height - 31]
  weave(page, left, top, right - left, false)
  weave(page, left, bottom, right - left, false)
  weave(page, left, top, bottom - top, true)
  weave(page, right, top, bottom - top, true)
  page.doc
    .rect(42, 42, width - 84, height - 84)
    .lineWidth(0.8)
    .stroke(paper.gold)
  for (const [x, y] of [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ] as const) {
    page.doc.circle(x, y, 8.5).lineWidth(1).fillAndStroke(paper.cream, paper.gold)
    drawStar(page, x, y, 5.2, paper.gold)
  }
}

/** Draws the logo's podium, large and pale, as a watermark. */
export function drawWatermark(page: PdfPage): void {
  const { width, height } = page.doc.page
  const unit = 12
  const [x, base] = [width / 2 - 13 * unit, height / 2 + 118]
  page.doc.save().fillOpacity(0.035)
  for (const [left, tall] of [
    [0, 14],
    [9, 22],
    [18, 10],
  ] as const) {
    page.doc.roundedRect(x + left * unit, base - tall * unit, 8 * unit, tall * unit, unit).fill(paper.navy)
  }
  page.doc.restore()
}

/** Draws a five-pointed star around its centre. */
export function drawStar(page: PdfPage, x: number, y: number, radius: number, fill: string, edge = ''): void {
  for (let corner = 0; corner < 10; corner++) {
    const far = corner % 2 === 0 ? radius : radius * 0.42
    const angle = (Math.PI / 5) * corner - Math.PI / 2
    const [px, py] = [x + far * Math.cos(angle), y + far * Math.sin(angle)]
    if (corner === 0) page.doc.moveTo(px, py)
    else page.doc.lineTo(px, py)
  }
  page.doc.closePath()
  if (edge === '') page.doc.fill(fill)
  else page.doc.lineWidth(1).lineJoin('round').fillAndStroke(fill, edge)
}

/** Draws a medal with rays, ribbon and the place; `y` is the centre of the disc. */
export function drawMedal(page: PdfPage, x: number, y: number, radius: number, metal: Metal): void {
  const { disc, edge, shine, number } = paper.metals[metal]
  drawRibbon(page, x, y, radius)
  drawRays(page, x, y, radius, disc, edge)
  page.doc
    .circle(x, y, radius * 0.8)
    .lineWidth(1.1)
    .fillAndStroke(shine, edge)
  page.doc
    .circle(x, y, radius * 0.68)
    .lineWidth(0.6)
    .stroke(edge)
  const size = radius * 0.86
  page.painter.line(number, x - radius, y - size * 0.72, radius * 2, {
    size,
    bold: true,
    align: 'center',
    color: edge,
  })
}

function drawRibbon(page: PdfPage, x: number, y: number, radius: number): void {
  for (const side of [-1, 1]) {
    page.doc
      .moveTo(x + side * radius * 0.15, y)
      .lineTo(x + side * radius * 0.82, y + radius * 0.5)
      .lineTo(x + side * radius * 0.78, y + radius * 1.9)
      .lineTo(x + side * radius * 0.46, y + radius * 1.66)
      .lineTo(x + side * radius * 0.12, y + radius * 1.9)
      .closePath()
      .fill(side < 0 ? inks.primary : paper.navy)
  }
}

function drawRays(page: PdfPage, x: number, y: number, radius: number, fill: string, edge: string): void {
  const rays = 28
  for (let step = 0; step < rays * 2; step++) {
    const far = step % 2 === 0 ? radius : radius * 0.91
    const angle = (Math.PI / rays) * step
    const [px, py] = [x + far * Math.cos(angle), y + far * Math.sin(angle)]
    if (step === 0) page.doc.moveTo(px, py)
    else page.doc.lineTo(px, py)
  }
  page.doc.closePath().lineWidth(0.8).lineJoin('round').fillAndStroke(fill, edge)
}

/** Draws a laurel, open at the top, for certificates of participation. */
export function drawLaurel(page: PdfPage, x: number, y: number, radius: number): void {
  const leaves = 9
  for (const side of [-1, 1]) {
    for (let leaf = 0; leaf < leaves; leaf++) {
      const angle = Math.PI / 2 - side * (0.24 + leaf * 0.27)
      const [px, py] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
      const lean = (angle * 180) / Math.PI + (side > 0 ? -58 : 58)
      const size = radius * (0.24 - leaf * 0.008)
      page.doc.save().translate(px, py).rotate(lean)
      page.doc.ellipse(0, 0, size, size * 0.36).fill(leaf % 2 === 0 ? paper.gold : paper.goldLight)
      page.doc.restore()
    }
  }
}
