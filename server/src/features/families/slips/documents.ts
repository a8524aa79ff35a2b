import { inTurn, turns } from '#platform/concurrency-limit'
import type { Letterhead } from '#platform/pdf/letterhead'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { Slip } from './queries.ts'

interface SlipMaking {
  foundation: Letterhead
  school: string
  season: string
  /** Address of a family's page, without its code */
  pageOf: (linkId: string) => string
  createdAt: Date
}

const slipHeight = 134
const gap = 14
const qrSide = 112
const soft = '#4a555f'

/** A school's whole list keeps a processor busy for seconds: two are made at a time, between them everybody else is answered. */
const slipsTurn = turns(2, 10)

/**
 * One slip for each family, six on a page, in black and white and in both languages: nobody asks a family beforehand
 * which it reads. A slip is cut twice: the QR code goes one way, the access code another. Refuses with `busy` where too
 * many lists wait already.
 */
export function slipsPdf(slips: readonly Slip[], making: SlipMaking): Promise<Buffer> {
  const { foundation, season, createdAt } = making
  const of = { title: `Access slips ${season}`, createdAt, foundation, bare: true }
  return inTurn(slipsTurn, () =>
    makePdf(of, async (page) => {
      for (const slip of slips) {
        page.room(slipHeight)
        drawSlip(page, slip, making)
        await page.pause()
      }
    }),
  )
}

function drawSlip(page: PdfPage, slip: Slip, making: SlipMaking): void {
  const top = page.y
  const left = page.width * 0.62
  page.at({ x: page.x, y: top + gap / 2, width: qrSide }, () => page.qr(making.pageOf(slip.linkId), qrSide))
  const beside = page.x + qrSide + 6
  page.at({ x: beside, y: top + gap, width: left - qrSide - gap - 6 }, () => linkHalf(page, slip, making))
  page.at({ x: page.x + left + gap, y: top + gap, width: page.width - left - gap }, () =>
    codeHalf(page, slip, making),
  )
  cut(page, [page.x + left, top + 4], [page.x + left, top + slipHeight - 4])
  page.y = top + slipHeight
  cut(page, [page.x, page.y], [page.x + page.width, page.y])
}

function cut({ doc }: PdfPage, from: [number, number], to: [number, number]): void {
  doc
    .moveTo(...from)
    .lineTo(...to)
    .dash(3, { space: 3 })
    .lineWidth(0.6)
    .stroke(soft)
    .undash()
}

const childLine = ({ name, className, section }: Slip['children'][number]) =>
  `${name}, ${className}${section === '-' ? '' : ` ${section}`}`

function linkHalf(page: PdfPage, { children }: Slip, { foundation, school, season }: SlipMaking): void {
  page.text(`${foundation.shortName ?? foundation.name} ${season}`, { size: 8, color: soft })
  for (const child of children.slice(0, 2)) page.text(childLine(child), { size: 10, bold: true })
  if (children.length > 2) page.text(`+ ${children.length - 2}`, { size: 9 })
  page.text(school, { size: 8, color: soft })
  page.space(4)
  page.text("Point your phone's camera at the code. Then enter the access code from the other half.", {
    size: 8,
  })
  page.text('फ़ोन का कैमरा इस कोड पर रखें। फिर दूसरे हिस्से का एक्सेस कोड डालें।', { size: 8 })
}

function codeHalf(page: PdfPage, { code, children }: Slip, { season }: SlipMaking): void {
  page.text('Access code · एक्सेस कोड', { size: 8, color: soft })
  page.text(code, { size: 19, bold: true })
  const [first] = children
  if (first) page.text(childLine(first), { size: 9, bold: true })
  page.text(season, { size: 8, color: soft })
  page.space(4)
  page.text('Keep this half separate from the other, and never send both together.', { size: 8 })
  page.text('इसे दूसरे हिस्से से अलग रखें; दोनों साथ न भेजें।', { size: 8 })
}
