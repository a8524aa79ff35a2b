import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadlines } from '@podium/contract/dashboard/calls'
import { savePayment } from '@podium/contract/payments/calls'
import { parseSeason, seasonBefore } from '@podium/contract/season'
import { aDay, aSeason, aTeacher, eventOf, season, thisSeason } from '#test/factories'
import { aSchoolThatOwes, aStudent, aSubmission } from '#test/payments-factories'
import { aNextLevelRound, aReleasedEvent } from '#test/results-factories'
import { addRow, addRows, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { aSeasonOfItsOwn } from '#test/students-factories'

/** The days that a school must keep: what closes, what is due, what is to be answered. */

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  await aSeason()
})

type Caller = { token: string }
const deadlinesOf = async (caller: Caller, FYear: string = thisSeason) =>
  (await server.ask(deadlines, { FYear }, caller)).data
const kindsOf = async (caller: Caller, FYear?: string) =>
  (await deadlinesOf(caller, FYear)).map(({ kind, day, daysLeft }) => [kind, day, daysLeft])

/** The school takes part in an event without having chosen a date; the first date moves to this day. */
async function joinEvent(schoolId: number, letter: string, firstDate: string | null, label = thisSeason) {
  const event = await eventOf(letter, label)
  const { db } = server.deps
  await addRow('participations', { school_id: schoolId, event_id: event.id, created_at: aDay })
  const dates = db.updateTable('exam_dates').where('event_id', '=', event.id).where('ordinal', '=', 1)
  if (firstDate) await dates.set({ held_on: firstDate }).execute()
  else await db.deleteFrom('exam_dates').where('event_id', '=', event.id).execute()
}

async function subjectNames() {
  const rows = await findRows('subjects', {}, ['name'], 'position')
  return rows.map(({ name }) => name)
}

test('a school without students has one deadline: the day on which entries close', async () => {
  const teacher = await aTeacher()
  assert.deepEqual(await deadlinesOf(teacher), [
    {
      kind: 'enrolment',
      season: thisSeason,
      day: '2026-11-30',
      daysLeft: 9,
      subjects: await subjectNames(),
      later: 0,
      amount: 0,
      unpaid: 0,
    },
  ])
})

test('an invitation to the next level is a deadline until the school has answered for the whole olympiad', async () => {
  const { event, setId, students, school, other, teacher } = await aReleasedEvent(server)
  const { db } = server.deps
  await aNextLevelRound(event, setId)
  const [mine, theirs] = [students[0]?.id ?? 0, students.at(-1)?.id ?? 0]
  const invited = { event_id: event.id, class_id: 7, found_by: '', wanted: true, decided_at: aDay }
  const of = async () =>
    (await deadlinesOf(teacher, event.season)).filter(({ kind }) => kind === 'invitations')
  await addRows('next_level_invitations', [
    { ...invited, student_id: mine, school_id: school.id },
    { ...invited, student_id: theirs, school_id: other.id, notice: 'invited' },
  ])
  assert.deepEqual(await of(), [], 'the school was not notified of any')
  const write = (change: { notice: string } | { answer: string }) =>
    db.updateTable('next_level_invitations').set(change).where('student_id', '=', mine).execute()
  await write({ notice: 'invited' })
  assert.deepEqual(await of(), [
    {
      kind: 'invitations',
      season: event.season,
      day: '2026-12-15',
      daysLeft: 24,
      subjects: ['Mathematics'],
      later: 0,
      amount: 0,
      unpaid: 0,
    },
  ])
  // Answered in the next season, also before the office has opened it; not seen in an earlier one.
  const invitationsOf = async (label: string) =>
    (await deadlinesOf(teacher, label)).filter(({ kind }) => kind === 'invitations')
  assert.deepEqual(valuesOf(await invitationsOf('2096-97'), 'season', 'daysLeft'), [[event.season, 24]])
  assert.deepEqual(await invitationsOf(seasonBefore(parseSeason(event.season) ?? thisSeason)), [])
  await write({ answer: 'no' })
  assert.deepEqual(await of(), [])
})

test('days are counted by Indian time: a minute before midnight there, one more day is left', async () => {
  const { schoolId } = await aTeacher()
  for (const [instant, daysLeft] of [
    ['2026-11-28T18:29:59Z', 2],
    ['2026-11-28T18:30:00Z', 1],
    ['2026-11-30T18:29:59Z', 0],
    ['2026-11-30T18:30:00Z', undefined],
  ] as const) {
    now = new Date(instant)
    const teacher = await aTeacher({ schoolId, now })
    const [first] = await deadlinesOf(teacher)
    assert.equal(first?.daysLeft, daysLeft, instant)
  }
  now = aDay
})

test('among events that close on different days the next one counts down, and a closed one does not', async () => {
  const label = await aSeasonOfItsOwn()
  const close = (closes_on: string, letters: string[]) =>
    changeRows('events', { season: label, letter: letters }, { closes_on })
  await changeRows('events', { season: label }, { closes_on: '2026-11-20' })
  await close('2026-11-21', ['M', 'S'])
  await close('2026-11-25', ['E'])
  const teacher = await aTeacher()
  const [entries, ...more] = await deadlinesOf(teacher, label)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [entries?.day, entries?.daysLeft, entries?.subjects, entries?.later],
    ['2026-11-21', 0, ['Mathematics', 'Science'], 1],
  )
})

test('a fee has its due day; afterwards it is late and comes first; once sent it is no deadline', async () => {
  const { school, token } = await aSchoolThatOwes(2)
  const { fee_due_on: dueOn } = await findRow('seasons', { label: thisSeason })
  const fee = (await deadlinesOf({ token })).find(({ kind }) => kind === 'payment')
  assert.deepEqual([fee?.day, fee?.amount], [String(dueOn), 300])
  now = new Date(Date.parse(`${dueOn}T06:00:00Z`) + 5 * 86_400_000)
  const late = (await deadlinesOf(await aTeacher({ schoolId: school.id, now })))[0]
  assert.deepEqual([late?.kind, late?.daysLeft], ['payment', -5])
  now = aDay
  await server.ask(savePayment, await aSubmission(server, token), { token })
  assert.deepEqual(valuesOf(await deadlinesOf({ token }), 'kind'), ['enrolment'])
})

test("the season's rule sets the last day to choose an exam date; an olympiad without dates has none", async () => {
  const label = await aSeasonOfItsOwn()
  const { school, token } = await aSchoolThatOwes(0)
  await changeRows('events', { season: label }, { closes_on: '2026-10-01' })
  const of = (letter: string) => aStudent({ schoolId: school.id, season: label, letters: [letter] })
  const paid = await of('M')
  await of('S')
  await of('E')
  await of('G')
  await changeRows('students', { id: paid.id }, { paid: true })
  await joinEvent(school.id, 'M', '2026-12-28', label)
  await joinEvent(school.id, 'S', '2026-12-28', label)
  await joinEvent(school.id, 'E', '2026-12-20', label)
  await joinEvent(school.id, 'G', null, label)
  await of('R')
  await joinEvent(school.id, 'R', '2026-12-31', label)
  await joinEvent(school.id, 'H', '2026-12-28', label)
  const choices = (await deadlinesOf({ token }, label)).filter(({ kind }) => kind === 'dates')
  assert.deepEqual(choices, [
    {
      kind: 'dates',
      season: label,
      day: '2026-11-28',
      daysLeft: 7,
      subjects: ['Mathematics', 'Science'],
      later: 1,
      amount: 0,
      unpaid: 1,
    },
  ])
  await changeRows('seasons', { label }, { date_choice_days: 37 })
  assert.deepEqual(
    valuesOf(
      (await deadlinesOf({ token }, label)).filter(({ kind }) => kind === 'dates'),
      'daysLeft',
    ),
    [0],
  )
})

test('a chosen exam date is no longer a deadline', async () => {
  const label = await aSeasonOfItsOwn()
  const { school, token } = await aSchoolThatOwes(0)
  await aStudent({ schoolId: school.id, season: label, letters: ['M'] })
  await joinEvent(school.id, 'M', '2027-01-15', label)
  const choices = async () =>
    (await deadlinesOf({ token }, label)).filter(({ kind }) => kind === 'dates').length
  assert.equal(await choices(), 1)
  const event = await eventOf('M', label)
  const { id } = await findRow('exam_dates', { event_id: event.id, ordinal: 1 })
  await changeRows('participations', { school_id: school.id, event_id: event.id }, { exam_date_id: id })
  assert.equal(await choices(), 0)
})

test('a season that is over, has no events or is unknown has no deadlines of its own', async () => {
  const teacher = await aTeacher()
  const label = season('2095-96')
  await addRow('seasons', {
    label,
    state: 'preparing',
    fee_due_on: '2095-12-10',
    results_from: '2096-02-01',
    created_at: aDay,
  })
  assert.deepEqual(await kindsOf(teacher, label), [])
  assert.deepEqual(await kindsOf(teacher, await aSeasonOfItsOwn('closed')), [])
  assert.deepEqual(await kindsOf(teacher, '2096-97'), [])
})
