import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaced } from './words.ts'
import { en as actions } from './words-actions.en.ts'
import { en as fields } from './words-fields.en.ts'

test('a code without words of its own is shown as its spaced-out name', () => {
  assert.equal(spaced('postalAddress'), 'Postal address')
  assert.equal(spaced('next_level'), 'Next level')
  assert.equal(spaced('bank-line'), 'Bank line')
  assert.equal(fields.postaladdress, 'Postal address')
  assert.equal(actions.incident_closed, 'Incident closed')
})
