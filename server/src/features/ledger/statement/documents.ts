import { paymentForOf, purposes } from '@podium/contract/payments/calls'
import { formatDay, istDay } from '@podium/contract/season'
import { classTable, show } from '#features/payments/documents-table'
import { helpLine, type Letterhead } from '#platform/pdf/letterhead'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { accountTable, ledgerTable } from './documents-account.ts'
import type { Statement } from './queries.ts'

const states = { pending: 'Being verified', verified: 'Verified', rejected: 'Rejected' }

/** What a school owes, class by class, and what it has sent, as of this instant. */
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
  if (due.length === 0) page.text('Nothing is due.')
  page.subheading('Payments')
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
      states[payment.state],
      payment.receipt_no ?? '',
      show(payment.payable),
    ]),
    empty: 'No payment was sent yet.',
  })
  page.subheading('Statement of account')
  accountTable(page, account)
  page.subheading('Retained share')
  ledgerTable(page, ledger)
}
