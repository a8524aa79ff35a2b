import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inviteForm } from './accounts/calls-invitations.ts'
import { whatsAppLink } from './fields.ts'
import { messages } from './messages.ts'
import { foldName } from './names.ts'
import { personsName } from './persons.ts'
import { studentName } from './students/schemas.ts'

test('two spellings of one name fold to the same text, with or without invisible characters', () => {
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

test('a name has at least one visible letter and fits on one line', () => {
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

test("a person's name consists of letters: it carries no link, address or number into an e-mail", () => {
  const invited = (name: string) => inviteForm.safeParse({ name, emailId: 'meera@school.example' })
  for (const sentence of [
    'You won Rs 5000 http://evil.example/x',
    'See www.evil.example/x',
    'Meera meera@evil.example',
    'Meera: click here',
    'Meera <b>',
    'Meera\nBcc: somebody',
    'Call 9000000417',
    '=Meera',
    'Meera!',
  ])
    assert.deepEqual(
      invited(sentence).error?.issues.map(({ path, message }) => [path.join('.'), message]),
      [['name', messages.nameLetters]],
      sentence,
    )
  for (const nameless of ['', '  ', '. .', '\u200b'])
    assert.equal(invited(nameless).error?.issues[0]?.message, messages.nameRequired, JSON.stringify(nameless))
  for (const name of [
    'Meera Namunawala',
    'D’Souza-Rao, Ana',
    "M. K. O'Neil (Principal)",
    'सुश्री मीरा क्\u200dष',
    'ஆ. மீரா',
    'Mr. & Mrs. Rao',
  ])
    assert.equal(invited(name).data?.name, name.normalize('NFC'))
})

test('no e-mail program turns a name into a link', () => {
  const name = personsName(messages.nameRequired)
  assert.equal(name.parse('Look at evil.example'), 'Look at evil. example')
  assert.equal(name.parse('Prof.Rao A.K.Sharma Smt.'), 'Prof. Rao A. K. Sharma Smt.')
  // Cut to a hundred, but never through a letter of two halves
  assert.equal(name.parse(`A.${'𑄇'.repeat(49)}`), `A. ${'𑄇'.repeat(48)}`)
})

test('WhatsApp opens for a mobile number in any usual form, with a text, not for a landline or a partial number', () => {
  for (const typed of ['9000000417', '090000 00417', '+91 90000-00417'])
    assert.equal(whatsAppLink(typed), 'https://wa.me/919000000417', typed)
  assert.equal(whatsAppLink('+971 50 123 4567'), 'https://wa.me/971501234567')
  assert.equal(
    whatsAppLink('9000000417', '₹500 & more?'),
    'https://wa.me/919000000417?text=%E2%82%B9500%20%26%20more%3F',
  )
  for (const none of ['', '2200000417', '90000', '1800 000 0000', 'ask the office', '9000000417?text=x'])
    assert.equal(whatsAppLink(none), '', none)
})
