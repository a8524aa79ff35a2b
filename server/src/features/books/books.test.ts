import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteBookOrder,
  getBookDetails,
  getBookOrder,
  getBookSummary,
  saveBookOrder,
} from '@podium/contract/books/calls'
import type { BodyOf } from '@podium/contract/endpoint'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { deleteStudent } from '@podium/contract/students/calls'
import { aDay, anOfficer, aSeason, aTeacher, eventOf, season, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { anOrder, anOrderedBook, aPendingPayment } from '#test/payments-factories'
import { addRow, changeRows, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  await aSeason()
  await aSeason(season('2025-26'))
})

type Teacher = { token: string }
type Body = BodyOf<typeof saveBookOrder>

const orderOf = (teacher: Teacher, FYear: string = thisSeason) => server.ask(getBookOrder, { FYear }, teacher)
const linesOf = async (teacher: Teacher) => (await orderOf(teacher)).data
const save = (teacher: Teacher, traits: Partial<Body> = {}) =>
  server.send(saveBookOrder, { body: anOrder(traits) }, teacher)

test('an order line has the price, share and payable amount of the catalogue, whatever the client sends [spec 2.11.1 7.43]', async () => {
  const teacher = await aTeacher()
  const line = await anOrderedBook(server, teacher, { quantity: '12' })
  const { id, creationDate, ...rest } = line
  assert.equal(creationDate, aDay.toISOString())
  assert.deepEqual(rest, {
    classId: 7,
    className: 'Class 7',
    eventLetter: 'M',
    subjectName: 'Mathematics',
    kind: 'cb',
    bookCategory: 'Comprehensive Book',
    quantity: 12,
    price: 220,
    retainFee: 20,
    bookAmount: 2640,
    book_school_Expenses: 240,
    payableAmount: 2400,
    status: 'unpaid',
    paymentId: null,
    receiptNo: '',
    version: 1,
    can: { edit: true, delete: true },
  })
  assert.deepEqual(await orderOf(teacher), {
    result: 'success',
    message: '',
    data: [line],
    can: { add: true },
  })
  assert.ok(id > 0)
})

test('order lines are sorted by class, subject and kind; another season or school has none of them', async () => {
  const teacher = await aTeacher()
  await aSeason(season('2025-26'))
  await anOrderedBook(server, teacher, { subjectName: 'S' })
  await anOrderedBook(server, teacher, { bookCategory: 'geneX' })
  await anOrderedBook(server, teacher)
  await anOrderedBook(server, teacher, { classId: 13, subjectName: 'A', bookCategory: 'Work Book' })
  assert.deepEqual(valuesOf(await linesOf(teacher), 'className', 'eventLetter', 'kind'), [
    ['LKG', 'A', 'wb'],
    ['Class 7', 'M', 'cb'],
    ['Class 7', 'M', 'geneX'],
    ['Class 7', 'S', 'cb'],
  ])
  assert.deepEqual((await orderOf(teacher, '2025-26')).data, [])
  assert.deepEqual(await linesOf(await aTeacher()), [])
})

const missing: Array<[keyof Body, unknown, string]> = [
  ['classId', '', 'Class is required.'],
  ['classId', 16, 'Class is required.'],
  ['subjectName', '', 'Subject is required.'],
  ['bookCategory', '', 'Subject is required.'],
  ['bookCategory', 'Atlas', 'Subject is required.'],
  ['quantity', '', 'Quantity is required.'],
  ['quantity', null, 'Quantity is required.'],
  ['quantity', 0, 'Quantity is a whole number from 1 to 500.'],
  ['quantity', 2.5, 'Quantity is a whole number from 1 to 500.'],
  ['quantity', 'ten', 'Quantity is a whole number from 1 to 500.'],
  ['quantity', 501, 'Quantity is a whole number from 1 to 500.'],
  ['subjectName', 'Chess', 'This subject is not offered to the class in this season.'],
  ['subjectName', 'A', 'This subject is not offered to the class in this season.'],
  ['bookCategory', 'Text Book', 'This book is not offered for this subject and class.'],
]
for (const [path, value, message] of missing) {
  test(`${path} ${JSON.stringify(value)} is refused: ${message} [spec 5.17 5.18]`, async () => {
    const teacher = await aTeacher()
    const { status, body } = await save(teacher, { [path]: value })
    assert.deepEqual([status, body.issues], [400, [{ path, message }]])
    assert.deepEqual(await linesOf(teacher), [])
  })
}

test('a closed subject accepts no orders or changes, but an unpaid line can still be deleted', async () => {
  const teacher = await aTeacher()
  const FYear = await aSeasonOfItsOwn()
  const line = await anOrderedBook(server, teacher, { FYear })
  await changeRows('events', { season: FYear, letter: 'M' }, { closes_on: '2026-11-20' })
  const late = await refused('books.closed', save(teacher, { FYear, bookCategory: 'pyqp' }))
  assert.deepEqual(late.issues, [{ path: 'subjectName', message: 'Orders for this subject have closed.' }])
  await refused('books.closed', save(teacher, { FYear, id: line.id, version: 1, quantity: 2 }))
  const [shown] = (await orderOf(teacher, FYear)).data
  assert.deepEqual(shown?.can, { edit: 'books.closed', delete: true })
  await server.ask(deleteBookOrder, { id: line.id }, teacher)
})

test('a season that is not open accepts no orders, and the page shows this before anything is typed', async () => {
  const teacher = await aTeacher()
  const FYear = await aSeasonOfItsOwn('closed')
  await refused('books.season_closed', save(teacher, { FYear }))
  assert.deepEqual((await orderOf(teacher, FYear)).can, { add: 'books.season_closed' })
  const unknown = await save(teacher, { FYear: '2071-72' })
  assert.deepEqual(unknown.body.issues, [{ path: 'FYear', message: 'Season is not valid.' }])
})

test('a book is ordered in one line: a second line is refused at its category', async () => {
  const teacher = await aTeacher()
  await anOrderedBook(server, teacher)
  const other = await anOrderedBook(server, teacher, { bookCategory: 'pyqp' })
  const message = 'This book is already in the order. Please change its quantity there.'
  const again = await refused('books.ordered_already', save(teacher, { bookCategory: 'cb' }))
  assert.deepEqual(again.issues, [{ path: 'bookCategory', message }])
  await refused('books.ordered_already', save(teacher, { id: other.id, version: 1 }))
  await anOrderedBook(server, teacher, { classId: 8 })
  const simultaneous = await Promise.all([1, 2].map(() => save(teacher, { classId: 9 })))
  assert.deepEqual(valuesOf(simultaneous, 'status').sort(), [200, 409])
})

test("a school's unpaid order is limited to 5000 copies, and a changed line counts its copies once", async () => {
  const teacher = await aTeacher()
  for (const classId of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await anOrderedBook(server, teacher, { classId, quantity: 500 })
  await refused('books.too_many', save(teacher, { classId: 11, quantity: 1 }))
  const [first] = await linesOf(teacher)
  assert.ok(first)
  const { id, version, classId } = first
  assert.equal((await save(teacher, { id, version, classId, quantity: 499 })).status, 200)
  assert.equal((await save(teacher, { classId: 11, quantity: 1 })).status, 200)
})

test('an impossible amount is refused at its field', async () => {
  const teacher = await aTeacher()
  for (const bookAmount of [-1, 1e15, 1e300]) {
    const { status, body } = await save(teacher, { bookAmount })
    assert.deepEqual([status, body.issues?.map(({ path }) => path)], [400, ['bookAmount']])
  }
})

test("an amount other than the catalogue's is refused with the right one", async () => {
  const teacher = await aTeacher()
  const { status, body } = await save(teacher, { quantity: 3, bookAmount: 600 })
  assert.deepEqual([status, body.code, body.price, body.bookAmount], [409, 'books.amount_changed', 220, 660])
  assert.equal((await save(teacher, { quantity: 3, bookAmount: 660 })).status, 200)
})

test('a new price applies to new and changed lines, not to those already ordered', async () => {
  const teacher = await aTeacher()
  const FYear = await aSeasonOfItsOwn()
  const line = await anOrderedBook(server, teacher, { FYear })
  const event = await eventOf('M', FYear)
  await changeRows('event_fees', { event_id: event.id }, { cb: 25_050, pyqp: 17_000, book_retained: 3_000 })
  const [stored] = (await orderOf(teacher, FYear)).data
  assert.deepEqual(stored, line)
  const fresh = await anOrderedBook(server, teacher, { FYear, bookCategory: 'pyqp' })
  assert.deepEqual([fresh.price, fresh.retainFee, fresh.payableAmount], [170, 30, 1400])
  await refused(
    'books.amount_changed',
    save(teacher, { FYear, id: line.id, version: 1, quantity: 11, bookAmount: 11 * 220 }),
  )
  const changed = await server.ask(
    saveBookOrder,
    anOrder({ FYear, id: line.id, version: 1, quantity: 11 }),
    teacher,
  )
  const { price, bookAmount, payableAmount } = changed.data
  assert.deepEqual([price, bookAmount, payableAmount], [250.5, 2755.5, 2425.5])
})

test('with a share in percent, the share of each copy is rounded once', async () => {
  const teacher = await aTeacher()
  const FYear = await aSeasonOfItsOwn()
  await changeRows(
    'seasons',
    { label: FYear },
    { share_rule: JSON.stringify({ kind: 'percent', percent: 12.345 }) },
  )
  const line = await anOrderedBook(server, teacher, { FYear, quantity: 3 })
  // 12.345 % of ₹220 is ₹27.159.
  assert.deepEqual([line.retainFee, line.book_school_Expenses, line.payableAmount], [27.16, 81.48, 578.52])
})

test('a change with an outdated version is refused, and of two at once only one is saved', async () => {
  const teacher = await aTeacher()
  const { id } = await anOrderedBook(server, teacher)
  const without = await save(teacher, { id })
  assert.deepEqual(without.body.issues, [{ path: 'version', message: 'Say which version was changed.' }])
  const both = await Promise.all([20, 30].map((quantity) => save(teacher, { id, version: 1, quantity })))
  assert.deepEqual(both.map(({ body }) => body.code ?? 'saved').sort(), ['changed_meanwhile', 'saved'])
  await server.refuses('changed_meanwhile', deleteBookOrder, { id, version: 1 }, teacher)
  const [line] = await linesOf(teacher)
  assert.equal(line?.version, 2)
  assert.equal((await save(teacher, { id, version: 2, FYear: '2025-26' })).status, 404)
})

test('a deleted line disappears from the order, stays in the activity log, and can be ordered again', async () => {
  const teacher = await aTeacher()
  const { id, version } = await anOrderedBook(server, teacher)
  const gone = await server.call(deleteBookOrder, { body: { id, version } }, teacher)
  assert.deepEqual([gone.status, gone.body.id], [200, id])
  assert.deepEqual(await linesOf(teacher), [])
  for (const late of [
    await server.send(deleteBookOrder, { body: { id } }, teacher),
    await save(teacher, { id, version: 2 }),
  ])
    assert.equal(late.body.code, 'changed_meanwhile')
  const trail = await auditLines(['action', 'actor_name', 'school_id', 'season'], {
    subject_kind: 'library-line',
    subject_id: id,
  })
  const who = { actor_name: teacher.name, school_id: teacher.schoolId, season: thisSeason }
  assert.deepEqual(trail, [
    { action: 'library.added', ...who },
    { action: 'library.deleted', ...who },
  ])
  assert.notEqual((await anOrderedBook(server, teacher)).id, id)
})

test('a repeated request orders once; the same key for another book is refused', async () => {
  const teacher = await aTeacher()
  const once = { token: teacher.token, headers: { 'idempotency-key': 'library-order-key-0001' } }
  const first = await server.ask(saveBookOrder, anOrder(), once)
  const second = await server.ask(saveBookOrder, anOrder(), once)
  assert.deepEqual(second, first)
  await server.refuses('request.repeated_differently', saveBookOrder, anOrder({ classId: 8 }), once)
  assert.equal((await linesOf(teacher)).length, 1)
})

test('the summary of books counts those of students, not those of the library', async () => {
  const teacher = await aTeacher()
  await anOrderedBook(server, teacher)
  const body = await server.ask(getBookSummary, { Fyear: thisSeason }, teacher)
  assert.deepEqual(body.data, [])
})

type Signed = Awaited<ReturnType<typeof aTeacher>>
const Fyear = thisSeason

const summaryOf = async (teacher: Signed, of: string = Fyear) =>
  (await server.ask(getBookSummary, { Fyear: of }, teacher)).data
const figure = (traits: object = {}) => ({
  body: {
    FYear: Fyear,
    subjectName: 'Mathematics',
    bookCategory: 'Comprehensive Book',
    classId: 7,
    ...traits,
  },
})
const namesOf = async (teacher: Signed, traits: object = {}) =>
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
    { subjectName: 'Science', eventLetter: 'S', totalBooks: 1, details: [row('7', 'Comprehensive Book', 1)] },
  ])
  assert.deepEqual(await summaryOf(teacher, '2025-26'), [])
})

test("a deleted student's books are no longer counted, nor is the student listed", async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher, { studentName: 'Om Misaal' })
  const gone = await anEnteredStudent(server, teacher, { studentName: 'Jaya Misaal' })
  await server.ask(deleteStudent, { studentId: String(gone.id) }, teacher)
  const [subject] = await summaryOf(teacher)
  assert.equal(subject?.totalBooks, 1)
  assert.deepEqual(await namesOf(teacher), ['Om Misaal'])
})

test('a count of books opens the list of its students with their books and amounts [spec 2.11.3 7.24]', async () => {
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

test('little stars have text books and work books', async () => {
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

test("a student's books are paid once the foundation has verified the payment [spec 2.11.4]", async () => {
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
  await addRow('book_choices', choice)
  const statusNow = async () =>
    (await server.call(getBookDetails, figure(), { token })).body.data.map(({ status }) => status)
  assert.deepEqual(await statusNow(), [false])
  const { token: officer } = await anOfficer('accounts')
  await server.ask(verifyPayment, { id, version: 1 }, { token: officer })
  assert.deepEqual(await statusNow(), [true])
})

test('another school neither counts nor sees these books', async () => {
  await anEnteredStudent(server, await aTeacher())
  const stranger = await aTeacher()
  assert.deepEqual(await summaryOf(stranger), [])
  assert.deepEqual(await namesOf(stranger), [])
})

test('an unknown category is not found, and an unknown class is refused', async () => {
  const teacher = await aTeacher()
  const unknown = await server.send(getBookDetails, figure({ bookCategory: 'Atlas' }), teacher)
  assert.equal(unknown.status, 404)
  await refused('input.invalid', server.send(getBookDetails, figure({ classId: 16 }), teacher))
})
