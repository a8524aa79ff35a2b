import type { NoticeState, OfficeNotice } from '@podium/contract/notices/calls'
import { istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'Title', width: 36 },
  { title: 'Text', width: 60 },
  { title: 'Title in Hindi', width: 36 },
  { title: 'Text in Hindi', width: 60 },
  { title: 'Important' },
  { title: 'For', width: 36 },
  { title: 'From', kind: 'date' },
  { title: 'Until', kind: 'date' },
  { title: 'Ended on', kind: 'date' },
  { title: 'Schools', kind: 'number' },
  { title: 'Schools that have read it', kind: 'number' },
  { title: 'Changed by', width: 24 },
  { title: 'Changed on', kind: 'date' },
]

function audienceOf({ audience, states, schName, schCode }: OfficeNotice): string {
  if (audience === 'all') return 'All schools'
  return audience === 'state' ? states.join(', ') : `${schName} (${schCode})`
}

/** Notices of a state as a file; days in India. */
export function noticesFile(
  notices: readonly OfficeNotice[],
  state: NoticeState,
  format: SheetFormat,
): FileAnswer['file'] {
  const rows = notices.map((row): SheetValue[] => [
    ...[row.title, row.text, row.titleHi, row.textHi, row.important ? 'Yes' : '', audienceOf(row)],
    ...[row.from, row.until, row.endedAt === null ? '' : istDay(new Date(row.endedAt))],
    ...[row.schools, row.schoolsRead, row.changedBy, istDay(new Date(row.changedAt))],
  ])
  return sheetFile(`Notices ${state}`, columns, rows, format)
}
