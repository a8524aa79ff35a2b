import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinal } from './ordinal.ts'

test('places are read with their endings in English, the teens included, and as figures in Hindi', () => {
  const read = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1123].map((n) => ordinal(n, 'en'))
  assert.deepEqual(read, '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 1,123rd'.split(' '))
  assert.equal(ordinal(2, 'hi'), '2')
})
