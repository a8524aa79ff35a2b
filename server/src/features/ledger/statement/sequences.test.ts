import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { saveBookOrder } from '@podium/contract/books/calls'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { rejectPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import { approveWaiver, askWaiver } from '@podium/contract/payments/calls-waivers'
import type { PaymentKind } from '@podium/contract/payments/rules'
import {
  deleteStudentPost,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { cancelStudent } from '@podium/contract/students/calls-register'
import { getSignOffs, reopenList, signOffLists } from '@podium/contract/students/calls-sign-off'
import fc from 'fast-check'
import { sql } from 'kysely'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { ledgerHolds } from '#test/ledger-checks'
import { aFoundation, anOrder, aProof, aSubmission, setShare, yesToWaiver } from '#test/payments-factories'
import { beforehand, testServer } from '#test/server'
import { anEntry } from '#test/students-factories'

/**
 * Whatever a school and the office do in whatever order, under each kind of share: what is payable, paid, waived,
 * covered and credited adds up after every step, counted here by a few plain sums.
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

const children = (teacher: Teacher) =>
  db().selectFrom('students').selectAll().where('school_id', '=', teacher.schoolId).orderBy('id').execute()
const pending = (teacher: Teacher) =>
  db()
    .selectFrom('payments')
    .select(['id', 'version'])
    .where('school_id', '=', teacher.schoolId)
    .where('state', '=', 'pending')
    .orderBy('id')
    .executeTakeFirst()
const kinds: readonly PaymentKind[] = ['Registration Fee', 'Book Fee', 'Library Book Fee']
const subjects = ['M', 'S', 'M,S']
const reason = 'For the sequence'

interface Answer {
  status: number
  body: { message: string }
}

/** What may be done; `at` chooses of whom and what. Undefined where there is nothing to do it with. */
const acts: Record<string, (teacher: Teacher, at: number) => Promise<Answer | undefined>> = {
  async enter(teacher, at) {
    const subjectName = subjects[at % 3]
    const body = anEntry({ subjectName, cb: at % 2 === 0 ? (subjectName?.slice(0, 1) ?? '') : '' })
    return server.call(saveStudentDetails, { body }, teacher)
  },
  async change(teacher, at) {
    const all = await children(teacher)
    const one = all[at % Math.max(1, all.length)]
    if (!one) return undefined
    const entry = anEntry({ classId: at % 4 === 0 ? 8 : 7, subjectName: subjects[(at + 1) % 3], cb: '' })
    return server.call(saveStudentDetails, { body: { ...entry, id: one.id, version: one.version } }, teacher)
  },
  async remove(teacher, at) {
    const all = (await children(teacher)).filter(({ active }) => active)
    const one = all[at % Math.max(1, all.length)]
    return one && server.call(deleteStudentPost, { body: { studentId: one.id } }, teacher)
  },
  async restore(teacher, at) {
    const all = (await children(teacher)).filter(({ active }) => !active)
    const one = all[at % Math.max(1, all.length)]
    return one && server.call(restoreStudent, { body: { studentId: one.id } }, teacher)
  },
  async order(teacher, at) {
    return server.call(saveBookOrder, { body: anOrder({ quantity: 1 + (at % 7) }) }, teacher)
  },
  async pay(teacher, at) {
    const { dataList } = (await server.call(paymentSummary, { query }, teacher)).body
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
  async verify(teacher) {
    const body = await pending(teacher)
    return body && server.call(verifyPayment, { body }, owner)
  },
  async reject(teacher) {
    const waits = await pending(teacher)
    return waits && server.call(rejectPayment, { body: { ...waits, reason } }, owner)
  },
  async waive(teacher, at) {
    const all = await children(teacher)
    const one = all[at % Math.max(1, all.length)]
    if (!one) return undefined
    const body = { studentId: one.id, reason, attechment: await aProof(), attechmentName: 'letter.png' }
    const asked = await server.call(askWaiver, { body }, teacher)
    if (asked.status !== 200 || at % 3 === 0) return asked
    return server.call(approveWaiver, await yesToWaiver(server, accounts, asked.body.id), accounts)
  },
  async cancel(teacher, at) {
    const all = await children(teacher)
    const one = all[at % Math.max(1, all.length)]
    return one && server.call(cancelStudent, { body: { id: one.id, version: one.version, reason } }, owner)
  },
  async sign(teacher, at) {
    const { data } = (await server.call(getSignOffs, { query }, teacher)).body
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

const paiseOf = (rupees: number) => Math.round(rupees * 100)

/** Lines and payments, entries and children, numbers of receipts and of the exam, of the whole database. */
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

/** What a school owes of a kind by its rows, in paise: what is due, less what is with the foundation or need not be paid. */
async function owed(teacher: Teacher): Promise<Record<PaymentKind, number>> {
  const all = await children(teacher)
  const live = await db()
    .selectFrom('payment_lines')
    .selectAll()
    .where('live', '=', true)
    .where(
      'student_id',
      'in',
      all.map(({ id }) => id),
    )
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
  const waits = new Set(sent.rows.map(({ id }) => Number(id)))
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
        .filter(({ id }) => !waits.has(Number(id)))
        .map((line) => line.quantity * (line.price - line.retained)),
    ),
  }
}

/** Cards, statement and rows of a school tell the same. */
async function holds(teacher: Teacher): Promise<void> {
  const { dataList, credit } = (await server.call(paymentSummary, { query }, teacher)).body
  const { data, totals } = (await server.call(accountStatement, { query }, teacher)).body
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
    paiseOf(totals.payable) - paiseOf(totals.paid) - paiseOf(totals.waived) - paiseOf(totals.credit),
    balance,
    'payable = due − paid',
  )
  assert.equal(paiseOf(credit), paiseOf(totals.credit))
  const rows = await owed(teacher)
  for (const kind of kinds)
    assert.equal(total(due.filter((card) => card.paymentFor === kind)), rows[kind], kind)
  const { data: listed } = (await server.call(getStudentDetails, { body: query }, teacher)).body
  for (const child of listed)
    assert.ok(child.regAmount >= child.school_Expenses && child.school_Expenses >= 0)
  assert.deepEqual(await rowsThatDiffer(), [])
}

const names = Object.keys(acts)
const step = fc.record({
  what: fc.constantFrom('enter', 'enter', 'pay', 'pay', 'verify', 'reject', 'remove', 'restore', ...names),
  at: fc.nat(60),
})
const sequence = fc.record({
  share: fc.constantFrom(...shares),
  steps: fc.array(step, { minLength: 12, maxLength: 16 }),
})

test('whatever a school and the office do in whatever order, fees, payments, waivers and credits add up after every step', async () => {
  const done = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(sequence, async ({ share, steps }) => {
      const set = await setShare(server, owner, share)
      assert.equal(set.status, 200, set.body.message)
      const teacher = await aTeacher({ coordinator: true, name: 'Hema Misaal' })
      for (const { what, at } of [{ what: 'enter', at: 2 }, ...steps]) {
        const answer = await acts[what]?.(teacher, at)
        assert.ok((answer?.status ?? 200) < 500, `${what}: ${answer?.body.message}`)
        if (answer?.status === 200) done.set(what, (done.get(what) ?? 0) + 1)
        await holds(teacher)
      }
      await ledgerHolds(server, owner, teacher)
    }),
    { numRuns: 40, seed: 20, endOnFailure: true },
  )
  // Not all of it was refused.
  for (const what of names)
    assert.ok((done.get(what) ?? 0) >= 3, `${what} was done ${done.get(what) ?? 0} times`)
})
