import type { BankView } from '@podium/contract/bank/calls'
import { rupees } from '@podium/contract/money'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'
import type { BookedLine } from './queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Date', kind: 'date' },
  { title: 'Account', width: 20 },
  { title: 'Amount', kind: 'money' },
  { title: 'UTR', width: 24 },
  { title: 'Narration', width: 48 },
  { title: 'School', width: 12 },
  { title: 'Name of school', width: 36 },
  { title: 'To payments', kind: 'money' },
  { title: 'To credit', kind: 'money' },
  { title: 'Receipts', width: 28 },
  { title: 'Reason', width: 32 },
  { title: 'Assigned to', width: 24 },
  { title: 'Decided by', width: 24 },
  { title: 'Decided', width: 22 },
]

const cells = (line: BookedLine): SheetValue[] => [
  ...[line.day, line.account, rupees(line.amount), line.utr, line.narration, line.code, line.school],
  ...[rupees(line.toPayments), rupees(line.toCredit), line.receipts, line.reason],
  ...[line.assignee?.name ?? '', line.decidedBy, momentCell(line.decidedAt?.toISOString() ?? null)],
]

/** Bank lines of a state as a file; amounts in rupees. */
export const bankLinesFile = (
  lines: readonly BookedLine[],
  { state, FYear }: { state: BankView; FYear: string },
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(`Bank lines ${state} ${FYear}`, columns, lines.map(cells), format)
