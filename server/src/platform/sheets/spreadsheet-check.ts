import type { Entry, ZipFile } from 'yauzl'
import { Refusal } from '../errors.ts'
import type { SheetLimits } from './spreadsheet-rows.ts'
import type { SheetSource } from './spreadsheet-source.ts'

const mostEntries = 200
/** Packed to unpacked; real sheets stay below 60. Small parts may repeat themselves more. */
const mostRatio = 200
const smallPart = 256 * 1024

/**
 * Looks at the table of contents of a zip archive before anything unpacks it (threats.md, T30): bombs, foreign paths,
 * macros, and archives that are no .xlsx. Unpacks nothing. Throws a Refusal of `sheet.*`.
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
    if (archive.entryCount > mostEntries) throw new Refusal('sheet.too_large')
    for await (const entry of archive.eachEntry()) {
      unpacked += entry.uncompressedSize
      const bomb =
        entry.uncompressedSize > smallPart && entry.uncompressedSize > entry.compressedSize * mostRatio
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
  const other = names.has('xl/workbook.bin') || names.has('content.xml')
  throw new Refusal(other ? 'sheet.old_format' : 'sheet.not_spreadsheet')
}

function checkEntry(entry: Entry, names: Set<string>): void {
  if (entry.isEncrypted()) throw new Refusal('sheet.locked')
  if (/(?:^|\/)vbaProject\.bin$/i.test(entry.fileName)) throw new Refusal('sheet.macros')
  // Two parts of one name: readers disagree on which of them counts.
  if (names.has(entry.fileName)) throw new Refusal('sheet.damaged')
}
