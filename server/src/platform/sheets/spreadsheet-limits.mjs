// @ts-check
// Limits for the rows of every spreadsheet. The process that reads a file (spreadsheet-read.mjs) loads this too, so it
// imports nothing.

/** @import { Cell, Excess, SheetLimits, SheetRow } from './spreadsheet-rows.ts' */

/** @param {Cell | undefined} cell */
const isEmpty = (cell) =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

/**
 * Returns the cells up to the last non-empty one. Spaces are nothing: programs leave them in rows that look empty.
 * @param {Cell[]} cells
 * @returns {Cell[]}
 */
export function filled(cells) {
  let length = cells.length
  while (length > 0 && isEmpty(cells[length - 1])) length--
  return length === cells.length ? cells : cells.slice(0, length)
}

/**
 * Returns the limit that a row exceeds, if any, and where.
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
