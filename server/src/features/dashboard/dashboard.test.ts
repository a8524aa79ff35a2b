import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  dashboardSummary,
  deadlines,
  downloadForm,
  formKinds,
  olympiadDates,
  olympiadFees,
  seasonTrack,
  studentsByClass,
  studentsBySubject,
} from '@podium/contract/dashboard/calls'
import { paymentSummary, savePayment, withdrawPayment } from '@podium/contract/payments/calls'
import { rejectPayment } from '@podium/contract/payments/calls-verification'
import { type Season, seasonOfYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, eventOf, thisSeason } from '#test/factories'
import { aFoundation, anOrderedBook, aSchoolThatOwes, aStudent, aSubmission } from '#test/payments-factories'
import { aReleasedEvent } from '#test/results-factories'
import { addRow, addRows, changeRows, findRow, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  await aSeason()
  await aSeason('2025-26' as typeof thisSeason)
})

interface Traits {
  season?: string
  letters?: string
  paid?: boolean
  active?: boolean
  books?: number
}

let serial = 1
/** A student as the enrolment feature would write it, inserted directly. */
async function aStudentRow(schoolId: number, traits: Traits = {}) {
  const letters = traits.letters ?? 'M'
  const fee = letters.split(',').length * 17_500
  const { id } = await addRow('students', {
    school_id: schoolId,
    season: traits.season ?? thisSeason,
    class_id: 7,
    section: 'A',
    roll_no: serial++,
    name: 'Ishita Namunawala',
    name_key: 'ishita namunawala',
    letters,
    subject_names: letters,
    active: traits.active ?? true,
    paid: traits.paid ?? false,
    reg_amount: fee,
    reg_retained: letters.split(',').length * 2_500,
    book_count: traits.books ?? 0,
    created_at: aDay,
    updated_at: aDay,
  })
  return id
}

const FYear = thisSeason

test("the totals count the season's active students and their books, next to last season's [spec 1.6 2.5.3 2.5.4 7.8 9.6]", async () => {
  const teacher = await aTeacher()
  await aStudentRow(teacher.schoolId, { books: 2 })
  await aStudentRow(teacher.schoolId, { books: 1 })
  await aStudentRow(teacher.schoolId)
  await aStudentRow(teacher.schoolId, { active: false, books: 5 })
  await aStudentRow(teacher.schoolId, { season: '2025-26' })
  const body = await server.ask(dashboardSummary, { FYear, schId: String(teacher.schoolId) }, teacher)
  assert.deepEqual(
    [body.totalStudent, body.totalBook, body.bookStudent, body.lastSeasonStudent],
    [3, 3, 2, 1],
  )
})

test('families who opened their link are counted once, and families who did not are not counted [spec 2.5.4 9.6]', async () => {
  const teacher = await aTeacher()
  for (const [n, opened] of [aDay, aDay, null].entries()) {
    await addRow('family_links', {
      id: `dash-${teacher.id}-${n}`,
      school_id: teacher.schoolId,
      season: FYear,
      access_code_hash: '',
      access_code_sealed: '',
      created_at: aDay,
      first_opened_at: opened,
    })
  }
  const body = await server.ask(dashboardSummary, { FYear }, teacher)
  assert.equal(body.uniqueVisitor, 2)
})

test('a school without students last season gets no comparison', async () => {
  const teacher = await aTeacher()
  const body = await server.ask(dashboardSummary, { FYear }, teacher)
  assert.deepEqual([body.totalStudent, body.lastSeasonStudent], [0, null])
})

test("another school's totals are refused", async () => {
  const teacher = await aTeacher()
  const other = await aSchool()
  for (const endpoint of [dashboardSummary, seasonTrack, studentsBySubject]) {
    await server.refuses('access.other_school', endpoint, { FYear, schId: other.id }, teacher)
  }
  const form = await server.download(downloadForm, { FYear, schId: other.id, form: 'school' }, teacher)
  assert.equal(form.status, 403)
})

test('a user without a school gets no totals [spec 4.8]', async () => {
  const nobody = await aTeacher({ schoolId: null })
  await server.refuses('access.no_school', dashboardSummary, { FYear }, nobody)
})

test('each olympiad of a season comes with its two dates and its mode [spec 1.6 2.5.5 7.9]', async () => {
  const teacher = await aTeacher()
  const body = await server.ask(olympiadDates, { FYear }, teacher)
  assert.equal(body.data.length, 14)
  assert.deepEqual(body.data[0], {
    eventLetter: 'M',
    eventName: 'Mathematics',
    firstDate: '2026-12-03',
    secondDate: '2026-12-17',
    examMode: 'Offline',
  })
  assert.deepEqual(
    valuesOf(
      body.data.filter((date) => date.examMode === 'Online'),
      'eventLetter',
    ),
    ['K'],
  )
})

test('a season that is being prepared shows schools neither its dates nor its steps', async () => {
  const teacher = await aTeacher()
  const FYear = await aSeasonOfItsOwn('preparing')
  assert.deepEqual((await server.ask(olympiadDates, { FYear }, teacher)).data, [])
  assert.equal((await server.send(seasonTrack, { query: { FYear } }, teacher)).status, 404)
})

test("a user waiting for a school sees today's entry fees of an open season", async () => {
  const pending = await aTeacher({ schoolId: null })
  const open = await aSeasonOfItsOwn()
  const { id } = await eventOf('M', open)
  const { db } = server.deps
  const prices = sql`case class_id when 3 then 15000 else 20000 end`
  await sql`update event_fees set fee = ${prices} where event_id = ${id}`.execute(db)
  const feeOf = async (FYear: typeof open) =>
    (await server.ask(olympiadFees, { FYear }, pending)).data.find(({ eventLetter }) => eventLetter === 'M')
  assert.partialDeepStrictEqual(await feeOf(open), { eventName: 'Mathematics', from: 150, to: 200 })
  await sql`update events set late_from = '2026-01-01', late_fee = 5000 where id = ${id}`.execute(db)
  assert.partialDeepStrictEqual(await feeOf(open), { from: 200, to: 250 })
  assert.equal(await feeOf(await aSeasonOfItsOwn('preparing')), undefined)
})

test('a school without students is told to enter them first', async () => {
  const teacher = await aTeacher()
  const body = await server.ask(seasonTrack, { FYear }, teacher)
  assert.deepEqual(valuesOf(body.steps, 'state'), [
    'done',
    'now',
    'later',
    'later',
    'later',
    'later',
    'later',
  ])
  assert.deepEqual([body.next?.key, body.next?.until, body.next?.daysLeft], ['students', '2026-11-30', 9])
})

test('once students are entered, the next step is to pay exactly the payable amount', async () => {
  const teacher = await aTeacher()
  await aStudentRow(teacher.schoolId, { letters: 'M,S' })
  await aStudentRow(teacher.schoolId)
  await aStudentRow(teacher.schoolId, { active: false })
  const body = await server.ask(seasonTrack, { FYear }, teacher)
  assert.deepEqual(
    [body.next?.key, body.next?.payable, body.next?.retained, body.next?.students],
    ['payment', 450, 75, 2],
  )
})

test('the next step counts what can be paid now, including the library order', async () => {
  await aFoundation()
  const teacher = await aTeacher()
  for (const books of [
    { cb: 'Mathematics', pyqp: 'Mathematics' },
    { cb: '', pyqp: '' },
  ])
    await anEnteredStudent(server, teacher, { subjectName: 'Mathematics,Science', geneX: '', ...books })
  const next = async () => {
    const body = await server.ask(seasonTrack, { FYear }, teacher)
    assert.ok(body.next)
    const { students, entries, books, payable } = body.next
    assert.equal(payable, body.money.payNow)
    return { students, entries, books }
  }
  assert.deepEqual(await next(), { students: 2, entries: 4, books: 2 })
  await server.ask(savePayment, await aSubmission(server, teacher.token), teacher)
  assert.deepEqual(await next(), { students: 1, entries: 0, books: 2 })
  const { copies } = await anOrderedBook(server, teacher).then(async () => {
    const body = await server.ask(paymentSummary, { FYear }, teacher)
    return { copies: body.dataList.find((item) => item.paymentFor === 'Library Book Fee')?.books ?? 0 }
  })
  assert.ok(copies > 0)
  assert.deepEqual(await next(), { students: 1, entries: 0, books: 2 + copies })
})

test('a library order alone completes the step of ordering books', async () => {
  await aFoundation()
  const teacher = await aTeacher()
  const books = async () =>
    (await server.ask(seasonTrack, { FYear }, teacher)).steps.find(({ key }) => key === 'books')
  assert.equal((await books())?.count, 0)
  await anOrderedBook(server, teacher, { quantity: 3 })
  const ordered = await books()
  assert.deepEqual([ordered?.count, ordered?.state], [3, 'done'])
  // If students have books, the step's count equals the total above it.
  await anEnteredStudent(server, teacher, {
    subjectName: 'Mathematics',
    cb: 'Mathematics',
    pyqp: '',
    geneX: '',
  })
  assert.equal((await books())?.count, 1)
})

test('the next step tells how much waits for a payment under verification, and that one was rejected', async () => {
  await aFoundation()
  const teacher = await aTeacher()
  const enter = () =>
    anEnteredStudent(server, teacher, { subjectName: 'Mathematics', cb: 'Mathematics', pyqp: '', geneX: '' })
  await enter()
  const track = () => server.ask(seasonTrack, { FYear }, teacher)
  const sent = await server.ask(savePayment, await aSubmission(server, teacher.token), teacher)
  const booksAlone = await track()
  assert.deepEqual([booksAlone.money.payLater, booksAlone.rejected], [0, null])
  await enter()
  const both = await track()
  const body = await server.ask(paymentSummary, { FYear }, teacher)
  const fees = body.dataList.filter((item) => item.paymentStatus === 'Pending' && !item.sent)
  const registration = fees.find((fee) => fee.paymentFor === 'Registration Fee')
  assert.equal(registration?.can.submit, 'payments.pending_first')
  assert.ok(registration.payableAmount > 0)
  assert.equal(both.money.payLater, registration.payableAmount)
  assert.equal(
    both.next?.payable,
    fees.reduce((sum, fee) => sum + fee.payableAmount, 0) - registration.payableAmount,
  )
  const reason = 'The screenshot is cut off'
  const refuse = { body: { id: sent.id, version: 1, reason } }
  await server.call(rejectPayment, refuse, await anOfficer('accounts'))
  const again = await track()
  assert.deepEqual([again.money.payLater, again.next?.beingVerified], [0, false])
  assert.deepEqual(again.rejected, {
    paymentFor: 'Registration Fee',
    amount: both.money.beingVerified,
    reason,
  })
  const { id } = await server.ask(savePayment, await aSubmission(server, teacher.token), teacher)
  assert.equal((await track()).rejected, null)
  await server.ask(withdrawPayment, { id }, teacher)
  assert.equal((await track()).rejected, null)
})

test('once all is paid, the next steps are the exam dates, signing off the lists, and the results', async () => {
  const teacher = await aTeacher()
  const season = await aSeasonOfItsOwn()
  const year = season.slice(0, 4)
  await aStudentRow(teacher.schoolId, { season, paid: true })
  const event = await eventOf('M', season)
  const { id } = await addRow('participations', {
    school_id: teacher.schoolId,
    event_id: event.id,
    created_at: aDay,
  })
  const track = () => server.ask(seasonTrack, { FYear: season }, teacher)
  assert.equal((await track()).next?.key, 'dates')
  const date = await findRow('exam_dates', { event_id: event.id, ordinal: 1 })
  await changeRows('participations', { id }, { exam_date_id: date.id })
  const dated = await track()
  assert.deepEqual([dated.next?.key, dated.next?.until], ['signoff', `${year}-11-30`])
  await changeRows('participations', { id }, { signed_off_at: aDay })
  const after = await track()
  assert.equal(after.next?.key, 'results')
  assert.deepEqual(valuesOf(after.steps, 'state'), ['done', 'done', 'later', 'done', 'done', 'done', 'now'])
})

test('a date that can no longer be chosen, or of an online exam, is not the next step', async () => {
  const teacher = await aTeacher()
  const season = await aSeasonOfItsOwn()
  await aStudentRow(teacher.schoolId, { season, paid: true })
  const event = await eventOf('M', season)
  await addRow('participations', { school_id: teacher.schoolId, event_id: event.id, created_at: aDay })
  const next = async () => (await server.ask(seasonTrack, { FYear: season }, teacher)).next?.key
  const firstDate = (held_on: string) =>
    changeRows('exam_dates', { event_id: event.id, ordinal: 1 }, { held_on })
  await changeRows('seasons', { label: season }, { date_choice_days: 20 })
  await firstDate('2026-12-11')
  assert.equal(await next(), 'dates')
  await firstDate('2026-12-10')
  assert.equal(await next(), 'signoff')
  await firstDate('2026-12-11')
  await changeRows('events', { id: event.id }, { mode: 'Online' })
  assert.equal(await next(), 'signoff')
})

test("results are out once the school's own are released to it, not those of others", async () => {
  const { event, teacher, school } = await aReleasedEvent(server)
  const { season } = event
  const other = await aTeacher()
  await aStudentRow(other.schoolId, { season, letters: 'S', paid: true })
  const results = async (by: { token: string }) =>
    (await server.ask(seasonTrack, { FYear: season as Season }, by)).steps.at(-1)?.state
  assert.deepEqual([await results(teacher), await results(other)], ['done', 'later'])
  const hold = { event_id: event.id, school_id: school.id, reason: 'Papers are missing', held_at: aDay }
  await addRows('result_holds', [hold])
  assert.equal(await results(teacher), 'later')
})

test('the chart by subject counts a student once in each subject, separates paid ones and omits deleted ones', async () => {
  const teacher = await aTeacher()
  await aStudentRow(teacher.schoolId, { letters: 'M,S', paid: true })
  await aStudentRow(teacher.schoolId, { letters: 'M' })
  await aStudentRow(teacher.schoolId, { letters: 'M', active: false })
  const body = await server.ask(studentsBySubject, { FYear }, teacher)
  assert.deepEqual(valuesOf(body.data, 'eventLetter', 'total', 'paid'), [
    ['M', 2, 1],
    ['S', 1, 1],
  ])
})

test("the three forms are PDFs with the school's code [spec 1.6 2.5.6]", async () => {
  const teacher = await aTeacher()
  await aStudentRow(teacher.schoolId)
  for (const form of formKinds) {
    const { status, headers, bytes } = await server.download(downloadForm, { FYear, form }, teacher)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename=".* T\d+ 2026-27\.pdf"/)
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  }
})

test('forms of a season that does not exist are not found', async () => {
  const teacher = await aTeacher()
  assert.equal(
    (await server.download(downloadForm, { FYear: '2080-81', form: 'school' }, teacher)).status,
    404,
  )
  // So they are not offered either, nor those of a season that is being prepared.
  const areOffered = async (season: Season) =>
    (await server.ask(olympiadDates, { FYear: season }, teacher)).forms
  assert.equal(await areOffered(seasonOfYear(2080)), false)
  const early = await aSeasonOfItsOwn('preparing')
  assert.equal((await server.download(downloadForm, { FYear: early, form: 'school' }, teacher)).status, 404)
  assert.equal(await areOffered(early), false)
  assert.equal(await areOffered(thisSeason), true)
})

test('the chart by class counts every student once, from Nursery to Class 12, and separates paid ones', async () => {
  const { school, token } = await aSchoolThatOwes(0)
  const add = (classId: number, active = true) => aStudent({ schoolId: school.id, classId, active })
  const student = await add(7)
  await add(12)
  await add(7)
  await add(15)
  await add(1, false)
  await changeRows('students', { id: student.id }, { paid: true })
  const body = await server.ask(studentsByClass, { FYear: thisSeason }, { token })
  assert.deepEqual(body.data, [
    { classId: 15, className: 'Nursery', total: 1, paid: 0 },
    { classId: 7, className: 'Class 7', total: 2, paid: 1 },
    { classId: 12, className: 'Class 12', total: 1, paid: 0 },
  ])
})

test("another school's students appear in no chart and on no list", async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher)
  const stranger = await aTeacher()
  const body = await server.ask(studentsByClass, { FYear: thisSeason }, stranger)
  assert.deepEqual(body.data, [])
  assert.deepEqual(valuesOf((await server.ask(deadlines, { FYear }, stranger)).data, 'kind'), ['enrolment'])
})
