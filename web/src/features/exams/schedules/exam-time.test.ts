import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examTime } from './exam-time.ts'

for (const [instant, shown] of [
  ['2026-12-10T04:30:00.000Z', '10/12/2026 10:00 AM'],
  ['2026-12-09T18:30:00.000Z', '10/12/2026 12:00 AM'],
  ['2026-12-31T18:29:00.000Z', '31/12/2026 11:59 PM'],
  ['2027-01-05T06:35:00.000Z', '05/01/2027 12:05 PM'],
] as const) {
  test(`an exam at ${instant} is at ${shown} by the clock of India`, () => {
    assert.equal(examTime(instant), shown)
  })
}
