import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BankLine, bookLine, decideReturned } from '@podium/contract/bank/calls'
import { decideRefund, payRefund, proposeRefund, returnRefund } from '@podium/contract/bank/calls-credits'
import { deleteBookOrder, getBookOrder, saveBookOrder } from '@podium/contract/books/calls'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { paymentSummary, savePayment, withdrawPayment } from '@podium/contract/payments/calls'
import { rejectPayment, reopenPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import { approveWaiver, askWaiver } from '@podium/contract/payments/calls-waivers'
import type { PaymentKind } from '@podium/contract/payments/rules'
import {
  deleteStudentPost,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { cancelStudent, correctStudent, moveStudent } from '@podium/contract/students/calls-register'
import { getSignOffs, reopenList, signOffLists } from '@podium/contract/students/calls-sign-off'
import fc from 'fast-check'
import { sql } from 'kysely'
import { mergeOf } from '#test/accounts-factories'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import {
  aFoundation,
  anOrder,
  aPendingPayment,
  aProof,
  aStudent,
  aSubmission,
  ledgerHolds,
  setShare,
  yesToWaiver,
} from '#test/payments-factories'
import { findRow } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEntry } from '#test/students-factories'

/**
 * Random sequences of actions by two schools, the office and the bank, for each kind of share, and the two merged in the end:
 * payable, paid, waived, covered and credited amounts add up after every step, compared with a few plain sums.
 */

const server = beforehand(() => testServer({ clock: () => aDay }))
const owner = beforehand(() => anOfficer('owner'))
const accounts = beforehand(() => anOfficer('accounts'))
before(async () => {
  await aSeason()
  await aFoundation()
})

const db = () => server.deps.db
const query = { FYear: thisSeason }
type Teacher = Awaited<ReturnType<typeof aTeacher>>

const shares = [
  { kind: 'perHead' },
  { kind: 'percent', percent: 12.5 },
  { kind: 'percent', percent: 100 },
  {
    kind: 'slabs',
    slabs: [
      { from: 1, share: 20 },
      { from: 3, share: 45.5 },
      { from: 5, share: 500 },
    ],
  },
] as const

const studentsOf = (teacher: Teacher) =>
  db().selectFrom('students').selectAll().where('school_id', '=', teacher.schoolId).orderBy('id').execute()
type Student = Awaited<ReturnType<typeof studentsOf>>[number]
async function studentAt(teacher: Teacher, at: number, wanted: (student: Student) => boolean = () => true) {
  const students = (await studentsOf(teacher)).filter(wanted)
  return students[at % Math.max(1, students.length)]
}
const paymentOf = (teacher: Teacher, state: 'pending' | 'rejected') =>
  db()
    .selectFrom('payments')
    .select(['id', 'version'])
    .where('school_id', '=', teacher.schoolId)
    .where('state', '=', state)
    .where('decided_by', state === 'pending' ? 'is' : 'is not', null)
    .where('reversed_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
const kinds: readonly PaymentKind[] = ['Registration Fee', 'Book Fee', 'Library Book Fee']
const subjects = ['M', 'S', 'M,S']
const reason = 'For the sequence'

interface BookedLine {
  id: number
  utr: string
  /** Rupees */
  amount: number
}
const returnOf = ({ id, utr, amount }: BookedLine) => ({
  narration: `RTN ${id}`,
  amount: -amount,
  day: '20/11/2026',
  utr,
})

/** What is proposed for a line of a statement, as it is booked. */
const amountsOf = ({ parts, credits, used }: BankLine['proposal']) => {
  const amounts = (list: typeof credits) => list.map(({ schoolId, amount }) => ({ schoolId, amount }))
  return { parts, credits: amounts(credits), used: amounts(used) }
}

const seen = ({ id, version }: { id: number; version: number }) => ({ id, version })
/** The school that students of another are moved to */
const neighbours = new Map<Teacher, Teacher>()

interface Answer {
  status: number
  body: { message: string }
}

/** The actions; `at` chooses their subject. Undefined if there is none. */
const actions: Record<string, (teacher: Teacher, at: number) => Promise<Answer | undefined>> = {
  async enter(teacher, at) {
    const subjectName = subjects[at % 3]
    const body = anEntry({ subjectName, cb: at % 2 === 0 ? (subjectName?.slice(0, 1) ?? '') : '' })
    return server.call(saveStudentDetails, { body }, teacher)
  },
  async change(teacher, at) {
    const student = await studentAt(teacher, at)
    if (!student) return undefined
    const entry = anEntry({ classId: at % 4 === 0 ? 8 : 7, subjectName: subjects[(at + 1) % 3], cb: '' })
    return server.call(
      saveStudentDetails,
      { body: { ...entry, id: student.id, version: student.version } },
      teacher,
    )
  },
  async remove(teacher, at) {
    const student = await studentAt(teacher, at, ({ active }) => active)
    return student && server.call(deleteStudentPost, { body: { studentId: student.id } }, teacher)
  },
  async restore(teacher, at) {
    const student = await studentAt(teacher, at, ({ active, cancelled }) => !active && !cancelled)
    return student && server.call(restoreStudent, { body: { studentId: student.id } }, teacher)
  },
  async order(teacher, at) {
    return server.call(saveBookOrder, { body: anOrder({ quantity: 1 + (at % 7) }) }, teacher)
  },
  async pay(teacher, at) {
    const { dataList } = await server.ask(paymentSummary, query, teacher)
    const due = kinds.filter((kind) =>
      dataList.some(
        (card) =>
          card.paymentFor === kind && card.paymentStatus_For_School === 0 && card.paymentStatus === 'Pending',
      ),
    )
    const kind = due[at % Math.max(1, due.length)]
    if (!kind) return undefined
    const body = await aSubmission(server, teacher.token, kind)
    return server.call(savePayment, { body }, teacher)
  },
  async verify(teacher, at) {
    const payment = await sentBy(teacher, at)
    return payment && server.call(verifyPayment, { body: seen(payment) }, owner)
  },
  async reject(teacher, at) {
    const payment = await sentBy(teacher, at)
    return payment && server.call(rejectPayment, { body: { ...seen(payment), reason } }, owner)
  },
  async withdraw(teacher, at) {
    const payment = await sentBy(teacher, at)
    return payment && server.call(withdrawPayment, { body: { id: payment.id } }, teacher)
  },
  async reopen(teacher, at) {
    const sent = await sentBy(teacher, at)
    if (sent) await server.ask(rejectPayment, { ...seen(sent), reason }, owner)
    const payment = await paymentOf(teacher, 'rejected')
    return payment && server.call(reopenPayment, { body: seen(payment) }, owner)
  },
  // Money arrives for what is due or was sent: as much, more, or less. It is booked as proposed, or else as credit.
  async arrive(teacher, at) {
    const { dataList } = await server.ask(paymentSummary, query, teacher)
    const open = dataList.filter(({ paymentStatus }) => paymentStatus === 'Pending')
    const card = open[at % Math.max(1, open.length)]
    if (!card) return undefined
    const utr = aUtr()
    const amount = Math.max(1, card.payableAmount + ([0, 0, 75.5, -30][at % 4] ?? 0))
    await anImport(server, accounts.token, [{ narration: `NEFT ${card.reference} ${utr}`, amount }])
    const { id, version, proposal } = await lineWith(server, accounts.token, utr)
    const proposed = amountsOf(proposal)
    const credit = { parts: [], credits: [{ schoolId: teacher.schoolId, amount }] }
    const { parts, credits } = proposed
    const body = { id, version, ...(parts.length + credits.length > 0 ? proposed : credit) }
    const answer = await server.call(bookLine, { body }, accounts)
    assert.notEqual(answer.status, 400, 'what is proposed adds up')
    return answer
  },
  async bounce(teacher, at) {
    if (at % 3 === 0) await actions.arrive?.(teacher, at)
    const { rows } = await sql<BookedLine>`
      select l.id, l.utr, l.amount / 100.0::float8 as amount from bank_lines l
      where l.state = 'booked' and l.returned_decided_at is null and l.amount > 0 and (exists (
        select from bank_line_payments b join payments p on p.id = b.payment_id where b.line_id = l.id and p.school_id = ${teacher.schoolId})
        or exists (select from school_credits c where c.line_id = l.id and c.school_id = ${teacher.schoolId}))
      order by l.id`.execute(db())
    const line = rows[at % Math.max(1, rows.length)]
    if (!line) return undefined
    const { id } = line
    await anImport(server, accounts.token, [returnOf(line)])
    const { version } = await findRow('bank_lines', { id }, ['version'])
    const decision = at % 4 === 0 ? 'keep' : 'reverse'
    return server.call(decideReturned, { body: { id, version, decision, reason } }, owner)
  },
  async refund(teacher, at) {
    const { credit } = await server.ask(paymentSummary, query, teacher)
    const amount = at % 2 === 0 ? credit : Math.floor(credit / 2)
    if (amount <= 0) return undefined
    const proposal = { schoolId: teacher.schoolId, amount, payTo: 'A/c 123', reason }
    const proposed = await server.call(proposeRefund, { body: proposal }, accounts)
    if (proposed.status !== 200) return proposed
    const { id } = proposed.body
    const decided = await server.call(
      decideRefund,
      { body: { id, approve: at % 5 > 0, note: 'Seen' } },
      owner,
    )
    if (decided.status !== 200 || at % 5 === 0) return decided
    return at % 3 === 0
      ? server.call(returnRefund, { body: { id, reason } }, accounts)
      : server.call(payRefund, { body: { id, utr: aUtr() } }, accounts)
  },
  async reorder(teacher, at) {
    const { data } = await server.ask(getBookOrder, query, teacher)
    const line = data[at % Math.max(1, data.length)]
    if (!line) return actions.order?.(teacher, at)
    const { id, version } = line
    return at % 2 === 0
      ? server.call(deleteBookOrder, { body: { id, version } }, teacher)
      : server.call(saveBookOrder, { body: { ...anOrder({ quantity: 1 + (at % 9) }), id, version } }, teacher)
  },
  async move(teacher, at) {
    const student = await studentAt(teacher, at)
    const other = neighbours.get(teacher)
    if (!student || !other) return undefined
    const { code: schCode } = await findRow('schools', { id: other.schoolId })
    const { id, version } = student
    const body = { id, version, schCode, section: 'M', rollno: id, reason }
    return server.call(moveStudent, { body }, owner)
  },
  async correct(teacher, at) {
    const student = await studentAt(teacher, at)
    if (!student) return undefined
    const { id, version } = student
    const to = {
      classId: at % 2 === 0 ? 8 : 7,
      section: 'C',
      rollno: id,
      studentName: 'Ira Misaal',
      parentName: '',
      parentEmailId: '',
      parentMobileNo: '',
    }
    return server.call(correctStudent, { body: { id, version, ...to, reason } }, owner)
  },
  async waive(teacher, at) {
    const student = await studentAt(teacher, at)
    if (!student) return undefined
    const body = { studentId: student.id, reason, attechment: await aProof(), attechmentName: 'letter.png' }
    const asked = await server.call(askWaiver, { body }, teacher)
    if (asked.status !== 200 || at % 3 === 0) return asked
    return server.call(approveWaiver, await yesToWaiver(server, accounts, asked.body.id), accounts)
  },
  async cancel(teacher, at) {
    const student = await studentAt(teacher, at)
    return (
      student &&
      server.call(cancelStudent, { body: { id: student.id, version: student.version, reason } }, owner)
    )
  },
  async sign(teacher, at) {
    const { data } = await server.ask(getSignOffs, query, teacher)
    const list = data[at % Math.max(1, data.length)]
    if (!list) return undefined
    const { eventManagementId, totalStudent: students } = list
    return list.signedOff
      ? server.call(reopenList, { body: { eventManagementId, reason } }, teacher)
      : server.call(
          signOffLists,
          { body: { name: 'Hema Misaal', lists: [{ eventManagementId, students }] } },
          teacher,
        )
  },
}

/** A payment that waits to be verified; sent now if there is none. */
async function sentBy(teacher: Teacher, at: number) {
  const sent = await paymentOf(teacher, 'pending')
  if (sent) return sent
  await actions.pay?.(teacher, at)
  return paymentOf(teacher, 'pending')
}

/** Never −0, which `assert.equal` tells from 0. */
const paiseOf = (rupees: number) => Math.round(rupees * 100) + 0

/** Checks the whole database: lines against payments, entries against students, receipt and exam roll numbers. */
async function rowsThatDiffer(): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'payment ' || p.id || ' is not the sum of its lines' as what from payments p
      join lateral (
        select sum(gross) as gross, sum(retained) as retained from (
          select gross, retained from payment_lines where payment_id = p.id
          union all select gross, retained from payment_library_lines where payment_id = p.id) l) l on true
      where p.gross <> l.gross or p.retained <> l.retained or p.payable <> p.gross - p.retained or p.payable < 0
    union all
    select 'student ' || s.id || ' is not the sum of its entries' from students s
      join lateral (select sum(fee) as fee, sum(retained) as kept from enrolments where student_id = s.id) e on true
      where s.reg_amount <> e.fee or s.reg_retained <> e.kept
    union all
    select 'entry of student ' || student_id || ' keeps more than its fee' from enrolments
      where retained < 0 or retained > fee - late_fee
    union all
    select 'student ' || student_id || ' is paid for twice' from payment_lines where live
      group by student_id, purpose having count(*) > 1
    union all
    select 'student ' || id || ' is paid and has no exam roll no' from students where paid and exam_roll_no is null
    union all
    select 'exam roll no ' || exam_roll_no || ' is given twice' from students where exam_roll_no is not null
      group by season, exam_roll_no having count(*) > 1
    union all
    select 'receipts have a gap or a twin' from payments where receipt_no is not null
      group by season having count(*) <> max(split_part(receipt_no, '/', 2)::int) or count(distinct receipt_no) <> count(*)
    union all
    select 'school ' || school_id || ' has less than nothing to its credit' from school_credits
      group by school_id having sum(amount) < 0`.execute(db())
  return rows.map(({ what }) => what)
}

/** What a school owes for one kind of fee according to its rows, in paise: fees less payments, waivers and credit. */
async function owed(teacher: Teacher): Promise<Record<PaymentKind, number>> {
  const all = await studentsOf(teacher)
  const live = await db()
    .selectFrom('payment_lines')
    .selectAll()
    .where('live', '=', true)
    .where('student_id', 'in', [0, ...all.map(({ id }) => id)])
    .execute()
  const covers = (id: number, purpose: string) =>
    live.some((line) => line.student_id === id && line.purpose === purpose)
  const active = all.filter((child) => child.active)
  const library = await db()
    .selectFrom('library_lines')
    .selectAll()
    .where('school_id', '=', teacher.schoolId)
    .where('active', '=', true)
    .where('paid', '=', false)
    .execute()
  const sent = await sql<{ id: number }>`
    select l.line_id as id from payment_library_lines l join payments p on p.id = l.payment_id
    where p.school_id = ${teacher.schoolId} and p.state = 'pending'`.execute(db())
  const pendingLines = new Set(sent.rows.map(({ id }) => Number(id)))
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    'Registration Fee': sum(
      active
        .filter(({ id, paid }) => !paid && !covers(id, 'registration'))
        .map((child) => child.reg_amount - child.reg_retained),
    ),
    'Book Fee': sum(
      active.filter(({ id }) => !covers(id, 'books')).map((child) => child.book_amount - child.book_retained),
    ),
    'Library Book Fee': sum(
      library
        .filter(({ id }) => !pendingLines.has(Number(id)))
        .map((line) => line.quantity * (line.price - line.retained)),
    ),
  }
}

/** A school's cards, statement and rows agree. */
async function checkAmounts(teacher: Teacher): Promise<void> {
  const { dataList, credit } = await server.ask(paymentSummary, query, teacher)
  const { data, totals } = await server.ask(accountStatement, query, teacher)
  let balance = 0
  for (const line of data) {
    for (const amount of [line.amount, line.debit, line.credit]) assert.ok(amount >= 0, JSON.stringify(line))
    balance += paiseOf(line.debit) - paiseOf(line.credit)
    assert.equal(paiseOf(line.balance), balance, 'each line has the balance after it')
  }
  assert.equal(paiseOf(totals.balance), balance)
  const open = dataList.filter((card) => card.paymentStatus === 'Pending')
  const due = open.filter((card) => card.paymentStatus_For_School === 0)
  const total = (cards: typeof open) => cards.reduce((sum, card) => sum + paiseOf(card.payableAmount), 0)
  for (const card of open) {
    assert.ok(card.payableAmount > 0 && card.retained >= 0)
    assert.equal(paiseOf(card.gross) - paiseOf(card.retained), paiseOf(card.payableAmount))
  }
  const verifying = paiseOf(totals.beingVerified)
  assert.equal(total(open) - total(due), verifying)
  assert.equal(
    balance,
    total(due) + verifying - paiseOf(totals.credit),
    'balance = cards + verifying − credit',
  )
  assert.equal(
    paiseOf(totals.payable - totals.paid - totals.waived - totals.moved - totals.credit),
    balance,
    'payable − paid − waived − moved − credit = balance',
  )
  assert.equal(paiseOf(credit), paiseOf(totals.credit))
  const rows = await owed(teacher)
  for (const kind of kinds)
    assert.equal(total(due.filter((card) => card.paymentFor === kind)), rows[kind], kind)
  const { data: listed } = await server.ask(getStudentDetails, query, teacher)
  for (const child of listed)
    assert.ok(child.regAmount >= child.school_Expenses && child.school_Expenses >= 0)
  assert.deepEqual(await rowsThatDiffer(), [])
}

const balanceOf = async (teacher: Teacher) =>
  paiseOf((await server.ask(accountStatement, query, teacher)).totals.balance)

/** Merges a school into another, if nothing prevents it, and checks that they owe together what each owed. */
async function merge(into: Teacher, from: Teacher, slabs: boolean): Promise<Answer> {
  const before = (await balanceOf(into)) + (await balanceOf(from))
  const answer = await mergeOf(server, owner, { target: into.schoolId, source: from.schoolId })
  if (answer.status !== 200) return answer
  await server.jobs.drain()
  await checkAmounts(into)
  // Under slabs more students together may keep more of what is open.
  const after = await balanceOf(into)
  if (slabs) assert.ok(after <= before)
  else assert.equal(after, before, 'what both owed')
  return answer
}

const names = Object.keys(actions)
const often = 'enter enter enter pay pay pay arrive arrive verify reject reopen remove restore bounce'.split(
  ' ',
)
const step = fc.record({
  what: fc.constantFrom(...often, ...names),
  at: fc.nat(60),
  /** By which of two schools */
  by: fc.constantFrom(0, 0, 0, 1),
})
const sequence = fc.record({
  share: fc.constantFrom(...shares),
  steps: fc.array(step, { minLength: 12, maxLength: 16 }),
})

test('whatever a school and the office do, fees, payments, waivers and credits add up after every step', async () => {
  const done = new Set<string>()
  const count = (what: string, answer: Answer | undefined) => {
    assert.ok((answer?.status ?? 200) < 500, `${what}: ${answer?.body.message}`)
    if (answer?.status === 200) done.add(what)
  }
  await fc.assert(
    fc.asyncProperty(sequence, async ({ share, steps }) => {
      const set = await setShare(server, owner, share)
      assert.equal(set.status, 200, set.body.message)
      const first = await aTeacher({ coordinator: true, name: 'Hema Misaal' })
      const second = await aTeacher({ coordinator: true, name: 'Hema Misaal' })
      neighbours.set(first, second).set(second, first)
      for (const { what, at, by } of [{ what: 'enter', at: 2, by: 0 }, ...steps]) {
        const teacher = by === 0 ? first : second
        count(what, await actions[what]?.(teacher, at))
        await checkAmounts(teacher)
        if (what === 'move') await checkAmounts(by === 0 ? second : first)
      }
      await ledgerHolds(server, owner, first)
      await ledgerHolds(server, owner, second)
      count('merge', await merge(first, second, share.kind === 'slabs'))
      await ledgerHolds(server, owner, first)
    }),
    { numRuns: 30, seed: 20, endOnFailure: true },
  )
  for (const what of [...names, 'merge']) assert.ok(done.has(what), `${what} was never done`)
})

/** Imports a line of this amount, books it as it is proposed, and checks the ledger. */
async function payByLine(teacher: Teacher, text: string, amount: number) {
  const utr = aUtr()
  await anImport(server, accounts.token, [{ narration: `NEFT ${text} ${utr}`, amount }])
  const { id, version, proposal } = await lineWith(server, accounts.token, utr)
  await server.ask(bookLine, { id, version, ...amountsOf(proposal) }, accounts)
  await ledgerHolds(server, owner, teacher)
  return { id, utr, amount }
}

/** Has the bank return a booked line, reverses its payments, and checks the ledger; returns the refusal, if any. */
async function reverse(teacher: Teacher, line: BookedLine) {
  const { id, utr } = line
  await anImport(server, accounts.token, [returnOf(line)])
  const { version } = await lineWith(server, accounts.token, utr)
  const body = { id, version, decision: 'reverse' as const, reason: 'Account closed' }
  const answer = await server.send(decideReturned, { body }, accounts)
  await ledgerHolds(server, owner, teacher)
  return answer.body.code
}

/** A payment of ₹300 by a line of ₹350: ₹50 are credit. */
async function overpaid() {
  await setShare(server, owner, { kind: 'perHead' })
  const { school, teacher, id } = await aPendingPayment(server, 2)
  const who = { ...teacher, schoolId: school.id }
  const reference = async (paymentId: number) =>
    (await findRow('payments', { id: paymentId }, ['reference'])).reference
  const line = await payByLine(who, await reference(id), 350)
  const summary = () => server.ask(paymentSummary, query, who)
  const states = async () => (await summary()).paidList.map(({ payment, state }) => [payment, state])
  assert.equal((await summary()).credit, 50)
  return { who, schoolId: school.id, line, summary, states }
}

test('the credit from a returned line is removed, unless it is used or promised to a refund', async () => {
  const plain = await overpaid()
  assert.equal(await reverse(plain.who, plain.line), undefined)
  assert.deepEqual([(await plain.summary()).credit, await plain.states()], [0, [[300, 'rejected']]])

  const promised = await overpaid()
  const proposal = { schoolId: promised.schoolId, amount: 30, payTo: 'A/c 123', reason: 'Asked for' }
  const refund = await server.ask(proposeRefund, proposal, accounts)
  assert.equal(await reverse(promised.who, promised.line), 'credit.too_little')
  assert.deepEqual(await promised.states(), [[300, 'verified']])
  await server.ask(decideRefund, { id: refund.id, approve: false, note: 'Money returned' }, owner)
  assert.equal(await reverse(promised.who, promised.line), undefined)
  assert.deepEqual([(await promised.summary()).credit, await promised.states()], [0, [[300, 'rejected']]])
})

test('credit used with a returned line is available again, and only then can the line that gave it be reversed', async () => {
  const { who, line, schoolId, summary, states } = await overpaid()
  await aStudent({ schoolId })
  const due = (await summary()).dataList.find(({ paymentStatus }) => paymentStatus === 'Pending')
  const second = await payByLine(who, due?.reference ?? '', 100)
  assert.deepEqual(
    [(await summary()).credit, (await states()).map(([, state]) => state)],
    [0, ['verified', 'verified']],
  )
  assert.equal(await reverse(who, line), 'credit.too_little')
  assert.equal(await reverse(who, second), undefined)
  assert.equal((await summary()).credit, 50)
  assert.deepEqual((await states()).map(([, state]) => state).sort(), ['rejected', 'verified'])
  assert.equal(await reverse(who, line), undefined)
  assert.equal((await summary()).credit, 0)
  assert.deepEqual(await rowsThatDiffer(), [])
})
