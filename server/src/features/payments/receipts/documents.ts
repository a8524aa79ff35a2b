import { paise } from '@podium/contract/money'
import type { ReceiptRow } from '@podium/contract/payments/calls-receipts'
import type { OfficePaymentRow } from '@podium/contract/payments/calls-verification'
import { paymentForOf } from '@podium/contract/payments/rules'
import { formatDay, istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { helpLine, type Letterhead } from '#platform/pdf/pdf-text'
import {
  type SheetFormat as Format,
  type SheetColumn,
  type SheetValue,
  sheetFile as sheet,
} from '#platform/sheets/spreadsheet-write'
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
    const says = `Cancelled on ${formatDay(istDay(receipt.reversed_at))}: ${receipt.reason}`
    page.text(says, { size: 13, bold: true, color: cancelledInk })
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

const receiptColumns: readonly SheetColumn[] = [
  { title: 'Receipt No.' },
  { title: 'Verified', kind: 'date' },
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'For' },
  { title: 'Reference' },
  { title: 'UTR' },
  { title: 'Gross', kind: 'money' },
  { title: 'School’s share', kind: 'money' },
  { title: 'Payable', kind: 'money' },
  { title: 'Verified by' },
  { title: 'Bank line', width: 10 },
  { title: 'Cancelled', kind: 'date' },
  { title: 'Reason', width: 36 },
]

/** Receipts as a file, with those that were cancelled since; amounts in rupees. */
export function receiptsFile(
  receipts: readonly ReceiptRow[],
  season: string,
  format: Format,
): FileAnswer['file'] {
  const rows = receipts.map((row): SheetValue[] => [
    row.receiptNo,
    row.day,
    row.schCode,
    row.schName,
    row.paymentFor,
    row.reference,
    row.utr,
    row.gross,
    row.retained,
    row.payableAmount,
    row.verifiedBy,
    row.found && row.cancelledOn === null ? 'Found' : '',
    row.cancelledOn ?? '',
    row.reason,
  ])
  return sheet(`Receipts ${season}`, receiptColumns, rows, format)
}

const paymentColumns: readonly SheetColumn[] = [
  { title: 'Sent on', kind: 'date' },
  { title: 'School code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'City' },
  { title: 'State' },
  { title: 'Payment for', width: 22 },
  { title: 'Payment date', kind: 'date' },
  { title: 'Amount', kind: 'money' },
  { title: 'Students', kind: 'number' },
  { title: 'Status' },
  { title: 'Receipt No.' },
  { title: 'On the bank statement', width: 20 },
  { title: 'To check', width: 24 },
  { title: 'Assigned to', width: 24 },
]
const statusNames = { pending: 'To verify', verified: 'Verified', rejected: 'Rejected' } as const
const signNames = { exact: 'Exact', suggested: 'Suggested', none: 'None', booking: 'Matched' } as const
const doubtNames = { proof: 'Proof already used', utr: 'UTR already used', amount: 'Amount differs' } as const

/** The office's payments as a file, with the columns of the list. */
export function paymentsFile(
  payments: readonly OfficePaymentRow[],
  season: string,
  format: Format,
): FileAnswer['file'] {
  const rows = payments.map((row): SheetValue[] => [
    istDay(new Date(row.creationDate)),
    row.schCode,
    row.schName,
    row.cityName,
    row.stateName,
    row.paymentFor,
    row.paymentDate,
    row.payableAmount,
    row.students,
    statusNames[row.state],
    row.receiptNo,
    row.onBank === null ? '' : signNames[row.onBank],
    row.doubts.map((kind) => doubtNames[kind]).join(', '),
    row.assignee?.name ?? '',
  ])
  return sheet(`Payments ${season}`, paymentColumns, rows, format)
}
