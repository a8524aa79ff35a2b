import { classIdOf } from '@podium/contract/students/rules-class'
import { readHeads } from '@podium/contract/students/rules-headings'
import { type Block, blankRow, type GridField, gridFields, mostRows, type Row } from './grid-sheet.ts'

/** The cells of a text as spreadsheets put it on the clipboard, or of comma-separated lines; quoted cells may hold line ends. */
export function cellsOf(text: string, separator: '\t' | ','): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  const clean = text.replace(/\r\n?/g, '\n')
  for (let at = 0; at < clean.length; at++) {
    const sign = clean[at] ?? ''
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (clean[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) endCell()
    else if (sign === '\n') {
      endCell()
      rows.push([])
    } else cell += sign
  }
  endCell()
  // The last line ends with a line end, too.
  const last = rows.at(-1)
  if (last?.length === 1 && last[0] === '' && rows.length > 1) rows.pop()
  return rows
}

/** Cells as a text that spreadsheets take from the clipboard. */
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

/** What was on the clipboard, as it goes into the grid. */
interface Pasted {
  /** Texts by column of the grid */
  rows: Array<Map<number, string>>
  /** The first line was a head: its columns were found by name, wherever they stood */
  headed: boolean
  /** Columns that have no place here, by heading, or by number without one */
  unused: Array<string | number>
  /** Rows that were too many */
  left: number
}

const lists: ReadonlySet<GridField> = new Set(['subjectName', 'cb', 'pyqp', 'geneX', 'tb', 'wb'])

/** A cell of the grid has one line. */
function oneLine(text: string, field: GridField): string {
  return text.replace(/\s*\n\s*/g, lists.has(field) ? ', ' : ' ').trim()
}

/**
 * Reads a pasted text. `headsOf` says what each cell of a head is taken for, or undefined where it is no head. Without
 * a head the cells go from `column` to the right.
 */
export function readPaste(
  text: string,
  from: { row: number; column: number },
  headsOf: (cells: readonly string[]) => ReadonlyArray<GridField | undefined> | undefined,
): Pasted {
  let lines = cellsOf(text, '\t')
  let heads = headsOf(lines[0] ?? [])
  if (!heads && !text.includes('\t') && text.includes(',')) {
    const split = cellsOf(text, ',')
    heads = headsOf(split[0] ?? [])
    // Commas also stand inside a cell: only below a head that was recognised do they part columns.
    if (heads) lines = split
  }
  const [head = [], ...below] = lines
  const body = heads ? below : lines
  const width = Math.max(0, ...lines.map((line) => line.length))
  const columnOf = Array.from({ length: width }, (_, at) => {
    if (!heads) return from.column + at < gridFields.length ? from.column + at : -1
    const field = heads[at]
    return field ? gridFields.indexOf(field) : -1
  })
  const unused = columnOf.flatMap((column, at) => {
    if (column >= 0 || !lines.some((line) => line[at]?.trim())) return []
    return [head[at] && heads ? head[at] : at + 1]
  })
  const room = mostRows - from.row
  const rows = body.slice(0, room).map((line) => cellsAt(line, columnOf, heads))
  return { rows, headed: Boolean(heads), unused, left: body.length - rows.length }
}

function cellsAt(
  line: readonly string[],
  columnOf: readonly number[],
  heads: ReadonlyArray<GridField | undefined> | undefined,
): Map<number, string> {
  const cells = new Map<number, string>()
  for (const [at, column] of columnOf.entries()) {
    const field = gridFields[column]
    if (field) cells.set(column, oneLine(line[at] ?? '', field))
  }
  // A school without sections leaves the column out, as in a file; «7-A» in the class says the section itself.
  const written = cells.get(gridFields.indexOf('classId')) ?? ''
  if (heads && !heads.includes('section') && classIdOf(written) !== undefined)
    cells.set(gridFields.indexOf('section'), '-')
  return cells
}

/** A row of the grid from texts by field. */
export function rowOf(texts: Partial<Record<GridField, string>>): Row {
  return blankRow.map((_, column) => texts[gridFields[column] ?? 'classId'] ?? '')
}

/** What the cells of a pasted line are taken for, where it is a head: two known headings, and half of what is written. */
export function headsOf(cells: readonly string[]): Array<GridField | undefined> | undefined {
  const fields = readHeads(cells)
  const known = fields.filter((field) => field !== undefined).length
  const written = cells.filter((cell) => cell.trim() !== '').length
  return known >= 2 && known * 2 >= written ? fields : undefined
}
