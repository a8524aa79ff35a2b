import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getExamDates, setExamDate } from '@podium/contract/exams/calls'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { rejectPayment } from '@podium/contract/payments/calls-verification'
import { askWaiver } from '@podium/contract/payments/calls-waivers'
import { officeDueOfSchool } from '@podium/contract/shipping/calls-orders'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { getSignOffs, reopenList, signOffLists } from '@podium/contract/students/calls-sign-off'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { aFoundation, aProof, aSubmission, ledgerHolds, setShare } from '#test/payments-factories'
import { findRow, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent, anEntry } from '#test/students-factories'

/** Students whose whole fee the school keeps: docs/algorithms/fees.md, “Nothing payable”. */

const server = beforehand(() => testServer({ clock: () => aDay }))
const officer = beforehand(() => anOfficer('owner'))
before(async () => {
  await aSeason()
  await aFoundation()
})

type Person = Awaited<ReturnType<typeof aTeacher>>
const query = { FYear: thisSeason }

// So that exam dates can be chosen on the day of these tests.
const useShare = async (share: object) =>
  assert.equal((await setShare(server, officer, share, { dateChoiceDays: 1 })).status, 200)
const aCoordinator = () => aTeacher({ coordinator: true, name: 'Hema Misaal' })
const enter = (person: Person, traits: object = {}) =>
  anEnteredStudent(server, person, { subjectName: 'M', cb: '', ...traits })
const rowOf = (id: number) => findRow('students', { id })
const cards = async (person: Person) =>
  (await server.ask(paymentSummary, query, person)).dataList.map((card) => card.payableAmount)

async function listOf(person: Person, letter = 'M') {
  const { data } = await server.ask(getSignOffs, query, person)
  const list = data.find(({ eventLetter }) => eventLetter === letter)
  assert.ok(list)
  return list
}

async function sign(person: Person, letter = 'M') {
  const { eventManagementId, totalStudent: students } = await listOf(person, letter)
  const body = { name: 'Hema Misaal', lists: [{ eventManagementId, students }] }
  const answer = await server.call(signOffLists, { body }, person)
  assert.deepEqual(answer.body.done, [{ id: eventManagementId }], answer.body.message)
  return eventManagementId
}

const dateOf = async (person: Person) => {
  const { data } = await server.ask(getExamDates, query, person)
  const [card] = data
  assert.ok(card)
  return card
}

test('a student with nothing to pay counts as paid when the list is signed off, without a receipt', async () => {
  await useShare({ kind: 'percent', percent: 100 })
  const person = await aCoordinator()
  const child = await enter(person, { cb: 'M' })
  assert.deepEqual(await cards(person), [], 'there is nothing to send')
  const waiver = { studentId: child.id, reason: 'Poor', attechment: await aProof(), attechmentName: 'a.pdf' }
  await server.refuses('waivers.nothing_due', askWaiver, waiver, person)
  const before = await dateOf(person)
  assert.deepEqual([before.can, before.paidStudent, before.freeStudent], ['exam.unpaid', 0, 1])
  const { checks } = await listOf(person)
  assert.equal(
    checks.find(({ kind }) => kind === 'unpaid'),
    undefined,
    'no one can pay nothing',
  )

  const list = await sign(person)
  const settled = await rowOf(child.id)
  assert.deepEqual([settled.paid, settled.waived, settled.locked], [true, false, false])
  assert.match(settled.exam_roll_no ?? '', /-07-001$/)
  const { db } = server.deps
  const sent = db.selectFrom('payments').select('id').where('school_id', '=', person.schoolId)
  assert.deepEqual(await sent.execute(), [])
  const { totals } = await server.ask(accountStatement, query, person)
  assert.deepEqual([totals.payable, totals.paid, totals.balance], [0, 0, 0])
  await ledgerHolds(server, officer, person)
  const after = await dateOf(person)
  assert.deepEqual([after.can, after.paidStudent, after.freeStudent], [true, 1, 0])
  const choice = { eventManagementId: after.eventManagementId, examDateId: after.firstDateId ?? 0 }
  await server.ask(setExamDate, choice, person)
  for (const contents of ['papers', 'books'] as const) {
    const due = await server.ask(
      officeDueOfSchool,
      { ...query, contents, schoolId: String(person.schoolId) },
      officer,
    )
    assert.ok(due.data.length > 0, `${contents} are due for dispatch`)
  }

  const body = { eventManagementId: list, reason: 'A name is misspelt' }
  await server.ask(reopenList, body, person)
  assert.equal((await rowOf(child.id)).paid, false)
  const { version } = await rowOf(child.id)
  const entry = {
    ...anEntry({ subjectName: 'M', cb: '', studentName: 'Asha Misaal' }),
    id: child.id,
    version,
  }
  await server.ask(saveStudentDetails, entry, person)
  await sign(person)
  const again = await rowOf(child.id)
  assert.deepEqual([again.paid, again.exam_roll_no], [true, settled.exam_roll_no])
})

test('a student with nothing to pay waits for the pending payment, and is paid by the sign-off if it is rejected', async () => {
  await useShare({ kind: 'perHead' })
  const person = await aCoordinator()
  const paying = await enter(person)
  await useShare({ kind: 'percent', percent: 100 })
  const free = await enter(person)
  assert.deepEqual(await cards(person), [150])
  const sent = await server.ask(savePayment, await aSubmission(server, person.token), person)
  await sign(person)
  assert.equal((await rowOf(free.id)).paid, false, 'the payment decides')
  const rejection = { id: sent.id, version: 1, reason: 'Nothing has come' }
  await server.ask(rejectPayment, rejection, officer)
  const rows = (await server.ask(getStudentDetails, query, person)).data
  assert.deepEqual(
    new Map(valuesOf(rows, 'id', 'paymentStatus')),
    new Map([
      [paying.id, false],
      [free.id, true],
    ]),
  )
})

test('students of a signed-off list with nothing left to pay after the share rises count as paid', async () => {
  await useShare({
    kind: 'slabs',
    slabs: [
      { from: 1, share: 20 },
      { from: 2, share: 500 },
    ],
  })
  const person = await aCoordinator()
  const child = await enter(person)
  await sign(person)
  assert.equal((await rowOf(child.id)).paid, false)
  const other = await enter(person, { subjectName: 'S' })
  assert.deepEqual([(await rowOf(child.id)).paid, (await rowOf(other.id)).paid], [true, false])
  assert.deepEqual(await cards(person), [])
  await ledgerHolds(server, officer, person)
})
