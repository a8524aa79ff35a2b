import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cutText, tidy } from '@podium/contract/fields'
import { formatSentence } from '@podium/contract/sentences'
import type { Entry, ZipFile } from 'yauzl'
import { concurrencyLimit } from '../concurrency-limit.ts'
import { Refusal } from '../errors.ts'
import { type Confinement, type InspectionResult, type Sandbox, sandbox } from '../files/sandbox.ts'
import { readCsv, unguarded } from './csv.ts'
import {
  bulkLimits,
  type Cell,
  containsBytes,
  type Excess,
  type SheetLimits,
  type SheetRow,
  type SheetSource,
  sheetRefusal,
  sourceOf,
  usualLimits,
  withoutControls,
} from './spreadsheet-rows.ts'

const maxEntries = 200
/** Unpacked to packed size; real sheets stay below 60. Small parts may be more repetitive. */
const maxRatio = 200
const smallPart = 256 * 1024

/**
 * Checks a zip archive's table of contents before anything is unpacked (docs/security.md, T30): bombs, foreign paths,
 * macros, and archives that are not .xlsx. Throws a Refusal of `sheet.*`.
 */
export async function checkArchive(
  source: SheetSource,
  limits: Pick<SheetLimits, 'unpackedBytes'>,
): Promise<void> {
  const names = new Set<string>()
  let unpacked = 0
  let archive: ZipFile | undefined
  try {
    archive = await source.archive({ strictFileNames: true, validateEntrySizes: true })
    if (archive.entryCount > maxEntries) throw new Refusal('sheet.too_large')
    for await (const entry of archive.eachEntry()) {
      unpacked += entry.uncompressedSize
      const bomb =
        entry.uncompressedSize > smallPart && entry.uncompressedSize > entry.compressedSize * maxRatio
      if (bomb || unpacked > limits.unpackedBytes) throw new Refusal('sheet.too_large')
      checkEntry(entry, names)
      names.add(entry.fileName)
    }
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown
    throw new Refusal('sheet.damaged')
  } finally {
    archive?.close()
  }
  if (names.has('xl/workbook.xml')) return
  const otherFormat = names.has('xl/workbook.bin') || names.has('content.xml')
  throw new Refusal(otherFormat ? 'sheet.old_format' : 'sheet.not_spreadsheet')
}

function checkEntry(entry: Entry, names: Set<string>): void {
  if (entry.isEncrypted()) throw new Refusal('sheet.locked')
  if (/(?:^|\/)vbaProject\.bin$/i.test(entry.fileName)) throw new Refusal('sheet.macros')
  // Two parts with the same name: readers disagree on which one counts.
  if (names.has(entry.fileName)) throw new Refusal('sheet.damaged')
}

const startsWith = (bytes: Buffer, ...head: number[]) => head.every((byte, index) => bytes[index] === byte)

/**
 * Yields the rows of an .xlsx (its first sheet) or .csv file; empty rows are left out. The type is taken from the
 * content; the name only decides between text files. A file on disk (`sourceAt`) is read in chunks. Throws a Refusal of
 * `sheet.*` before the first row or in the middle, so a caller that writes must use one transaction.
 */
export async function* readRows(
  file: Buffer | SheetSource,
  filename: string,
  limits: SheetLimits = usualLimits,
  others?: (names: string[]) => void,
): AsyncGenerator<SheetRow, void> {
  const source = Buffer.isBuffer(file) ? sourceOf(file) : file
  const { head } = source
  if (source.size === 0) throw new Refusal('sheet.empty')
  if (source.size > limits.bytes) throw tooLarge(limits)
  if (startsWith(head, 0x50, 0x4b)) {
    await checkArchive(source, limits)
    yield* readXlsxRows(source, limits, others)
  } else if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) {
    // The old binary format, or a modern one with a password: both use this envelope.
    throw new Refusal(
      (await containsBytes(source, Buffer.from('EncryptedPackage', 'utf16le')))
        ? 'sheet.locked'
        : 'sheet.old_format',
    )
  } else if (/\.(?:xlsx|xlsm|xlsb|xls|ods)$/i.test(filename)) {
    // Web sites often name an HTML page `.xls`.
    throw new Refusal(
      /^\s*<(?:html|table|!doctype|\?xml)/i.test(head.toString('latin1', 0, 200))
        ? 'sheet.old_format'
        : 'sheet.damaged',
    )
  } else {
    yield* readCsv(source, limits)
  }
}

/**
 * Returns all rows of a small sheet, as `readRows` yields them. `others` gets the names of further sheets that have rows.
 * Refuses an empty one.
 */
export async function readSheet(
  bytes: Buffer,
  filename: string,
  limits: SheetLimits = usualLimits,
  others?: (names: string[]) => void,
): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  for await (const row of readRows(bytes, filename, limits, others)) rows.push(row)
  if (rows.length === 0) throw new Refusal('sheet.empty')
  return rows
}

function tooLarge(limits: SheetLimits): Refusal {
  const megabytes = Math.floor(limits.bytes / 1024 / 1024)
  return new Refusal('sheet.too_large', { message: formatSentence('sheetTooLarge', { n: megabytes }) })
}

/** A row in the process's output. */
interface RowLine {
  n: number
  c: (string | number | null | { day: string })[]
}

/**
 * The last line: all rows were read, a limit was exceeded (`excess`), or the file can't be read or has too much text
 * (`refused`).
 */
export interface SheetInspection extends InspectionResult {
  excess?: Excess
  /** The names of further sheets with rows, if they were asked for */
  others?: string[]
}

/** What spreadsheet programs allow for the name of a sheet. */
const longestName = 31

const code = (name: string) => join(import.meta.dirname, name)

/** Room for the file itself and its unpacked parts, besides the process's JavaScript objects. */
const besideObjects = 512

export const sheetConfinement = (megabytes: number): Confinement => ({
  kind: 'sheet',
  script: code('spreadsheet-read.mjs'),
  readable: [
    ...['spreadsheet-limits.mjs', '../../../package.json'].map(code),
    join(dirname(fileURLToPath(import.meta.resolve('hucre/xlsx'))), '../..'),
  ],
  addons: false,
  megabytes,
  resident: megabytes + besideObjects,
})

/** Each process may use its full memory, so only a few run at once. The office's files have a separate limit. */
const schoolTurn = concurrencyLimit(2, 20)
const officeTurn = concurrencyLimit(2, 4)

/** The processes by the memory they may use, in MB. */
const readers = new Map<number, Sandbox<RowLine, SheetInspection>>()

function readerOf({ megabytes }: SheetLimits): Sandbox<RowLine, SheetInspection> {
  const turn = megabytes >= bulkLimits.megabytes ? officeTurn : schoolTurn
  const reader = readers.get(megabytes) ?? sandbox(sheetConfinement(megabytes), turn)
  readers.set(megabytes, reader)
  return reader
}

/**
 * Reads an .xlsx in a separate process (sandbox.ts) with little memory and time: a file of 1.5 kB can be made to fill
 * any memory (docs/security.md, T30). Reading ends with the last row, or when the caller stops. Refuses with `sheet.*`,
 * and with `busy` if too many files are waiting already.
 */
async function* readXlsxRows(
  source: SheetSource,
  limits: SheetLimits,
  others?: (names: string[]) => void,
): AsyncGenerator<SheetRow, void> {
  const question = { limits, others: others !== undefined }
  const lines = readerOf(limits).look(question, source, limits.seconds * 1000, 'sheet.too_large')
  try {
    while (true) {
      const { done, value } = await lines.next()
      if (!done) {
        yield { number: value.n, cells: value.c.map(cellOf) }
        continue
      }
      if (value.excess) throw sheetRefusal(value.excess, limits)
      // The process is not trusted: only refusals that it can legitimately report are passed on.
      if (value.refused !== undefined)
        throw new Refusal(value.refused === 'sheet.too_large' ? 'sheet.too_large' : 'sheet.damaged')
      others?.((value.others ?? []).map((name) => cutText(tidy(String(name)), longestName)))
      return
    }
  } finally {
    // Stopping in the middle abandons the process, which is then ended.
    await lines.return(undefined as never)
  }
}

function cellOf(cell: string | number | null | { day: string }): Cell {
  // A list exported as CSV may have been saved as .xlsx since.
  if (typeof cell === 'string') return unguarded(withoutControls(cell))
  return typeof cell === 'object' && cell !== null ? new Date(`${cell.day}T00:00:00Z`) : cell
}
