import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLabel, readWeight } from './scan.ts'

test('a label is read from its QR code or its typed number, and nothing else counts as a label', () => {
  assert.deepEqual(['PACKET 17', 'packet17', ' 17 '].map(readLabel), [17, 17, 17])
  for (const other of ['', 'NX0417', 'PACKET', '1234567890', 'PACKET 17 18'])
    assert.equal(readLabel(other), undefined, other)
})

test('a weight is read in kg or grams, and refused where it could be either', () => {
  assert.deepEqual(['1.25 kg', '1,25', '1250', '1250 g', '2kg', '80 gm', ''].map(readWeight), [
    ...[1250, 1250, 1250, 1250, 2000, 80, null],
  ])
  for (const odd of ['2', '0', 'heavy', '101 kg', '1.2345', '-3', '1.25 lb'])
    assert.equal(readWeight(odd), undefined, odd)
})
