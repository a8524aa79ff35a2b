import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { temporaryFolder } from '#test/database'
import { type OutgoingMail, Undeliverable } from '../jobs/outbox.ts'
import { createMailer } from './mail.ts'
import { listMails, readMail } from './mail-folder.ts'

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

interface Received {
  from: string
  to: string[]
  source: string
  encrypted: boolean
}

/**
 * A real mail server that keeps what it gets; `answer` may refuse a recipient, `encrypts` offers STARTTLS. `host` and
 * `options` stand in the address by which it is reached.
 */
async function mailServer(
  answer: (address: string) => Error | undefined = () => undefined,
  { encrypts = false, host = '127.0.0.1', options = '' } = {},
) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: encrypts ? ['AUTH'] : ['STARTTLS', 'AUTH'],
    onRcptTo: (address, _, done) => done(answer(address.address)),
    onData: (stream, session, done) => {
      text(stream).then((source) => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((one) => one.address),
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

test('a mail arrives at a real mail server with its attachment, and a second delivery has the same id', async () => {
  const { received, mailer } = await mailServer()
  await mailer.deliver(mail)
  await mailer.deliver(mail)
  const [one, two] = received
  assert.deepEqual(one?.to, ['meera@school.example'])
  assert.equal(one?.from, 'portal@podium.example')
  const id = (source = '') => /^Message-ID: (.*)$/im.exec(source)?.[1]
  assert.match(id(one?.source) ?? '', /^<[0-9a-f]{32}\.412@podium\.example>$/)
  assert.equal(id(one?.source), id(two?.source))
  assert.ok(one?.source.includes(receipt.toString('base64')))
  assert.match(one?.source ?? '', /^Date: Sat, 21 Nov 2026 06:30:00/m)
})

test('an address that does not exist is final, a mailbox that is full is not, a server that is down is not', async () => {
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

/** Reaches this machine, and is not an address of it alone. */
const otherMachine = '0.0.0.0'

test('to another machine no mail leaves in the clear, whether its server offers encryption or somebody between hides it', async () => {
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

test('an operator may say that the way to the mail server is safe without encryption', async () => {
  const inside = await mailServer(undefined, { host: otherMachine, options: '?requireTLS=false' })
  await inside.mailer.deliver(mail)
  assert.equal(inside.received[0]?.encrypted, false)
})

test('a head with a line break or a second recipient is refused and nothing leaves', async () => {
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

test('without a mail server a mail is kept as a file and read back as it was written', async () => {
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
  const [newest, kept] = await listMails(dataDir)
  assert.equal(newest?.text, 'Code 123456')
  assert.deepEqual(kept?.at, mail.createdAt)
  assert.equal(kept?.subject, mail.subject)
  assert.equal(kept?.to, 'Meera नमूनावाला <meera@school.example>')
  assert.equal(kept?.text, mail.text.trimEnd())
  assert.deepEqual(kept?.links, ['https://podium.example/app/managepayment?a=1'])
  assert.equal(kept?.attachments[0]?.filename, 'रसीद PD27.pdf')
  assert.ok(kept?.attachments[0]?.content.equals(receipt))
  assert.deepEqual(await readMail(dataDir, kept?.id ?? ''), kept)
})

test('only kept mails are read, whatever the name asks for', async () => {
  const dataDir = temporaryFolder('podium-mail-')
  assert.deepEqual(await listMails(dataDir), [])
  assert.equal(await readMail(dataDir, '../secret'), undefined)
  assert.equal(await readMail(dataDir, '20261121T063000123Z-..-secret.eml'), undefined)
})
