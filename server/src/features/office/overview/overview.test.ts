import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setExamDate } from '@podium/contract/exams/calls'
import {
  exportReminderList,
  officeWaiting,
  reminderList,
  seasonProgress,
  sendReminders,
} from '@podium/contract/office/calls-overview'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { seasonOfYear, seasonYear } from '@podium/contract/season'
import { deleteStudentPost } from '@podium/contract/students/calls'
import { sql } from 'kysely'
import { anImport, aUtr } from '#test/bank-factories'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { newestChange, takeCsv } from '#test/file-call'
import { anOrderedBook, aPendingPayment } from '#test/payments-factories'
import { addRow, changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsTo, testServer } from '#test/server'
import { anEnteredStudent, aSchoolThatMayChoose, aSeasonOfItsOwn } from '#test/students-factories'
import { storeFigures } from './commands-figures.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('operations'))

const countFigures = () => storeFigures(server.deps.db, now, thisSeason)
const FYear = thisSeason
const progress = async (by = officer) => {
  const body = await server.ask(seasonProgress, { FYear }, by)
  assert.ok(body.figures)
  return body.figures
}

test("a season's figures are counted in the background, and the page shows the last count", async () => {
  const season = await aSeasonOfItsOwn()
  const ask = () => server.ask(seasonProgress, { FYear: season }, officer)
  assert.deepEqual(await ask(), { result: 'success', message: '', figures: null, counting: true })
  await server.jobs.drain()
  const first = await ask()
  assert.deepEqual([first.figures?.students, first.counting], [0, false])
  now = new Date(now.getTime() + 61_000)
  assert.equal((await ask()).counting, true)
  await server.jobs.drain()
  assert.equal((await ask()).counting, false)
  now = aDay
})

test('the figures grow with what a school enters and sends, and the amounts add up', async () => {
  await countFigures()
  const old = await progress()
  await aPendingPayment(server)
  await anEnteredStudent(server, await aTeacher())
  await countFigures()
  const fresh = await progress()
  assert.ok(fresh.students > old.students && fresh.entered > old.entered && fresh.entries > old.entries)
  const { due, received, verifying, outstanding } = fresh.money ?? assert.fail()
  assert.ok(verifying > (old.money?.verifying ?? 0) && outstanding > (old.money?.outstanding ?? 0))
  assert.equal(due, received + verifying + outstanding)
  const sum = (all: readonly { students: number }[]) => all.reduce((n, row) => n + row.students, 0)
  assert.equal(sum(fresh.states), fresh.students)
  assert.equal(sum(fresh.subjects), fresh.entries)
  assert.equal(fresh.days.length, 30)
  assert.equal(fresh.days.at(-1)?.day, '2026-11-21')
})

test('a season is compared with the last one by the same day of the year; only some roles see the money', async () => {
  await countFigures()
  assert.equal((await progress()).before, null)
  const { id, payable } = await aPendingPayment(server)
  const { db } = server.deps
  const accounts = await anOfficer('accounts')
  await server.ask(verifyPayment, { id, version: 1 }, accounts)
  const next = seasonOfYear(seasonYear(thisSeason) + 1)
  await aSeason(next)
  const [today] = await db
    .selectFrom('students')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('active', '=', true)
    .where('season', '=', thisSeason)
    .execute()
  const asOf = async (day: string, who = accounts) => {
    await storeFigures(db, new Date(`${day}T06:00:00Z`), next)
    return (await server.ask(seasonProgress, { FYear: next }, who)).figures?.before
  }
  const seen = await asOf('2027-11-21')
  assert.deepEqual([seen?.season, seen?.day, seen?.students], [thisSeason, '2026-11-21', today?.n])
  assert.ok(seen && seen.received >= payable && seen.entered > 0 && seen.entries >= seen.students)
  assert.equal((await asOf('2027-11-21', await anOfficer('results')))?.received, 0)
  // On the day before, no one had entered anything.
  assert.equal(await asOf('2027-11-20'), null)
})

test('amounts and waiting items are shown only to roles that may read them', async () => {
  await countFigures()
  const results = await anOfficer('results')
  const seen = await progress(results)
  assert.equal(seen.money, null)
  assert.ok(seen.days.every(({ received }) => received === 0))
  const body = await server.ask(officeWaiting, {}, results)
  assert.deepEqual(
    [body.payments, body.mails, Array.isArray(body.results), typeof body.applications],
    [null, null, true, 'number'],
  )
})

test('decisions awaiting a second person and data requests are counted for roles that may read them', async () => {
  const waits = async (role: Parameters<typeof anOfficer>[0]) => {
    const body = await server.ask(officeWaiting, {}, await anOfficer(role))
    return [body.refunds, body.accounts, body.requests, body.nextLevel]
  }
  const [refunds, accounts, requests] = await waits('owner')
  const proposer = await anOfficer('accounts')
  const refund = {
    ...{ school_id: (await aSchool()).id, season: thisSeason, amount: 500, pay_to: 'X', reason: 'Y' },
    ...{ proposed_by: proposer.id, proposed_at: aDay },
  }
  const decided = { decided_by: (await anOfficer('owner')).id, decided_at: aDay }
  await addRow('refunds', refund)
  await addRow('refunds', { ...refund, ...decided, state: 'approved' })
  await addRow('refunds', { ...refund, ...decided, state: 'rejected' })
  assert.deepEqual((await waits('owner')).slice(0, 3), [Number(refunds) + 2, accounts, requests])
  assert.deepEqual((await waits('results')).slice(0, 3), [null, null, null])
  assert.deepEqual((await waits('accounts')).slice(2), [null, null])
  const { oldest } = await server.ask(officeWaiting, {}, proposer)
  assert.ok(oldest.refunds && oldest.refunds <= aDay.toISOString())
})

test('items to pack are counted in advance, for roles that may read dispatch', async () => {
  const { id } = await aSchool()
  const marked = async (role: Parameters<typeof anOfficer>[0]) => {
    await addRow('dispatch_stale', { school_id: id, season: thisSeason })
    const { packets } = await server.ask(officeWaiting, {}, await anOfficer(role))
    const left = await findRows('dispatch_stale', { school_id: id }, ['id'])
    return [Array.isArray(packets), left.length]
  }
  assert.deepEqual(await marked('operations'), [true, 0])
  assert.deepEqual(await marked('results'), [false, 1])
})

test('waiting items are counted by season, and money by the season of its day', async () => {
  const accounts = await anOfficer('accounts')
  const other = await aSeasonOfItsOwn()
  const waits = async () => {
    const { payments, bankLines } = await server.ask(officeWaiting, {}, accounts)
    const of = (all: typeof payments, season: string) => all?.find(({ FYear }) => FYear === season)?.n ?? 0
    return [
      of(payments, thisSeason),
      of(payments, other),
      of(bankLines, '2025-26'),
      of(bankLines, thisSeason),
    ]
  }
  const before = await waits()
  const { id } = await aPendingPayment(server)
  await anImport(server, accounts.token, [
    { narration: `LAST DAY ${aUtr()}`, amount: 1, day: '31/03/2026' },
    { narration: `FIRST DAY ${aUtr()}`, amount: 1, day: '01/04/2026' },
  ])
  const grown = (by: readonly number[]) => before.map((n, index) => n + (by[index] ?? 0))
  assert.deepEqual(await waits(), grown([1, 0, 1, 1]))
  const oldestLine = async (by: typeof officer) => (await server.ask(officeWaiting, {}, by)).oldest.bankLines
  assert.ok((await oldestLine(accounts))?.startsWith('2026-03-30'), 'the day begins at midnight in India')
  assert.equal(await oldestLine(await anOfficer('results')), undefined)
  await changeRows('payments', { id }, { season: other })
  assert.deepEqual(await waits(), grown([0, 1, 1, 1]))
  // A matched line whose money the bank has returned waits again.
  const utr = aUtr()
  await anImport(server, accounts.token, [{ narration: 'FIRST', amount: 7, day: '02/04/2026', utr }])
  const { id: lineId } = await server.deps.db
    .updateTable('bank_lines')
    .set({ state: 'booked', to_credit: 700 })
    .where('utr', '=', utr)
    .returning('id')
    .executeTakeFirstOrThrow()
  assert.deepEqual(await waits(), grown([0, 1, 1, 1]))
  await anImport(server, accounts.token, [{ narration: 'RTN', amount: -7, day: '03/04/2026', utr }])
  assert.deepEqual(await waits(), grown([0, 1, 1, 2]))
  const decided = { returned_decided_at: new Date() }
  await server.deps.db.updateTable('bank_lines').set(decided).where('id', '=', lineId).execute()
  assert.deepEqual(await waits(), grown([0, 1, 1, 1]))
})

test('schools are listed by their next step with the days left', async () => {
  const teacher = await aTeacher({ schoolId: (await aSchool({ state: 'Sikkim' })).id })
  const row = async () => {
    await countFigures()
    const body = await server.ask(reminderList, { FYear, state: 'Sikkim' }, officer)
    return body.data.find(({ id }) => id === teacher.schoolId)
  }
  const empty = await row()
  assert.deepEqual([empty?.step, empty?.students, empty?.can], ['enrol', 0, true])
  const numberIs = async (numbers: { whatsapp: string; phone: string }) => {
    await server.deps.db.updateTable('schools').set(numbers).where('id', '=', teacher.schoolId).execute()
    return (await row())?.phone
  }
  assert.equal(await numberIs({ whatsapp: '9000000417', phone: '9000000418' }), '9000000417')
  assert.equal(await numberIs({ whatsapp: '', phone: '9000000418' }), '9000000418')
  assert.ok(empty?.daysLeft !== null && (empty?.daysLeft ?? -1) >= 0)
  await anOrderedBook(server, teacher)
  const ordered = await row()
  assert.equal(ordered?.step, 'enrol', 'a library’s order is no step')
  await anEnteredStudent(server, teacher)
  const owing = await row()
  assert.equal(owing?.step, 'pay')
  assert.ok((owing?.due ?? 0) > (ordered?.due ?? 0))
  const register = await server.ask(officeSchools, { FYear, state: 'Sikkim' }, officer)
  assert.equal(owing?.due, register.data[0]?.due, 'one amount in the reminders and the register')
  await changeRows('schools', { id: teacher.schoolId }, { active: false })
  assert.equal(await row(), undefined)
})

test('a school whose last student has left an olympiad is not asked to choose its date', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const { season, teacher, subject } = chooser
  const step = async () => {
    await storeFigures(server.deps.db, now, season)
    const { data } = await server.ask(reminderList, { FYear: season }, officer)
    return data.find(({ id }) => id === teacher.schoolId)?.step
  }
  assert.equal(await step(), 'choose-dates')
  const { eventManagementId, firstDateId } = subject
  await server.ask(setExamDate, { eventManagementId, examDateId: firstDateId }, teacher)
  assert.equal(await step(), undefined)
  const entry = { FYear: season, subjectName: 'Science', cb: '' }
  const { id: studentId } = await anEnteredStudent(server, teacher, entry)
  await server.ask(deleteStudentPost, { studentId }, teacher)
  assert.equal(await step(), undefined)
  await server.refuses(
    'reminders.too_soon',
    sendReminders,
    { FYear: season, ids: [teacher.schoolId] },
    officer,
  )
})

test('a school to remind is found by words of its name or by its code, and by nothing else', async () => {
  const name = 'Nirmal Vatika Sample School'
  const { id, code } = await aSchool({ state: 'Manipur', name })
  await aSchool({ state: 'Manipur', name: 'Another Sample School' })
  await countFigures()
  const found = async (search: string) => {
    const query = { FYear, state: 'Manipur', search }
    return (await server.ask(reminderList, query, officer)).data.map((row) => row.id)
  }
  assert.equal((await found('')).length, 2)
  assert.deepEqual(await found('vatika NIRMAL'), [id])
  assert.deepEqual(await found(code.toLowerCase()), [id])
  assert.deepEqual([await found('vatika another'), await found('?')], [[], []])
})

test('an officer exports the schools to remind; the export is logged, and amounts depend on the role', async () => {
  const school = await aSchool({ state: 'Mizoram' })
  await anEnteredStudent(server, await aTeacher({ schoolId: school.id }))
  await countFigures()
  const filters = { FYear, search: school.code, step: 'pay', state: 'Mizoram', within: '' } as const
  const take = async (role: 'operations' | 'results') =>
    (await takeCsv(server, exportReminderList, filters, await anOfficer(role))).text
  const [head, line, ...others] = (await take('operations')).trim().split('\n')
  assert.ok(head?.includes('Next step,Until,Days left,Students,Fees due'))
  assert.match(line ?? '', new RegExp(`^${school.code},.*,Mizoram,Pay,.*,1,[1-9]\\d*,1,`))
  assert.deepEqual(others, [])
  assert.deepEqual(await newestChange('reminder.exported'), { format: 'csv', schools: 1, filters })
  assert.match(await take('results'), /,Mizoram,Pay,.*,1,,1,/)
})

test("a reminder goes to each person in their language, is logged and appears in the school's history", async () => {
  const teacher = await aTeacher()
  const colleague = await aTeacher({ schoolId: teacher.schoolId })
  await changeRows('users', { id: colleague.id }, { language: 'hi' })
  const body = await server.ask(sendReminders, { FYear, ids: [teacher.schoolId] }, officer)
  assert.deepEqual([body.sent, body.mails, body.leftOut], [1, 2, 0])
  assert.match(
    (await mailsTo(server, teacher.email))[0]?.text ?? '',
    /has no students entered.*entry\?season=\d{4}-\d\d\s/s,
  )
  assert.match((await mailsTo(server, colleague.email))[0]?.text ?? '', /कोई विद्यार्थी दर्ज नहीं/)
  const history = await server.ask(officeSchoolHistory, { id: String(teacher.schoolId) }, officer)
  assert.equal(history.data[0]?.action, 'reminder.sent')
})

test('a school is not reminded twice within three days, nor by two officers at once', async () => {
  const teacher = await aTeacher()
  const body = { FYear, ids: [teacher.schoolId] }
  const both = await Promise.all([
    server.send(sendReminders, { body }, officer),
    server.send(sendReminders, { body }, await anOfficer('owner')),
  ])
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409])
  assert.equal((await mailsTo(server, teacher.email)).length, 1)
  now = new Date(aDay.getTime() + 3 * 86_400_000 + 1)
  const by = await anOfficer('operations', now)
  assert.equal((await server.send(sendReminders, { body }, by)).status, 200)
  now = aDay
})

test('a school with nothing to do or without staff gets no reminder, and other roles send none', async () => {
  const nobody = (await aSchool()).id
  await server.refuses('reminders.too_soon', sendReminders, { FYear, ids: [nobody] }, officer)
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const answer = await server.send(sendReminders, { body: { FYear, ids: [nobody] } }, await anOfficer(role))
    assert.equal(answer.status, 403)
  }
})
