import { gridFields, isBlank, type Place, type Row } from './grid-sheet.ts'

interface KeyPress {
  key: string
  ctrl: boolean
  shift: boolean
  alt: boolean
}

/** What a key does outside of a cell being edited, as in a spreadsheet. */
type KeyCommand =
  | { what: 'go'; to: Place; extend: boolean }
  | { what: 'edit'; text?: string }
  | { what: 'clear' | 'fillDown' | 'undo' | 'redo' | 'all' | 'row' | 'leave' }
  | { what: 'fault'; step: 1 | -1 }
  | { what: 'accept'; which: number }
  | { what: 'acceptInAll' }
  | { what: 'tab'; step: 1 | -1 }
  | { what: 'enter'; step: 1 | -1 }

const steps: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}
const lastColumn = gridFields.length - 1
const rowsOfPage = 15

const filled = (rows: readonly Row[], { row, column }: Place) => (rows[row]?.[column] ?? '') !== ''

/** Ctrl and an arrow: moves to the end of the filled cells, or to the next filled one. */
function edgeCell(rows: readonly Row[], from: Place, [down, right]: readonly [number, number]): Place {
  const inside = ({ row, column }: Place) =>
    row >= 0 && row < rows.length && column >= 0 && column <= lastColumn
  const next = (place: Place) => ({ row: place.row + down, column: place.column + right })
  let current = from
  const inBlock = filled(rows, current) && inside(next(current)) && filled(rows, next(current))
  while (inside(next(current))) {
    if (inBlock && !filled(rows, next(current))) return current
    current = next(current)
    if (!inBlock && filled(rows, current)) return current
  }
  return current
}

function moveTarget(rows: readonly Row[], from: Place, { key, ctrl }: KeyPress): Place | undefined {
  const step = steps[key]
  if (step)
    return ctrl ? edgeCell(rows, from, step) : { row: from.row + step[0], column: from.column + step[1] }
  const last = Math.max(
    0,
    rows.findLastIndex((row) => !isBlank(row)),
  )
  if (key === 'Home') return { row: ctrl ? 0 : from.row, column: 0 }
  if (key === 'End') return { row: ctrl ? last : from.row, column: lastColumn }
  if (key === 'PageDown') return { row: from.row + rowsOfPage, column: from.column }
  if (key === 'PageUp') return { row: from.row - rowsOfPage, column: from.column }
  return undefined
}

const withCtrl: Record<string, KeyCommand> = {
  z: { what: 'undo' },
  y: { what: 'redo' },
  d: { what: 'fillDown' },
  a: { what: 'all' },
}

/** Returns the command for a key; undefined if the grid does not handle it. */
export function commandOf(
  rows: readonly Row[],
  cursor: Place,
  corner: Place,
  pressed: KeyPress,
): KeyCommand | undefined {
  const { key, ctrl, shift, alt } = pressed
  const back = shift ? -1 : 1
  if (alt) {
    if (key === 'Enter') return shift ? { what: 'acceptInAll' } : { what: 'accept', which: 0 }
    return /^[1-9]$/.test(key) && !ctrl ? { what: 'accept', which: Number(key) - 1 } : undefined
  }
  const target = moveTarget(rows, shift ? corner : cursor, pressed)
  if (target) return { what: 'go', to: target, extend: shift }
  if (ctrl) {
    if (shift && key.toLowerCase() === 'z') return { what: 'redo' }
    return shift ? undefined : withCtrl[key.toLowerCase()]
  }
  if (key === 'Tab') return { what: 'tab', step: back }
  if (key === 'Enter') return { what: 'enter', step: back }
  if (key === 'F8') return { what: 'fault', step: back }
  if (key === 'F2') return { what: 'edit' }
  if (key === 'Delete') return { what: 'clear' }
  if (key === 'Backspace') return { what: 'edit', text: '' }
  if (key === 'Escape') return { what: 'leave' }
  if (key === ' ' && shift) return { what: 'row' }
  // The browser types the key itself into the cell, which also works for input methods that compose letters from
  // several keys.
  if ([...key].length === 1 || key === 'Process' || key === 'Unidentified') return { what: 'edit', text: '' }
  return undefined
}

/** Returns where Tab leads: through the row, then to the next; undefined after the last cell and before the first. */
export function tabTarget(rows: readonly Row[], { row, column }: Place, step: 1 | -1): Place | undefined {
  const next = column + step
  if (next >= 0 && next <= lastColumn) return { row, column: next }
  const nextRow = row + step
  if (nextRow < 0 || nextRow >= rows.length) return undefined
  return { row: nextRow, column: step === 1 ? 0 : lastColumn }
}
