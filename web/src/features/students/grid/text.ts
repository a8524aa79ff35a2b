import { classIdOf } from '@podium/contract/students/rules-class'
import { fieldsOfHeadings } from '@podium/contract/students/rules-headings'
import { type Block, blankRow, type GridField, gridFields, maxRows, type Row } from './grid-sheet.ts'

/**
 * Splits a text into cells: as spreadsheets put it on the clipboard, or comma-separated. Quoted cells may contain
 * line breaks.
 */
export function cellsOf(text: string, separator: '\t' | ','): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  const clean = text.replace(/\r\n?/g, '\n')
  for (let index = 0; index < clean.length; index++) {
    const sign = clean[index] ?? ''
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (clean[index + 1] === '"') {
        cell += '"'
        index++
      } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) endCell()
    else if (sign === '\n') {
      endCell()
      rows.push([])
    } else cell += sign
  }
  endCell()
  // The last line may end with a line break, too.
  const last = rows.at(-1)
  if (last?.length === 1 && last[0] === '' && rows.length > 1) rows.pop()
  return rows
}

/** Formats cells as a text that can be pasted into a spreadsheet. */
export function textOf(rows: readonly Row[], { top, bottom, left, right }: Block): string {
  const quote = (text: string) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return rows
    .slice(top, bottom + 1)
    .map((row) =>
      row
        .slice(left, right + 1)
        .map(quote)
        .join('\t'),
    )
    .join('\n')
}

/** Pasted text, ready for the grid. */
interface PastedRows {
  /** Texts by column of the grid */
  rows: Array<Map<number, string>>
  /** The first line was a heading: its columns were found by name, in any order */
  headed: boolean
  /** Columns without a place in the grid, by heading, or by number if they have none */
  unused: Array<string | number>
  /** Number of rows beyond the limit */
  dropped: number
}

const lists: ReadonlySet<GridField> = new Set(['subjectName', 'cb', 'pyqp', 'geneX', 'tb', 'wb'])

/** Joins the lines of a cell: a cell of the grid has one. */
function oneLine(text: string, field: GridField): string {
  return text.replace(/\s*\n\s*/g, lists.has(field) ? ', ' : ' ').trim()
}

/** Leaves out the lines of one cell at the top: a list often begins with the name of the school. */
function belowTitles(lines: string[][]): string[][] {
  const top = lines.findIndex((line) => line.filter((cell) => cell.trim()).length > 1)
  return lines.slice(Math.max(top, 0))
}

/**
 * Reads a pasted text. `headsOf` returns the field of each heading, or undefined if the line is not a heading.
 * Without a heading the cells go from `column` to the right.
 */
export function readPaste(
  text: string,
  from: { row: number; column: number },
  headsOf: (cells: readonly string[]) => ReadonlyArray<GridField | undefined> | undefined,
): PastedRows {
  let lines = cellsOf(text, '\t')
  const table = belowTitles(lines)
  let headings = headsOf(table[0] ?? [])
  if (headings) lines = table
  else if (!text.includes('\t') && text.includes(',')) {
    const split = belowTitles(cellsOf(text, ','))
    headings = headsOf(split[0] ?? [])
    // Cells may contain commas, so they separate columns only below a recognised heading.
    if (headings) lines = split
  }
  const [head = [], ...below] = lines
  const body = headings ? below : lines
  const width = Math.max(0, ...lines.map((line) => line.length))
  const columnOf = Array.from({ length: width }, (_, index) => {
    if (!headings) return from.column + index < gridFields.length ? from.column + index : -1
    const field = headings[index]
    return field ? gridFields.indexOf(field) : -1
  })
  const unused = columnOf.flatMap((column, index) => {
    if (column >= 0 || !lines.some((line) => line[index]?.trim())) return []
    return [head[index] && headings ? head[index] : index + 1]
  })
  const room = maxRows - from.row
  const rows = body.slice(0, room).map((line) => cellsAt(line, columnOf, headings))
  return { rows, headed: Boolean(headings), unused, dropped: body.length - rows.length }
}

function cellsAt(
  line: readonly string[],
  columnOf: readonly number[],
  headings: ReadonlyArray<GridField | undefined> | undefined,
): Map<number, string> {
  const cells = new Map<number, string>()
  for (const [index, column] of columnOf.entries()) {
    const field = gridFields[column]
    if (field) cells.set(column, oneLine(line[index] ?? '', field))
  }
  // A school without sections may leave the column out, as in a file. “7-A” as the class contains the section.
  const written = cells.get(gridFields.indexOf('classId')) ?? ''
  if (headings && !headings.includes('section') && classIdOf(written) !== undefined)
    cells.set(gridFields.indexOf('section'), '-')
  return cells
}

/** Builds a row of the grid from texts by field. */
export function rowOf(texts: Partial<Record<GridField, string>>): Row {
  return blankRow.map((_, column) => texts[gridFields[column] ?? 'classId'] ?? '')
}

/**
 * Returns the fields of a pasted line if it is a heading: at least two known headings, and half of the filled cells.
 */
export function readHeadings(cells: readonly string[]): Array<GridField | undefined> | undefined {
  const fields = fieldsOfHeadings(cells)
  const knownCount = fields.filter((field) => field !== undefined).length
  const written = cells.filter((cell) => cell.trim() !== '').length
  return knownCount >= 2 && knownCount * 2 >= written ? fields : undefined
}
