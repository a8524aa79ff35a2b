import { formatNumber } from '@podium/contract/figures'
import { type Purpose, paymentForOf, purposes } from '@podium/contract/payments/rules'
import { formatDay, istDay } from '@podium/contract/season'
import { classTable, show } from '#features/payments/documents-table'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { helpLine, type Letterhead } from '#platform/pdf/pdf-text'
import type { LedgerLine } from '../queries.ts'
import type { Statement } from './queries.ts'
import { type AccountLine, totalsOf } from './rules.ts'

const units: Readonly<Record<Purpose, readonly [one: string, more: string]>> = {
  registration: ['entry', 'entries'],
  books: ['book', 'books'],
  library: ['copy', 'copies'],
}
const counted = (n: number, purpose: Purpose) => `${formatNumber(n)} ${units[purpose][n === 1 ? 0 : 1]}`
const dash = (amount: number) => (amount === 0 ? '' : show(amount))

/** The description of a line, in one cell. */
function what(line: AccountLine): string {
  const fee = paymentForOf(line.purpose)
  switch (line.kind) {
    case 'charge':
      return `${fee}: ${counted(line.items, line.purpose)}`
    case 'late':
      return `Late fee: ${counted(line.items, 'registration')}`
    case 'share':
      return `School’s share, ${fee}`
    case 'sent':
      return `Payment sent, ${fee}, ${show(line.amount)}, ${line.reference}`
    case 'verified':
      return `Payment verified, receipt ${line.receiptNo}`
    case 'rejected':
      return `Payment of ${show(line.amount)} not accepted: ${line.reason}`
    case 'withdrawn':
      return `Payment of ${show(line.amount)} withdrawn by the school`
    case 'reversed':
      return `Returned by the bank, receipt ${line.receiptNo} cancelled: ${line.reason}`
    case 'credit':
      return `Credit received${line.reference === '' ? '' : `, UTR ${line.reference}`}`
    case 'cancelled':
      return `Cancelled, ${line.reference}`
    case 'waived':
      return `Fee waived, ${line.reference}`
    case 'moved-in':
      return `Paid by the previous school, ${line.reference}`
    case 'moved-out':
      return `Paid, now at another school, ${line.reference}`
    case 'used':
      return `Credit used for receipt ${line.receiptNo}`
    case 'refund':
      return line.reason === ''
        ? `Refunded${line.reference === '' ? '' : `, UTR ${line.reference}`}`
        : `Credit returned by the bank: ${line.reason}`
  }
}

const sum = (lines: readonly AccountLine[], of: 'debit' | 'credit') =>
  lines.reduce((total, line) => total + line[of], 0)

/** Draws the account line by line, with the balance after each, and totals. */
function accountTable(page: PdfPage, lines: readonly AccountLine[]): void {
  const totals = totalsOf(lines)
  page.table({
    columns: [
      { title: 'Date', weight: 3 },
      { title: 'What', weight: 8 },
      { title: 'Debit', weight: 3, align: 'right' },
      { title: 'Credit', weight: 3, align: 'right' },
      { title: 'Balance', weight: 3, align: 'right' },
    ],
    rows: lines.map((line) => [
      formatDay(line.day),
      what(line),
      dash(line.debit),
      dash(line.credit),
      show(line.balance),
    ]),
    foot: ['Total', '', show(sum(lines, 'debit')), show(sum(lines, 'credit')), show(totals.balance)],
    empty: 'Nothing has been charged yet.',
  })
  if (totals.beingVerified > 0) page.text(`Of this balance ${show(totals.beingVerified)} is being verified.`)
}

/** Draws what the school collects, keeps and owes, by fee and subject. */
function ledgerTable(page: PdfPage, lines: readonly LedgerLine[]): void {
  const sum = (of: (line: LedgerLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const each = ({ share_from: from, share_to: to }: LedgerLine) =>
    from === to ? show(from) : `${show(from)}–${show(to)}`
  page.table({
    columns: [
      { title: 'For', weight: 4 },
      { title: 'Subject', weight: 5 },
      { title: 'Entries or books', weight: 2.4, align: 'right' },
      { title: 'Collected', weight: 3, align: 'right' },
      { title: 'Share each', weight: 2.6, align: 'right' },
      { title: 'Share kept', weight: 3, align: 'right' },
      { title: 'Payable', weight: 3, align: 'right' },
    ],
    rows: lines.map((line) => [
      line.late ? 'Late fee' : paymentForOf(line.purpose),
      line.subject,
      formatNumber(line.heads),
      show(line.gross),
      each(line),
      show(line.retained),
      show(line.gross - line.retained),
    ]),
    foot: [
      'Total',
      '',
      '',
      show(sum((line) => line.gross)),
      '',
      show(sum((line) => line.retained)),
      show(sum((line) => line.gross - line.retained)),
    ],
    empty: 'Nothing has been charged yet.',
  })
}

const states = { pending: 'Being verified', verified: 'Verified', rejected: 'Rejected' }

/** A PDF of what a school owes, by class, and its payments, as of now. */
export async function statementPdf(statement: Statement, issuer: Letterhead, now: Date): Promise<Buffer> {
  return makePdf(
    {
      title: `Fee statement ${statement.season}`,
      createdAt: now,
      foundation: issuer,
      foot: helpLine(issuer),
    },
    (page) => draw(page, statement, now),
  )
}

function draw(page: PdfPage, { school, season, due, payments, account, ledger }: Statement, now: Date): void {
  page.heading('Fee statement')
  page.keyValues([
    ['School', school.name],
    ['School code', school.code],
    ['Place', [school.city, school.state].filter(Boolean).join(', ')],
    ['Season', season],
    ['Date', formatDay(istDay(now))],
  ])
  for (const purpose of purposes) {
    const classes = due.filter((line) => line.purpose === purpose)
    if (classes.length === 0) continue
    page.subheading(`Due: ${paymentForOf(purpose)}`)
    classTable(page, purpose, classes, 'Payable')
  }
  if (due.length === 0) {
    page.space()
    page.text('Nothing is due.')
  }
  page.subheading('Payments', 150)
  page.table({
    columns: [
      { title: 'Payment date', weight: 3 },
      { title: 'For', weight: 4 },
      { title: 'Reference', weight: 4 },
      { title: 'Status', weight: 3 },
      { title: 'Receipt No.', weight: 3 },
      { title: 'Amount', weight: 3, align: 'right' },
    ],
    rows: payments.map((payment) => [
      formatDay(payment.paid_on),
      paymentForOf(payment.purpose),
      payment.reference,
      payment.reversed_at ? 'Cancelled' : payment.withdrawn ? 'Withdrawn' : states[payment.state],
      payment.receipt_no ?? '',
      show(payment.payable),
    ]),
    empty: 'No payment was sent yet.',
  })
  page.subheading('Statement of account', 150)
  accountTable(page, account)
  page.subheading('Retained share', 150)
  ledgerTable(page, ledger)
}
