import type { ChangeRow } from '@podium/contract/changes'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'When', width: 22 },
  { title: 'Who', width: 28 },
  { title: 'Acting for', width: 24 },
  { title: 'Kind of person', width: 14 },
  { title: 'What', width: 28 },
  { title: 'Record', width: 16 },
  { title: 'Number', width: 14 },
  { title: 'School', width: 14 },
  { title: 'Name of school', width: 32 },
  { title: 'From what to what', width: 60 },
]

function cells(row: ChangeRow): SheetValue[] {
  const at = new Date(row.at)
  const changes = row.changes.map(({ field, from, to }) =>
    [field === '' ? '' : `${field}: `, from === '' ? '' : `${from} → `, to].join(''),
  )
  return [
    `${formatDay(istDay(at))} ${istTime(at)}`,
    row.actorName,
    row.actingFor,
    row.actorKind,
    row.action,
    row.subjectKind,
    row.subjectId,
    row.schCode,
    row.schName,
    changes.join('; '),
  ]
}

/** The record of changes as a file. */
export function changesFile(rows: readonly ChangeRow[], format: 'xlsx' | 'csv'): FileAnswer['file'] {
  const name = 'Record of changes'
  const values = rows.map(cells)
  return format === 'csv'
    ? { name: `${name}.csv`, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, values) }
    : {
        name: `${name}.xlsx`,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(name, columns, values),
      }
}
