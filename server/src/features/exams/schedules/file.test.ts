import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getOnlineExamSchedule } from '@podium/contract/exams/calls'
import { saveSlot, scheduleFile } from '@podium/contract/exams/calls-office'
import { readTime } from '@podium/contract/season'
import { aDay, anOfficer, eventOf, season, thisSeason } from '#test/factories'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { aWaitingSchool } from '#test/students-factories'
import { planSlots } from './commands.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))

const schedulesOf = async (teacher: { token: string }) =>
  (await server.ask(getOnlineExamSchedule, { FYear: thisSeason }, teacher)).data

test('a file of hours is previewed first and saved on confirmation; unknown students are left out', async () => {
  const operations = await anOfficer('operations')
  const { id } = await eventOf('K')
  const world = await aWaitingSchool(2)
  const [first, second] = world.students
  const text = [
    // A file with the roll no in the class, too, as schools write it
    'Roll No,End,Start,Exam Roll No,Date,Exam Date',
    `1,11:30,10:30,${first?.exam_roll_no},01/12/2026,14/12/2026`,
    `2,10 am,9:15 AM,${second?.exam_roll_no},,2026-12-15`,
    '3,11:30,10:30,NOBODY-07-001,,14/12/2026',
    `4,09:30,10:30,${first?.exam_roll_no},,14/12/2026`,
  ].join('\n')
  const upload = (apply?: 'yes') =>
    server.call(
      scheduleFile,
      { query: { eventYearId: String(id), ...(apply ? { apply } : {}) } },
      { token: operations.token, file: { name: 'hours.csv', bytes: new TextEncoder().encode(text) } },
    )
  const shown = await upload()
  assert.deepEqual(shown.body.counts, {
    ...{ new: 2, changed: 0, same: 0, over: 0, full: 0, clash: 0 },
    ...{ unknown: 1, unclear: 1 },
  })
  assert.deepEqual(await schedulesOf(world.teacher), [])
  assert.equal((await upload('yes')).body.applied, 2)
  assert.deepEqual(valuesOf(await schedulesOf(world.teacher), 'ExamSchedule_From', 'ExamSchedule_To'), [
    ['2026-12-14T05:00:00.000Z', '2026-12-14T06:00:00.000Z'],
    ['2026-12-15T03:45:00.000Z', '2026-12-15T04:30:00.000Z'],
  ])
  assert.equal((await upload('yes')).body.counts.same, 2)
})

test('a file of hours assigns no past hours, changes no exam already sat, and overfills no slot', async () => {
  const operations = await anOfficer('operations')
  const { id } = await eventOf('K')
  const hours = { from: '2027-01-25T04:30:00Z', to: '2027-01-25T05:30:00Z' }
  const slot = { slotId: 0, eventYearId: id, ...hours, places: 1 }
  const { slotId } = await server.ask(saveSlot, slot, operations)
  const { students } = await aWaitingSchool(4)
  const [first, second, three, sat] = students.map((student) => student.exam_roll_no)
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
  await changeRows('exam_schedules', { student_id: satId }, { exam_status: 'Completed' })
  const at = (roll: string | undefined) => `${roll},2027-01-25,10:00,11:00`
  const { body } = await upload([
    at(first),
    at(second),
    `${three},2026-11-20,10:30,11:30`,
    `${sat},2026-12-20,10:30,11:30`,
  ])
  assert.deepEqual(valuesOf(body.rows, 'outcome'), ['new', 'full', 'over', 'over'])
  assert.deepEqual([body.counts.full, body.counts.over, body.applied], [1, 2, 1])
  const kept = await findRows(
    'exam_schedules',
    { student_id: students.map(({ id }) => id) },
    ['student_id', 'slot_id', 'exam_status'],
    'student_id',
  )
  assert.deepEqual(kept, [
    { student_id: students[0]?.id, slot_id: slotId, exam_status: 'Not started' },
    { student_id: satId, slot_id: null, exam_status: 'Completed' },
  ])
  const again = await upload([`${second},2026-12-26,10:30,11:30`, at(second)])
  assert.deepEqual(valuesOf(again.body.rows, 'outcome'), ['new', 'full'])
  assert.equal(again.body.applied, 1, 'a last row that can not be had leaves the one before it')
  const asItIs = `${second},2026-12-26,10:30,11:30`
  const unchanged = await upload([`${second},2026-12-27,10:30,11:30`, asItIs])
  assert.equal(unchanged.body.applied, 0, 'a last row that changes nothing counts, too')
  const other = { from: '2027-01-25T06:30:00Z', to: '2027-01-25T07:30:00Z' }
  await server.ask(saveSlot, { ...slot, ...other }, operations)
  const later = (roll: string | undefined) => `${roll},2027-01-25,12:00,13:00`
  await upload([later(second)])
  const blocked = await upload([later(first), `${second},2026-11-20,10:30,11:30`])
  assert.deepEqual(valuesOf(blocked.body.rows, 'outcome'), ['full', 'over'], 'who stays keeps the place')
  const swapped = await upload([later(first), at(second)])
  assert.deepEqual(valuesOf(swapped.body.rows, 'outcome'), ['changed', 'changed'])
  const { id: closed } = await eventOf('K', season('2025-26'))
  await refused('schedules.season_over', upload([`${first},2026-12-14,10:30,11:30`], 'yes', closed))
})

test('a school is kept together where a slot has room for all of it, and no student is assigned where room is short', () => {
  const schools = [
    { schoolId: 1, studentIds: [1, 2, 3] },
    { schoolId: 2, studentIds: [4, 5] },
  ]
  const at = { from: aDay, to: new Date(aDay.getTime() + 3_600_000) }
  const rooms = [
    { slotId: 1, free: 2, ...at },
    { slotId: 2, free: 3, ...at },
  ]
  assert.deepEqual(planSlots(schools, rooms), [
    { slotId: 2, studentIds: [1, 2, 3] },
    { slotId: 1, studentIds: [4, 5] },
  ])
  assert.deepEqual(planSlots([{ schoolId: 1, studentIds: [1, 2, 3, 4] }], rooms), [
    { slotId: 1, studentIds: [1, 2] },
    { slotId: 2, studentIds: [3, 4] },
  ])
  assert.equal(planSlots([{ schoolId: 1, studentIds: [1, 2, 3, 4, 5, 6] }], rooms), undefined)
  const overfull = [{ slotId: 3, free: -2, ...at }, ...rooms]
  assert.deepEqual(planSlots([{ schoolId: 1, studentIds: [1, 2, 3, 4] }], overfull), [
    { slotId: 1, studentIds: [1, 2] },
    { slotId: 2, studentIds: [3, 4] },
  ])
})

test('times of day are understood in the forms people write', () => {
  const cases = [
    ['10:30', 630],
    ['9:15 AM', 555],
    ['12:05 am', 5],
    ['2 pm', 840],
    ['25:00', undefined],
    ['13 pm', undefined],
    ['10', undefined],
  ] as const
  for (const [text, minutes] of cases) assert.equal(readTime(text), minutes, text)
})
