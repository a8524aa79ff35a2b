import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultsIn, languagesIn, readWords, type Words } from './words.ts'

const folder = join(import.meta.dirname, '../web/words')

test('every language has the same words with the same places, and the forms of number that it distinguishes', () => {
  const languages = languagesIn(folder)
  assert.deepEqual(languages, ['en', 'hi'])
  const english = readWords(folder, 'en')
  for (const language of languages)
    assert.deepEqual(faultsIn(english, readWords(folder, language), language), [])
})

test('a missing word, a strange one, a lost place, a wrong one and a missing form of number are each refused', () => {
  const english = new Map<string, Words>([
    [
      'fees',
      { title: 'Fees', paid: '{n} paid by {day}', count: { one: '{n} student', other: '{n} students' } },
    ],
  ])
  const faults = (own: Words, language = 'hi') => faultsIn(english, new Map([['fees', own]]), language)
  const right = { title: 'T', paid: '{day}: {n}', count: { one: '{n}', other: '{n}' } }
  assert.deepEqual(faults(right), [])
  assert.deepEqual(faults({ ...right, more: 'M' }), ['hi/fees.json: more is not in English'])
  assert.deepEqual(faults({ paid: right.paid, count: right.count }), ['hi/fees.json: title is missing'])
  assert.deepEqual(faults({ ...right, paid: '{day}' }), ['hi/fees.json: paid lacks {n}'])
  assert.deepEqual(faults({ ...right, title: '{n}' }), ['hi/fees.json: title has {n}, which English has not'])
  assert.deepEqual(faults({ ...right, count: 'C' }), ['hi/fees.json: count has no forms of number'])
  assert.deepEqual(faults(right, 'ar'), [
    'ar/fees.json: count has the forms one, other, not few, many, one, other, two, zero',
  ])
  assert.equal(faultsIn(english, new Map(), 'hi').length, 3)
})
