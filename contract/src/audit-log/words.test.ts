import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaced } from './words.ts'

test('a code of an earlier version is shown as its spaced-out name', () => {
  assert.equal(spaced('postalAddress'), 'Postal address')
  assert.equal(spaced('next_level'), 'Next level')
  assert.equal(spaced('bank-line'), 'Bank line')
})
