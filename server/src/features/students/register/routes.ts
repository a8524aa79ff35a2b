import {
  cancelStudent as cancel,
  correctStudent as correct,
  exportOfficeStudents,
  moveStudent as move,
  officeStudent,
  officeStudents,
  previewMove as previewOfMove,
  showStudentContact,
  studentSubjects,
} from '@podium/contract/students/calls-register'
import type { FastifyInstance } from 'fastify'
import { tellOfFile } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { type FileAnswer, serve, write } from '#platform/http/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/sheets/spreadsheet-write'
import { correctStudent } from './commands-correct.ts'
import {
  cancelStudent,
  moveStudent,
  previewMove,
  refuseMobileSearch,
  showContact,
  tellMobileSearch,
} from './commands-move.ts'
import { allSubjects, type RegisterLine, studentRegister, wholeStudentRegister } from './queries.ts'
import { studentRecord } from './queries-record.ts'

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
function studentsFile(rows: readonly RegisterLine[], format: 'xlsx' | 'csv'): FileAnswer['file'] {
  const values = rows.map(cells)
  return format === 'csv'
    ? { name: 'Students.csv', mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, values) }
    : {
        name: 'Students.xlsx',
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx('Students', columns, values),
      }
}

/** The children of all schools, for the office: found, looked at, corrected, and the same as a file. */
export function studentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, reads } = deps

  serve(app, deps, officeStudents, 'office:students.read', async ({ scope, query, now }) => {
    const byMobile = await refuseMobileSearch(deps, scope, query.search)
    const found = await studentRegister(db, scope, query)
    if (byMobile) await db.transaction().execute((tx) => tellMobileSearch(tx, scope, now, found.data))
    return found
  })

  serve(app, deps, studentSubjects, 'office:students.read', async ({ scope }) => ({
    data: await allSubjects(db, scope),
  }))

  serve(app, deps, exportOfficeStudents, 'office:students.export', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const byMobile = await refuseMobileSearch(deps, scope, query.search)
    const rows = await reads.caughtUp((tx) => wholeStudentRegister(tx, scope, query))
    await db.transaction().execute(async (tx) => {
      const subject = { kind: 'students', id: 'all', season: query.FYear }
      await audit(tx, now, scope, 'students.exported', subject, {
        format,
        students: rows.length,
        filters: byMobile ? { ...query, search: '•••' } : query,
      })
      await tellOfFile(tx, scope, now, 'the list of students', rows.length)
      if (byMobile) await tellMobileSearch(tx, scope, now, rows)
    })
    return { file: studentsFile(rows, format) }
  })

  serve(app, deps, officeStudent, 'office:students.read', ({ scope, query, now }) =>
    studentRecord(db, scope, now, query.id),
  )

  write(app, deps, showStudentContact, 'office:students.contact', (tx, { scope, body, now }) =>
    showContact(tx, scope, now, body.id),
  )

  write(app, deps, correct, 'office:students.write', (tx, { scope, body, now }) =>
    correctStudent(tx, scope, now, keys, body),
  )

  write(app, deps, cancel, 'office:students.write', (tx, { scope, body, now }) =>
    cancelStudent(tx, scope, now, body),
  )

  serve(app, deps, previewOfMove, 'office:students.write', ({ scope, query }) =>
    previewMove(db, scope, query.id, query.schCode),
  )

  write(app, deps, move, 'office:students.write', (tx, { scope, body, now }) =>
    moveStudent(tx, scope, now, keys, body),
  )
}
