import type { OfficeLedgerRow } from '@podium/contract/ledger/calls'
import type { FileAnswer } from '#platform/http/http'
import { sheetFile as sheet } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

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
  format: 'xlsx' | 'csv',
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
