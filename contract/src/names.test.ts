import assert from 'node:assert/strict'
import { test } from 'node:test'
import { studentName } from './enrolment-student.ts'
import { messages } from './messages.ts'
import { foldName } from './names.ts'

test('two spellings of one name fold to the same text, with or without what is not seen', () => {
  const spellings = [
    'Tanvi Ramesh',
    'TANVI  RAMESH',
    'Tanvi-Ramesh.',
    'Tan\u200bvi Ramesh',
    'Tan\u00advi\u2060 Ramesh',
  ]
  assert.deepEqual(
    spellings.map(foldName),
    spellings.map(() => 'tanvi ramesh'),
  )
  assert.equal(foldName('क्\u200dष'), foldName('क्ष'))
  assert.notEqual(foldName('कमल'), foldName('कमला'))
})

test('a name has a letter that is seen, on one line', () => {
  for (const nameless of [
    '\u200b',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u115f',
    '\u0301',
    '\u200d\u200c',
    '-',
    '. .',
    '42',
  ])
    assert.equal(
      studentName.safeParse(nameless).error?.issues[0]?.message,
      messages.studentNameRequired,
      nameless,
    )
  assert.equal(studentName.safeParse('Ira\uffff').success, false)
  for (const name of ['Ó', 'D’Souza', 'क्\u200dषिति', 'ஆ'])
    assert.equal(studentName.safeParse(name).data, name.normalize('NFC'))
})
