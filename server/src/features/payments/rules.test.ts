import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paise } from '@podium/contract/money'
import { normaliseUtr, utrLooksRight } from '@podium/contract/payments/rules'
import { paymentDay } from '@podium/contract/payments/schemas'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { season } from '#test/factories'
import { amountInWords, figuresOf, inWords, receiptNumber, referenceOf } from './rules.ts'

const year = season('2026-27')

for (const [amount, words] of [
  [0, 'zero'],
  [7, 'seven'],
  [40, 'forty'],
  [99, 'ninety nine'],
  [100, 'one hundred'],
  [1_001, 'one thousand one'],
  [12_450, 'twelve thousand four hundred fifty'],
  [1_00_000, 'one lakh'],
  [1_24_500, 'one lakh twenty four thousand five hundred'],
  [99_99_999, 'ninety nine lakh ninety nine thousand nine hundred ninety nine'],
  [1_00_00_000, 'one crore'],
  [2_14_83_647, 'two crore fourteen lakh eighty three thousand six hundred forty seven'],
  [123_00_00_000, 'one hundred twenty three crore'],
] as const) {
  test(`${amount} is written “${words}”`, () => assert.equal(inWords(amount), words))
}

test('an amount in words mentions paise only if there are any', () => {
  assert.equal(amountInWords(paise(82_620_00)), 'Rupees eighty two thousand six hundred twenty only')
  assert.equal(
    amountInWords(paise(12_450_05)),
    'Rupees twelve thousand four hundred fifty and five paise only',
  )
})

test('two different amounts are never written in the same words', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), fc.nat(2_000_000_000), (a, b) => {
      assert.equal(inWords(a) === inWords(b), a === b)
    }),
  )
})

test('a receipt number carries the last two digits of the year in which the season ends', () => {
  assert.equal(receiptNumber('PD', year, 412), 'PD27/000412')
  assert.equal(receiptNumber('PD', season('2099-00'), 1_234_567), 'PD00/1234567')
})

test('a reference names season, school, kind and which payment it is', () => {
  const after = (...earlier: string[]) =>
    referenceOf(
      'PD',
      year,
      'VNK0417',
      'registration',
      earlier.map((reference) => ({ reference })),
    )
  assert.equal(after('PD27-VNK0417-R1'), 'PD27-VNK0417-R2')
  assert.equal(after('PD27-VNK0417-R10', 'PD27-VNK0417-R9'), 'PD27-VNK0417-R11')
  assert.equal(referenceOf('PD', year, 'VNK0417', 'books', []), 'PD27-VNK0417-B1')
})

test("payable is always gross less the school's share", () => {
  const line = fc.record({ gross: fc.nat(2_000_000), retained: fc.nat(400_000) })
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const figures = figuresOf(lines)
      const each = lines.reduce((sum, { gross, retained }) => sum + gross - retained, 0)
      assert.equal(figures.payable, each)
      assert.equal(figures.gross - figures.retained, figures.payable)
    }),
  )
})

test('a UTR is read without spaces and dashes, and an unusual one is only pointed out', () => {
  assert.equal(normaliseUtr(' 6321 8400-7715 '), '632184007715')
  for (const good of ['', '632184007715', 'SSBXN52026112100012345'.slice(0, 22)])
    assert.ok(utrLooksRight(good), good)
  for (const odd of ['12345678901', 'SSBXN520261121000123456789', '63218400771!'])
    assert.ok(!utrLooksRight(odd), odd)
})

test('a payment date is a real day, and a moment counts for its day in India', () => {
  const read = (typed: string) => z.safeParse(paymentDay, typed)
  assert.equal(read('2026-11-18').data, '2026-11-18')
  assert.equal(read('2026-11-17T18:30:00.000Z').data, '2026-11-18')
  for (const wrong of ['', '2026-02-30', '18-11-2026', '2026-13-01', 'yesterday']) {
    assert.equal(read(wrong).success, false, wrong)
  }
  assert.equal(read('').error?.issues[0]?.message, 'Payment Date is required')
})
