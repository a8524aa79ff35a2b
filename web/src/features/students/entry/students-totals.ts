import { type StudentRow, studentState } from '@podium/contract/students/calls'
import type { Sort } from '#ui/columns.ts'

const byName = new Intl.Collator('en-IN', { sensitivity: 'base' })

/** Sorts Nursery, LKG and UKG before Class 1, though their ids come after 12. */
const classOrder = (classId: number) => (classId >= 13 ? [15, 13, 14].indexOf(classId) - 3 : classId)

const comparators: Record<string, (a: StudentRow, b: StudentRow) => number> = {
  name: (a, b) => byName.compare(a.studentName, b.studentName),
  class: (a, b) =>
    classOrder(a.classId) - classOrder(b.classId) ||
    byName.compare(a.section, b.section) ||
    a.rollNo - b.rollNo,
  roll: (a, b) => a.rollNo - b.rollNo,
  total: (a, b) => a.regAmount + a.bookAmount - b.regAmount - b.bookAmount,
}

/** Returns the rows in the order of a column, or as the server sent them. Equal rows keep their order. */
export function sortRows(rows: readonly StudentRow[], sort: Sort | undefined): readonly StudentRow[] {
  const order = sort && comparators[sort.key]
  if (!order) return rows
  return rows.toSorted((a, b) => (sort.down ? order(b, a) : order(a, b)))
}

export interface Totals {
  active: number
  deleted: number
  unpaid: number
  locked: number
  registration: number
  books: number
}

/** Counts and adds up (rupees) the active rows; deleted ones are only counted. */
export function totalsOf(rows: readonly StudentRow[]): Totals {
  const totals = { active: 0, deleted: 0, unpaid: 0, locked: 0, registration: 0, books: 0 }
  for (const row of rows) {
    const state = studentState(row)
    if (state === 'deleted') {
      totals.deleted++
      continue
    }
    totals.active++
    if (state === 'unpaid') totals.unpaid++
    if (state === 'locked') totals.locked++
    totals.registration += row.regAmount
    totals.books += row.bookAmount
  }
  return totals
}
