import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { temporaryFolder } from '#test/database'
import { type OutgoingMail, Undeliverable } from '../jobs/outbox.ts'
import { createMailer } from './mail.ts'
import { listMails, readMail } from './mail-folder.ts'
import { mailWord, renderMail } from './mail-templates.ts'

const from = { name: 'Namunawala Foundation', address: 'portal@podium.example' }
const receipt = Buffer.from('%PDF-1.7 receipt')
const readFile = async (id: string) => {
  assert.equal(id, 'file-1')
  return receipt
}

const mail: OutgoingMail = {
  id: 412,
  key: 'receipt:412',
  kind: 'payment-verified',
  to: { name: 'Meera नमूनावाला', address: 'meera@school.example' },
  subject: 'Receipt PD27/000412: ₹12,450',
  text: 'नमस्ते Meera,\n\nThank you = 100%. See https://podium.example/app/managepayment?a=1\n\nA long line: '.concat(
    'Namunawala '.repeat(30),
  ),
  attachments: [{ fileId: 'file-1', filename: 'रसीद PD27.pdf', mediaType: 'application/pdf' }],
  createdAt: new Date('2026-11-21T06:30:00.123Z'),
}

/**
 * Starts a real mail server that records what it receives; `answer` may refuse a recipient, `encrypts` offers STARTTLS.
 * `host` and `options` become part of its address.
 */
async function mailServer(
  answer: (address: string) => Error | undefined = () => undefined,
  { encrypts = false, host = '127.0.0.1', options = '' } = {},
) {
  const received: { from: string; to: string[]; source: string; encrypted: boolean }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: encrypts ? ['AUTH'] : ['STARTTLS', 'AUTH'],
    onRcptTo: (address, _, done) => done(answer(address.address)),
    onData: (stream, session, done) => {
      text(stream).then((source) => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((recipient) => recipient.address),
          source,
          encrypted: session.secure,
        })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const mailer = createMailer({ smtpUrl: `smtp://${host}:${port}${options}`, dataDir: '', from, readFile })
  after(async () => {
    mailer.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })
  return { received, mailer }
}

const refusal = (code: number) => Object.assign(new Error('refused'), { responseCode: code })

test('an e-mail reaches a real mail server with its attachment, and a second delivery has the same id', async () => {
  const { received, mailer } = await mailServer()
  await mailer.deliver(mail)
  await mailer.deliver(mail)
  const [first, two] = received
  assert.deepEqual(first?.to, ['meera@school.example'])
  assert.equal(first?.from, 'portal@podium.example')
  const id = (source = '') => /^Message-ID: (.*)$/im.exec(source)?.[1]
  assert.match(id(first?.source) ?? '', /^<[0-9a-f]{32}\.412@podium\.example>$/)
  assert.equal(id(first?.source), id(two?.source))
  assert.ok(first?.source.includes(receipt.toString('base64')))
  assert.match(first?.source ?? '', /^Date: Sat, 21 Nov 2026 06:30:00/m)
})

test('an unknown address is final, a full mailbox is not, and neither is a server that is down', async () => {
  const { mailer } = await mailServer((address) => refusal(address.startsWith('meera') ? 550 : 452))
  const unknown = (thrown: unknown) => thrown instanceof Undeliverable && thrown.status === '5.1.0'
  await assert.rejects(mailer.deliver(mail), unknown)
  const full = { ...mail, to: { name: '', address: 'full@school.example' } }
  await assert.rejects(mailer.deliver(full), (thrown) => !(thrown instanceof Undeliverable))
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise<void>((resolve) => closed.close(() => resolve()))
  const down = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, dataDir: '', from, readFile })
  await assert.rejects(down.deliver(mail), (thrown) => !(thrown instanceof Undeliverable))
  down.close()
})

/** Reaches this machine, but is not a loopback address. */
const otherMachine = '0.0.0.0'

test('no e-mail leaves for another machine unencrypted, even if someone in between hides the encryption', async () => {
  const hidden = await mailServer(undefined, { host: otherMachine })
  await assert.rejects(hidden.mailer.deliver(mail), (thrown) => !(thrown instanceof Undeliverable))
  assert.equal(hidden.received.length, 0)
  const offered = await mailServer(undefined, {
    encrypts: true,
    host: otherMachine,
    options: '?tls.rejectUnauthorized=false',
  })
  await offered.mailer.deliver(mail)
  assert.equal(offered.received[0]?.encrypted, true)
})

test('the operator may declare the way to the mail server safe without encryption', async () => {
  const inside = await mailServer(undefined, { host: otherMachine, options: '?requireTLS=false' })
  await inside.mailer.deliver(mail)
  assert.equal(inside.received[0]?.encrypted, false)
})

test('a header with a line break or a second recipient is refused and nothing is sent', async () => {
  const { received, mailer } = await mailServer()
  const hostile: Partial<OutgoingMail>[] = [
    { to: { name: 'V', address: 'v@x.in\r\nBcc: evil@e.example' } },
    { to: { name: 'V', address: 'v@x.in, evil@e.example' } },
    { to: { name: 'V\r\nBcc: evil@e.example', address: 'v@x.in' } },
    { subject: 'Receipt\nBcc: evil@e.example' },
    { attachments: [{ contentBase64: '', filename: 'a\r\nX: y', mediaType: 'text/plain' }] },
  ]
  for (const change of hostile) await assert.rejects(mailer.deliver({ ...mail, ...change }), Undeliverable)
  assert.equal(received.length, 0)
  const quoted = { ...mail, to: { name: '"x" <evil@e.example>,', address: 'v@x.in' } }
  await mailer.deliver(quoted)
  assert.deepEqual(received[0]?.to, ['v@x.in'])
})

test('without a mail server an e-mail is stored as a file and read back as written', async () => {
  const dataDir = temporaryFolder('podium-mail-')
  const mailer = createMailer({ dataDir, from, readFile })
  await mailer.deliver(mail)
  await mailer.deliver(mail)
  const later = {
    ...mail,
    key: 'otp:1',
    attachments: [],
    text: 'Code 123456',
    createdAt: new Date('2026-11-21T07:00:00Z'),
  }
  await mailer.deliver(later)
  assert.equal((await readdir(join(dataDir, 'mail'))).length, 2)
  const [newest, stored] = await listMails(dataDir)
  assert.equal(newest?.text, 'Code 123456')
  assert.deepEqual(stored?.at, mail.createdAt)
  assert.equal(stored?.subject, mail.subject)
  assert.equal(stored?.to, 'Meera नमूनावाला <meera@school.example>')
  assert.equal(stored?.text, mail.text.trimEnd())
  assert.deepEqual(stored?.links, ['https://podium.example/app/managepayment?a=1'])
  assert.equal(stored?.attachments[0]?.filename, 'रसीद PD27.pdf')
  assert.ok(stored?.attachments[0]?.content.equals(receipt))
  assert.deepEqual(await readMail(dataDir, stored?.id ?? ''), stored)
})

test('only stored e-mails can be read, whatever the name asks for', async () => {
  const dataDir = temporaryFolder('podium-mail-')
  assert.deepEqual(await listMails(dataDir), [])
  assert.equal(await readMail(dataDir, '../secret'), undefined)
  assert.equal(await readMail(dataDir, '20261121T063000123Z-..-secret.eml'), undefined)
})

const sender = {
  foundation: 'Namunawala Olympiad Foundation',
  supportPhone: '1800 000 0000',
  supportHours: { en: 'Monday to Friday, 9 AM to 5 PM', hi: 'सोमवार से शुक्रवार' },
}
const payment = { name: 'Meera', what: 'Registration Fee 2026-27, ₹1,24,500', amount: '₹1,24,500' }

test('the one-time password is in the subject, with its validity, and in Hindi too', () => {
  const mail = renderMail(sender, 'en', 'one-time-password', { code: '482913', minutes: 10 })
  assert.equal(mail.subject, '482913 is your one-time password')
  assert.match(mail.text, /It works for 10 minutes\./)
  assert.match(mail.text, /Call 1800 000 0000/)
  assert.match(mail.text, /Namunawala Olympiad Foundation\n$/)
  const hindi = renderMail(sender, 'hi', 'one-time-password', { code: '482913', minutes: 10 })
  assert.match(hindi.text, /वन-टाइम पासवर्ड/)
  assert.match(hindi.text, /482913/)
})

test('an e-mail about a payment names the fee, the season and the amount in rupees', () => {
  const received = renderMail(sender, 'en', 'payment-received', { ...payment, day: '18-Nov-2026' })
  assert.match(received.text, /payment of 18-Nov-2026: Registration Fee 2026-27, ₹1,24,500\./)
  const verified = renderMail(sender, 'en', 'payment-verified', { ...payment, receiptNo: 'PD27/000412' })
  assert.equal(verified.subject, 'Receipt PD27/000412: ₹1,24,500')
  const rejected = renderMail(sender, 'en', 'payment-rejected', {
    ...payment,
    reason: 'The amount is ₹1,000 short.',
    paymentsPage: 'https://podium.example/pay',
  })
  assert.match(rejected.text, /The reason:\n\n {4}The amount is ₹1,000 short\.\n\n/)
  assert.match(rejected.text, /https:\/\/podium\.example\/pay/)
})

test('e-mails about payments and results give the same facts in Hindi', () => {
  const facts = {
    ...payment,
    what: `${mailWord('hi', 'Registration Fee')} 2026-27, ₹1,24,500`,
    day: '18-Nov-2026',
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
    renderMail(sender, 'hi', 'payment-received', facts),
    renderMail(sender, 'hi', 'payment-verified', facts),
    renderMail(sender, 'hi', 'payment-rejected', facts),
    renderMail(sender, 'hi', 'results-released', result),
    renderMail(sender, 'hi', 'results-corrected', result),
  ]
  for (const { subject, text } of mails) {
    assert.match(text, /^नमस्ते Meera,/)
    assert.ok(!/[a-z]{3}/i.test(subject.replace('PD27', '')), subject)
  }
  assert.match(mails[0]?.text ?? '', /18-Nov-2026 .*पंजीकरण शुल्क 2026-27, ₹1,24,500।/)
  assert.match(mails[4]?.text ?? '', /संस्करण 2.*\n\n {4}दो सही उत्तर/)
})

test('an address that has an account is told where to sign in', () => {
  const mail = renderMail(sender, 'en', 'account-exists', {
    signIn: 'https://p.example/login',
    reset: 'https://p.example/r',
  })
  assert.match(mail.text, /Sign in: https:\/\/p\.example\/login/)
  assert.match(mail.text, /Nothing has changed\./)
})

test('a paragraph about a reason that was not given is left out, and an e-mail without a value is refused', () => {
  const facts = {
    ...payment,
    day: '20-Nov-2026',
    receiptNo: 'PD27/000412',
    paymentsPage: 'https://p.example',
  }
  const without = renderMail(sender, 'en', 'payment-reversed', { ...facts, reason: '' })
  assert.doesNotMatch(without.text, /The reason/)
  assert.match(without.text, /The amount is due again/)
  const given = renderMail(sender, 'en', 'payment-reversed', { ...facts, reason: 'Account closed' })
  assert.match(given.text, /The reason:\n\n {4}Account closed\n\n/)
  assert.throws(() => renderMail(sender, 'en', 'payment-reversed', facts), /needs reason/)
})
