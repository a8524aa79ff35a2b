import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { atEnd, testDatabase } from '#test/database'
import { aTeacher } from '#test/factories'
import { changeRows, findRow, findRows } from '#test/rows'
import type { Db } from '../db/database.ts'
import {
  enqueueMail,
  type Mail,
  type Outbox,
  type OutgoingMail,
  retryDelays,
  startOutbox,
  Undeliverable,
} from './outbox.ts'

let db: Db
before(async () => {
  db = (await testDatabase()).db
})
const quiet = { warn: () => undefined, error: () => undefined }
const hour = 3_600_000

/** Returns a mail with a unique key and address. */
function mail(more: Partial<Mail> = {}): Mail {
  const id = randomUUID()
  return {
    key: `test:${id}`,
    kind: 'reminder',
    to: { name: 'Meera Namunawala', address: `meera-${id}@school.example` },
    subject: 'Receipt',
    text: 'Thank you.',
    ...more,
  }
}

const put = (now: Date, ...mails: Mail[]) =>
  db.transaction().execute(async (tx) => {
    const added: boolean[] = []
    for (const mail of mails) added.push(await enqueueMail(tx, now, mail))
    return added
  })

/** Starts an outbox whose clock the test sets, and which delivers with `deliver`. */
function outbox(deliver: (mail: OutgoingMail) => Promise<void>, at = new Date()) {
  let now = at
  const warnings: object[] = []
  const box: Outbox = startOutbox({
    db,
    deliver,
    clock: () => now,
    log: { ...quiet, warn: (data) => warnings.push(data) },
    everyMs: hour,
  })
  atEnd(() => box.stop())
  return { box, warnings, wait: (milliseconds: number) => (now = new Date(now.getTime() + milliseconds)) }
}

const rowOf = (key: string) => findRow('outbox', { key })

test('an e-mail is sent once, after its transaction, and its text is not kept', async () => {
  const delivered: OutgoingMail[] = []
  const expected = mail()
  const { box } = outbox(async (delivery) => void (delivery.key === expected.key && delivered.push(delivery)))
  assert.deepEqual(await put(new Date(0), expected, expected), [true, false])
  await box.drain()
  await box.drain()
  assert.equal(delivered.length, 1)
  assert.equal(delivered[0]?.to.address, expected.to.address)
  assert.equal(delivered[0]?.text, 'Thank you.')
  const row = await rowOf(expected.key)
  assert.ok(row.done_at)
  assert.deepEqual(row.payload, {})
  await box.stop()
})

test('an e-mail of a rolled-back transaction is never sent', async () => {
  const lost = mail()
  const delivered: string[] = []
  const { box } = outbox(async (delivery) => void delivered.push(delivery.key))
  const undone = db.transaction().execute(async (tx) => {
    await enqueueMail(tx, new Date(), lost)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  await box.drain()
  assert.ok(!delivered.includes(lost.key))
  await box.stop()
})

test('a failing e-mail is tried again at growing intervals, and finally given up', async () => {
  const expected = mail()
  let tries = 0
  const { box, wait, warnings } = outbox(async (delivery) => {
    if (delivery.key !== expected.key) return
    tries++
    throw new Error(`cannot reach ${delivery.to.address} now`)
  })
  await put(new Date(0), expected)
  await box.drain()
  assert.equal(tries, 1)
  await box.drain()
  assert.equal(tries, 1, 'it is not tried again at once')
  for (const delay of retryDelays) {
    wait(delay * 1000 - 1)
    await box.drain()
    const before: number = tries
    wait(1)
    await box.drain()
    assert.equal(tries, before + 1)
  }
  const row = await rowOf(expected.key)
  assert.ok(row.failed_at)
  assert.equal(row.error, 'cannot reach … now')
  assert.ok(!JSON.stringify(warnings).includes('@'))
  wait(1000 * hour)
  await box.drain()
  assert.equal(tries, retryDelays.length + 1)
  await box.stop()
})

test("a person's address that the mail server refuses is marked; our own errors and other addresses mark nothing", async () => {
  const [teacher, other] = [await aTeacher(), await aTeacher()]
  const mailTo = (email: string) => mail({ to: { name: '', address: email } })
  const [gone, blocked, nobodys] = [mailTo(teacher.email), mailTo(other.email), mail()]
  const status = new Map([
    [gone.key, '5.1.1'],
    [blocked.key, '5.7.1'],
    [nobodys.key, '5.1.1'],
  ])
  const { box } = outbox(async ({ key }) => {
    if (status.has(key)) throw new Undeliverable('refused', status.get(key))
  })
  await put(new Date(0), gone, blocked, nobodys)
  await box.drain()
  const addresses = [gone, blocked, nobodys].map(({ to }) => to.address)
  const marked = await findRows('bounced_addresses', {}, ['address', 'status'])
  assert.deepEqual(
    marked.filter(({ address }) => addresses.includes(address)),
    [{ address: teacher.email, status: '5.1.1' }],
  )
  await box.stop()
})

test('an e-mail that no server can accept is given up at once', async () => {
  const expected = mail()
  const { box } = outbox(async (delivery) => {
    if (delivery.key === expected.key) throw new Undeliverable('no such user')
  })
  await put(new Date(0), expected)
  await box.drain()
  assert.ok((await rowOf(expected.key)).failed_at)
  await box.stop()
})

test('e-mails to one address are sent in order, and a failing one delays only its own address', async () => {
  const first = mail()
  const second = mail({ to: first.to })
  const other = mail()
  const delivered: string[] = []
  let down = true
  const { box, wait } = outbox(async (delivery) => {
    if (delivery.key === first.key && down) throw new Error('down')
    delivered.push(delivery.key)
  })
  await put(new Date(0), first, second, other)
  await box.drain()
  assert.deepEqual(delivered, [other.key])
  down = false
  wait(hour)
  await box.drain()
  assert.deepEqual(delivered, [other.key, first.key, second.key])
  await box.stop()
})

test('several outboxes side by side send each e-mail once', async () => {
  const mails = Array.from({ length: 60 }, () => mail())
  const sent = new Map<string, number>()
  const boxes = Array.from({ length: 3 }, () =>
    outbox(async (delivery) => {
      sent.set(delivery.key, (sent.get(delivery.key) ?? 0) + 1)
      await new Promise((resolve) => setImmediate(resolve))
    }),
  )
  await put(new Date(0), ...mails)
  await Promise.all(boxes.map(({ box }) => box.drain()))
  for (const { key } of mails) assert.equal(sent.get(key), 1)
  await Promise.all(boxes.map(({ box }) => box.stop()))
})

test('an e-mail whose sender died is taken over after its claim has expired', async () => {
  const expected = mail()
  const now = new Date()
  await put(now, expected)
  await changeRows(
    'outbox',
    { key: expected.key },
    { claimed_until: new Date(now.getTime() + 60_000), attempts: 1 },
  )
  const delivered: string[] = []
  const { box, wait } = outbox(async (delivery) => void delivered.push(delivery.key), now)
  await box.drain()
  assert.ok(!delivered.includes(expected.key))
  wait(60_001)
  await box.drain()
  assert.ok(delivered.includes(expected.key))
  await box.stop()
})

test('stopping waits for the e-mail under way and starts no other', async () => {
  const expected = mail()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let began = () => {}
  const begun = new Promise<void>((resolve) => {
    began = resolve
  })
  const { box } = outbox(async (delivery) => {
    if (delivery.key !== expected.key) return
    began()
    await held
  })
  await put(new Date(0), expected)
  box.wake()
  await begun
  const later = mail()
  await put(new Date(0), later)
  const stopped = box.stop()
  release()
  await stopped
  assert.ok((await rowOf(expected.key)).done_at)
  assert.equal((await rowOf(later.key)).attempts, 0)
  await db.deleteFrom('outbox').where('key', '=', later.key).execute()
})

test('an address that could smuggle in a second one is refused before it is stored', async () => {
  for (const address of ['v@x.in\r\nBcc: evil@e.example', 'a@b.in, c@d.in', 'Ä@b.in', 'a@b', '<a@b.in>']) {
    await assert.rejects(put(new Date(), mail({ to: { name: 'V', address } })), RangeError)
  }
  const folded = mail({
    subject: 'Receipt\r\nBcc: evil@e.example',
    to: { name: 'A\nB', address: 'a@b.example' },
  })
  await put(new Date(), folded)
  const row = await rowOf(folded.key)
  assert.ok(!/\\[rn]/.test(JSON.stringify({ ...Object(row.payload), text: '' })))
  await db.deleteFrom('outbox').where('key', '=', folded.key).execute()
})
