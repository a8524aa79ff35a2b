import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getBookDetails, getBookSummary } from '@podium/contract/books/calls'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { deleteStudent } from '@podium/contract/students/calls'
import { aDay, anOfficer, aSeason, aTeacher, eventOf, season, thisSeason } from '#test/factories'
import { aPendingPayment } from '#test/payments-factories'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
  await aSeason()
  await aSeason(season('2025-26'))
})

type Teacher = Awaited<ReturnType<typeof aTeacher>>
const Fyear = thisSeason

const summaryOf = async (teacher: Teacher, of: string = Fyear) =>
  (await server.call(getBookSummary, { query: { Fyear: of } }, teacher)).body.data
const figure = (traits: object = {}) => ({
  body: {
    FYear: Fyear,
    subjectName: 'Mathematics',
    bookCategory: 'Comprehensive Book',
    classId: 7,
    ...traits,
  },
})
const namesOf = async (teacher: Teacher, traits: object = {}) =>
  (await server.call(getBookDetails, figure(traits), teacher)).body.data.map((row) => row.studentName)

test('books are counted by subject, class and kind, the youngest class first [spec 1.8 2.11.2 7.25]', async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher, { cb: 'Mathematics,Science', pyqp: 'Mathematics' })
  await anEnteredStudent(server, teacher, { cb: 'Mathematics' })
  await anEnteredStudent(server, teacher, { classId: 6, cb: 'Mathematics' })
  const row = (classCode: string, bookCategory: string, total: number) => ({
    classCode,
    classId: Number(classCode),
    bookCategory,
    total,
  })
  assert.deepEqual(await summaryOf(teacher), [
    {
      subjectName: 'Mathematics',
      eventLetter: 'M',
      totalBooks: 4,
      details: [
        row('6', 'Comprehensive Book', 1),
        row('7', 'Comprehensive Book', 2),
        row('7', 'Previous Test Paper', 1),
      ],
    },
    {
      subjectName: 'Science',
      eventLetter: 'S',
      totalBooks: 1,
      details: [row('7', 'Comprehensive Book', 1)],
    },
  ])
  assert.deepEqual(await summaryOf(teacher, '2025-26'), [])
})

test('the books of a deleted student count no more, nor is the student behind a figure', async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher, { studentName: 'Om Misaal' })
  const gone = await anEnteredStudent(server, teacher, { studentName: 'Jaya Misaal' })
  const deleted = await server.call(deleteStudent, { query: { studentId: String(gone.id) } }, teacher)
  assert.equal(deleted.status, 200)
  const [subject] = await summaryOf(teacher)
  assert.equal(subject?.totalBooks, 1)
  assert.deepEqual(await namesOf(teacher), ['Om Misaal'])
})

test('behind a figure stand its students with their books and amounts, the category said by name or field [spec 2.11.3 7.24]', async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher, {
    studentName: 'Om Misaal',
    rollno: 4,
    cb: 'Mathematics,Science',
    pyqp: 'Science',
  })
  await anEnteredStudent(server, teacher, { studentName: 'Jaya Misaal', rollno: 2, cb: 'Science' })
  const { body } = await server.call(getBookDetails, figure(), teacher)
  const [first, ...others] = body.data
  assert.deepEqual(others, [])
  const { regAmount, bookAmount, ...rest } = first ?? assert.fail()
  assert.deepEqual(rest, {
    classId: 7,
    className: 'Class 7',
    studentName: 'Om Misaal',
    section: 'A',
    rollNo: 4,
    cb: 'Mathematics,Science',
    pyqp: 'Science',
    genex: '',
    tb: '',
    wb: '',
    currency: 'INR',
    status: false,
    subjectName: 'Mathematics',
  })
  assert.ok(regAmount > 0 && bookAmount > 0)
  assert.deepEqual(await namesOf(teacher, { bookCategory: 'CB', subjectName: 'S' }), [
    'Jaya Misaal',
    'Om Misaal',
  ])
  assert.deepEqual(await namesOf(teacher, { classId: 8 }), [])
})

test('little stars take text and work books', async () => {
  const teacher = await aTeacher()
  const { subjectName } = await anEnteredStudent(server, teacher, {
    classId: 13,
    subjectName: 'A',
    cb: '',
    tb: 'A',
    wb: 'A',
  })
  const [subject] = await summaryOf(teacher)
  assert.deepEqual(
    subject?.details.map(({ classCode, bookCategory }) => [classCode, bookCategory]),
    [
      ['LKG', 'Text Book'],
      ['LKG', 'Work Book'],
    ],
  )
  assert.equal((await namesOf(teacher, { classId: 13, subjectName, bookCategory: 'wb' })).length, 1)
})

test('the books of a student are paid once the foundation has verified their payment [spec 2.11.4]', async () => {
  const { id, token, students } = await aPendingPayment(server, 1, { books: 1, kind: 'Book Fee' })
  const [student] = students
  assert.ok(student)
  const choice = {
    student_id: student.id,
    event_id: (await eventOf('M')).id,
    kind: 'cb',
    school_id: student.school_id,
    class_id: student.class_id,
    price: 22_000,
    retained: 2_000,
    created_at: aDay,
  }
  await server.deps.db.insertInto('book_choices').values(choice).execute()
  const statusNow = async () =>
    (await server.call(getBookDetails, figure(), { token })).body.data.map(({ status }) => status)
  assert.deepEqual(await statusNow(), [false])
  const { token: officer } = await anOfficer('accounts')
  const verified = await server.call(verifyPayment, { body: { id, version: 1 } }, { token: officer })
  assert.equal(verified.status, 200)
  assert.deepEqual(await statusNow(), [true])
})

test('another school counts and sees none of them', async () => {
  await anEnteredStudent(server, await aTeacher())
  const stranger = await aTeacher()
  assert.deepEqual(await summaryOf(stranger), [])
  assert.deepEqual(await namesOf(stranger), [])
})

test('a category that is no book is not found, and a class that is none is refused', async () => {
  const teacher = await aTeacher()
  const unknown = await server.send(getBookDetails, figure({ bookCategory: 'Atlas' }), teacher)
  assert.equal(unknown.status, 404)
  const noClass = await server.send(getBookDetails, figure({ classId: 16 }), teacher)
  assert.equal(noClass.body.code, 'input.invalid')
})
