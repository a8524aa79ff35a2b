import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deadlines, studentsByClass } from '@podium/contract/dashboard/calls'
import { savePayment } from '@podium/contract/payments/calls'
import { aDay, aSeason, aTeacher, eventOf, season, thisSeason } from '#test/factories'
import { aSchoolThatOwes, aStudent, aSubmission } from '#test/payments-factories'
import { aNextLevelRound } from '#test/results-factories'
import { aReleasedEvent } from '#test/results-public-factories'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn } from '#test/students-factories'

let server: TestServer
let now = aDay
before(async () => {
  server = await testServer({ clock: () => now })
  await aSeason()
})

type Caller = { token: string }
const listOf = async (caller: Caller, FYear: string = thisSeason) =>
  (await server.call(deadlines, { query: { FYear } }, caller)).body.data
const kinds = async (caller: Caller, FYear?: string) =>
  (await listOf(caller, FYear)).map(({ kind, day, daysLeft }) => [kind, day, daysLeft])

/** The school takes part in an event, without a date chosen; the first date moves to this day. */
async function takesPart(schoolId: number, letter: string, firstDate: string | null, label = thisSeason) {
  const event = await eventOf(letter, label)
  const { db } = server.deps
  await db
    .insertInto('participations')
    .values({ school_id: schoolId, event_id: event.id, created_at: aDay })
    .execute()
  const dates = db.updateTable('exam_dates').where('event_id', '=', event.id).where('ordinal', '=', 1)
  if (firstDate) await dates.set({ held_on: firstDate }).execute()
  else await db.deleteFrom('exam_dates').where('event_id', '=', event.id).execute()
}

async function subjectNames() {
  const rows = await server.deps.db.selectFrom('subjects').select('name').orderBy('position').execute()
  return rows.map(({ name }) => name)
}

test('a school without students has the day on which entries close before it, and nothing else', async () => {
  const teacher = await aTeacher()
  assert.deepEqual(await listOf(teacher), [
    {
      kind: 'enrolment',
      day: '2026-11-30',
      daysLeft: 9,
      subjects: await subjectNames(),
      later: 0,
      amount: 0,
      unpaid: 0,
    },
  ])
})

test('invitations to the next level have their last day until the school has answered all of an olympiad', async () => {
  const { event, setId, students, school, other, teacher } = await aReleasedEvent(server)
  const { db } = server.deps
  await aNextLevelRound(event, setId)
  const [mine, theirs] = [students[0]?.id ?? 0, students.at(-1)?.id ?? 0]
  const invited = { event_id: event.id, class_id: 7, found_by: '', wanted: true, decided_at: aDay }
  const of = async () => (await listOf(teacher, event.season)).filter(({ kind }) => kind === 'invitations')
  await db
    .insertInto('next_level_invitations')
    .values([
      { ...invited, student_id: mine, school_id: school.id },
      { ...invited, student_id: theirs, school_id: other.id, told: 'invited' },
    ])
    .execute()
  assert.deepEqual(await of(), [], 'the school was told of none')
  const write = (change: { told: string } | { answer: string }) =>
    db.updateTable('next_level_invitations').set(change).where('student_id', '=', mine).execute()
  await write({ told: 'invited' })
  assert.deepEqual(await of(), [
    {
      kind: 'invitations',
      day: '2026-12-15',
      daysLeft: 24,
      subjects: ['Mathematics'],
      later: 0,
      amount: 0,
      unpaid: 0,
    },
  ])
  await write({ answer: 'no' })
  assert.deepEqual(await of(), [])
})

test('days are counted by the clock of India: a minute before midnight there one more is left', async () => {
  const { schoolId } = await aTeacher()
  for (const [instant, daysLeft] of [
    ['2026-11-28T18:29:59Z', 2],
    ['2026-11-28T18:30:00Z', 1],
    ['2026-11-30T18:29:59Z', 0],
    ['2026-11-30T18:30:00Z', undefined],
  ] as const) {
    now = new Date(instant)
    const teacher = await aTeacher({ schoolId, now })
    const [first] = await listOf(teacher)
    assert.equal(first?.daysLeft, daysLeft, instant)
  }
  now = aDay
})

test('of events that close on different days the next one counts down, and one that has closed does not', async () => {
  const label = await aSeasonOfItsOwn()
  const { db } = server.deps
  const close = (closes_on: string, letters: string[]) =>
    db
      .updateTable('events')
      .set({ closes_on })
      .where('season', '=', label)
      .where('letter', 'in', letters)
      .execute()
  await db.updateTable('events').set({ closes_on: '2026-11-20' }).where('season', '=', label).execute()
  await close('2026-11-21', ['M', 'S'])
  await close('2026-11-25', ['E'])
  const teacher = await aTeacher()
  const [entries, ...more] = await listOf(teacher, label)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [entries?.day, entries?.daysLeft, entries?.subjects, entries?.later],
    ['2026-11-21', 0, ['Mathematics', 'Science'], 1],
  )
})

test('what is due has its day; once it has passed the fee is late and stands first; sent, it is nobody’s deadline', async () => {
  const { school, token } = await aSchoolThatOwes(2)
  const { fee_due_on: dueOn } = await server.deps.db
    .selectFrom('seasons')
    .select('fee_due_on')
    .where('label', '=', thisSeason)
    .executeTakeFirstOrThrow()
  const fee = (await listOf({ token })).find(({ kind }) => kind === 'payment')
  assert.deepEqual([fee?.day, fee?.amount], [String(dueOn), 300])
  now = new Date(Date.parse(`${dueOn}T06:00:00Z`) + 5 * 86_400_000)
  const late = (await listOf(await aTeacher({ schoolId: school.id, now })))[0]
  assert.deepEqual([late?.kind, late?.daysLeft], ['payment', -5])
  now = aDay
  await server.call(savePayment, { body: await aSubmission(server, token) }, { token })
  assert.deepEqual(
    (await listOf({ token })).map(({ kind }) => kind),
    ['enrolment'],
  )
})

test('a date to choose closes so many days before the first date as the season says; without a date there is none', async () => {
  const label = await aSeasonOfItsOwn()
  const { school, token } = await aSchoolThatOwes(0)
  await server.deps.db
    .updateTable('events')
    .set({ closes_on: '2026-10-01' })
    .where('season', '=', label)
    .execute()
  const of = (letter: string) => aStudent({ schoolId: school.id, season: label, letters: [letter] })
  const paid = await of('M')
  await of('S')
  await of('E')
  await of('G')
  await server.deps.db.updateTable('students').set({ paid: true }).where('id', '=', paid.id).execute()
  await takesPart(school.id, 'M', '2026-12-28', label)
  await takesPart(school.id, 'S', '2026-12-28', label)
  await takesPart(school.id, 'E', '2026-12-20', label)
  await takesPart(school.id, 'G', null, label)
  await of('R')
  await takesPart(school.id, 'R', '2026-12-31', label)
  await takesPart(school.id, 'H', '2026-12-28', label)
  const choices = (await listOf({ token }, label)).filter(({ kind }) => kind === 'dates')
  assert.deepEqual(choices, [
    {
      kind: 'dates',
      day: '2026-11-28',
      daysLeft: 7,
      subjects: ['Mathematics', 'Science'],
      later: 1,
      amount: 0,
      unpaid: 1,
    },
  ])
  await server.deps.db
    .updateTable('seasons')
    .set({ date_choice_days: 37 })
    .where('label', '=', label)
    .execute()
  assert.deepEqual(
    (await listOf({ token }, label)).filter(({ kind }) => kind === 'dates').map(({ daysLeft }) => daysLeft),
    [0],
  )
})

test('a chosen date is no deadline any more', async () => {
  const label = await aSeasonOfItsOwn()
  const { school, token } = await aSchoolThatOwes(0)
  await aStudent({ schoolId: school.id, season: label, letters: ['M'] })
  await takesPart(school.id, 'M', '2027-01-15', label)
  const choices = async () => (await listOf({ token }, label)).filter(({ kind }) => kind === 'dates').length
  assert.equal(await choices(), 1)
  const event = await eventOf('M', label)
  const { id } = await server.deps.db
    .selectFrom('exam_dates')
    .select('id')
    .where('event_id', '=', event.id)
    .where('ordinal', '=', 1)
    .executeTakeFirstOrThrow()
  await server.deps.db
    .updateTable('participations')
    .set({ exam_date_id: id })
    .where('school_id', '=', school.id)
    .where('event_id', '=', event.id)
    .execute()
  assert.equal(await choices(), 0)
})

test('a season without events or one that is over has no deadline, and one that does not exist is not found', async () => {
  const teacher = await aTeacher()
  const label = season('2090-91')
  await server.deps.db
    .insertInto('seasons')
    .values({
      label,
      state: 'preparing',
      fee_due_on: '2090-12-10',
      results_from: '2091-02-01',
      created_at: aDay,
    })
    .execute()
  assert.deepEqual(await kinds(teacher, label), [])
  assert.deepEqual(await kinds(teacher, await aSeasonOfItsOwn('closed')), [])
  assert.equal((await server.send(deadlines, { query: { FYear: '2091-92' } }, teacher)).status, 404)
})

test('the chart by class counts every student once, from Nursery to Class 12, paid ones apart', async () => {
  const { school, token } = await aSchoolThatOwes(0)
  const add = (classId: number, active = true) => aStudent({ schoolId: school.id, classId, active })
  const one = await add(7)
  await add(12)
  await add(7)
  await add(15)
  await add(1, false)
  await server.deps.db.updateTable('students').set({ paid: true }).where('id', '=', one.id).execute()
  const { body } = await server.call(studentsByClass, { query: { FYear: thisSeason } }, { token })
  assert.deepEqual(body.data, [
    { classId: 15, className: 'Nursery', total: 1, paid: 0 },
    { classId: 7, className: 'Class 7', total: 2, paid: 1 },
    { classId: 12, className: 'Class 12', total: 1, paid: 0 },
  ])
})

test('another school’s students are in no chart and on no list', async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher)
  const stranger = await aTeacher()
  const { body } = await server.call(studentsByClass, { query: { FYear: thisSeason } }, stranger)
  assert.deepEqual(body.data, [])
  assert.deepEqual(
    (await listOf(stranger)).map(({ kind }) => kind),
    ['enrolment'],
  )
})
