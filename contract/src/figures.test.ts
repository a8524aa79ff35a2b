import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatNumber, percentMissed, percentOf, reachesPercent } from './figures.ts'
import { formatRupees } from './money.ts'

test('a percentage is shown with two decimals, halves rounded up', () => {
  const cases: ReadonlyArray<[part: number, whole: number, percent: number]> = [
    [58, 60, 96.67],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [1, 800, 0.13],
    [96_665, 100_000, 96.67],
    [1_005, 100_000, 1.01],
    [496_664, 1_000_000, 49.67],
    [0, 60, 0],
    [60, 60, 100],
    [120_000_000, 120_000_000, 100],
  ]
  for (const [part, whole, percent] of cases)
    assert.equal(percentOf(part, whole), percent, `${part} of ${whole}`)
})

test('whether a percentage is reached depends on its exact value, not on the rounded one', () => {
  assert.equal(percentOf(499_960, 1_000_000), 50)
  assert.equal(reachesPercent(499_960, 1_000_000, 50), false)
  assert.equal(reachesPercent(500_000, 1_000_000, 50), true)
  assert.equal(reachesPercent(1, 3, 33.33), true)
  assert.equal(reachesPercent(1, 3, 33.34), false)
  assert.equal(reachesPercent(30_003, 100_000, 30.003), true)
})

test('a percentage that is not enough is never shown as enough', () => {
  assert.equal(percentMissed(490_000, 1_000_000, 50), 49)
  assert.equal(percentMissed(499_940, 1_000_000, 50), 49.99)
  assert.equal(percentMissed(499_960, 1_000_000, 50), 49.996)
  assert.equal(percentMissed(499_999, 1_000_000, 50), 49.9999)
  assert.equal(percentMissed(19_999_999_999, 40_000_000_000, 50), 49.999999)
})

test('numbers are grouped in lakhs and crores as by Intl', () => {
  assert.deepEqual([0, 999, 1_000, 99_999, 1_24_500, 12_34_56_789, -1_24_500, 96.67].map(formatNumber), [
    '0',
    '999',
    '1,000',
    '99,999',
    '1,24,500',
    '12,34,56,789',
    '-1,24,500',
    '96.67',
  ])
  const asked = fc.oneof(
    fc.integer(),
    fc.integer({ min: 0, max: 9e14 }),
    fc.integer().map((n) => n / 1000),
  )
  fc.assert(fc.property(asked, (n) => formatNumber(n) === n.toLocaleString('en-IN')))
})

test('rupees are grouped, with two decimals where there are paise', () => {
  assert.deepEqual([0, 1, 1_24_500, 1_24_500.5, 0.05, -1_200, -12.34].map(formatRupees), [
    '₹0',
    '₹1',
    '₹1,24,500',
    '₹1,24,500.50',
    '₹0.05',
    '−₹1,200',
    '−₹12.34',
  ])
  const intl = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const paise = fc.integer({ min: 0, max: 1e12 }).filter((n) => n % 100 !== 0)
  fc.assert(fc.property(paise, (n) => formatRupees(n / 100) === `₹${intl.format(n / 100)}`))
})
