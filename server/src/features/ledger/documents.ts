import type { OfficeLedgerRow } from '@podium/contract/ledger/calls'
import { paise, rupees } from '@podium/contract/money'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat, sheetFile as sheet } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'
import type { JournalRow } from './closing/queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'City' },
  { title: 'State' },
  { title: 'Students', kind: 'number' },
  { title: 'Collected', kind: 'money' },
  { title: 'School’s share', kind: 'money' },
  { title: 'Payable', kind: 'money' },
  { title: 'Received', kind: 'money' },
  { title: 'Being verified', kind: 'money' },
  { title: 'Waived', kind: 'money' },
  { title: 'Moved', kind: 'money' },
  { title: 'In credit', kind: 'money' },
  { title: 'Outstanding', kind: 'money' },
]

/** The ledger over all schools as a file; amounts in rupees. */
export function ledgersFile(
  schools: readonly OfficeLedgerRow[],
  season: string,
  format: SheetFormat,
): FileAnswer['file'] {
  const rows = schools.map((row): SheetValue[] => [
    row.schCode,
    row.schName,
    row.city,
    row.state,
    row.students,
    row.gross,
    row.retained,
    row.payable,
    row.paid,
    row.verifying,
    row.waived,
    row.moved,
    row.credit,
    row.balance,
  ])
  return sheet(`Ledger ${season}`, columns, rows, format)
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
  format: SheetFormat,
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
