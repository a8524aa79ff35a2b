import type { OfficeWaiver } from '@podium/contract/payments/calls-waivers'
import { istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'Student', width: 28 },
  { title: 'Class' },
  { title: 'Section' },
  { title: 'Roll No.', kind: 'number' },
  { title: 'Subjects', width: 32 },
  { title: 'School code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'Amount', kind: 'money' },
  { title: 'Reason', width: 40 },
  { title: 'Evidence', width: 24 },
  { title: 'Requested by', width: 24 },
  { title: 'Requested on', kind: 'date' },
  { title: 'State' },
  { title: 'Decided by', width: 24 },
  { title: 'Decided on', kind: 'date' },
  { title: 'Decision', width: 32 },
]

/** Waivers as a file; amounts in rupees, days in India. */
export function waiversFile(
  waivers: readonly OfficeWaiver[],
  season: string,
  format: SheetFormat,
): FileAnswer['file'] {
  const rows = waivers.map((row): SheetValue[] => [
    ...[row.studentName, row.className, row.section === '-' ? '' : row.section, row.rollNo, row.subjects],
    ...[row.schCode, row.schName, row.amount, row.reason, row.evidenceName],
    ...[row.byOffice ? `${row.askedBy} (office)` : row.askedBy, istDay(new Date(row.askedAt)), row.state],
    ...[row.decidedBy, row.decidedAt === null ? '' : istDay(new Date(row.decidedAt)), row.decision],
  ])
  return sheetFile(`Waivers ${season}`, columns, rows, format)
}
