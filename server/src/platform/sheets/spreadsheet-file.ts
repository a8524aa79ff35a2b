import { formatDay, istDay, istTime } from '@podium/contract/season'
import type { FileAnswer } from '../http/http.ts'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from './spreadsheet-write.ts'

export type SheetFormat = 'xlsx' | 'csv'

/** An instant as lists show it, in India: `21-Nov-2026 04:05 PM`; empty where there is none. */
export function momentCell(at: string | null): string {
  if (at === null) return ''
  const instant = new Date(at)
  return `${formatDay(istDay(instant))} ${istTime(instant)}`
}

/** A list as a spreadsheet in either format, as a call answers it. */
export function sheetFile(
  name: string,
  columns: readonly SheetColumn[],
  rows: readonly SheetValue[][],
  format: SheetFormat,
): FileAnswer['file'] {
  return format === 'xlsx'
    ? {
        name: `${name}.xlsx`,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(name, columns, rows),
      }
    : { name: `${name}.csv`, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, rows) }
}
