import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaced } from '@podium/contract/audit-log/words'
import { en as actions } from '@podium/contract/audit-log/words-actions.en'
import { en as fields } from '@podium/contract/audit-log/words-fields.en'
import { en as kinds } from '@podium/contract/audit-log/words-kinds.en'
import { en as values } from '@podium/contract/audit-log/words-values.en'
import { hi as actionsHi } from './words-actions.hi.ts'
import { hi as fieldsHi } from './words-fields.hi.ts'
import { hi as kindsHi } from './words-kinds.hi.ts'
import { hi as valuesHi } from './words-values.hi.ts'

test('a code without words of its own is read as it stands', () => {
  assert.equal(spaced('postalAddress'), 'Postal address')
  assert.equal(spaced('next_level'), 'Next level')
  assert.equal(spaced('bank-line'), 'Bank line')
  assert.equal(fields.postaladdress, 'Postal address')
  assert.equal(actions.incident_closed, 'Incident closed')
})

for (const [what, en, hi] of [
  ['act', actions, actionsHi],
  ['field', fields, fieldsHi],
  ['kind of record', kinds, kindsHi],
  ['code', values, valuesHi],
] as const) {
  test(`each ${what} of the record of changes is read in English and Hindi`, () => {
    assert.ok(Object.keys(en).length > 40)
    assert.deepEqual(Object.keys(hi).sort(), Object.keys(en).sort())
    const english: Record<string, string> = en
    const unread = Object.entries<string>(hi).filter(
      ([code, said]) => english[code] === '' || (!/[\u0900-\u097f]/.test(said) && said !== english[code]),
    )
    assert.deepEqual(unread, [])
  })
}
