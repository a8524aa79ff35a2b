import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messages } from '@podium/contract/messages'
import {
  emptyValues,
  nextValues,
  nothingChosen,
  type StudentValues,
  studentSchema,
  withoutLostBooks,
} from './student-values.ts'

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

test('The next student keeps class, section, subjects and books, has the next roll no and no name', () => {
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

test('After a roll no that is no number the next one is left empty', () => {
  assert.equal(nextValues({ ...ishita, rollno: 'twelve' }).rollno, '')
})

test('A subject that is left out takes its books along', () => {
  const books = withoutLostBooks(ishita, ['Science'])
  assert.deepEqual(books.cb, [])
  assert.deepEqual(books.pyqp, ['Science'])
})

test('A filled-in form is read by the schema of the contract', () => {
  const read = studentSchema.safeParse(ishita)
  assert.ok(read.success)
  assert.equal(read.data.classId, 7)
  assert.equal(read.data.rollno, 12)
  assert.deepEqual(read.data.subjectName, ['Mathematics', 'Science'])
})

test('An empty form is refused with the quoted sentence at each required field [spec 2.9.11 5.13]', () => {
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

test('A change of the class leaves no subject and no book [spec 4.11]', () => {
  assert.deepEqual({ ...ishita, ...nothingChosen() }.subjectName, [])
  assert.ok(Object.values(nothingChosen()).every((list) => list.length === 0))
})
