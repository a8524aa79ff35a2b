import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookLine, decideReturned } from '@podium/contract/bank/calls'
import { deleteBookOrder, getBookOrder, saveBookOrder } from '@podium/contract/books/calls'
import { seasonTrack } from '@podium/contract/dashboard/calls'
import type { BodyOf } from '@podium/contract/endpoint'
import { feeStatement, paymentReceipt, paymentSummary, savePayment } from '@podium/contract/payments/calls'
import {
  officePaymentDetails,
  officePayments,
  rejectPayment,
  verifyPayment,
} from '@podium/contract/payments/calls-verification'
import { dispatchPackets, movePackets } from '@podium/contract/shipping/calls-packets'
import { deleteStudentPost } from '@podium/contract/students/calls'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { aDay, anOfficer, aSeason, aTeacher, season, thisSeason } from '#test/factories'
import {
  aFoundation,
  anOrder,
  anOrderedBook,
  aPendingPayment,
  aStudent,
  aSubmission,
} from '#test/payments-factories'
import { changeRows, findRow, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'
import { aCourier, packed } from '#test/shipping-factories'
import { anEnteredStudent } from '#test/students-factories'

/** A library order as a fee item: due, sent, verified or rejected. */
const server = beforehand(() => testServer({ clock: () => aDay }))
before(() => aFoundation())
const officer = beforehand(() => anOfficer('accounts'))

const kind = 'Library Book Fee'
type Who = { token: string }

/** A school that orders ten books at ₹220 and four at ₹310, and keeps ₹20 of each: gross 3440, share 280. */
async function aSchoolThatOrders() {
  const teacher = await aTeacher()
  const first = await anOrderedBook(server, teacher)
  const second = await anOrderedBook(server, teacher, { bookCategory: 'geneX', quantity: 4 })
  return { teacher, first, second, ids: [first.id, second.id] }
}

const summaryOf = (who: Who) => server.ask(paymentSummary, { FYear: thisSeason }, who)
const cardsOf = async (who: Who) =>
  (await summaryOf(who)).dataList.filter(({ paymentFor }) => paymentFor === kind)
const linesOf = async (who: Who) => (await server.ask(getBookOrder, { FYear: thisSeason }, who)).data
const submission = (who: Who) => aSubmission(server, who.token, kind)
const send = (who: Who, body: object) => server.send(savePayment, { body }, who)
const verify = (id: number) => server.call(verifyPayment, { body: { id, version: 1 } }, officer)
const reject = (id: number, reason = 'The slip can not be read') =>
  server.call(rejectPayment, { body: { id, version: 1, reason } }, officer)

async function sentOrder() {
  const school = await aSchoolThatOrders()
  const body = await submission(school.teacher)
  const sent = await server.ask(savePayment, body, school.teacher)
  return { ...school, body, id: sent.id }
}

test('a library order is a fee of its own, paid to the books account', async () => {
  const { teacher, ids } = await aSchoolThatOrders()
  const [card, ...more] = (await summaryOf(teacher)).dataList
  assert.deepEqual(more, [])
  assert.ok(card)
  const { upi, reference, ...rest } = card
  assert.match(reference, /^PD27-T\d+-L1$/)
  assert.match(upi, new RegExp(`^upi://pay\\?pa=podiumbooks@samplebank&.*am=3160.00.*&tr=${reference}$`))
  assert.deepEqual(rest, {
    paymentFor: kind,
    paymentStatus: 'Pending',
    payableAmount: 3160,
    accountName: 'Podium Foundation',
    bankName: 'Sahyadri Sample Bank',
    accountNo: '000012345679',
    ifsc: 'SSBX0000417',
    paymentStatus_For_School: 0,
    individualRegIdList: ids,
    gross: 3440,
    retained: 280,
    upiId: 'podiumbooks@samplebank',
    students: 0,
    entries: 0,
    entryFee: null,
    lateFee: 0,
    books: 14,
    sent: null,
    previous: null,
    rejected: null,
    slab: null,
    can: { submit: true },
  })
})

test("students' fees and the library order are paid separately, and neither pending for the other", async () => {
  const { teacher } = await sentOrder()
  await aStudent({ schoolId: teacher.schoolId, books: 1 })
  const { dataList } = await summaryOf(teacher)
  assert.deepEqual(
    dataList.map(({ paymentFor, can }) => [paymentFor, can.submit]),
    [
      ['Registration Fee', true],
      ['Book Fee', true],
      [kind, 'payments.already_sent'],
    ],
  )
})

test('a library order, due or sent, does not delay any step of the season', async () => {
  const { token, id } = await aPendingPayment(server)
  const teacher = { token }
  await verify(id)
  await anOrderedBook(server, teacher)
  const payment = async () => {
    const body = await server.ask(seasonTrack, { FYear: thisSeason }, teacher)
    return [body.steps.find(({ key }) => key === 'payment')?.state, body.next?.beingVerified]
  }
  assert.deepEqual(await payment(), ['done', false])
  assert.equal((await send(teacher, await submission(teacher))).status, 200)
  assert.deepEqual(await payment(), ['done', false])
})

test('lines sent for payment cannot be changed, deleted, ordered again or paid twice', async () => {
  const { teacher, first, ids, body, id } = await sentOrder()
  const lines = await linesOf(teacher)
  assert.deepEqual(
    lines.map(({ status, can }) => [status, can.edit, can.delete]),
    [
      ['sent', 'books.sent', 'books.sent'],
      ['sent', 'books.sent', 'books.sent'],
    ],
  )
  const change = { ...anOrder(), id: first.id, version: 1, quantity: 1 }
  for (const refused of [
    await server.send(saveBookOrder, { body: change }, teacher),
    await server.send(deleteBookOrder, { body: { id: first.id } }, teacher),
    await server.send(saveBookOrder, { body: anOrder() }, teacher),
  ])
    assert.deepEqual([refused.status, refused.body.code], [409, 'books.sent'])
  await refused('payments.order_sent', send(teacher, body))
  const [card, ...more] = await cardsOf(teacher)
  assert.deepEqual(more, [])
  assert.deepEqual([card?.paymentStatus_For_School, card?.sent?.id, card?.books], [1, id, 14])
  assert.deepEqual(card?.individualRegIdList, ids)
})

test('books ordered after a payment get a card of their own, which pending for the decision', async () => {
  const { teacher, id } = await sentOrder()
  const later = await anOrderedBook(server, teacher, { classId: 8 })
  const [due] = await cardsOf(teacher)
  assert.deepEqual(due?.individualRegIdList, [later.id])
  assert.equal(due?.can.submit, 'payments.pending_first')
  await refused('payments.order_pending_first', send(teacher, await submission(teacher)))
  assert.equal((await verify(id)).status, 200)
  const [next] = await cardsOf(teacher)
  assert.match(next?.reference ?? '', /-L2$/)
  assert.equal((await send(teacher, await submission(teacher))).status, 200)
})

test('the office sees the copies of an order, verifies it, and the school gets a PDF receipt', async () => {
  const { teacher, first, second, id } = await sentOrder()
  const list = await server.ask(officePayments, { FYear: thisSeason, search: 'T', sort: 'newest' }, officer)
  const row = list.data.find((row) => row.id === id)
  assert.deepEqual([row?.paymentFor, row?.students, row?.doubts], [kind, 0, []])
  const { payment } = await server.ask(officePaymentDetails, { id: String(id) }, officer)
  assert.deepEqual(
    [payment.gross, payment.retained, payment.payableAmount, payment.books, payment.entries],
    [3440, 280, 3160, 14, 0],
  )
  assert.deepEqual(payment.covered, [])
  const copy = { className: 'Class 7', subjectName: 'Mathematics' }
  assert.deepEqual(payment.copies, [
    { ...copy, id: first.id, bookCategory: 'Comprehensive Book', quantity: 10, gross: 2200, retained: 200 },
    {
      ...copy,
      id: second.id,
      bookCategory: 'Olympiad Excellence Guide',
      quantity: 4,
      gross: 1240,
      retained: 80,
    },
  ])
  const { body } = await verify(id)
  assert.match(body.receiptNo, /^PD27\/\d{6}$/)
  assert.deepEqual(
    (await linesOf(teacher)).map(({ status, receiptNo, can }) => [status, receiptNo, can.edit]),
    [
      ['paid', body.receiptNo, 'books.paid'],
      ['paid', body.receiptNo, 'books.paid'],
    ],
  )
  await server.refuses('books.paid', deleteBookOrder, { id: first.id }, teacher)
  const { dataList, paidList } = await summaryOf(teacher)
  assert.deepEqual(valuesOf(dataList, 'paymentStatus', 'payableAmount', 'books'), [['Paid', 3160, 14]])
  assert.deepEqual([paidList[0]?.paymentFor, paidList[0]?.payment], [kind, 3160])
  const receipt = await server.download(paymentReceipt, { id }, teacher)
  assert.deepEqual([receipt.status, receipt.bytes.subarray(0, 5).toString()], [200, '%PDF-'])
})

test('a book can be ordered again once it is paid', async () => {
  const { teacher, id } = await sentOrder()
  await verify(id)
  const more = await anOrderedBook(server, teacher, { quantity: 2 })
  const [card] = await cardsOf(teacher)
  assert.deepEqual([card?.individualRegIdList, card?.payableAmount], [[more.id], 400])
})

test('a rejected payment makes its lines due again, with the reason, and they can be changed or deleted', async () => {
  const { teacher, first, second, ids, id } = await sentOrder()
  assert.equal((await reject(id)).status, 200)
  const [card] = await cardsOf(teacher)
  assert.deepEqual([card?.individualRegIdList, card?.payableAmount], [ids, 3160])
  assert.equal(card?.rejected?.reason, 'The slip can not be read')
  const change = { ...anOrder(), id: first.id, version: 1, quantity: 1 }
  await server.ask(saveBookOrder, change, teacher)
  await server.ask(deleteBookOrder, { id: second.id }, teacher)
  const again = await server.call(savePayment, { body: await submission(teacher) }, teacher)
  assert.deepEqual([again.status, again.body.payableAmount], [200, 200])
  const old = (await server.ask(officePaymentDetails, { id: String(id) }, officer)).payment
  assert.deepEqual(
    [old.books, valuesOf(old.copies, 'quantity')],
    [14, [10, 4]],
    'the rejected payment still shows what it was for',
  )
})

test('a payment must cover the whole order as it is due: parts, changed and unknown lines are refused', async () => {
  const { teacher, first, ids } = await aSchoolThatOrders()
  const body: BodyOf<typeof savePayment> = await submission(teacher)
  await refused(
    'payments.order_changed',
    send(teacher, { ...body, individualRegIdList: [first.id], payableAmount: 2000 }),
  )
  const less = await send(teacher, { ...body, payableAmount: 3159.99 })
  assert.deepEqual([less.body.code, less.body.payableAmount], ['payments.amount_changed', 3160])
  const stranger = await aSchoolThatOrders()
  const foreign = await send(stranger.teacher, body)
  assert.equal(foreign.status, 404)
  const mixed = await send(stranger.teacher, { ...body, individualRegIdList: [...stranger.ids, ...ids] })
  assert.equal(mixed.status, 404)
  await refused('payments.order_changed', send(teacher, { ...body, FYear: '2025-26' }))
  const added = await anOrderedBook(server, teacher, { classId: 8 })
  await refused('payments.order_changed', send(teacher, body))
  await server.ask(deleteBookOrder, { id: added.id }, teacher)
  assert.equal((await send(teacher, body)).status, 200)
})

test('a line of an earlier season is not paid with an order of this one', async () => {
  const { teacher, ids } = await aSchoolThatOrders()
  const earlier = await aSeason(season('2025-26'))
  await changeRows('library_lines', { id: Number(ids[0]) }, { season: earlier })
  const body = { ...(await submission(teacher)), individualRegIdList: ids, payableAmount: 3160 }
  await refused('payments.order_changed', send(teacher, body))
})

test('a specified call without the kind pays the order whose lines and amount it has', async () => {
  const { teacher } = await aSchoolThatOrders()
  const { paymentFor: _, ...body } = await submission(teacher)
  const other = await send(teacher, { ...body, payableAmount: 1 })
  assert.notEqual(other.status, 200)
  assert.equal((await send(teacher, body)).status, 200)
  assert.deepEqual(valuesOf(await linesOf(teacher), 'status'), ['sent', 'sent'])
})

test('of a change and a payment of the same line at once, exactly one succeeds', async () => {
  for (let round = 0; round < 6; round++) {
    const { teacher, first } = await aSchoolThatOrders()
    const body = await submission(teacher)
    const change =
      round % 3 === 0
        ? () => server.send(deleteBookOrder, { body: { id: first.id, version: 1 } }, teacher)
        : () =>
            server.send(
              saveBookOrder,
              { body: { ...anOrder(), id: first.id, version: 1, quantity: 9 } },
              teacher,
            )
    const pay = () => send(teacher, body)
    const calls = round % 2 === 0 ? [change, pay] : [pay, change]
    const answers = await Promise.all(calls.map((call) => call()))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const codes = ['books.sent', 'payments.amount_changed', 'payments.order_changed']
    assert.ok(codes.includes(answers.find(({ status }) => status !== 200)?.body.code ?? ''))
  }
})

/** Verifies a payment with its bank line; returns what reverses it, because the bank has returned the money. */
async function bookedPayment(id: number) {
  const utr = aUtr()
  const { reference, payableAmount: amount } = (
    await server.ask(officePaymentDetails, { id: String(id) }, officer)
  ).payment
  await anImport(server, officer.token, [{ narration: `NEFT ${reference} ${utr}`, amount, utr }])
  const { proposal, ...line } = await lineWith(server, officer.token, utr)
  const booking = { id: line.id, version: line.version, parts: proposal.parts, credits: [], used: [] }
  await server.ask(bookLine, booking, officer)
  return async () => {
    await anImport(server, officer.token, [{ narration: 'RTN', amount: -amount, day: '20/11/2026', utr }])
    const { version } = await lineWith(server, officer.token, utr)
    const reversal = { id: line.id, version, decision: 'reverse', reason: 'Account closed' } as const
    await server.ask(decideReturned, reversal, officer)
  }
}

/** An order whose payment was reversed, after `between`. */
async function returnedOrder(between: (order: Awaited<ReturnType<typeof sentOrder>>) => Promise<unknown>) {
  const order = await sentOrder()
  const reverse = await bookedPayment(order.id)
  await between(order)
  await reverse()
  return order
}

test('an order whose money the bank returned is due again, also beside a later line of the same book', async () => {
  let again = { id: 0 }
  const { teacher, first, body } = await returnedOrder(async (order) => {
    again = await anOrderedBook(server, order.teacher, { quantity: 1 })
  })
  const [card] = await cardsOf(teacher)
  const ids = [...body.individualRegIdList, again.id]
  assert.deepEqual([card?.individualRegIdList, card?.payableAmount], [ids, 3160 + 200])
  const edit = { ...anOrder(), id: first.id, version: 1, quantity: 11 }
  await server.refuses('books.ordered_already', saveBookOrder, edit, teacher)
  const paid = await server.ask(savePayment, await submission(teacher), teacher)
  assert.equal((await verify(paid.id)).status, 200)
})

test('books that were sent before the bank returned their money are paid or come back: their order stays', async () => {
  const operations = await anOfficer('operations')
  const { courierId } = await aCourier(server, operations)
  let parcel = 0
  const { teacher, first, second } = await returnedOrder(async (order) => {
    const line = await findRow('library_lines', { id: order.first.id })
    const books = { eventYearId: line.event_id, classId: 7, kind: 'cb', quantity: 10 } as const
    ;[parcel = 0] = await packed(server, operations, line.school_id, { lines: [books] })
    await server.ask(dispatchPackets, { ids: [parcel], courierId }, operations)
  })
  const can = async () => (await linesOf(teacher)).map((line) => [line.can.edit, line.can.delete])
  assert.deepEqual(await can(), [
    ['books.held', 'books.held'],
    [true, true],
  ])
  await server.refuses('books.held', deleteBookOrder, { id: first.id, version: 1 }, teacher)
  const less = { ...anOrder(), id: first.id, version: 1, quantity: 1 }
  await server.refuses('books.held', saveBookOrder, less, teacher)
  await server.ask(deleteBookOrder, { id: second.id, version: 1 }, teacher)
  await server.ask(movePackets, { ids: [parcel], to: 'Returned', remark: '' }, operations)
  assert.deepEqual(await can(), [[true, true]])
})

test('students whose books were sent before the bank returned all their money stay entered and keep their books', async () => {
  const teacher = await aTeacher()
  const { id: studentId } = await anEnteredStudent(server, teacher)
  const reversals = []
  for (const fee of ['Registration Fee', 'Book Fee'] as const) {
    const { id } = await server.ask(savePayment, await aSubmission(server, teacher.token, fee), teacher)
    reversals.push(await bookedPayment(id))
  }
  const operations = await anOfficer('operations')
  const { courierId } = await aCourier(server, operations)
  const parcels = await packed(server, operations, teacher.schoolId)
  await server.ask(dispatchPackets, { ids: parcels, courierId }, operations)
  for (const reverse of reversals) await reverse()
  await server.refuses('enrolment.locked', deleteStudentPost, { studentId }, teacher)
  const { dataList } = await summaryOf(teacher)
  assert.deepEqual(valuesOf(dataList, 'paymentFor'), ['Registration Fee', 'Book Fee'])
  await server.ask(movePackets, { ids: parcels, to: 'Returned', remark: '' }, operations)
  await server.ask(deleteStudentPost, { studentId }, teacher)
})

test('due, pending and verified amounts always add up to gross less share, to the paisa', async () => {
  const teacher = await aTeacher()
  const check = async () => {
    const { dataList, paidList } = await summaryOf(teacher)
    const paise = (amounts: number[]) => amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0)
    const open = dataList.filter(({ paymentStatus }) => paymentStatus === 'Pending')
    const verified = paidList.filter(({ paymentStatus }) => paymentStatus === 'Verified')
    const lines = await linesOf(teacher)
    assert.equal(
      paise(valuesOf(open, 'payableAmount')) + paise(valuesOf(verified, 'payment')),
      paise(valuesOf(lines, 'bookAmount')) - paise(valuesOf(lines, 'book_school_Expenses')),
    )
  }
  const price = async (price: number, retained: number, id: number) =>
    changeRows('library_lines', { id }, { price, retained })
  const first = await anOrderedBook(server, teacher, { quantity: 3 })
  await price(33_333, 1_111, first.id)
  await check()
  const verified = await server.call(savePayment, { body: await submission(teacher) }, teacher)
  await check()
  const second = await anOrderedBook(server, teacher, { classId: 8, quantity: 7 })
  await price(14_285, 999, second.id)
  await check()
  await verify(verified.body.id)
  await check()
  const rejected = await server.ask(savePayment, await submission(teacher), teacher)
  await check()
  await reject(rejected.id)
  await check()
})

test('the fee statement includes a library order that is due', async () => {
  const { teacher } = await aSchoolThatOrders()
  const { status, bytes } = await server.download(feeStatement, { FYear: thisSeason }, teacher)
  assert.deepEqual([status, bytes.subarray(0, 5).toString()], [200, '%PDF-'])
})
