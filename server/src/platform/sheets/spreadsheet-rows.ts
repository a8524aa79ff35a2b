import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { formatNumber } from '@podium/contract/figures'
import { formatSentence } from '@podium/contract/sentences'
import yauzl, { type Options, type ZipFile } from 'yauzl'
import { Refusal } from '../errors.ts'
import { excessOf, filled } from './spreadsheet-limits.mjs'

/** A cell's value. Dates are midnight UTC of the day that the sheet shows; an empty cell is null. */
export type Cell = string | number | Date | null

export interface SheetRow {
  /** The row's number as the spreadsheet program shows it, from 1. */
  number: number
  cells: Cell[]
}

export interface SheetLimits {
  rows: number
  columns: number
  /** Characters of one cell, and of all together: the server has them in memory once they are read */
  characters: number
  text: number
  /** Bytes of the file, and of its parts unpacked */
  bytes: number
  unpackedBytes: number
  /** The reading process's memory in MB and time in seconds; the caller's own time does not count. */
  megabytes: number
  seconds: number
}

/** Limits for a school's uploads (architecture: quality, uploads). */
export const usualLimits: SheetLimits = {
  rows: 5_000,
  columns: 40,
  characters: 500,
  text: 5_000_000,
  bytes: 5 * 1024 * 1024,
  unpackedBytes: 40 * 1024 * 1024,
  megabytes: 256,
  seconds: 10,
}

/** Limits for the office's imports: the marks of a whole season, a bank statement. */
export const bulkLimits: SheetLimits = {
  rows: 1_000_000,
  columns: 200,
  characters: 2_000,
  text: 500_000_000,
  bytes: 100 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  megabytes: 1024,
  seconds: 300,
}

/** Returns a cell as text, for text fields, whatever type the program gave it: 7 → `7`, a date → `2026-11-21`. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot carry them
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu
/** Removes what XML can't contain, and the database can't store: control characters and halves of characters. */
export const withoutControls = (text: string): string => text.replace(notXml, '')

/** The limit that a row exceeds, and where: `row` as shown, `column` from 0. */
export interface Excess {
  code: 'sheet.too_many_rows' | 'sheet.too_many_columns' | 'sheet.text_too_long'
  row: number
  column: number
}

/** Checks one row against the limits and removes empty cells at its end; undefined if nothing is left. */
export function checkedRow(row: SheetRow, limits: SheetLimits): SheetRow | undefined {
  const cells = filled(row.cells)
  if (cells.length === 0) return undefined
  const checked = { number: row.number, cells }
  const excess = excessOf(checked, limits)
  if (excess) throw sheetRefusal(excess, limits)
  return checked
}

/** Returns the refusal of a row that exceeds a limit, naming the place. The process's report is not trusted. */
export function sheetRefusal({ code, row, column }: Excess, limits: SheetLimits): Refusal {
  const sentences = {
    'sheet.too_many_rows': () => formatSentence('rowsTooMany', { n: formatNumber(limits.rows) }),
    'sheet.too_many_columns': () => formatSentence('columnsTooMany', { row, n: limits.columns }),
    'sheet.text_too_long': () =>
      formatSentence('textTooLong', { row, column: columnName(column), n: limits.characters }),
  }
  return Object.hasOwn(sentences, code)
    ? new Refusal(code, { message: sentences[code]() })
    : new Refusal('sheet.damaged')
}

/** Returns a column's name in a spreadsheet program: 0 → A, 26 → AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

/** A spreadsheet's bytes, in memory or on disk: large files are read in chunks, never completely into memory. */
export interface SheetSource {
  readonly size: number
  /** The first bytes, at most 64 kB. */
  readonly head: Buffer
  /** Streams all bytes from the beginning; may be called repeatedly. */
  stream(): Readable
  archive(options: Options): Promise<ZipFile>
}

const headLength = 65_536
const pieceLength = 65_536

export function sourceOf(bytes: Buffer): SheetSource {
  return {
    size: bytes.length,
    head: bytes.subarray(0, headLength),
    stream: () => Readable.from(pieces(bytes)),
    archive: (options) => yauzl.fromBufferPromise(bytes, options),
  }
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += pieceLength)
    yield bytes.subarray(offset, offset + pieceLength)
}

/** Returns a file on disk as a source; rejects if there is none. */
export async function sourceAt(path: string): Promise<SheetSource> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(size, headLength))
    await file.read(head, 0, head.length, 0)
    return {
      size,
      head,
      stream: () => createReadStream(path),
      archive: (options) => yauzl.openPromise(path, options),
    }
  } finally {
    await file.close()
  }
}

/** Whether the source contains these bytes. */
export async function containsBytes(source: SheetSource, pattern: Buffer): Promise<boolean> {
  let tail = Buffer.alloc(0)
  for await (const piece of source.stream()) {
    const joined = Buffer.concat([tail, piece as Buffer])
    if (joined.includes(pattern)) return true
    tail = joined.subarray(-pattern.length)
  }
  return false
}
