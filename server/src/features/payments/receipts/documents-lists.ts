import { paise, rupees } from '@podium/contract/money'
import type { ReceiptRow } from '@podium/contract/payments/calls-receipts'
import type { JournalRow } from '#features/ledger/closing/queries'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat as Format, sheetFile as sheet } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

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
]

/** Receipts as a file; amounts in rupees. */
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
    row.found ? 'Found' : '',
  ])
  return sheet(`Receipts ${season}`, receiptColumns, rows, format)
}

const journalColumns: readonly SheetColumn[] = [
  { title: 'Day', kind: 'date' },
  { title: 'What', width: 22 },
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'Season', width: 10 },
  { title: 'Receipt No.' },
  { title: 'Reference' },
  { title: 'UTR' },
  { title: 'Bank day', kind: 'date' },
  { title: 'Amount', kind: 'money' },
  { title: 'By' },
  { title: 'Note', width: 40 },
]

/** The journal for the accountant; amounts in rupees, negative for what was used or paid back. */
export function journalFile(
  rows: readonly JournalRow[],
  from: string,
  until: string,
  format: Format,
): FileAnswer['file'] {
  const cells = rows.map((row): SheetValue[] => [
    row.day,
    row.kind,
    row.code,
    row.school,
    row.season,
    row.receipt_no,
    row.reference,
    row.utr,
    row.bank_day,
    rupees(paise(row.amount)),
    row.by,
    row.note,
  ])
  return sheet(`Journal ${from} to ${until}`, journalColumns, cells, format)
}
