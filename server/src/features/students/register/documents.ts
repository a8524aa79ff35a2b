import type { FileAnswer } from '#platform/http/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/sheets/spreadsheet-write'
import type { RegisterLine } from './queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Season', width: 10 },
  { title: 'School code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'City' },
  { title: 'Class', width: 10 },
  { title: 'Section', width: 8 },
  { title: 'Roll No', kind: 'number' },
  { title: 'Exam Roll No', width: 16 },
  { title: 'Student Name', width: 28 },
  { title: 'Subjects', width: 36 },
  { title: 'Registration fee', width: 16 },
  { title: 'Status', width: 10 },
]

const feeWords = { due: 'Due', sent: 'Being verified', paid: 'Paid', waived: 'Waived' } as const

const cells = (row: RegisterLine): SheetValue[] => [
  row.FYear,
  row.schCode,
  row.schName,
  row.city,
  row.className,
  row.section,
  row.rollNo,
  row.examRollNo,
  row.studentName,
  row.subjects,
  feeWords[row.fee],
  row.active ? 'Active' : 'Deleted',
]

/** Children as a file, in the order of the list. */
export function studentsFile(rows: readonly RegisterLine[], format: 'xlsx' | 'csv'): FileAnswer['file'] {
  const values = rows.map(cells)
  return format === 'csv'
    ? { name: 'Students.csv', mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, values) }
    : {
        name: 'Students.xlsx',
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx('Students', columns, values),
      }
}
