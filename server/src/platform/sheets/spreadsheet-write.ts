import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { type CellValue, type ColumnDef, writeXlsx as writeWorkbook, writeXlsxStream } from 'hucre/xlsx'
import type { FileAnswer } from '../http/http.ts'
import { csvField } from './csv.ts'
import { columnName } from './spreadsheet-rows.ts'

export interface SheetColumn {
  title: string
  /** `money` takes rupees, `date` a day like `2026-11-21`, `mark` decimals; the rest what it says. Default `text`. */
  kind?: 'text' | 'number' | 'mark' | 'money' | 'date'
  /** In characters */
  width?: number
  /** What may stand in the column, offered as a list in a template */
  choices?: readonly string[]
}

/** A value for a column of its kind; numbers for `number`, `mark` and `money`, else text. */
export type SheetValue = string | number | null | undefined
export type SheetValues = Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>

const formats: Record<NonNullable<SheetColumn['kind']>, string> = {
  // Text stays text when somebody types into it: roll numbers keep their zeros.
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot carry them
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** Text as XML can carry it. */
export const withoutControls = (text: string): string => text.replace(notXml, '')

/** Text is typed as text, whatever it begins with: a cell of ours is never a formula (docs/security.md, T31). */
function xlsxCell(value: SheetValue, column: SheetColumn): CellValue {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return value
  if (column.kind === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return new Date(`${value}T00:00:00Z`)
  return withoutControls(value).slice(0, 32_767)
}

/** A sheet's name without what Excel refuses in one, at most 31 characters. */
function sheetName(name: string): string {
  return (
    name
      .replace(/[\\/*?:[\]']/g, ' ')
      .trim()
      .slice(0, 31) || 'Sheet1'
  )
}

/** An .xlsx as a stream: rows are written as they come, so memory stays flat however many there are. */
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

/** The rows of a template: its head, what is filled in already, and lists to choose from in the next `blank` rows. */
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
          // By reference and not by value: a list written out may hold 255 characters and no comma.
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

/** A CSV as a stream, with a byte order mark (Excel reads Hindi by it), CRLF, and the formula guard. */
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
