import { paise } from '@podium/contract/money'
import type { ReceiptRow } from '@podium/contract/payments/calls-receipts'
import type { OfficePaymentRow } from '@podium/contract/payments/calls-verification'
import { paymentForOf } from '@podium/contract/payments/rules'
import { formatDay, istDay } from '@podium/contract/season'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { helpLine, type Letterhead } from '#platform/pdf/pdf-text'
import { dayCell, type ListColumn, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-write'
import { classTable, copiesTable, show } from '../documents-table.ts'
import { amountInWords } from '../rules.ts'
import type { ReceiptData } from './queries.ts'

const cancelledInk = '#a3241b'

/** The receipt of a payment, usually one page; a cancelled one says so across it. The same payment gives the same bytes. */
export async function receiptPdf(receipt: ReceiptData, issuer: Letterhead): Promise<Buffer> {
  return makePdf(
    {
      title: `Receipt ${receipt.receipt_no}`,
      createdAt: receipt.reversed_at ?? receipt.decided_at,
      foundation: issuer,
      foot: helpLine(issuer),
    },
    (page) => draw(page, receipt),
  )
}

/** Draws the word across every page; what is below stays readable. */
function drawCancelled({ doc, painter, x, width }: PdfPage): void {
  const style = { size: 84, bold: true, align: 'center', color: cancelledInk } as const
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page)
    doc.save().rotate(-35, { origin: [doc.page.width / 2, doc.page.height / 2] })
    doc.fillOpacity(0.18)
    painter.line('CANCELLED', x, doc.page.height / 2 - 60, width, style)
    doc.restore()
  }
}

function draw(page: PdfPage, receipt: ReceiptData): void {
  if (receipt.reversed_at) {
    const notice = `Cancelled on ${formatDay(istDay(receipt.reversed_at))}: ${receipt.reason}`
    page.text(notice, { size: 13, bold: true, color: cancelledInk })
    page.space(8)
  }
  page.heading('Receipt')
  page.beside(
    [1, 1],
    [
      () =>
        page.keyValues([
          ['Receipt No.', receipt.receipt_no],
          ['Date', formatDay(istDay(receipt.decided_at))],
          ['Payment date', formatDay(receipt.paid_on)],
        ]),
      () =>
        page.keyValues([
          ['Received for', `${paymentForOf(receipt.purpose)} ${receipt.season}`],
          ['Reference', receipt.reference],
          ['UTR', receipt.utr],
        ]),
    ],
  )
  page.space(10)
  page.text('Received with thanks from', { size: 9.5, color: '#4a555f' })
  page.text(receipt.school, { size: 13, bold: true })
  page.text(`School code ${receipt.code}`)
  page.text([receipt.address, receipt.city, `${receipt.state} ${receipt.pin_code}`].join(', '))
  page.space(14)
  page.panel(74, () => {
    page.text('Amount received', { size: 9.5, color: '#4a555f' })
    page.text(show(receipt.payable), { size: 20, bold: true })
    page.text(amountInWords(paise(receipt.payable)))
  })
  page.space(4)
  page.subheading('Details')
  const library = receipt.purpose === 'library'
  if (library) copiesTable(page, receipt.copies, 'Received')
  else classTable(page, receipt.purpose, receipt.classes, 'Received')
  page.space(6)
  page.keyValues([
    [library ? 'Price of the books' : 'Collected from families', show(receipt.gross)],
    ...(receipt.late > 0 ? [['Late fees included', show(receipt.late)] as [string, string]] : []),
    ['School’s share', `−${show(receipt.retained)}`],
    ['Paid to us', show(receipt.payable)],
  ])
  page.space(16)
  const foot = receipt.reversed_at
    ? 'This receipt is cancelled and no longer proves a payment.'
    : 'This is a computer-generated receipt and needs no signature.'
  page.text(foot, { size: 9, color: '#4a555f' })
  if (receipt.reversed_at) drawCancelled(page)
}

const receiptColumns: readonly ListColumn<ReceiptRow>[] = [
  { title: 'Receipt No.', value: (row) => row.receiptNo },
  { title: 'Verified', kind: 'date', value: (row) => row.day },
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'For', value: (row) => row.paymentFor },
  { title: 'Reference', value: (row) => row.reference },
  { title: 'UTR', value: (row) => row.utr },
  { title: 'Gross', kind: 'money', value: (row) => row.gross },
  { title: 'School’s share', kind: 'money', value: (row) => row.retained },
  { title: 'Payable', kind: 'money', value: (row) => row.payableAmount },
  { title: 'Verified by', value: (row) => row.verifiedBy },
  { title: 'Bank line', width: 10, value: (row) => (row.found && row.cancelledOn === null ? 'Matched' : '') },
  { title: 'Cancelled', kind: 'date', value: (row) => row.cancelledOn ?? '' },
  { title: 'Reason', width: 36, value: (row) => row.reason },
]

/** Receipts as a file, with those that were cancelled since; amounts in rupees. */
export const receiptsFile = (receipts: readonly ReceiptRow[], season: string, format: SheetFormat) =>
  sheetFile(`Receipts ${season}`, receiptColumns, receipts, format)

const paymentColumns: readonly ListColumn<OfficePaymentRow>[] = [
  { title: 'Sent on', kind: 'date', value: (row) => dayCell(row.creationDate) },
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'City', value: (row) => row.cityName },
  { title: 'State', value: (row) => row.stateName },
  { title: 'Payment for', width: 22, value: (row) => row.paymentFor },
  { title: 'Payment date', kind: 'date', value: (row) => row.paymentDate },
  { title: 'Amount', kind: 'money', value: (row) => row.payableAmount },
  { title: 'Students', kind: 'number', value: (row) => row.students },
  { title: 'Status', value: (row) => (row.withdrawn ? 'Withdrawn' : statusNames[row.state]) },
  { title: 'Receipt No.', value: (row) => row.receiptNo },
  {
    title: 'On the bank statement',
    width: 20,
    value: (row) => (row.onBank === null ? '' : signNames[row.onBank]),
  },
  { title: 'To check', width: 24, value: (row) => row.doubts.map((kind) => doubtNames[kind]).join(', ') },
  { title: 'Assigned to', width: 24, value: (row) => row.assignee?.name ?? '' },
]
const statusNames = { pending: 'To verify', verified: 'Verified', rejected: 'Rejected' } as const
const signNames = { exact: 'Exact', suggested: 'Suggested', none: 'None', booking: 'Matched' } as const
const doubtNames = {
  proof: 'Proof already used',
  utr: 'UTR already used',
  rejected: 'Rejected before',
  amount: 'Amount differs',
} as const

/** The office's payments as a file, with the columns of the list. */
export const paymentsFile = (payments: readonly OfficePaymentRow[], season: string, format: SheetFormat) =>
  sheetFile(`Payments ${season}`, paymentColumns, payments, format)
