import type { IncidentRow } from '@podium/contract/privacy/calls-incidents'
import { istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'
import { momentText } from './rules.ts'

const natureNames = {
  disclosed: 'Seen by the wrong people',
  changed: 'It was changed and is wrong',
  lost: 'It is lost',
  unavailable: 'It could not be reached',
} as const

const columns: readonly SheetColumn[] = [
  { title: 'No.', kind: 'number' },
  { title: 'Incident', width: 40 },
  { title: 'Nature', width: 32 },
  { title: 'Found', width: 22 },
  { title: 'State' },
  { title: 'Children', kind: 'number' },
  { title: 'School staff', kind: 'number' },
  { title: 'Notified', kind: 'number' },
  { title: 'Opened by', width: 24 },
  { title: 'Closed on', kind: 'date' },
]

/** The register as a file. */
export function registerFile(rows: readonly IncidentRow[], format: SheetFormat): FileAnswer['file'] {
  const cells = rows.map((row): SheetValue[] => [
    ...[row.id, row.title, natureNames[row.nature], momentText(row.foundAt), row.state],
    ...[row.children, row.people, row.told, row.openedBy],
    row.closedAt === null ? '' : istDay(new Date(row.closedAt)),
  ])
  return sheetFile('Incidents', columns, cells, format)
}
