import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getOnlineExamSchedule } from '@podium/contract/exams/calls-schedules'
import { saveSlot, scheduleFile } from '@podium/contract/exams/calls-schedules-office'
import { aDay, anOfficer, eventOf, season, thisSeason } from '../../../../test/factories.ts'
import { aWaitingSchool } from '../../../../test/schedules-factories.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

const schedulesOf = async (teacher: { token: string }) =>
  (await server.call(getOnlineExamSchedule, { query: { FYear: thisSeason } }, teacher)).body.data

test('a file of hours is shown first and written on the second word; what nobody has is left out', async () => {
  const operations = await anOfficer('operations')
  const { id } = await eventOf('K')
  const world = await aWaitingSchool(2)
  const [one, other] = world.students
  const text = [
    'End,Start,Exam Roll No,Exam Date',
    `11:30,10:30,${one?.exam_roll_no},14/12/2026`,
    `10 am,9:15 AM,${other?.exam_roll_no},2026-12-15`,
    '11:30,10:30,NOBODY-07-001,14/12/2026',
    `09:30,10:30,${one?.exam_roll_no},14/12/2026`,
  ].join('\n')
  const upload = (apply?: 'yes') =>
    server.call(
      scheduleFile,
      { query: { eventYearId: String(id), ...(apply ? { apply } : {}) } },
      { token: operations.token, file: { name: 'hours.csv', bytes: new TextEncoder().encode(text) } },
    )
  const shown = await upload()
  assert.deepEqual(shown.body.counts, {
    ...{ new: 2, changed: 0, same: 0, over: 0, full: 0 },
    ...{ unknown: 1, unclear: 1 },
  })
  assert.deepEqual(await schedulesOf(world.teacher), [])
  assert.equal((await upload('yes')).body.applied, 2)
  assert.deepEqual(
    (await schedulesOf(world.teacher)).map((row) => [row.ExamSchedule_From, row.ExamSchedule_To]),
    [
      ['2026-12-14T05:00:00.000Z', '2026-12-14T06:00:00.000Z'],
      ['2026-12-15T03:45:00.000Z', '2026-12-15T04:30:00.000Z'],
    ],
  )
  assert.equal((await upload('yes')).body.counts.same, 2)
})

test('a file of hours gives none that are over, takes none of an exam that was sat, and fills no slot beyond its places', async () => {
  const operations = await anOfficer('operations')
  const { id } = await eventOf('K')
  const hours = { from: '2027-01-25T04:30:00Z', to: '2027-01-25T05:30:00Z' }
  const slot = { slotId: 0, eventYearId: id, ...hours, places: 1 }
  const { slotId } = (await server.call(saveSlot, { body: slot }, operations)).body
  const { students } = await aWaitingSchool(4)
  const [one, two, three, sat] = students.map((student) => student.exam_roll_no)
  const upload = (lines: string[], apply: 'yes' | '' = 'yes', eventYearId = id) =>
    server.call(
      scheduleFile,
      { query: { eventYearId: String(eventYearId), apply } },
      {
        token: operations.token,
        file: {
          name: 'hours.csv',
          bytes: new TextEncoder().encode(['Exam Roll No,Date,From,To', ...lines].join('\n')),
        },
      },
    )
  await upload([`${sat},2026-12-14,10:30,11:30`])
  const satId = students[3]?.id ?? 0
  await server.deps.db
    .updateTable('exam_schedules')
    .set({ exam_status: 'Completed' })
    .where('student_id', '=', satId)
    .execute()
  const at = (roll: string | undefined) => `${roll},2027-01-25,10:00,11:00`
  const { body } = await upload([
    at(one),
    at(two),
    `${three},2026-11-20,10:30,11:30`,
    `${sat},2026-12-20,10:30,11:30`,
  ])
  assert.deepEqual(
    body.rows.map(({ outcome }) => outcome),
    ['new', 'full', 'over', 'over'],
  )
  assert.deepEqual([body.counts.full, body.counts.over, body.applied], [1, 2, 1])
  const kept = await server.deps.db
    .selectFrom('exam_schedules')
    .select(['student_id', 'slot_id', 'exam_status'])
    .where(
      'student_id',
      'in',
      students.map(({ id }) => id),
    )
    .orderBy('student_id')
    .execute()
  assert.deepEqual(kept, [
    { student_id: students[0]?.id, slot_id: slotId, exam_status: 'Not started' },
    { student_id: satId, slot_id: null, exam_status: 'Completed' },
  ])
  const again = await upload([`${two},2026-12-26,10:30,11:30`, at(two)])
  assert.deepEqual(
    again.body.rows.map(({ outcome }) => outcome),
    ['new', 'full'],
  )
  assert.equal(again.body.applied, 1, 'a last row that can not be had leaves the one before it')
  const { id: closed } = await eventOf('K', season('2025-26'))
  assert.equal(
    (await upload([`${one},2026-12-14,10:30,11:30`], 'yes', closed)).body.code,
    'schedules.season_over',
  )
})
