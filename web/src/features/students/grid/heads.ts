import { readHeads } from '@podium/contract/students/rules-headings'
import type { GridField } from './grid-sheet.ts'

/** What the cells of a pasted line are taken for, where it is a head: two known headings, and half of what is written. */
export function headsOf(cells: readonly string[]): Array<GridField | undefined> | undefined {
  const fields = readHeads(cells)
  const known = fields.filter((field) => field !== undefined).length
  const written = cells.filter((cell) => cell.trim() !== '').length
  return known >= 2 && known * 2 >= written ? fields : undefined
}
