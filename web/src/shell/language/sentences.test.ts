import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from '@podium/contract/errors'
import { messages } from '@podium/contract/messages'
import { lookup } from './sentences.hi.ts'
import { errorSentences } from './sentences-errors.hi.ts'
import { messageSentences } from './sentences-messages.hi.ts'

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
