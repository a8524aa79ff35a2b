import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as templates from './mail-templates.ts'

const sender = {
  foundation: 'Namunawala Olympiad Foundation',
  supportPhone: '1800 000 0000',
  supportHours: { en: 'Monday to Friday, 9 AM to 5 PM', hi: 'सोमवार से शुक्रवार' },
}
const payment = { name: 'Meera', paymentFor: 'Registration Fee', amount: 124500, season: '2026-27' }

test('the one-time password stands in the subject, says how long it works, and is there in Hindi too', () => {
  const mail = templates.oneTimePasswordMail(sender, 'en', { code: '482913', minutes: 10 })
  assert.equal(mail.subject, '482913 is your one-time password')
  assert.match(mail.text, /It works for 10 minutes\./)
  assert.match(mail.text, /Call 1800 000 0000/)
  assert.match(mail.text, /Namunawala Olympiad Foundation\n$/)
  const hindi = templates.oneTimePasswordMail(sender, 'hi', { code: '482913', minutes: 10 })
  assert.match(hindi.text, /वन-टाइम पासवर्ड/)
  assert.match(hindi.text, /482913/)
})

test('a mail about a payment names the fee, the season and the amount in rupees', () => {
  const received = templates.paymentReceivedMail(sender, 'en', { ...payment, paymentDate: '2026-11-18' })
  assert.match(received.text, /payment of 18-Nov-2026: Registration Fee 2026-27, ₹1,24,500\./)
  const verified = templates.paymentVerifiedMail(sender, 'en', { ...payment, receiptNo: 'PD27/000412' })
  assert.equal(verified.subject, 'Receipt PD27/000412: ₹1,24,500')
  const rejected = templates.paymentRejectedMail(sender, 'en', {
    ...payment,
    reason: 'The amount is ₹1,000 short.',
    paymentsPage: 'https://podium.example/pay',
  })
  assert.match(rejected.text, /The amount is ₹1,000 short\./)
  assert.match(rejected.text, /https:\/\/podium\.example\/pay/)
})

test('what a school is told of its payments and results is told in Hindi, too, with the same facts', () => {
  const facts = {
    ...payment,
    paymentDate: '2026-11-18',
    receiptNo: 'PD27/000412',
    reason: 'कम राशि',
    paymentsPage: 'https://p.example',
  }
  const result = {
    name: 'Meera',
    what: 'गणित',
    season: '2026-27',
    version: 2,
    reason: 'दो सही उत्तर',
    resultsPage: 'https://p.example',
  }
  const mails = [
    templates.paymentReceivedMail(sender, 'hi', facts),
    templates.paymentVerifiedMail(sender, 'hi', facts),
    templates.paymentRejectedMail(sender, 'hi', facts),
    templates.resultsReleasedMail(sender, 'hi', result),
    templates.resultsCorrectedMail(sender, 'hi', result),
  ]
  for (const { subject, text } of mails) {
    assert.match(text, /^नमस्ते Meera,/)
    assert.ok(!/[a-z]{3}/i.test(subject.replace('PD27', '')), subject)
  }
  assert.match(mails[0]?.text ?? '', /18-Nov-2026 .*पंजीकरण शुल्क 2026-27, ₹1,24,500।/)
  assert.match(mails[4]?.text ?? '', /संस्करण 2.*\n\n {4}दो सही उत्तर/)
})

test('the mail to a family holds the link and never the access code', () => {
  for (const language of ['en', 'hi'] as const) {
    const mail = templates.familyResultMail(sender, language, {
      name: 'A',
      season: '2026-27',
      link: 'https://p.example/f',
    })
    assert.match(mail.text, /https:\/\/p\.example\/f/)
    assert.ok(!/\d{6}/.test(mail.text))
  }
})

test('an address that has an account is told where to sign in', () => {
  const mail = templates.accountExistsMail(sender, 'en', {
    signIn: 'https://p.example/login',
    reset: 'https://p.example/r',
  })
  assert.match(mail.text, /Sign in: https:\/\/p\.example\/login/)
  assert.match(mail.text, /Nothing has changed\./)
})
