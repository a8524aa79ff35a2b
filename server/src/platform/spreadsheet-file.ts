import type { FileAnswer } from './http.ts'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from './spreadsheet-write.ts'

export type SheetFormat = 'xlsx' | 'csv'

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
