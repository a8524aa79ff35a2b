import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rollTaken, standsTwice } from '@podium/contract/enrolment-place'
import { rowSentences } from '@podium/contract/enrolment-row'
import { errors } from '@podium/contract/errors'
import { messages } from '@podium/contract/messages'
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
  assert.equal(lookup('Error: Failed to fetch'), 'गड़बड़ी: Failed to fetch')
  assert.equal(lookup('Asha'), 'Asha')
})

test('the sentences of the check of rows have their Hindi, with names and figures left as they are', () => {
  for (const sentence of Object.values(rowSentences)) assert.notEqual(lookup(sentence), sentence)
  assert.equal(lookup(standsTwice(place, 3)), 'Class 7 A का रोल नं 4 पंक्ति 3 में लिखा जा चुका है।')
  assert.equal(lookup(rollTaken(place, 'Om')), 'Class 7 A का रोल नं 4 Om का है।')
})
