import { type Paise, paise } from '@podium/contract/money'
import type { StudentFee } from '@podium/contract/students/rules-fee'
import type { RawRow, RowField } from '@podium/contract/students/rules-row'
import type { Column } from './rules-columns.ts'

/** The row as the one check of rows takes it: the text of each column that is used. */
export function rawRow(columns: readonly Column[], cells: readonly string[]): RawRow {
  const raw: Partial<Record<RowField, string>> = {}
  for (const { field, index } of columns) if (field) raw[field] = cells[index] ?? ''
  return raw
}

/** The four amounts of all rows together. */
export function totalFee(rows: ReadonlyArray<{ fee: StudentFee }>): StudentFee {
  const total = (pick: (fee: StudentFee) => Paise) => paise(rows.reduce((sum, { fee }) => sum + pick(fee), 0))
  return {
    regAmount: total((fee) => fee.regAmount),
    schoolExpenses: total((fee) => fee.schoolExpenses),
    bookAmount: total((fee) => fee.bookAmount),
    bookSchoolExpenses: total((fee) => fee.bookSchoolExpenses),
  }
}
