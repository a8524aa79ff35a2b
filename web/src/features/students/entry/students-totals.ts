import type { StudentRow } from '@podium/contract/students/calls'
import { studentState } from '@podium/contract/students/calls-export'

export interface Totals {
  active: number
  deleted: number
  unpaid: number
  locked: number
  registration: number
  books: number
}

/** Counts and sums (rupees) of the active rows; deleted ones are only counted. */
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
