import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StudentRow } from '@podium/contract/students/calls'
import { sorted } from './students-order.ts'
import { totalsOf } from './students-totals.ts'

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

test('Sorted by class, Nursery, LKG and UKG come before Class 1', () => {
  const rows = [1, 14, 15, 12, 13].map((classId, at) => aRow({ id: at + 1, classId }))
  assert.deepEqual(ids(sorted(rows, { key: 'class', down: false })), [3, 5, 2, 1, 4])
  assert.deepEqual(ids(sorted(rows, { key: 'class', down: true })), [4, 1, 2, 5, 3])
})

test('Roll numbers are sorted as numbers, within class and section', () => {
  const rows = [10, 9, 2].map((rollNo, at) => aRow({ id: at + 1, rollNo }))
  assert.deepEqual(ids(sorted(rows, { key: 'class', down: false })), [3, 2, 1])
  assert.deepEqual(ids(sorted(rows, undefined)), [1, 2, 3])
})

test('Sums leave deleted students out and count them apart', () => {
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
