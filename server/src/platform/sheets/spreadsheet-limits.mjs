// @ts-check
// What holds for the rows of every spreadsheet. The process that reads one file loads it too (spreadsheet-read.mjs), so
// it imports nothing.

/** @import { Cell, Excess, SheetLimits, SheetRow } from './spreadsheet-rows.ts' */

/**
 * The cells up to the last that holds something.
 * @param {Cell[]} cells
 * @returns {Cell[]}
 */
export function filled(cells) {
  let length = cells.length
  while (length > 0 && (cells[length - 1] === null || cells[length - 1] === '')) length--
  return length === cells.length ? cells : cells.slice(0, length)
}

/**
 * The limit that a row goes beyond, if any, and where.
 * @param {SheetRow} row
 * @param {SheetLimits} limits
 * @returns {Excess | undefined}
 */
export function excessOf({ number, cells }, limits) {
  if (number > limits.rows + 1) return { code: 'sheet.too_many_rows', row: number, column: 0 }
  if (cells.length > limits.columns) return { code: 'sheet.too_many_columns', row: number, column: 0 }
  const column = cells.findIndex((cell) => typeof cell === 'string' && cell.length > limits.characters)
  return column < 0 ? undefined : { code: 'sheet.text_too_long', row: number, column }
}
