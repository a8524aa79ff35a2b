import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeText } from './size-text.ts'

test('the size of a file is said in the unit that leaves at most three figures before the point', () => {
  const said = [0, 940, 999.6, 1_000, 32_540, 999_700, 10_200_000, 1.25e12, 4e15].map(sizeText)
  assert.deepEqual(said, [
    '0 B',
    '940 B',
    '1.0 kB',
    '1.0 kB',
    '32.5 kB',
    '1.0 MB',
    '10.2 MB',
    '1.3 TB',
    '4000 TB',
  ])
})
