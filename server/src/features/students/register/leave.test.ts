import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { savePayment } from '@podium/contract/payments/calls'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import type { PaymentKind } from '@podium/contract/payments/rules'
import { getStudentDetails, restoreStudent } from '@podium/contract/students/calls'
import {
  cancelStudent,
  moveStudent,
  officeStudent,
  previewMove,
} from '@podium/contract/students/calls-register'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { aFoundation, aSubmission, ledgerHolds } from '#test/payments-factories'
import { aReleasedEvent } from '#test/results-factories'
import { changeRows, findRow } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { aFamily, anEnteredStudent } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  await aSeason()
  await aFoundation()
})
/** Too long ago for a proof of identity. */
const longAgo = new Date(aDay.getTime() - 11 * 60_000)
const operations = beforehand(() => anOfficer('operations'))
const accounts = beforehand(() => anOfficer('accounts'))

type Who = { token: string }
const query = { FYear: thisSeason }
const reason = 'The family has moved to another city.'

async function send(who: Who, kind: PaymentKind = 'Registration Fee') {
  const body = await server.ask(savePayment, await aSubmission(server, who.token, kind), who)
  return body.id
}

/** Two students of a school with verified registration fees. */
async function aPaidPair() {
  const teacher = await aTeacher()
  const [child, other] = [await anEnteredStudent(server, teacher), await anEnteredStudent(server, teacher)]
  const id = await send(teacher)
  await server.ask(verifyPayment, { id, version: 1 }, accounts)
  return { teacher, child, other, amount: child.regAmount - child.school_Expenses }
}

const rowOf = (id: number) => findRow('students', { id })
const versioned = async (id: number) => ({ id, version: (await rowOf(id)).version })
const account = (who: Who) => server.ask(accountStatement, query, who)

/** Invariants of every account: its totals give its last balance, and its charges equal those of the ledger. */
async function balanceOf(who: Who & { schoolId: number }) {
  await ledgerHolds(server, accounts, who)
  const { data, totals } = await account(who)
  assert.equal(data.at(-1)?.balance ?? 0, totals.balance)
  const ledger = await server.ask(shareLedger, query, who)
  const gross = ledger.data.reduce((sum, row) => sum + row.gross, 0)
  assert.equal(totals.gross, gross)
  return totals
}

test('what was paid for a cancelled student becomes a credit of the school, and nothing is deleted', async () => {
  const { teacher, child, amount } = await aPaidPair()
  const before = await balanceOf(teacher)
  const answer = await server.call(
    cancelStudent,
    { body: { ...(await versioned(child.id)), reason } },
    operations,
  )
  assert.deepEqual([answer.status, answer.body.credit], [200, amount])
  const after = await balanceOf(teacher)
  assert.equal(after.credit, amount)
  assert.equal(after.balance, before.balance - amount - (child.bookAmount - child.book_school_Expenses))
  const line = (await account(teacher)).data.find(({ kind }) => kind === 'cancelled')
  assert.deepEqual([line?.credit, line?.reference], [amount, `Class 7 A, ${child.rollNo}`])
  const row = await rowOf(child.id)
  assert.deepEqual([row.active, row.paid], [false, true])
  const record = await server.ask(officeStudent, { id: String(child.id) }, accounts)
  assert.deepEqual([record.student.active, record.student.cancelled], [false, true])
  assert.deepEqual(
    record.payments?.map(({ state }) => state),
    ['verified'],
  )
  await server.refuses(
    'enrolment.deleted',
    cancelStudent,
    { ...(await versioned(child.id)), reason },
    operations,
  )
  const back = await server.call(restoreStudent, { body: { studentId: child.id } }, teacher)
  assert.notEqual(back.status, 200)
})

test('a school cannot restore a student whom the office has cancelled, and sees why', async () => {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher)
  await server.ask(cancelStudent, { ...(await versioned(child.id)), reason }, operations)
  const { data } = await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)
  assert.deepEqual(
    data.map(({ id, status, can }) => [id, status, can.restore]),
    [[child.id, false, 'enrolment.cancelled']],
  )
  await server.refuses('enrolment.cancelled', restoreStudent, { studentId: child.id }, teacher)
  assert.equal((await rowOf(child.id)).active, false)
  const another = await anEnteredStudent(server, teacher, { rollno: child.rollNo })
  assert.notEqual(another.id, child.id)
})

test('an unpaid student is cancelled without a credit', async () => {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher)
  const body = await server.ask(cancelStudent, { ...(await versioned(child.id)), reason }, operations)
  assert.equal(body.credit, 0)
  assert.equal((await balanceOf(teacher)).balance, 0)
})

test('a student moves to another school with their subjects; the payment stays with the school that paid', async () => {
  const { teacher, child, amount } = await aPaidPair()
  const next = await aTeacher()
  const school = await findRow('schools', { id: next.schoolId })
  const before = await balanceOf(teacher)
  const preview = await server.ask(
    previewMove,
    { id: String(child.id), schCode: school.code.toLowerCase() },
    operations,
  )
  assert.deepEqual(
    [preview.paid, preview.entries, preview.books, preview.to.schCode],
    [amount, 2, 1, school.code],
  )
  const old = await rowOf(child.id)
  const body = { ...(await versioned(child.id)), schCode: school.code, section: 'C', rollno: 12, reason }
  await server.refuses('session.confirm', moveStudent, body, await anOfficer('operations', longAgo))
  await server.ask(moveStudent, body, operations)
  const row = await rowOf(child.id)
  assert.deepEqual([row.school_id, row.section, row.roll_no, row.paid], [next.schoolId, 'C', 12, true])
  assert.equal(row.exam_roll_no, `${school.code}-07-001`)
  assert.notEqual(row.family_link_id, old.family_link_id)
  const books = child.bookAmount - child.book_school_Expenses
  const left = await balanceOf(teacher)
  const came = await balanceOf(next)
  assert.deepEqual([left.moved, left.balance], [-amount, before.balance - books])
  assert.deepEqual([came.moved, came.balance], [amount, books])
  // If the entry is cancelled there, the credit belongs to the school that paid.
  await server.ask(cancelStudent, { ...(await versioned(child.id)), reason }, operations)
  assert.deepEqual([(await balanceOf(teacher)).credit, (await balanceOf(next)).credit], [amount, 0])
  assert.equal((await balanceOf(next)).balance, 0)
})

test('a move is refused without a valid active school, to a taken roll no, or for a student changed meanwhile', async () => {
  const { teacher, child } = await aPaidPair()
  const own = await findRow('schools', { id: teacher.schoolId }, ['code'])
  const off = await aSchool()
  await changeRows('schools', { id: off.id }, { active: false })
  const target = await aSchool()
  const taken = await anEnteredStudent(server, await aTeacher({ schoolId: target.id }))
  const refused = async (traits: object) => {
    const body = {
      ...(await versioned(child.id)),
      schCode: target.code,
      section: 'A',
      rollno: 1,
      reason,
      ...traits,
    }
    const answer = await server.call(moveStudent, { body }, operations)
    return [answer.body.code, answer.body.issues?.[0]?.path]
  }
  assert.deepEqual(await refused({ schCode: 'NONE0000' }), ['input.invalid', 'schCode'])
  assert.deepEqual(await refused({ schCode: own.code }), ['input.invalid', 'schCode'])
  assert.deepEqual(await refused({ schCode: off.code }), ['schools.inactive', undefined])
  assert.deepEqual(await refused({ rollno: taken.rollNo }), ['enrolment.duplicate', 'rollno'])
  const lists = () => server.deps.db.updateTable('participations').where('school_id', '=', target.id)
  await lists().set({ signed_off_at: aDay }).execute()
  assert.deepEqual(await refused({}), ['enrolment.signed_off_there', undefined])
  await lists().set({ signed_off_at: null }).execute()
  assert.deepEqual(await refused({ reason: '' }), ['input.invalid', 'reason'])
  assert.deepEqual(await refused({ version: 999 }), ['changed_meanwhile', undefined])
})

test('a student whose payment is being verified, or who has results, cannot be cancelled or moved', async () => {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher)
  await send(teacher)
  const target = await aSchool()
  const released = await aReleasedEvent(server)
  const [, marked = 0] = released.idOf(0).split('-').map(Number)
  for (const [id, code] of [
    [child.id, 'enrolment.locked'],
    [marked, 'students.has_results'],
  ] as const) {
    const seen = await versioned(id)
    const cancelled = await server.call(cancelStudent, { body: { ...seen, reason } }, operations)
    assert.equal(cancelled.body.code, code)
    const body = { ...seen, schCode: target.code, section: 'A', rollno: 1, reason }
    assert.equal((await server.call(moveStudent, { body }, operations)).body.code, code)
  }
})

test('the roles accounts, results and viewer neither cancel nor move students', async () => {
  const { id } = await aFamily(server)
  const target = await aSchool()
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const by = await anOfficer(role)
    const seen = await versioned(id)
    assert.equal((await server.call(cancelStudent, { body: { ...seen, reason } }, by)).status, 403)
    const body = { ...seen, schCode: target.code, section: 'A', rollno: 1, reason }
    assert.equal((await server.call(moveStudent, { body }, by)).status, 403)
  }
})
