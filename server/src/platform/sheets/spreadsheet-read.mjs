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

/** In bytes: more than a cell's longest text, which a few programs write as markup */
const longestMarkup = 128 * 1024
const ends = /** @type {const} */ ([
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['</', '>'],
  ['<!', '>'],
])

/**
 * Returns the beginning of a tag or comment at the end of a text, as hucre would.
 * @param {string} text
 */
function unfinished(text) {
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', start)) {
    const [mark, close] = ends.find(([mark]) => text.startsWith(mark, start)) ?? ['<', undefined]
    const end = close ? text.indexOf(close, start + mark.length) : endOfTag(text, start)
    if (end < 0) return text.slice(start)
    start = end + 1
  }
  return ''
}

/**
 * @param {string} text
 * @param {number} start
 */
function endOfTag(text, start) {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '>') return at
    if (sign !== '"' && sign !== "'") continue
    at = text.indexOf(sign, at + 1)
    if (at < 0) return -1
  }
  return -1
}

const Inflate = globalThis.DecompressionStream

/**
 * Refuses long tags and comments while unpacking: with each piece, hucre reads an unfinished one again from its
 * beginning, which takes minutes for one of 30 MB.
 */
function DecompressionStream() {
  const { readable, writable } = new Inflate('deflate-raw')
  let rest = ''
  const check = new TransformStream({
    transform(piece, controller) {
      rest = unfinished(rest + Buffer.from(piece).toString('latin1'))
      if (rest.length > longestMarkup) throw new RangeError('a tag or comment is too long')
      controller.enqueue(piece)
    },
  })
  return { readable: readable.pipeThrough(check), writable }
}
Object.assign(globalThis, { DecompressionStream })

/**
 * Tags and entities in a file for each cell that its first sheet may have. Real files stay far below, with their other sheets
 * and empty cells with a style. hucre takes time and memory for each, however short.
 */
const marksOfCell = 20
const marks = ['<', '&'].map((mark) => mark.charCodeAt(0))

/** @type {SheetInspection} */
const damaged = { refused: 'sheet.damaged' }

/**
 * @param {Buffer} bytes
 * @param {{ limits: SheetLimits, others: boolean }} asked
 * @returns {Promise<SheetInspection>} the last line
 */
async function read(bytes, { limits, others }) {
  const workbook = await unpackOnce(bytes, marksOfCell * limits.rows * limits.columns)
  if (workbook === undefined) return { refused: 'sheet.too_large' }
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
  return others ? { others: await othersIn(bytes, workbook) } : {}
}

/**
 * Unpacks each part once and discards it: a part larger than declared is found before it is held in memory.
 * Returns the part that names the sheets; undefined if there are more marks than this.
 * @param {Buffer} bytes
 * @param {number} most
 */
async function unpackOnce(bytes, most) {
  let found = 0
  const archive = await yauzl.fromBufferPromise(bytes, { validateEntrySizes: true })
  /** @type {Buffer[]} */
  const workbook = []
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    const names = entry.fileName === 'xl/workbook.xml' && entry.uncompressedSize < 1_000_000
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      // Of the others only the length matters, which yauzl checks, and the number of marks.
      for (const mark of marks)
        for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at + 1)) found++
      if (found > most) return undefined
      if (names) workbook.push(piece)
    }
  }
  return Buffer.concat(workbook).toString()
}

/** At most this many sheets are opened: each time the file's texts are read again. */
const mostOthers = 12

/**
 * Returns the names of the sheets after the first that have more than one row. Hidden sheets are not lists of students.
 * @param {Buffer} bytes
 * @param {string} workbook
 */
async function othersIn(bytes, workbook) {
  const found = []
  const sheets = [...workbook.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(([tag]) => tag)
  for (const [sheet, tag] of sheets.slice(0, mostOthers + 1).entries()) {
    if (sheet === 0 || /\sstate="(?:veryH|h)idden"/.test(tag)) continue
    if (await hasRows(bytes, sheet)) found.push(plain(/\sname="([^"]*)"/.exec(tag)?.[1] ?? ''))
  }
  return found
}

/**
 * @param {Buffer} bytes
 * @param {number} sheet
 */
async function hasRows(bytes, sheet) {
  let rows = 0
  try {
    for await (const { values } of streamXlsxRows(bytes, { sheet }))
      if (filled(values.map(cellOf)).length > 0 && ++rows > 1) return true
  } catch {
    // A sheet with a chart has no rows. One that can't be read is not what the user wants to import.
  }
  return false
}

/** @param {string} text */
const plain = (text) =>
  text
    .replace(/&(lt|gt|quot|apos);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"' })[String(name)] ?? "'")
    .replaceAll('&amp;', '&')

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

await lookAtFiles((asked, bytes) => read(bytes, asked).catch(() => damaged))
