import type { CreditRow, Refund } from '@podium/contract/bank/calls-credits'
import { rupees } from '@podium/contract/money'
import { istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'
import type { Transfer } from './commands.ts'

const creditColumns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'In credit', kind: 'money' },
  { title: 'Reserved for refunds', kind: 'money' },
]

/** Credits of schools as a file; amounts in rupees. */
export function creditsFile(credits: readonly CreditRow[], format: SheetFormat): FileAnswer['file'] {
  const rows = credits.map((row): SheetValue[] => [row.schCode, row.schName, row.amount, row.promised])
  return sheetFile('Credits of schools', creditColumns, rows, format)
}

const refundColumns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'Amount', kind: 'money' },
  { title: 'Pay to', width: 32 },
  { title: 'Reason', width: 40 },
  { title: 'State' },
  { title: 'Proposed by', width: 24 },
  { title: 'Proposed on', kind: 'date' },
  { title: 'Decided by', width: 24 },
  { title: 'Decided on', kind: 'date' },
  { title: 'Decision', width: 32 },
  { title: 'UTR', width: 24 },
  { title: 'Paid or sent back by', width: 24 },
  { title: 'Paid or sent back on', kind: 'date' },
  { title: 'Sent back because', width: 32 },
]

const dayOf = (at: string | null) => (at === null ? '' : istDay(new Date(at)))

/** Refunds as a file; amounts in rupees, days in India. */
export function refundsFile(refunds: readonly Refund[], format: SheetFormat): FileAnswer['file'] {
  const rows = refunds.map((row): SheetValue[] => [
    ...[row.schCode, row.schName, row.amount, row.payTo, row.reason, row.state],
    ...[row.proposedBy, dayOf(row.proposedAt), row.decidedBy, dayOf(row.decidedAt)],
    ...[row.decisionNote, row.utr, row.settledBy, dayOf(row.settledAt), row.settleNote],
  ])
  return sheetFile('Refunds', refundColumns, rows, format)
}

const transferColumns: readonly SheetColumn[] = [
  { title: 'Beneficiary name', width: 36 },
  { title: 'Account no.', width: 24 },
  { title: 'IFSC', width: 16 },
  { title: 'Amount', kind: 'money' },
  { title: 'Remarks', width: 32 },
]

/** Refunds to pay as a file for bulk NEFT; amounts in rupees. */
export function transfersFile(transfers: readonly Transfer[], day: string): FileAnswer['file'] {
  const rows = transfers.map((row): SheetValue[] => [
    ...[row.accountName, row.accountNo, row.ifsc, rupees(row.amount), `REFUND ${row.id} ${row.code}`],
  ])
  return sheetFile(`Refunds to pay ${day}`, transferColumns, rows, 'csv')
}
