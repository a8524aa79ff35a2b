import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getSubject } from '@podium/contract/catalogue/calls'
import { catalogueEvents, lateFees, saveLateFee } from '@podium/contract/catalogue/calls-events'
import { openingPlan } from '@podium/contract/catalogue/calls-seasons'
import { deadlines } from '@podium/contract/dashboard/calls'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { officeMessages } from '@podium/contract/office/messages'
import { feeStatement, paymentReceipt, paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { officePaymentDetails, verifyPayment } from '@podium/contract/payments/calls-verification'
import { saveStudentDetails } from '@podium/contract/students/calls'
import { blankForm } from '@podium/contract/students/calls-print-lists'
import { pdfText } from '#test/archives'
import {
  aDay,
  anOfficer,
  aSchool,
  aSeason,
  aTeacher,
  eventOf,
  extendSessions,
  thisSeason,
} from '#test/factories'
import { auditLine } from '#test/file-call'
import { aFoundation, aSubmission, ledgerHolds } from '#test/payments-factories'
import { valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aSeasonOfItsOwn } from '#test/students-factories'

/** The last second of 24 November in India, and the first of 25 November. */
const lastSecond = new Date('2026-11-24T18:29:59Z')
const firstSecond = new Date('2026-11-24T18:30:00Z')

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  await aSeason()
  await aFoundation()
})
const owner = beforehand(() => anOfficer('owner'))

/** Sets the late fee of subjects in the office on 21 November, with their current versions. */
async function setLateFee(
  letters: string,
  lateFrom: string,
  lateFee: number,
  who = owner,
  FYear = thisSeason,
) {
  const body = await server.ask(catalogueEvents, { FYear }, who)
  const events = body.data
    .filter(({ eventLetter, examLevel }) => letters.split(',').includes(eventLetter) && examLevel === 1)
    .map(({ eventYearId, version }) => ({ eventYearId, version }))
  return server.call(saveLateFee, { body: { FYear, events, lateFrom, lateFee } }, who)
}

/** Moves the clock; users stay signed in. */
async function moveClock(to: Date) {
  now = to
  await extendSessions(to)
}

async function aTeacherWithoutLateFees() {
  await moveClock(aDay)
  await server.deps.db.updateTable('events').set({ late_from: null, late_fee: 0 }).execute()
  const school = await aSchool()
  return aTeacher({ schoolId: school.id })
}

const enrolledAt = async (id: number) =>
  (
    await server.deps.db
      .selectFrom('enrolments as n')
      .innerJoin('events as e', 'e.id', 'n.event_id')
      .select(['e.letter', 'n.class_id', 'n.fee', 'n.retained', 'n.late_fee'])
      .where('n.student_id', '=', id)
      .orderBy('e.letter')
      .execute()
  ).map((row) => [row.letter, row.class_id, row.fee, row.retained, row.late_fee])

const maths = { subjectName: 'Mathematics', cb: '' }

test('a late fee applies to each subject entered from its first day in India, and the school keeps no share of it', async () => {
  const teacher = await aTeacherWithoutLateFees()
  assert.equal((await setLateFee('M', '2026-11-25', 50)).status, 200)
  await moveClock(lastSecond)
  const inTime = await anEnteredStudent(server, teacher, maths)
  assert.deepEqual([inTime.regAmount, inTime.lateFee], [175, 0])
  await moveClock(firstSecond)
  const query = { FYear: thisSeason, classId: '7' }
  const body = await server.ask(getSubject, query, teacher)
  const math = body.data.find(({ eventLetter }) => eventLetter === 'M')
  assert.deepEqual(
    [math?.eventFee, math?.lateFee, math?.retainFee, math?.late],
    [225, 50, 25, { from: '2026-11-25', fee: 50 }],
  )
  const late = await anEnteredStudent(server, teacher, { ...maths, subjectName: 'Mathematics,Science' })
  assert.deepEqual([late.regAmount, late.lateFee, late.school_Expenses], [400, 50, 50])
  assert.deepEqual(await enrolledAt(late.id), [
    ['M', 7, 22_500, 2_500, 5_000],
    ['S', 7, 17_500, 2_500, 0],
  ])

  const shownBefore = anEntry({ ...maths, regAmount: 175 })
  const refused = await server.refuses('enrolment.amounts_changed', saveStudentDetails, shownBefore, teacher)
  assert.equal(refused.regAmount, 225, 'a form that was opened before midnight learns the new amount')
})

test('a student entered in time pays no late fee when changed or moved to another class', async () => {
  const teacher = await aTeacherWithoutLateFees()
  await setLateFee('M,S', '2026-11-25', 50)
  const inTime = await anEnteredStudent(server, teacher, maths)
  await moveClock(firstSecond)
  const late = await anEnteredStudent(server, teacher, maths)
  const change = async (student: typeof late, traits: object) => {
    const { id, version, rollNo: rollno } = student
    const body = anEntry({ id, version, rollno, ...maths, ...traits })
    const saved = await server.ask(saveStudentDetails, body, teacher)
    return saved.data
  }
  const named = await change(inTime, { studentName: 'Another Name' })
  assert.deepEqual([named.regAmount, named.lateFee], [175, 0])
  const more = await change(named, { subjectName: 'Mathematics,Science' })
  assert.deepEqual([more.regAmount, more.lateFee], [400, 50], 'the subject that came late costs more, alone')
  const moved = await change(more, { classId: 8, subjectName: 'Mathematics,Science' })
  assert.deepEqual([moved.regAmount, moved.lateFee], [400, 50])
  assert.deepEqual(await enrolledAt(moved.id), [
    ['M', 8, 17_500, 2_500, 0],
    ['S', 8, 22_500, 2_500, 5_000],
  ])
  await setLateFee('M', '', 0)
  const ended = await change(late, { classId: 8 })
  assert.deepEqual([ended.regAmount, ended.lateFee], [225, 50], 'who was entered late stays so')
})

test('a late fee cannot start today, rise once it applies, or start after entries close', async () => {
  await aTeacherWithoutLateFees()
  const outcome = async (...asked: [string, string, number]) => {
    const { status, body } = await setLateFee(...asked)
    return status === 200 ? 'saved' : (body.issues?.[0]?.message ?? body.code)
  }
  assert.equal(await outcome('M', '2026-11-21', 50), officeMessages.lateNotAnnounced)
  assert.equal(await outcome('M', '2026-12-01', 50), officeMessages.lateAfterClose)
  assert.equal(await outcome('M', '2027-04-01', 50), officeMessages.dayOutsideSeason)
  assert.equal(await outcome('M', '', 50), officeMessages.dayRequired)
  assert.equal(await outcome('M', '2026-11-25', 0), officeMessages.amountRequired)
  assert.equal(await outcome('M', '2026-11-22', 50), 'saved')
  await moveClock(new Date('2026-11-23T06:00:00Z'))
  assert.equal(await outcome('M', '2026-11-22', 60), officeMessages.lateNotAnnounced)
  assert.equal(await outcome('M,S', '2026-11-22', 50), officeMessages.lateNotAnnounced, 'all of them or none')
  assert.equal(await outcome('M', '2026-11-22', 40), 'saved')
  assert.equal(await outcome('M', '2026-11-26', 90), 'saved', 'put off')
  assert.equal(await outcome('M', '', 0), 'saved')
  await moveClock(aDay)
  const preparing = await aSeasonOfItsOwn('preparing')
  const year = preparing.slice(0, 4)
  assert.equal((await setLateFee('M', `${year}-09-01`, 50, owner, preparing)).status, 200)
})

test("a late fee is refused for a stale version, another season's event or a role that may only read", async () => {
  await aTeacherWithoutLateFees()
  const { id } = await eventOf('M')
  const body = await server.ask(catalogueEvents, { FYear: thisSeason }, owner)
  const version = body.data.find(({ eventYearId }) => eventYearId === id)?.version ?? 0
  const save = (FYear: string, seen: number, who = owner) => {
    const events = [{ eventYearId: id, version: seen }]
    return server.send(saveLateFee, { body: { FYear, events, lateFrom: '2026-11-25', lateFee: 50 } }, who)
  }
  await refused('changed_meanwhile', save(thisSeason, version + 1))
  assert.equal((await save(await aSeasonOfItsOwn(), version)).status, 404)
  assert.equal((await save(thisSeason, version, await anOfficer('viewer'))).status, 403)
  const { late_fee } = await eventOf('M')
  assert.equal(late_fee, 0)
  assert.equal((await save(thisSeason, version)).status, 200)
  const line = await auditLine(['action', 'change'], { subject_kind: 'event_terms', subject_id: id })
  assert.equal(line?.action, 'event.late_fee_changed')
})

test('schools see a late fee in advance: its day and amount, the last day without it, and a line on the paper form', async () => {
  const teacher = await aTeacherWithoutLateFees()
  await setLateFee('M,S', '2026-11-25', 50)
  await setLateFee('G', '2026-11-27', 75)
  const query = { FYear: thisSeason }
  const announced = async () => (await server.ask(lateFees, query, teacher)).data
  assert.deepEqual(await announced(), [
    { from: '2026-11-25', fee: 50, subjects: ['Mathematics', 'Science'], inForce: false, all: false },
    { from: '2026-11-27', fee: 75, subjects: ['General Knowledge'], inForce: false, all: false },
  ])
  const ahead = await server.ask(deadlines, query, teacher)
  assert.deepEqual(
    ahead.data.find(({ kind }) => kind === 'late'),
    {
      ...{ kind: 'late', season: thisSeason, day: '2026-11-24', daysLeft: 3 },
      ...{ subjects: ['Mathematics', 'Science'], later: 1, amount: 50, unpaid: 0 },
    },
  )
  const form = await server.download(blankForm, { ...query, classId: '7', language: 'en' }, teacher)
  const text = pdfText(form.bytes)
  assert.match(text, /Mathematics, Science: a student entered on 25-Nov-2026 or later pays a late fee of ₹50/)
  await moveClock(firstSecond)
  assert.deepEqual(valuesOf(await announced(), 'inForce'), [true, false])
  const body = await server.ask(openingPlan, { from: thisSeason }, owner)
  assert.deepEqual(body.events.find(({ eventLetter }) => eventLetter === 'G')?.late, {
    from: { from: '2026-11-27', to: '2027-11-26' },
    fee: 75,
  })
})

test('a late fee has its own line on the payment card, ledger, receipt and statement, and all sums agree', async () => {
  const teacher = await aTeacherWithoutLateFees()
  await setLateFee('M', '2026-11-25', 50)
  await anEnteredStudent(server, teacher, { subjectName: 'Mathematics,Science', cb: '' })
  await moveClock(firstSecond)
  await anEnteredStudent(server, teacher, { subjectName: 'Mathematics,Science', cb: '' })
  const query = { FYear: thisSeason }
  const [card] = (await server.ask(paymentSummary, query, teacher)).dataList
  assert.deepEqual(
    [card?.gross, card?.retained, card?.payableAmount, card?.lateFee, card?.entryFee],
    [750, 100, 650, 50, 175],
  )
  const account = await server.ask(accountStatement, query, teacher)
  const lines = account.data.map(({ day, kind, items, debit }) => [day, kind, items, debit])
  assert.deepEqual(
    lines.filter(([, kind]) => kind !== 'share'),
    [
      ['2026-11-21', 'charge', 2, 350],
      ['2026-11-25', 'charge', 2, 350],
      ['2026-11-25', 'late', 1, 50],
    ],
  )
  assert.deepEqual([account.totals.gross, account.totals.retained, account.totals.balance], [750, 100, 650])
  const ledger = await server.ask(shareLedger, query, teacher)
  assert.deepEqual(valuesOf(ledger.data, 'eventLetter', 'late', 'heads', 'gross', 'retained'), [
    ['M', false, 2, 350, 50],
    ['S', false, 2, 350, 50],
    ['M', true, 1, 50, 0],
  ])
  assert.deepEqual(ledger.totals, { gross: 750, retained: 100, payable: 650 })
  await ledgerHolds(server, await anOfficer('accounts', now), teacher)

  const body = await aSubmission(server, teacher.token)
  const { id } = await server.ask(savePayment, body, teacher)
  const accounts = await anOfficer('accounts', now)
  const seen = await server.ask(officePaymentDetails, { id: String(id) }, accounts)
  assert.deepEqual([seen.payment.gross, seen.payment.lateFee], [750, 50])
  await server.ask(verifyPayment, { id, version: 1 }, accounts)
  const receipt = await server.download(paymentReceipt, { id }, teacher)
  const statement = await server.download(feeStatement, query, teacher)
  assert.match(pdfText(receipt.bytes), /Late fees included ₹50/)
  assert.match(pdfText(statement.bytes), /Late fee: 1 entry/)
})
