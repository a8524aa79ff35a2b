import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberTyped } from './typed-number.ts'

const cases: [typed: string, is: number | string][] = [
  ['1000', 1000],
  ['1,00,000', 100_000],
  ['₹ 250.50', 250.5],
  ['१२५', 125],
  ['৫০.৫', 50.5],
  ['௧௨', 12],
  ['5.', 5],
  ['.5', 0.5],
  ['-3', -3],
  ['  ', ''],
]
for (const [typed, is] of cases)
  test(`«${typed}» is typed for ${is === '' ? 'nothing' : is}`, () => assert.equal(numberTyped(typed), is))

for (const typed of ['abc', '12 kg', '1e5', '0x10', '१२ रु', '1.2.3', '--1', '.', '∞'])
  test(`«${typed}» is no number and stays as it was typed`, () => assert.equal(numberTyped(typed), typed))
