import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentMissed, percentOf, reaches } from './percent.ts'

test('a share reads with two decimals, halves upwards', () => {
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

test('whether a share reaches a percentage is decided by what it is and not by what it reads', () => {
  assert.equal(percentOf(499_960, 1_000_000), 50)
  assert.equal(reaches(499_960, 1_000_000, 50), false)
  assert.equal(reaches(500_000, 1_000_000, 50), true)
  assert.equal(reaches(1, 3, 33.33), true)
  assert.equal(reaches(1, 3, 33.34), false)
  assert.equal(reaches(30_003, 100_000, 30.003), true)
})

test('a share that was not enough never reads as enough', () => {
  assert.equal(percentMissed(490_000, 1_000_000, 50), 49)
  assert.equal(percentMissed(499_940, 1_000_000, 50), 49.99)
  assert.equal(percentMissed(499_960, 1_000_000, 50), 49.996)
  assert.equal(percentMissed(499_999, 1_000_000, 50), 49.9999)
  assert.equal(percentMissed(19_999_999_999, 40_000_000_000, 50), 49.999999)
})
