import { type BookKind, bookKinds, bookNames } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import type { StudentRow } from '@podium/contract/students/calls'
import { type StudentState, studentState } from '@podium/contract/students/calls-export'
import type { FileAnswer } from '#platform/http/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/sheets/spreadsheet-write'

const stateNames: Record<StudentState, string> = {
  unpaid: 'Unpaid',
  locked: 'Being verified',
  paid: 'Paid',
  deleted: 'Deleted',
}

// The first ones are named as the import names them, so that an exported file can be imported again.
const columns: readonly SheetColumn[] = [
  { title: 'Class' },
  { title: 'Section', width: 9 },
  { title: 'Roll No', kind: 'number' },
  { title: 'Student Name', width: 28 },
  { title: 'Parent Name', width: 28 },
  { title: 'Parent E-mail', width: 28 },
  { title: 'Parent Mobile' },
  { title: 'Subjects', width: 36 },
  ...bookKinds.map((kind): SheetColumn => ({ title: bookNames[kind] })),
  { title: 'Registration', kind: 'money' },
  { title: 'Late fee in it', kind: 'money' },
  { title: 'Book amount', kind: 'money' },
  { title: 'School keeps', kind: 'money' },
  { title: 'Payable', kind: 'money' },
  { title: 'Status' },
]

function cells(row: StudentRow): SheetValue[] {
  const booksOf = (kind: BookKind) => (kind === 'geneX' ? row.genex : row[kind])
  const kept = row.school_Expenses + row.book_school_Expenses
  return [
    row.className,
    row.section,
    row.rollNo,
    row.studentName,
    row.parentName,
    row.parentEmailId,
    row.parentMobileNo,
    row.subjectName,
    ...bookKinds.map(booksOf),
    row.regAmount,
    row.lateFee,
    row.bookAmount,
    kept,
    row.regAmount + row.bookAmount - kept,
    stateNames[studentState(row)],
  ]
}

/** The rows as a file; amounts in rupees. */
export function studentsFile(
  rows: readonly StudentRow[],
  season: Season,
  format: 'xlsx' | 'csv',
): FileAnswer['file'] {
  const name = `Students ${season}.${format}`
  const values = rows.map(cells)
  return format === 'csv'
    ? { name, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, values) }
    : {
        name,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(`Students ${season}`, columns, values),
      }
}
