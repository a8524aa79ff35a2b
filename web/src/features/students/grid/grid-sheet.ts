import { type RowField, rowFields } from '@podium/contract/students/rules-row'

export type GridField = RowField

/** The columns of the grid, in the order of the template, so that rows copied from it fit. */
export const gridFields: readonly GridField[] = rowFields

/** The texts of one student, in the order of `gridFields`. Never mutated: results are cached by the row. */
export type Row = readonly string[]

export const blankRow: Row = gridFields.map(() => '')
export const isBlank = (row: Row) => row.every((text) => text.trim() === '')

/** Most rows in one entry, the same as in one file. */
export const maxRows = 5_000
const minRows = 20
const spareRows = 5
const maxUndoSteps = 200

export interface Place {
  row: number
  column: number
}

interface Moment {
  rows: readonly Row[]
  /** The cell with the cursor */
  cursor: Place
  /** The opposite corner of the selection; the same as `cursor` for a single cell */
  corner: Place
}

/** The rows, the cursor, and the steps to undo and redo. */
export interface Sheet extends Moment {
  past: readonly Moment[]
  future: readonly Moment[]
  /** A new row that is being typed: its missing cells are not errors until the cursor leaves it */
  typing?: number | undefined
}

/** Adds blank rows after the last written one. */
function padRows(rows: readonly Row[]): readonly Row[] {
  const written = rows.findLastIndex((row) => !isBlank(row)) + 1
  const targetLength = Math.min(maxRows, Math.max(minRows, written + spareRows))
  if (rows.length >= targetLength) return rows
  return [...rows, ...Array<Row>(targetLength - rows.length).fill(blankRow)]
}

const start: Place = { row: 0, column: 0 }

export function newSheet(rows: readonly Row[]): Sheet {
  return { rows: padRows(rows), cursor: start, corner: start, past: [], future: [] }
}

/** Returns the rows that are not blank. */
export const writtenRows = (rows: readonly Row[]) => rows.filter((row) => !isBlank(row))

/** A block of cells; both ends are included. */
export interface Block {
  top: number
  bottom: number
  left: number
  right: number
}

export function selectedBlock({ cursor, corner }: Pick<Sheet, 'cursor' | 'corner'>): Block {
  return {
    top: Math.min(cursor.row, corner.row),
    bottom: Math.max(cursor.row, corner.row),
    left: Math.min(cursor.column, corner.column),
    right: Math.max(cursor.column, corner.column),
  }
}

const clamp = (value: number, max: number) => Math.max(0, Math.min(max, value))

function clampPlace({ row, column }: Place, rows: readonly Row[]): Place {
  return { row: clamp(row, rows.length - 1), column: clamp(column, gridFields.length - 1) }
}

export function moveTo(sheet: Sheet, place: Place, extend = false): Sheet {
  const target = clampPlace(place, sheet.rows)
  const typing = target.row === sheet.typing ? sheet.typing : undefined
  return extend ? { ...sheet, corner: target, typing } : { ...sheet, cursor: target, corner: target, typing }
}

/** Replaces the rows as one step that can be undone. */
export function replaceRows(
  sheet: Sheet,
  rows: readonly Row[],
  cursor = sheet.cursor,
  corner = sheet.corner,
): Sheet {
  const next = padRows(rows)
  const { rows: earlierRows, cursor: earlierCursor, corner: earlierCorner } = sheet
  return {
    rows: next,
    cursor: clampPlace(cursor, next),
    corner: clampPlace(corner, next),
    past: [...sheet.past, { rows: earlierRows, cursor: earlierCursor, corner: earlierCorner }].slice(
      -maxUndoSteps,
    ),
    future: [],
  }
}

export function undo(sheet: Sheet): Sheet {
  const back = sheet.past.at(-1)
  if (!back) return sheet
  const { rows, cursor, corner } = sheet
  return { ...back, past: sheet.past.slice(0, -1), future: [{ rows, cursor, corner }, ...sheet.future] }
}

export function redo(sheet: Sheet): Sheet {
  const [next, ...future] = sheet.future
  if (!next) return sheet
  const { rows, cursor, corner } = sheet
  return { ...next, past: [...sheet.past, { rows, cursor, corner }], future }
}

function withCells(row: Row, cells: ReadonlyMap<number, string>): Row {
  return row.map((text, column) => cells.get(column) ?? text)
}

/** Writes one cell. The same text is not a step. */
export function writeCell(sheet: Sheet, { row, column }: Place, text: string): Sheet {
  const earlier = sheet.rows[row] ?? blankRow
  if (earlier[column] === text) return sheet
  const written = replaceRows(sheet, sheet.rows.with(row, withCells(earlier, new Map([[column, text]]))))
  return { ...written, typing: isBlank(earlier) || sheet.typing === row ? row : undefined }
}

function mapBlock(
  sheet: Sheet,
  { top, bottom, left, right }: Block,
  textOf: (row: number, column: number) => string,
): Sheet {
  const rows = sheet.rows.map((row, index) => {
    if (index < top || index > bottom) return row
    return row.map((text, column) => (column < left || column > right ? text : textOf(index, column)))
  })
  return replaceRows(sheet, rows)
}

/** Clears the selected cells. */
export function clearSelection(sheet: Sheet): Sheet {
  return mapBlock(sheet, selectedBlock(sheet), () => '')
}

/** Writes one text into all selected cells. */
export function fillSelection(sheet: Sheet, text: string): Sheet {
  return mapBlock(sheet, selectedBlock(sheet), () => text)
}

/**
 * Copies the first selected row into the rows below it; for a single cell, the cell above, as Ctrl+D in a
 * spreadsheet.
 */
export function fillDown(sheet: Sheet): Sheet {
  const block = selectedBlock(sheet)
  const source = block.top === block.bottom ? block.top - 1 : block.top
  const from = sheet.rows[source]
  if (!from) return sheet
  return mapBlock(sheet, { ...block, top: source + 1 }, (_, column) => from[column] ?? '')
}

/** Inserts a blank row for each selected one, above the selection. */
export function insertRows(sheet: Sheet): Sheet {
  const { top, bottom } = selectedBlock(sheet)
  const count = Math.min(bottom - top + 1, maxRows - sheet.rows.length)
  if (count <= 0) return sheet
  return replaceRows(sheet, sheet.rows.toSpliced(top, 0, ...Array<Row>(count).fill(blankRow)))
}

/** Deletes the selected rows. */
export function deleteRows(sheet: Sheet): Sheet {
  const { top, bottom } = selectedBlock(sheet)
  const place = { row: top, column: sheet.cursor.column }
  return replaceRows(sheet, sheet.rows.toSpliced(top, bottom - top + 1), place, place)
}

/** Writes these cells, by column, into the rows from `row` on. Missing columns keep their text. */
export function writeRows(
  sheet: Sheet,
  row: number,
  block: ReadonlyArray<ReadonlyMap<number, string>>,
): Sheet {
  const rows = [...sheet.rows]
  for (const [offset, cells] of block.entries())
    if (row + offset < maxRows) rows[row + offset] = withCells(rows[row + offset] ?? blankRow, cells)
  for (let index = 0; index < rows.length; index++) rows[index] ??= blankRow
  const columns = block.flatMap((cells) => [...cells.keys()])
  const cursor = { row, column: Math.min(...columns) }
  const to = { row: Math.min(row + block.length, maxRows) - 1, column: Math.max(...columns) }
  return replaceRows(sheet, rows, cursor, to)
}
