import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDay } from '@podium/contract/season'
import { addMonths, parseTypedDay, weeksOfMonth } from './typed-day.ts'

const ways = [
  ['24/12/2027', 'en'],
  ['24-12-2027', 'en'],
  ['24.12.27', 'en'],
  ['24 Dec 2027', 'en'],
  ['24-Dec-2027', 'en'],
  ['24 december, 2027', 'en'],
  ['24Dec2027', 'en'],
  ['2027-12-24', 'en'],
  [' 24 12 2027 ', 'en'],
  ['२४/१२/२०२७', 'hi'],
  ['24 दिसंबर 2027', 'hi'],
  ['24-Dec-2027', 'hi'],
] as const
for (const [typed, language] of ways)
  test(`“${typed}” is read as the 24th of December 2027`, () =>
    assert.equal(parseTypedDay(typed, language), '2027-12-24'))

for (const typed of [
  '',
  '24',
  '24/12',
  '31/02/2027',
  '12/24/2027',
  '24 ju 2027',
  '24/12/202',
  '1/1/1/2027',
  'soon',
])
  test(`“${typed}” is not a day`, () => assert.equal(parseTypedDay(typed), undefined))

test('a day is shown as 01-Sep-2026, and a shorter month ends on its last day', () => {
  assert.equal(formatDay('2026-09-01'), '01-Sep-2026')
  assert.equal(addMonths('2026-01-31', 1), '2026-02-28')
  assert.equal(addMonths('2026-03-15', -12), '2025-03-15')
  const weeks = weeksOfMonth('2026-11-24')
  assert.equal(weeks[0]?.[0], '2026-11-01')
  assert.equal(weeks[5]?.[6], '2026-12-12')
})
