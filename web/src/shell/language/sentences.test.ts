import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rollTaken, standsTwice } from '@podium/contract/enrolment-place'
import { rowSentences } from '@podium/contract/enrolment-row'
import { errors } from '@podium/contract/errors'
import { messages } from '@podium/contract/messages'
import { type SentenceKey, said, sentences } from '@podium/contract/sentences'
import { transportDetails } from '../transport-words.ts'
import { lookup } from './sentences.hi.ts'
import { errorSentences } from './sentences-errors.hi.ts'
import { messageSentences } from './sentences-messages.hi.ts'

const place = { classId: 7, section: 'A', rollno: 4 }

test('every sentence the contract quotes has its Hindi', () => {
  const missing = Object.keys(messages).filter((key) => !(key in messageSentences))
  assert.deepEqual(missing, [])
})

test('every reason to refuse has its Hindi', () => {
  const missing = Object.keys(errors).filter((code) => !(code in errorSentences))
  assert.deepEqual(missing, [])
})

test('a sentence with a detail is translated up to the detail, an unknown one stays as it is', () => {
  assert.equal(lookup('Error: 418'), 'गड़बड़ी: 418')
  assert.match(lookup(`Error: ${transportDetails.offline}`), /^गड़बड़ी: कनेक्शन/)
  assert.equal(lookup('Asha'), 'Asha')
})

test('a sentence with names and figures is found by its words, and its Hindi has every one of them', () => {
  for (const [key, english] of Object.entries(sentences)) {
    const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
    const values = Object.fromEntries(names.map((name, at) => [name, `Namuna ${at + 7}`]))
    const filled = said(key as SentenceKey, values as never)
    const hindi = lookup(filled)
    assert.match(hindi, /[\u0900-\u097f]/, key)
    for (const value of Object.values(values)) assert.ok(hindi.includes(value), `${key}: ${hindi}`)
    assert.equal(/[{}]/.test(hindi), false, key)
  }
  assert.equal(lookup('At most 50 characters.'), 'अधिक से अधिक 50 अक्षर।')
  assert.equal(
    lookup(said('rollTakenByNow', { roll: 4, place: 'Class 7 A', name: sentences.anotherStudent })),
    'Class 7 A का रोल नं 4 अब किसी दूसरे विद्यार्थी का है।',
  )
  const internal = said('withReference', { sentence: errors.internal.sentence, id: 'req-1' })
  assert.equal(lookup(internal), `${errorSentences.internal} संदर्भ: req-1`)
})

test('the sentences of the check of rows have their Hindi, with names and figures left as they are', () => {
  for (const sentence of Object.values(rowSentences)) assert.notEqual(lookup(sentence), sentence)
  assert.equal(lookup(standsTwice(place, 3)), 'Class 7 A का रोल नं 4 पंक्ति 3 में लिखा जा चुका है।')
  assert.equal(lookup(rollTaken(place, 'Om')), 'Class 7 A का रोल नं 4 Om का है।')
})
