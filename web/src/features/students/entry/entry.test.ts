import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messages } from '@podium/contract/messages'
import type { StudentRow } from '@podium/contract/students/calls'
import {
  dropUnchosenBooks,
  emptyValues,
  nextValues,
  nothingChosen,
  type StudentValues,
  studentSchema,
} from './student-values.ts'
import { sortRows, totalsOf } from './students-totals.ts'

const ishita: StudentValues = {
  ...emptyValues({ classId: '7', section: 'B' }),
  rollno: '12',
  studentName: 'Ishita Namunawala',
  parentName: 'Hemant Namunawala',
  parentEmailId: 'hemant@example.in',
  parentMobileNo: '9876543210',
  subjectName: ['Mathematics', 'Science'],
  cb: ['Mathematics'],
  pyqp: ['Science'],
}

test('the next student keeps class, section, subjects and books, and gets the next roll no and no name', () => {
  const next = nextValues(ishita)
  assert.equal(next.rollno, '13')
  assert.deepEqual(
    [next.classId, next.section, next.subjectName, next.cb, next.pyqp],
    ['7', 'B', ['Mathematics', 'Science'], ['Mathematics'], ['Science']],
  )
  assert.deepEqual(
    [next.studentName, next.parentName, next.parentEmailId, next.parentMobileNo],
    ['', '', '', ''],
  )
})

test('after a roll no that is not a number the next one is left empty', () => {
  assert.equal(nextValues({ ...ishita, rollno: 'twelve' }).rollno, '')
})

test('removing a subject also removes its books', () => {
  const books = dropUnchosenBooks(ishita, ['Science'])
  assert.deepEqual(books.cb, [])
  assert.deepEqual(books.pyqp, ['Science'])
})

test("a filled-in form passes the contract's schema", () => {
  const read = studentSchema.safeParse(ishita)
  assert.ok(read.success)
  assert.equal(read.data.classId, 7)
  assert.equal(read.data.rollno, 12)
  assert.deepEqual(read.data.subjectName, ['Mathematics', 'Science'])
})

test('an empty form is refused with the quoted sentence at each required field [spec 2.9.11 5.13]', () => {
  const read = studentSchema.safeParse(emptyValues({ classId: '', section: '' }))
  assert.ok(!read.success)
  const first = new Map<string, string>()
  for (const { path, message } of read.error.issues) {
    const field = path.join('.')
    if (!first.has(field)) first.set(field, message)
  }
  assert.deepEqual(Object.fromEntries(first), {
    classId: messages.classRequired,
    section: messages.sectionRequired,
    rollno: messages.rollNoRequired,
    studentName: messages.studentNameRequired,
    subjectName: messages.subjectRequired,
  })
})

test('changing the class clears subjects and books [spec 4.11]', () => {
  assert.deepEqual({ ...ishita, ...nothingChosen() }.subjectName, [])
  assert.ok(Object.values(nothingChosen()).every((list) => list.length === 0))
})

const allowed = { edit: true, delete: true, restore: 'enrolment.not_deleted' } as const

function aRow(traits: Partial<StudentRow>): StudentRow {
  const id = traits.id ?? 1
  return {
    id,
    individualRegId: id,
    bookRegId: 0,
    classId: 7,
    className: 'Class 7',
    studentName: 'Om Misaal',
    section: 'A',
    rollNo: 1,
    parentName: '',
    parentEmailId: '',
    parentMobileNo: '',
    subjectName: 'Mathematics',
    eventLetter: 'M',
    cb: '',
    pyqp: '',
    genex: '',
    tb: '',
    wb: '',
    bookCount: 0,
    currency: 'INR',
    lateFee: 0,
    regAmount: 175,
    bookAmount: 0,
    school_Expenses: 25,
    book_school_Expenses: 0,
    status: true,
    paymentStatus: false,
    registrationSent: false,
    version: 1,
    can: allowed,
    ...traits,
  }
}

const ids = (rows: readonly StudentRow[]) => rows.map((row) => row.id)

test('sorted by class, Nursery, LKG and UKG come before Class 1', () => {
  const rows = [1, 14, 15, 12, 13].map((classId, index) => aRow({ id: index + 1, classId }))
  assert.deepEqual(ids(sortRows(rows, { key: 'class', down: false })), [3, 5, 2, 1, 4])
  assert.deepEqual(ids(sortRows(rows, { key: 'class', down: true })), [4, 1, 2, 5, 3])
})

test('roll numbers are sorted as numbers, within class and section', () => {
  const rows = [10, 9, 2].map((rollNo, index) => aRow({ id: index + 1, rollNo }))
  assert.deepEqual(ids(sortRows(rows, { key: 'class', down: false })), [3, 2, 1])
  assert.deepEqual(ids(sortRows(rows, undefined)), [1, 2, 3])
})

test('the totals leave deleted students out and count them separately', () => {
  const rows = [
    aRow({ id: 1, bookAmount: 220 }),
    aRow({ id: 2, paymentStatus: true }),
    aRow({ id: 3, status: false, regAmount: 999 }),
    aRow({
      id: 4,
      registrationSent: true,
      can: { ...allowed, edit: 'enrolment.locked', delete: 'enrolment.locked' },
    }),
  ]
  assert.deepEqual(totalsOf(rows), {
    active: 3,
    deleted: 1,
    unpaid: 1,
    locked: 1,
    registration: 525,
    books: 220,
  })
})
