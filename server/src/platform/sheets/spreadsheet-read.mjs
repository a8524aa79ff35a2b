// @ts-check
// The process that reads .xlsx files (see spreadsheet.ts): it outputs one line of JSON per row. Its loading time adds
// to the first file: loading TypeScript and the contract took half of the time for a school's list.
import { streamXlsxRows } from 'hucre/xlsx'
import yauzl from 'yauzl'
import { lookAtFiles, say } from '../files/sandbox-pipe.mjs'
import { excessOf, filled } from './spreadsheet-limits.mjs'

/** @import { CellValue } from 'hucre/xlsx' */
/** @import { SheetInspection } from './spreadsheet.ts' */
/** @import { Cell, SheetLimits } from './spreadsheet-rows.ts' */

// hucre only checks whether it exists; the real one loads all of fetch, which takes 80 ms.
Object.assign(globalThis, { Response: class {} })

/** @type {SheetInspection} */
const damaged = { refused: 'sheet.damaged' }

/**
 * @param {Buffer} bytes
 * @param {SheetLimits} limits
 * @returns {Promise<SheetInspection>} the last line
 */
async function read(bytes, limits) {
  await unpackOnce(bytes)
  let text = 0
  for await (const { index, values } of streamXlsxRows(bytes, { sheet: 0 })) {
    if (!Number.isSafeInteger(index) || index < 0) return damaged
    const cells = filled(values.map(cellOf))
    if (cells.length === 0) continue
    const excess = excessOf({ number: index + 1, cells }, limits)
    if (excess) return { excess }
    for (const cell of cells) if (typeof cell === 'string') text += cell.length
    if (text > limits.text) return { refused: 'sheet.too_large' }
    await say({ n: index + 1, c: cells.map((cell) => (cell instanceof Date ? { day: day(cell) } : cell)) })
  }
  return {}
}

/**
 * Unpacks each part once and discards it: a part larger than declared is found before it is held in memory.
 * @param {Buffer} bytes
 */
async function unpackOnce(bytes) {
  const archive = await yauzl.fromBufferPromise(bytes, { validateEntrySizes: true })
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    for await (const _ of await archive.openReadStreamPromise(entry)) {
      // Only its length matters, which yauzl checks.
    }
  }
}

/**
 * @param {CellValue} value
 * @returns {Cell}
 */
function cellOf(value) {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return value ?? null
}

/** @param {Date} date */
const day = (date) => date.toISOString().slice(0, 10)

await lookAtFiles(({ limits }, bytes) => read(bytes, limits).catch(() => damaged))
