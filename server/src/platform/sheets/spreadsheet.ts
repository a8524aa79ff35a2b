import { said } from '@podium/contract/sentences'
import { Refusal } from '../errors.ts'
import { readCsv } from './csv.ts'
import { checkArchive } from './spreadsheet-check.ts'
import { readXlsxRows } from './spreadsheet-process.ts'
import { type SheetLimits, type SheetRow, usualLimits } from './spreadsheet-rows.ts'
import { holds, type SheetSource, sourceOf } from './spreadsheet-source.ts'

const startsWith = (bytes: Buffer, ...head: number[]) => head.every((byte, index) => bytes[index] === byte)

/**
 * The rows of an .xlsx (its first sheet) or .csv file, one after the other; empty rows are left out. What it is shows
 * its content, and its name only breaks the tie between text files; one on the disk (`sourceAt`) is read in pieces. Throws a Refusal of `sheet.*` before the first row
 * or in the middle, so a caller that writes must do it in one transaction.
 */
export async function* readRows(
  file: Buffer | SheetSource,
  filename: string,
  limits: SheetLimits = usualLimits,
): AsyncGenerator<SheetRow, void> {
  const source = Buffer.isBuffer(file) ? sourceOf(file) : file
  const { head } = source
  if (source.size === 0) throw new Refusal('sheet.empty')
  if (source.size > limits.bytes) throw tooLarge(limits)
  if (startsWith(head, 0x50, 0x4b)) {
    await checkArchive(source, limits)
    yield* readXlsxRows(source, limits)
  } else if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) {
    // The old binary format, or a modern one behind a password: both come in this envelope.
    throw new Refusal(
      (await holds(source, Buffer.from('EncryptedPackage', 'utf16le'))) ? 'sheet.locked' : 'sheet.old_format',
    )
  } else if (/\.(?:xlsx|xlsm|xlsb|xls|ods)$/i.test(filename)) {
    // Web sites like to name a page `.xls`.
    throw new Refusal(
      /^\s*<(?:html|table|!doctype|\?xml)/i.test(head.toString('latin1', 0, 200))
        ? 'sheet.old_format'
        : 'sheet.damaged',
    )
  } else {
    yield* readCsv(source, limits)
  }
}

/** All rows of a small sheet, as `readRows` gives them. Refuses one without any. */
export async function readSheet(
  bytes: Buffer,
  filename: string,
  limits: SheetLimits = usualLimits,
): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  for await (const row of readRows(bytes, filename, limits)) rows.push(row)
  if (rows.length === 0) throw new Refusal('sheet.empty')
  return rows
}

function tooLarge(limits: SheetLimits): Refusal {
  const most = Math.floor(limits.bytes / 1024 / 1024)
  return new Refusal('sheet.too_large', {
    message: said('sheetTooLarge', { n: most }),
  })
}
