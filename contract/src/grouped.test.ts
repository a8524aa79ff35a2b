import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { grouped } from './grouped.ts'
import { formatRupees } from './money.ts'

test('numbers are grouped in lakhs and crores as Intl groups them', () => {
  assert.deepEqual([0, 999, 1_000, 99_999, 1_24_500, 12_34_56_789, -1_24_500, 96.67].map(grouped), [
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
  fc.assert(fc.property(asked, (n) => grouped(n) === n.toLocaleString('en-IN')))
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
