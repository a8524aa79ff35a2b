import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueEvents, saveFees, saveLateFee } from '@podium/contract/catalogue/calls-events'
import { officeSeasons, saveSeason } from '@podium/contract/catalogue/calls-seasons'
import { fromRupees, rupees } from '@podium/contract/money'
import { savePayment } from '@podium/contract/payments/calls'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { changeStudents, saveStudentDetails } from '@podium/contract/students/calls'
import { confirmImport, importStatus, importStudents } from '@podium/contract/students/calls-import'
import { sql } from 'kysely'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, extendSessions, thisSeason } from '#test/factories'
import { aFoundation, anOrderedBook, aSubmission, ledgerHolds } from '#test/payments-factories'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent, anEntry } from '#test/students-factories'
import { pricesOf } from './events/queries.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  await aSeason()
  await aFoundation()
})

type Teacher = Awaited<ReturnType<typeof aTeacher>>

/** Moves the clock; users stay signed in. */
async function moveClock(to: Date) {
  now = to
  await extendSessions(to)
}

const tables = ['enrolments', 'book_choices', 'students', 'payments', 'library_lines'] as const

/** All columns of a school's rows that hold an amount. */
async function rowsOf({ schoolId }: Teacher): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const table of tables) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(table)} t where school_id = ${schoolId}
      order by to_jsonb(t)::text`.execute(server.deps.db)
    found[table] = rows.map(({ row }) => row)
  }
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(l) as row from payment_lines l join payments p on p.id = l.payment_id
    where p.school_id = ${schoolId} order by to_jsonb(l)::text`.execute(server.deps.db)
  return { ...found, payment_lines: rows.map(({ row }) => row) }
}

async function importOne(teacher: Teacher, mobile: string) {
  const text = `Class,Section,Roll No,Student Name,Parent Mobile,Subjects,Comprehensive Book\n7,C,41,Kept Namunawala,${mobile},"Mathematics,Science",Mathematics\n`
  const file = { name: 'class.csv', bytes: new Uint8Array(Buffer.from(text)) }
  const query = { FYear: thisSeason }
  const seen = await server.ask(importStudents, query, { token: teacher.token, file })
  assert.equal(seen.goodCount, 1, JSON.stringify(seen))
  const { importId, revision } = seen
  await server.ask(confirmImport, { importId, revision }, teacher)
  await server.jobs.drain()
  const body = await server.ask(importStatus, { importId }, teacher)
  assert.deepEqual([body.state, body.refused], ['done', []])
}

/** All amounts of the season that the office can change: each price, the share, the late fee. */
async function changeEverything(owner: { token: string }) {
  const query = { FYear: thisSeason }
  const events = async () => (await server.ask(catalogueEvents, query, owner)).data
  for (const { eventYearId, version } of await events()) {
    const dearer = (amount: number) => rupees(fromRupees(amount / 100 + 37))
    const books = (amount: number | null) => (amount === null ? null : dearer(amount))
    const classes = [...(await pricesOf(server.deps.db, eventYearId))].map(([classId, price]) => ({
      ...{ classId, fee: dearer(price.fee), retained: dearer(price.retained) },
      ...{ cb: books(price.cb), pyqp: books(price.pyqp), geneX: books(price.geneX) },
      ...{ tb: books(price.tb), wb: books(price.wb), bookRetained: dearer(price.bookRetained) },
    }))
    await server.ask(saveFees, { eventYearId, version, classes }, owner)
  }
  const body = await server.ask(officeSeasons, {}, owner)
  const season = body.data.find(({ FYear }) => FYear === thisSeason)
  assert.ok(season)
  const { version, feeDueOn, resultsFrom, dateChoiceDays } = season
  const share = { kind: 'percent' as const, percent: 40 }
  const values = { FYear: thisSeason, version, feeDueOn, resultsFrom, dateChoiceDays, share }
  await server.ask(saveSeason, values, owner)
  const late = async (lateFrom: string, lateFee: number) => {
    const versions = (await events()).map(({ eventYearId, version: seen }) => ({
      eventYearId,
      version: seen,
    }))
    const answer = { body: { FYear: thisSeason, events: versions, lateFrom, lateFee } }
    assert.equal((await server.call(saveLateFee, answer, owner)).status, 200)
  }
  await late('2026-11-23', 90)
  await moveClock(new Date('2026-11-23T06:00:00Z'))
  await late('2026-11-23', 80)
}

test('new prices, shares or late fees never change what is already entered, ordered or paid, even when a student is edited', async () => {
  const owner = await anOfficer('owner')
  const { id: schoolId } = await aSchool()
  const teacher = await aTeacher({ schoolId })
  await anEnteredStudent(server, teacher, { subjectName: 'English', cb: '' })
  const submission = await aSubmission(server, teacher.token)
  const { id } = await server.ask(savePayment, submission, teacher)
  await server.ask(verifyPayment, { id, version: 1 }, await anOfficer('accounts'))
  await server.jobs.drain()
  const typed = await anEnteredStudent(server, teacher, { cb: 'Mathematics,Science' })
  await importOne(teacher, '9876500001')
  await anOrderedBook(server, teacher)

  const before = await rowsOf(teacher)
  assert.deepEqual(
    Object.values(before).map((rows) => rows.length > 0),
    Object.values(before).map(() => true),
  )
  await changeEverything(owner)
  assert.deepEqual(await rowsOf(teacher), before)

  const subjects = { subjectName: 'Mathematics,Science', cb: 'Mathematics,Science' }
  const entry = { id: typed.id, version: typed.version, rollno: typed.rollNo, ...subjects }
  const edited = await server.ask(saveStudentDetails, anEntry({ ...entry, section: 'B' }), teacher)
  const change = { id: typed.id, version: edited.data.version, section: 'A' }
  const bulk = await server.ask(changeStudents, { FYear: thisSeason, students: [change] }, teacher)
  assert.deepEqual([bulk.changed, bulk.refused], [1, []])
  await importOne(teacher, '9876500002')
  const after = await rowsOf(teacher)
  for (const table of ['enrolments', 'book_choices', 'payments', 'payment_lines', 'library_lines'])
    assert.deepEqual(after[table], before[table], table)
  const sums = (rows: unknown[] | undefined) =>
    (rows as Record<string, number>[]).map((row) => [
      ...[row.id, row.reg_amount, row.reg_retained, row.late_amount],
      ...[row.book_amount, row.book_retained],
    ])
  assert.deepEqual(sums(after.students).toSorted(), sums(before.students).toSorted())
  await ledgerHolds(server, await anOfficer('accounts', now), teacher)

  const fresh = await anEnteredStudent(server, teacher, { subjectName: 'Mathematics', cb: '' })
  assert.deepEqual(
    [fresh.regAmount, fresh.lateFee, fresh.school_Expenses],
    [175 + 37 + 80, 80, 84.8],
    'who comes now pays what the list says now; the share is 40 % of the fee without the late fee',
  )
})
