import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveSlots, minuteOf } from './rules-slots.ts'

test('a school stays together where a slot has room for all of it, and nobody gets one where room is short', () => {
  const schools = [
    { schoolId: 1, studentIds: [1, 2, 3] },
    { schoolId: 2, studentIds: [4, 5] },
  ]
  const rooms = [
    { slotId: 1, free: 2 },
    { slotId: 2, free: 3 },
  ]
  assert.deepEqual(giveSlots(schools, rooms), [
    { slotId: 2, studentIds: [1, 2, 3] },
    { slotId: 1, studentIds: [4, 5] },
  ])
  assert.deepEqual(giveSlots([{ schoolId: 1, studentIds: [1, 2, 3, 4] }], rooms), [
    { slotId: 1, studentIds: [1, 2] },
    { slotId: 2, studentIds: [3, 4] },
  ])
  assert.equal(giveSlots([{ schoolId: 1, studentIds: [1, 2, 3, 4, 5, 6] }], rooms), undefined)
  const overfull = [{ slotId: 3, free: -2 }, ...rooms]
  assert.deepEqual(giveSlots([{ schoolId: 1, studentIds: [1, 2, 3, 4] }], overfull), [
    { slotId: 1, studentIds: [1, 2] },
    { slotId: 2, studentIds: [3, 4] },
  ])
})

test('times of the day are read as people write them', () => {
  const cases = [
    ['10:30', 630],
    ['9:15 AM', 555],
    ['12:05 am', 5],
    ['2 pm', 840],
    ['25:00', undefined],
    ['13 pm', undefined],
    ['10', undefined],
  ] as const
  for (const [said, minutes] of cases) assert.equal(minuteOf(said), minutes, said)
})
