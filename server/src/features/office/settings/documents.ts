import { addressLine, helpLine, type Letterhead, reachLine } from '#platform/pdf/letterhead'
import { makePdf } from '#platform/pdf/pdf'
import { drawMark } from '#platform/pdf/pdf-frame'

/** A sheet in the form of the office's papers, to see how name, logo, colour and addresses come out of a printer. */
export function specimenPdf(foundation: Letterhead, createdAt: Date): Promise<Buffer> {
  return makePdf({ title: 'Specimen', createdAt, foundation, foot: helpLine(foundation) }, (page) => {
    page.heading('Specimen')
    page.text('Receipts, statements, lists and forms have this head and this foot.')
    page.space(16)
    page.room(80)
    drawMark(page, page.x, page.y, 60)
    page.space(76)
    page.keyValues([
      ['Name', foundation.name],
      ['Short name', foundation.shortName ?? ''],
      ['Postal address', addressLine(foundation)],
      ['How to reach us', reachLine(foundation)],
      ['Support hours', foundation.hours?.en ?? ''],
      ['In Hindi', foundation.hours?.hi ?? ''],
    ])
  })
}
