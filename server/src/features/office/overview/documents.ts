import type { NudgeRow } from '@podium/contract/office/calls-overview'
import type { Season } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'Name', width: 36 },
  { title: 'City' },
  { title: 'State' },
  { title: 'Next step', width: 20 },
  { title: 'Until', kind: 'date' },
  { title: 'Days left', kind: 'number' },
  { title: 'Students', kind: 'number' },
  { title: 'Outstanding', kind: 'money' },
  { title: 'Accounts', kind: 'number' },
  { title: 'Last reminder', width: 18 },
  { title: 'Last reminded by', width: 24 },
]

const steps = { enrol: 'Enter students', pay: 'Pay', 'choose-dates': 'Choose exam dates' } as const

const cells = (row: NudgeRow): SheetValue[] => [
  ...[row.schCode, row.schName, row.city, row.state, steps[row.step], row.until, row.daysLeft],
  ...[row.students, row.due, row.people],
  ...[momentCell(row.lastNudge?.at ?? null), row.lastNudge?.by ?? ''],
]

/** The schools to remind as a file; amounts in rupees, empty for who may not read payments. */
export const nudgesFile = (
  rows: readonly NudgeRow[],
  season: Season,
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(`Schools to remind ${season}`, columns, rows.map(cells), format)
