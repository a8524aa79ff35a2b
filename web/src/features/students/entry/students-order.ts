import type { StudentRow } from '@podium/contract/students/calls'
import type { Sort } from '#ui/data-table-types.ts'

const byName = new Intl.Collator('en-IN', { sensitivity: 'base' })

/** Nursery, LKG, UKG before Class 1, though their ids come after 12. */
const age = (classId: number) => (classId >= 13 ? [15, 13, 14].indexOf(classId) - 3 : classId)

const orders: Record<string, (a: StudentRow, b: StudentRow) => number> = {
  name: (a, b) => byName.compare(a.studentName, b.studentName),
  class: (a, b) =>
    age(a.classId) - age(b.classId) || byName.compare(a.section, b.section) || a.rollNo - b.rollNo,
  roll: (a, b) => a.rollNo - b.rollNo,
  total: (a, b) => a.regAmount + a.bookAmount - b.regAmount - b.bookAmount,
}

/** The rows in the order of a column; without one as the server gave them. Equal ones stay as they were. */
export function sorted(rows: readonly StudentRow[], sort: Sort | undefined): readonly StudentRow[] {
  const order = sort && orders[sort.key]
  if (!order) return rows
  return rows.toSorted((a, b) => (sort.down ? order(b, a) : order(a, b)))
}
