import { type RowField, rowFields } from '@podium/contract/students/rules-row'

export type GridField = RowField

/** The columns of the grid, in the order of the template, so that rows copied from it fit. */
export const gridFields: readonly GridField[] = rowFields

/** The texts of one student, in the order of `gridFields`. Never mutated: results are cached by the row. */
export type Row = readonly string[]

export const blankRow: Row = gridFields.map(() => '')
export const isBlank = (row: Row) => row.every((text) => text.trim() === '')

/** Most rows in one entry, the same as in one file. */
export const mostRows = 5_000
const fewestRows = 20
const spareRows = 5
const mostSteps = 200

export interface Place {
  row: number
  column: number
}

interface Moment {
  rows: readonly Row[]
  /** The cell with the cursor */
  at: Place
  /** The opposite corner of the selection; the same as `at` for a single cell */
  to: Place
}

/** The rows, the cursor, and the steps to undo and redo. */
export interface Sheet extends Moment {
  past: readonly Moment[]
  future: readonly Moment[]
  /** A new row that is being typed: its missing cells are not errors until the cursor leaves it */
  typing?: number | undefined
}

/** Adds blank rows after the last written one. */
function padded(rows: readonly Row[]): readonly Row[] {
  const written = rows.findLastIndex((row) => !isBlank(row)) + 1
  const wanted = Math.min(mostRows, Math.max(fewestRows, written + spareRows))
  if (rows.length >= wanted) return rows
  return [...rows, ...Array<Row>(wanted - rows.length).fill(blankRow)]
}

const start: Place = { row: 0, column: 0 }

export function sheetOf(rows: readonly Row[]): Sheet {
  return { rows: padded(rows), at: start, to: start, past: [], future: [] }
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

export function selectedBlock({ at, to }: Pick<Sheet, 'at' | 'to'>): Block {
  return {
    top: Math.min(at.row, to.row),
    bottom: Math.max(at.row, to.row),
    left: Math.min(at.column, to.column),
    right: Math.max(at.column, to.column),
  }
}

const within = (value: number, most: number) => Math.max(0, Math.min(most, value))

function kept({ row, column }: Place, rows: readonly Row[]): Place {
  return { row: within(row, rows.length - 1), column: within(column, gridFields.length - 1) }
}

export function moveTo(sheet: Sheet, place: Place, extend = false): Sheet {
  const target = kept(place, sheet.rows)
  const typing = target.row === sheet.typing ? sheet.typing : undefined
  return extend ? { ...sheet, to: target, typing } : { ...sheet, at: target, to: target, typing }
}

/** Replaces the rows as one step that can be undone. */
export function change(sheet: Sheet, rows: readonly Row[], at = sheet.at, to = sheet.to): Sheet {
  const next = padded(rows)
  const { rows: was, at: wasAt, to: wasTo } = sheet
  return {
    rows: next,
    at: kept(at, next),
    to: kept(to, next),
    past: [...sheet.past, { rows: was, at: wasAt, to: wasTo }].slice(-mostSteps),
    future: [],
  }
}

export function undo(sheet: Sheet): Sheet {
  const back = sheet.past.at(-1)
  if (!back) return sheet
  const { rows, at, to } = sheet
  return { ...back, past: sheet.past.slice(0, -1), future: [{ rows, at, to }, ...sheet.future] }
}

export function redo(sheet: Sheet): Sheet {
  const [next, ...future] = sheet.future
  if (!next) return sheet
  const { rows, at, to } = sheet
  return { ...next, past: [...sheet.past, { rows, at, to }], future }
}

function withCells(row: Row, cells: ReadonlyMap<number, string>): Row {
  return row.map((text, column) => cells.get(column) ?? text)
}

/** Writes one cell. The same text is not a step. */
export function write(sheet: Sheet, { row, column }: Place, text: string): Sheet {
  const was = sheet.rows[row] ?? blankRow
  if (was[column] === text) return sheet
  const written = change(sheet, sheet.rows.with(row, withCells(was, new Map([[column, text]]))))
  return { ...written, typing: isBlank(was) || sheet.typing === row ? row : undefined }
}

function overBlock(
  sheet: Sheet,
  { top, bottom, left, right }: Block,
  textOf: (row: number, column: number) => string,
): Sheet {
  const rows = sheet.rows.map((row, at) => {
    if (at < top || at > bottom) return row
    return row.map((text, column) => (column < left || column > right ? text : textOf(at, column)))
  })
  return change(sheet, rows)
}

/** Clears the selected cells. */
export function clear(sheet: Sheet): Sheet {
  return overBlock(sheet, selectedBlock(sheet), () => '')
}

/** Writes one text into all selected cells. */
export function fillAll(sheet: Sheet, text: string): Sheet {
  return overBlock(sheet, selectedBlock(sheet), () => text)
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
  return overBlock(sheet, { ...block, top: source + 1 }, (_, column) => from[column] ?? '')
}

/** Inserts a blank row for each selected one, above the selection. */
export function insertRows(sheet: Sheet): Sheet {
  const { top, bottom } = selectedBlock(sheet)
  const count = Math.min(bottom - top + 1, mostRows - sheet.rows.length)
  if (count <= 0) return sheet
  return change(sheet, sheet.rows.toSpliced(top, 0, ...Array<Row>(count).fill(blankRow)))
}

/** Deletes the selected rows. */
export function deleteRows(sheet: Sheet): Sheet {
  const { top, bottom } = selectedBlock(sheet)
  const place = { row: top, column: sheet.at.column }
  return change(sheet, sheet.rows.toSpliced(top, bottom - top + 1), place, place)
}

/** Writes these cells, by column, into the rows from `row` on. Missing columns keep their text. */
export function writeRows(
  sheet: Sheet,
  row: number,
  block: ReadonlyArray<ReadonlyMap<number, string>>,
): Sheet {
  const rows = [...sheet.rows]
  for (const [offset, cells] of block.entries())
    if (row + offset < mostRows) rows[row + offset] = withCells(rows[row + offset] ?? blankRow, cells)
  for (let at = 0; at < rows.length; at++) rows[at] ??= blankRow
  const columns = block.flatMap((cells) => [...cells.keys()])
  const at = { row, column: Math.min(...columns) }
  const to = { row: Math.min(row + block.length, mostRows) - 1, column: Math.max(...columns) }
  return change(sheet, rows, at, to)
}
