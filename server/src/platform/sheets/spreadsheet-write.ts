import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { cutText } from '@podium/contract/fields'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { type CellValue, type ColumnDef, writeXlsx as writeWorkbook, writeXlsxStream } from 'hucre/xlsx'
import type { FileAnswer } from '../http/http.ts'
import { csvField } from './csv.ts'
import { columnName, withoutControls } from './spreadsheet-rows.ts'

export interface SheetColumn {
  title: string
  /** `money` takes rupees, `date` a day such as `2026-11-21`, `mark` decimals; the others are plain. Default `text`. */
  kind?: 'text' | 'number' | 'mark' | 'money' | 'date'
  /** In characters */
  width?: number
  /** Allowed values, offered as a list in a template */
  choices?: readonly string[]
}

/** A value for a column of its kind; numbers for `number`, `mark` and `money`, else text. */
export type SheetValue = string | number | null | undefined
type SheetValues = Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>

const formats: Record<NonNullable<SheetColumn['kind']>, string> = {
  // Text cells stay text when edited: roll numbers keep their zeros.
  text: '@',
  number: '0',
  mark: 'General',
  // Lakhs and crores, as in ₹1,24,500.00
  money: '[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]##\\,##\\,##0.00;##,##0.00',
  date: 'dd-mmm-yyyy',
}

function definitions(columns: readonly SheetColumn[]): ColumnDef[] {
  return columns.map(({ title, kind = 'text', width }) => ({
    header: title,
    width: width ?? Math.max(title.length + 3, kind === 'text' ? 18 : 13),
    numFmt: formats[kind],
  }))
}

/** What a spreadsheet program reads as one character, `_x0041_` as `A`: its first sign is written so itself. */
const escapeLike = /_(?=x[0-9a-f]{4}_)/gi

/** Text is written as text, whatever it starts with: our cells are never formulas (docs/security.md, T31). */
function xlsxCell(value: SheetValue, column: SheetColumn): CellValue {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return value
  if (column.kind === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return new Date(`${value}T00:00:00Z`)
  return cutText(withoutControls(value), 32_767).replace(escapeLike, '_x005F_')
}

/** Returns a valid sheet name: without the characters Excel refuses, at most 31 characters. */
function sheetName(name: string): string {
  return cutText(name.replace(/[\\/*?:[\]']/g, ' ').trim(), 31) || 'Sheet1'
}

/** Streams an .xlsx: rows are written as they come, so memory stays flat however many there are. */
export function writeXlsx(name: string, columns: readonly SheetColumn[], rows: SheetValues): Readable {
  async function* cells(): AsyncGenerator<CellValue[]> {
    for await (const row of rows) yield columns.map((column, index) => xlsxCell(row[index], column))
  }
  const stream = writeXlsxStream(cells(), {
    name: sheetName(name),
    columns: definitions(columns),
    freezePane: { rows: 1 },
  })
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>)
}

/** Writes a template: its header, the given rows, and lists to choose from in the next `blank` rows. */
export async function writeTemplate(
  name: string,
  columns: readonly SheetColumn[],
  rows: readonly (readonly SheetValue[])[] = [],
  blank = 500,
): Promise<Buffer> {
  const last = rows.length + blank + 1
  const listed = columns.flatMap((column, index) =>
    column.choices?.length ? [{ index, choices: column.choices }] : [],
  )
  const longest = Math.max(0, ...listed.map(({ choices }) => choices.length))
  const bytes = await writeWorkbook({
    sheets: [
      {
        name: sheetName(name),
        columns: definitions(columns),
        rows: [
          columns.map((column) => column.title),
          ...rows.map((row) => columns.map((column, index) => xlsxCell(row[index], column))),
        ],
        freezePane: { rows: 1 },
        dataValidations: listed.map(({ index, choices }, list) => ({
          type: 'list' as const,
          // By reference, not by value: a literal list is limited to 255 characters and can't contain a comma.
          formula1: `Lists!$${columnName(list)}$1:$${columnName(list)}$${choices.length}`,
          range: `${columnName(index)}2:${columnName(index)}${last}`,
          allowBlank: true,
          showErrorMessage: true,
          errorTitle: columns[index]?.title ?? '',
          errorMessage: 'Please choose from the list.',
        })),
      },
      ...(listed.length === 0
        ? []
        : [
            {
              name: 'Lists',
              hidden: true,
              rows: Array.from({ length: longest }, (_, row) =>
                listed.map(({ choices }) => choices[row] ?? null),
              ),
            },
          ]),
    ],
  })
  return Buffer.from(bytes)
}

/** Streams a CSV with a byte order mark (Excel needs it for Hindi), CRLF and the formula guard. */
export function writeCsv(columns: readonly SheetColumn[], rows: SheetValues): Readable {
  async function* chunks(): AsyncGenerator<string> {
    let chunk = `\ufeff${columns.map((column) => csvField(column.title)).join(',')}\r\n`
    for await (const row of rows) {
      for (let index = 0; index < columns.length; index++)
        chunk += (index === 0 ? '' : ',') + csvField(row[index])
      chunk += '\r\n'
      if (chunk.length > 32_768) {
        yield chunk
        chunk = ''
      }
    }
    yield chunk
  }
  return Readable.from(chunks(), { objectMode: false })
}

export type SheetFormat = 'xlsx' | 'csv'

/** Formats an instant for lists, in Indian time: `21-Nov-2026 04:05 PM`; empty for null. */
export function timestampCell(timestamp: string | null): string {
  if (timestamp === null) return ''
  const instant = new Date(timestamp)
  return `${formatDay(istDay(instant))} ${istTime(instant)}`
}

/** Formats an instant as its day in India, for a column of dates; empty for null. */
export const dayCell = (timestamp: string | null | undefined): string =>
  timestamp ? istDay(new Date(timestamp)) : ''

/** A column of a list, with what it says of a row. */
export interface ListColumn<Row> extends SheetColumn {
  value: (row: Row, index: number) => SheetValue
}

/** Returns a list as a spreadsheet in either format, for the answer of a call. */
export function sheetFile<Row>(
  name: string,
  columns: readonly ListColumn<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  format: SheetFormat,
): FileAnswer['file'] {
  async function* cells(): AsyncGenerator<SheetValue[]> {
    let index = 0
    for await (const row of rows) {
      yield columns.map(({ value }) => value(row, index))
      index += 1
    }
  }
  return format === 'xlsx'
    ? {
        name: `${name}.xlsx`,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(name, columns, cells()),
      }
    : { name: `${name}.csv`, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, cells()) }
}
