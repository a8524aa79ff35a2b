import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideRefund, payRefund, proposeRefund } from '@podium/contract/bank/calls-credits'
import { deleteBookOrder } from '@podium/contract/books/calls'
import { exportLedger, officeLedger, officeStatement } from '@podium/contract/ledger/calls'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { paise } from '@podium/contract/money'
import { feeStatement, paymentSummary, savePayment, withdrawPayment } from '@podium/contract/payments/calls'
import { rejectPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import type { PaymentKind } from '@podium/contract/payments/rules'
import { deleteStudentPost } from '@podium/contract/students/calls'
import fc from 'fast-check'
import { pdfText } from '#test/archives'
import { aCredit, aUtr } from '#test/bank-factories'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLine, takeCsv } from '#test/file-call'
import {
  aFoundation,
  anOrderedBook,
  aPendingPayment,
  aSchoolThatOwes,
  aStudent,
  aSubmission,
  ledgerHolds,
  ledgerRow,
} from '#test/payments-factories'
import { changeRows, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'
import {
  accountOf,
  type Charge,
  type CreditEntry,
  chargeMovements,
  creditMovement,
  paymentMovements,
  type SentMoney,
  totalsOf,
} from './rules.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  await aSeason()
  await aFoundation()
})
const officer = beforehand(() => anOfficer('accounts'))
const second = beforehand(() => anOfficer('owner'))

type Who = { token: string; schoolId: number }
const query = { FYear: thisSeason }
const account = (who: Who) => server.ask(accountStatement, query, who)
const ledger = (who: Who) => server.ask(shareLedger, query, who)
const cards = async (who: Who) => (await server.ask(paymentSummary, query, who)).dataList

async function send(who: Who, kind: PaymentKind = 'Registration Fee') {
  const body = await server.ask(savePayment, await aSubmission(server, who.token, kind), who)
  return body.id
}
const verify = async (id: number) => (await server.ask(verifyPayment, { id, version: 1 }, officer)).receiptNo
const reject = (id: number, reason: string) =>
  server.call(rejectPayment, { body: { id, version: 1, reason } }, officer)

const inPaise = (amount: number) => {
  const whole = Math.round(amount * 100)
  assert.ok(Math.abs(amount * 100 - whole) < 1e-6, `${amount} is no whole paise`)
  return whole
}
const sum = <Row>(rows: readonly Row[], amountOf: (row: Row) => number) =>
  rows.reduce((total, row) => total + inPaise(amountOf(row)), 0)

/** Invariants of every account. */
async function checkAccount(who: Who) {
  await ledgerHolds(server, officer, who)
  const { data, totals } = await account(who)
  const book = await ledger(who)
  const open = (await cards(who)).filter(({ paymentStatus }) => paymentStatus === 'Pending')
  let balance = 0
  for (const line of data) {
    balance += inPaise(line.debit) - inPaise(line.credit)
    assert.equal(inPaise(line.balance), balance)
  }
  assert.deepEqual(valuesOf(data, 'day'), valuesOf(data, 'day').sort())
  assert.equal(inPaise(totals.balance), balance)
  assert.equal(inPaise(totals.payable), inPaise(totals.gross) - inPaise(totals.retained))
  assert.equal(balance, inPaise(totals.payable) - inPaise(totals.paid))
  // The balance is what the cards show as due, plus what is being verified.
  assert.equal(
    balance,
    sum(open, ({ payableAmount }) => payableAmount),
  )
  assert.equal(
    inPaise(totals.beingVerified),
    sum(
      open.filter((card) => card.paymentStatus_For_School === 1),
      ({ payableAmount }) => payableAmount,
    ),
  )
  // The ledger by subject agrees.
  for (const kind of ['Registration Fee', 'Book Fee', 'Library Book Fee'] as const) {
    const rows = book.data.filter(({ paymentFor }) => paymentFor === kind)
    const linesOf = (what: string) => data.filter((line) => line.kind === what && line.paymentFor === kind)
    assert.equal(
      sum(rows, ({ gross }) => gross),
      sum(linesOf('charge'), ({ debit }) => debit),
      kind,
    )
    assert.equal(
      sum(rows, ({ retained }) => retained),
      sum(linesOf('share'), ({ credit }) => credit),
      kind,
    )
    assert.equal(
      rows.reduce((heads, row) => heads + row.heads, 0),
      linesOf('charge').reduce((items, line) => items + line.items, 0),
      kind,
    )
  }
  const { gross, retained, payable } = totals
  assert.deepEqual(book.totals, { gross, retained, payable })
  assert.deepEqual(
    book.seasons.find(({ season }) => season === thisSeason) ?? {
      season: thisSeason,
      gross: 0,
      retained: 0,
      payable: 0,
    },
    { season: thisSeason, gross, retained, payable },
  )
  return { data, totals, book }
}

const brief = ({ data }: Awaited<ReturnType<typeof account>>) =>
  data.map(({ kind, paymentFor, debit, credit, balance }) => [kind, paymentFor, debit, credit, balance])

const list = async (query: Partial<Parameters<typeof pageOf>[0]> = {}) => (await pageOf(query)).body
const pageOf = (query: {
  search?: string
  state?: string
  status?: 'owes' | 'credit' | 'even' | 'verifying'
  page?: string
  sort?: 'balance' | 'name'
}) => server.call(officeLedger, { query: { FYear: thisSeason, ...query } }, officer)

const verified = async (id: number) => {
  await server.ask(verifyPayment, { id, version: 1 }, officer)
}

test("the office's ledger equals the school's statement after every step of its payments", async () => {
  const { school, teacher, id } = await aPendingPayment(server, 3, { books: 1 })
  const check = () => ledgerHolds(server, officer, { ...teacher, schoolId: school.id })
  await check()
  assert.equal((await ledgerRow(server, officer, school.id))?.verifying, 3 * 150)
  await verified(id)
  await check()
  await aCredit(server, officer, school.id, 800)
  await check()
  const proposal = { schoolId: school.id, amount: 50, payTo: 'A/c 123', reason: 'Asked for' }
  const body = await server.ask(proposeRefund, proposal, officer)
  await check()
  await server.ask(decideRefund, { id: body.id, approve: true }, second)
  await check()
  await server.ask(payRefund, { id: body.id, utr: aUtr() }, officer)
  await check()
  await changeRows('students', { school_id: school.id }, { active: false })
  await check()
  const row = await ledgerRow(server, officer, school.id)
  assert.deepEqual(
    [row?.students, row?.gross, row?.retained, row?.payable, row?.paid, row?.credit, row?.balance],
    [0, 525, 75, 450, 450, 750, -750],
  )
})

test('schools are found by name, status and balance, with the sums of all that are found', async () => {
  const name = `Kaveri ${aUtr()}`
  const worlds = []
  for (let n = 1; n <= 3; n++) worlds.push(await aSchoolThatOwes(n))
  const ids = worlds.map(({ school }) => school.id)
  for (const id of ids) await changeRows('schools', { id }, { name, name_key: name.toLowerCase() })
  const paid = await aPendingPayment(server, 1)
  await changeRows('schools', { id: paid.school.id }, { name, name_key: name.toLowerCase() })
  const waiting = await list({ search: name, status: 'verifying' })
  assert.deepEqual(valuesOf(waiting.data, 'schoolId'), [paid.school.id])
  await verified(paid.id)
  const every = await list({ search: name, sort: 'balance' })
  assert.deepEqual(valuesOf(every.data, 'balance'), [450, 300, 150, 0])
  assert.deepEqual(
    [
      every.total,
      every.sums.students,
      every.sums.gross,
      every.sums.retained,
      every.sums.paid,
      every.sums.balance,
    ],
    [4, 7, 1225, 175, 150, 900],
  )
  const owing = await list({ search: name, status: 'owes' })
  assert.deepEqual([owing.total, owing.sums.balance, owing.sums.paid], [3, 900, 0])
  assert.equal((await list({ search: name, status: 'even' })).total, 1)
  assert.equal((await list({ search: name, status: 'credit' })).total, 0)
  const beyond = await list({ search: name, page: '2' })
  assert.deepEqual([beyond.data.length, beyond.total, beyond.sums.balance], [0, 4, 900])
  assert.equal((await list({ search: '%' })).total, 0)
})

test('no change that schools make while the office counts is lost', async () => {
  const { school, teacher } = await aSchoolThatOwes(1)
  const who = { ...teacher, schoolId: school.id }
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      if (n % 3 === 0) await list({ search: school.code })
      else await aStudent({ schoolId: school.id, letters: n % 2 ? ['M'] : ['M', 'S'] })
    }),
  )
  await ledgerHolds(server, officer, who)
  assert.equal((await ledgerRow(server, officer, school.id))?.students, 9)
})

test('the ledger is exported with each filtered school and its sums, leaves an audit line and contains no formula', async () => {
  const { school } = await aSchoolThatOwes(2)
  const name = `=HYPERLINK("https://x.example","${aUtr()}")`
  await changeRows('schools', { id: school.id }, { name })
  const filters = { FYear: thisSeason, search: school.code }
  const [, line] = (await takeCsv(server, exportLedger, filters, officer)).lines
  assert.match(line ?? '', new RegExp(`^${school.code},"'=HYPERLINK`))
  assert.match(line ?? '', /,2,350(\.00)?,50(\.00)?,300(\.00)?,0(\.00)?,/)
  const audited = await auditLine(['change'], { action: 'ledger.exported' })
  assert.equal((audited.change as { schools: number }).schools, 1)
})

test("the office downloads a school's fee statement as a PDF; an unknown school has none", async () => {
  const { school } = await aSchoolThatOwes(2)
  const own = { schoolId: String(school.id), FYear: thisSeason }
  const text = pdfText((await server.download(officeStatement, own, officer)).bytes)
  for (const words of ['Fee statement', school.code]) assert.ok(text.includes(words), words)
  const query = { schoolId: '99999999', FYear: thisSeason }
  const none = await server.call(officeStatement, { query }, officer)
  assert.equal(none.status, 404)
})

test('roles that may read payments read the ledger; results staff, schools and visitors do not', async () => {
  const { token } = await aSchoolThatOwes(1)
  const call = (who?: { token: string }) => server.call(officeLedger, { query: { FYear: thisSeason } }, who)
  assert.equal((await call(await anOfficer('viewer'))).status, 200)
  assert.equal((await call(await anOfficer('results'))).status, 403)
  assert.notEqual((await call({ token })).status, 200)
  assert.equal((await call()).status, 401)
  const own = await server.call(accountStatement, { query: { FYear: thisSeason } }, officer)
  assert.notEqual(own.status, 200)
})

test("an account starts with the fees entered and the school's share, each with the balance after it", async () => {
  const who = await aTeacher()
  await anEnteredStudent(server, who)
  await anEnteredStudent(server, who, { subjectName: 'Mathematics', cb: '' })
  const { data } = await checkAccount(who)
  const [charge] = data
  assert.deepEqual([charge?.students, charge?.items, charge?.day], [2, 3, '2026-11-21'])
  assert.deepEqual(brief(await account(who)), [
    ['charge', 'Registration Fee', 525, 0, 525],
    ['share', 'Registration Fee', 0, 75, 450],
    ['charge', 'Book Fee', 220, 0, 670],
    ['share', 'Book Fee', 0, 20, 650],
  ])
})

test('a payment changes the balance once it is verified, with its receipt number, and not before', async () => {
  const who = await aTeacher()
  await anEnteredStudent(server, who, { cb: '' })
  const id = await send(who)
  const waiting = await checkAccount(who)
  assert.deepEqual([waiting.totals.balance, waiting.totals.beingVerified], [300, 300])
  const receiptNo = await verify(id)
  const { data, totals } = await checkAccount(who)
  assert.deepEqual([totals.balance, totals.paid, totals.beingVerified], [0, 300, 0])
  const last = data.at(-1)
  assert.deepEqual(
    [last?.kind, last?.credit, last?.balance, last?.receiptNo, last?.paymentId],
    ['verified', 300, 0, receiptNo, id],
  )
})

test('a rejected payment is listed with its reason, a withdrawn one without, and the next one counts', async () => {
  const who = await aTeacher()
  await anEnteredStudent(server, who, { cb: '' })
  await reject(await send(who), 'Another amount has arrived')
  const { data, totals } = await checkAccount(who)
  assert.deepEqual(valuesOf(data.slice(2), 'kind', 'debit', 'credit', 'balance', 'reason'), [
    ['sent', 0, 0, 300, ''],
    ['rejected', 0, 0, 300, 'Another amount has arrived'],
  ])
  assert.deepEqual([totals.beingVerified, totals.balance], [0, 300])
  await server.ask(withdrawPayment, { id: await send(who) }, who)
  const later = await checkAccount(who)
  assert.deepEqual(valuesOf(later.data.slice(4), 'kind', 'balance', 'reason'), [
    ['sent', 300, ''],
    ['withdrawn', 300, ''],
  ])
  assert.equal(later.totals.beingVerified, 0)
  await verify(await send(who))
  assert.equal((await checkAccount(who)).totals.balance, 0)
})

test('a library order has its own lines and its own payment', async () => {
  const who = await aTeacher()
  await anEnteredStudent(server, who)
  await anOrderedBook(server, who, { quantity: 10 })
  const before = await checkAccount(who)
  const order = before.data.find((line) => line.paymentFor === 'Library Book Fee')
  assert.deepEqual([order?.kind, order?.items, order?.students, order?.debit], ['charge', 10, 0, 2200])
  await verify(await send(who, 'Library Book Fee'))
  const after = await checkAccount(who)
  assert.equal(after.totals.balance, before.totals.balance - 2000)
  const row = after.book.data.find((line) => line.paymentFor === 'Library Book Fee')
  assert.deepEqual([row?.heads, row?.paidHeads, row?.shareFrom, row?.retained], [10, 10, 20, 200])
})

test('copies deleted from a library order are not charged', async () => {
  const who = await aTeacher()
  const { id } = await anOrderedBook(server, who)
  await anOrderedBook(server, who, { bookCategory: 'geneX', quantity: 4 })
  await server.ask(deleteBookOrder, { id }, who)
  const { totals } = await checkAccount(who)
  assert.equal(totals.gross, 4 * 310)
})

test('everything adds up after each step of a busy season', async () => {
  const who = await aTeacher()
  assert.deepEqual((await checkAccount(who)).data, [])
  await anEnteredStudent(server, who)
  await anEnteredStudent(server, who, { classId: 12, subjectName: 'English,Hindi', cb: '' })
  await checkAccount(who)
  const registration = await send(who)
  const books = await send(who, 'Book Fee')
  await anEnteredStudent(server, who, { subjectName: 'Science', cb: 'Science', pyqp: 'Science' })
  await checkAccount(who)
  await verify(registration)
  await checkAccount(who)
  await reject(books, 'Nothing has arrived')
  await checkAccount(who)
  await verify(await send(who, 'Book Fee'))
  await anOrderedBook(server, who)
  const { totals } = await checkAccount(who)
  assert.ok(totals.paid > 0 && totals.balance > 0)
})

test('a deleted student is not charged', async () => {
  const who = await aTeacher()
  const { id } = await anEnteredStudent(server, who)
  await server.ask(deleteStudentPost, { studentId: id }, who)
  assert.deepEqual((await checkAccount(who)).data, [])
})

test('entries before and after midnight in India are listed under different days', async () => {
  const { schoolId } = await aTeacher()
  for (const instant of ['2026-11-22T18:29:00Z', '2026-11-22T18:31:00Z']) {
    now = new Date(instant)
    await anEnteredStudent(server, await aTeacher({ schoolId, now }), { cb: '' })
  }
  const who = await aTeacher({ schoolId, now })
  const days = (await account(who)).data.filter(({ kind }) => kind === 'charge').map(({ day }) => day)
  now = aDay
  assert.deepEqual(days, ['2026-11-22', '2026-11-23'])
})

test('amounts are exact to the paisa', async () => {
  const who = await aTeacher()
  const { id } = await anEnteredStudent(server, who, { subjectName: 'Mathematics', cb: '' })
  await changeRows('students', { id }, { reg_amount: 17_533, reg_retained: 2_511 })
  await changeRows('enrolments', { student_id: id }, { fee: 17_533, retained: 2_511 })
  const { totals } = await checkAccount(who)
  assert.deepEqual([totals.gross, totals.retained, totals.balance], [175.33, 25.11, 150.22])
})

test("the ledger shows each subject's share per entry, and how many entries are paid", async () => {
  const who = await aTeacher()
  await anEnteredStudent(server, who, { cb: '' })
  await verify(await send(who))
  const other = await anEnteredStudent(server, who, { subjectName: 'Mathematics', cb: '' })
  await changeRows('students', { id: other.id }, { reg_retained: 3_000 })
  await changeRows('enrolments', { student_id: other.id }, { retained: 3_000 })
  const { book } = await checkAccount(who)
  assert.deepEqual(book.data, [
    {
      paymentFor: 'Registration Fee',
      eventLetter: 'M',
      subjectName: 'Mathematics',
      heads: 2,
      paidHeads: 1,
      shareFrom: 25,
      shareTo: 30,
      late: false,
      gross: 350,
      retained: 55,
      payable: 295,
    },
    {
      paymentFor: 'Registration Fee',
      eventLetter: 'S',
      subjectName: 'Science',
      heads: 1,
      paidHeads: 1,
      shareFrom: 25,
      shareTo: 25,
      late: false,
      gross: 175,
      retained: 25,
      payable: 150,
    },
  ])
})

test('another school sees an empty account, and a request that names another school is refused', async () => {
  const who = await aTeacher()
  await anEnteredStudent(server, who)
  const stranger = await aTeacher()
  assert.deepEqual((await checkAccount(stranger)).data, [])
  for (const endpoint of [accountStatement, shareLedger]) {
    const foreign = { ...query, schId: String((await aSchool()).id) }
    await server.refuses('access.other_school', endpoint, foreign, stranger)
  }
})

test('the PDF of the fee statement contains the account and the ledger', async () => {
  const who = await aTeacher()
  await anEnteredStudent(server, who)
  const receiptNo = await verify(await send(who))
  const { bytes } = await server.download(feeStatement, query, who)
  const text = pdfText(bytes)
  for (const words of ['Statement of account', 'Retained share', receiptNo, 'Mathematics']) {
    assert.ok(text.includes(words), words)
  }
})

const purpose = fc.constantFrom('registration' as const, 'books' as const, 'library' as const)
const amount = fc.integer({ min: 0, max: 2_000_000_000 })
const days = fc.integer({ min: 0, max: 300 }).map((n) => new Date(Date.UTC(2026, 3, 1, 12) + n * 86_400_000))
const charge: fc.Arbitrary<Charge> = fc
  .record({ purpose, on: days, gross: amount, part: fc.integer({ min: 0, max: 100 }) })
  .map(({ on, part, ...rest }) => ({
    ...rest,
    day: on.toISOString().slice(0, 10),
    students: 1,
    items: 1,
    retained: Math.floor((rest.gross * part) / 100),
  }))
const payment: fc.Arbitrary<SentMoney> = fc
  .record({
    ...{ purpose, payable: amount, at: days, withdrawn: fc.boolean() },
    state: fc.constantFrom('pending', 'verified', 'rejected'),
  })
  .map(({ at, ...rest }) => ({
    ...rest,
    id: 1,
    reference: 'PD27',
    reason: '',
    receipt_no: null,
    submitted_at: at,
    decided_at: rest.state === 'pending' ? null : new Date(at.getTime() + 1000),
  }))

/** A school's credit, and its contra entries. */
const credit: fc.Arbitrary<CreditEntry> = fc
  .record({
    kind: fc.constantFrom('received', 'used', 'refunded'),
    size: fc.integer({ min: 1, max: 9_00_000 }),
    at: days,
  })
  .map(({ kind, size, at }) => ({
    kind,
    amount: kind === 'received' ? size : -size,
    at,
    utr: '',
    receipt_no: '',
    reason: '',
  }))

test('whatever is charged and paid, the final balance is gross less share, payments and credit', () => {
  fc.assert(
    fc.property(fc.array(charge), fc.array(payment), fc.array(credit), (charges, payments, credits) => {
      const lines = accountOf([
        ...charges.flatMap(chargeMovements),
        ...payments.flatMap(paymentMovements),
        ...credits.map(creditMovement),
      ])
      const total = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0)
      const gross = total(charges.map((charge) => charge.gross))
      const retained = total(charges.map((charge) => charge.retained))
      const arrived = total(
        payments.filter(({ state }) => state === 'verified').map((payment) => payment.payable),
      )
      const waiting = total(
        payments.filter(({ state }) => state === 'pending').map((payment) => payment.payable),
      )
      const inHand = total(credits.map((credit) => credit.amount))
      assert.deepEqual(totalsOf(lines), {
        gross: paise(gross),
        retained: paise(retained),
        payable: paise(gross - retained),
        paid: paise(arrived),
        beingVerified: paise(waiting),
        waived: paise(0),
        moved: paise(0),
        credit: paise(inHand),
        balance: paise(gross - retained - arrived - inHand),
      })
      assert.equal(lines.at(-1)?.balance ?? 0, gross - retained - arrived - inHand)
    }),
  )
})
