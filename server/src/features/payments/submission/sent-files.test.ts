import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { savePayment } from '@podium/contract/payments/calls'
import { askWaiver } from '@podium/contract/payments/calls-waivers'
import { aDay } from '#test/factories'
import { aProof, aSchoolThatOwes, aSubmission } from '#test/payments-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

/** 29 kB that once took 1.4 GB and five seconds to look at. */
const bomb = (() => {
  const packed = deflateSync(Buffer.from('#41'.repeat(10_000_000)), { level: 9 })
  const pdf = Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n2 0 obj<</Filter/FlateDecode>>\nstream\n'),
    packed,
    Buffer.from('\nendstream endobj\n%%EOF\n'),
  ])
  return `data:application/pdf;base64,${pdf.toString('base64')}`
})()

const codeOf = ({ body }: { body: { code?: string } }) => body.code

/** What is asked of the server while it has files to look at; answers how many answers came before the first file's. */
async function answeredBefore(files: Promise<unknown>[]): Promise<number> {
  let looked = false
  const one = () => {
    looked = true
  }
  for (const file of files) file.then(one, one)
  let answers = 0
  while (!looked) {
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    answers++
  }
  return answers
}

test('twenty files that are made to stop the server are refused, and it answers others meanwhile', async () => {
  const { token, ids } = await aSchoolThatOwes(20)
  const submission = { ...(await aSubmission(server, token)), attechment: bomb }
  const payments = ids.map(() => server.call(savePayment, { body: submission }, { token }))
  assert.ok((await answeredBefore(payments)) > 0)
  const codes = (await Promise.all(payments)).map(codeOf)
  assert.deepEqual([...new Set(codes)], ['file.damaged'])
  const asked = { reason: 'Her father has died.', attechment: bomb, attechmentName: 'letter.pdf' }
  const waivers = ids.map((studentId) => server.call(askWaiver, { body: { studentId, ...asked } }, { token }))
  assert.ok((await answeredBefore(waivers)) > 0)
  assert.deepEqual([...new Set((await Promise.all(waivers)).map(codeOf))], ['file.damaged'])
  const paid = await server.call(savePayment, { body: await aSubmission(server, token) }, { token })
  assert.equal(paid.status, 200)
})

test('what may not be kept is refused for that, and nobody looks at its file', async () => {
  const { token, ids } = await aSchoolThatOwes()
  const other = await aSchoolThatOwes()
  const submission = { ...(await aSubmission(server, token)), attechment: bomb }
  const pay = (changes: object) =>
    server.call(savePayment, { body: { ...submission, ...changes } }, { token })
  const refusals = [
    await pay({ individualRegIdList: other.ids }),
    await pay({ payableAmount: 1 }),
    await pay({ paymentDate: '2026-11-30' }),
  ]
  assert.deepEqual(refusals.map(codeOf), ['not_found', 'payments.amount_changed', 'input.invalid'])
  const ask = (studentId: number, attechment: string) =>
    server.call(
      askWaiver,
      { body: { studentId, reason: 'Hers.', attechment, attechmentName: 'a.pdf' } },
      { token },
    )
  const [child = 0] = ids
  assert.equal(codeOf(await ask(other.ids[0] ?? 0, bomb)), 'not_found')
  assert.equal((await ask(child, await aProof())).status, 200)
  assert.equal(codeOf(await ask(child, bomb)), 'waivers.asked')
})

test('a payment sent once more with its key is answered as before, though it could not be sent again', async () => {
  const { token } = await aSchoolThatOwes()
  const body = await aSubmission(server, token)
  const headers = { 'idempotency-key': 'one-slip-sent-twice' }
  const send = (changes = {}) =>
    server.call(savePayment, { body: { ...body, ...changes } }, { token, headers })
  const [first, beside] = await Promise.all([send(), send()])
  assert.deepEqual([first.status, beside.status], [200, 200])
  assert.equal(first.body.id, beside.body.id)
  assert.equal((await send()).body.id, first.body.id)
  assert.equal(codeOf(await send({ remarks: 'Another' })), 'request.repeated_differently')
})

test('an account that sends file after file is asked to wait, before the next is looked at', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const { token, ids } = await aSchoolThatOwes(1)
  const body = { ...(await aSubmission(strict, token)), payableAmount: 1, attechment: bomb }
  const codes = []
  for (let n = 0; n < 61; n++) codes.push(codeOf(await strict.call(savePayment, { body }, { token })))
  assert.deepEqual([codes.at(59), codes.at(60)], ['payments.amount_changed', 'request.too_many'])
  const [studentId = 0] = ids
  const asked = { studentId, reason: 'Hers.', attechment: bomb, attechmentName: 'a.pdf' }
  assert.equal((await strict.call(askWaiver, { body: asked }, { token })).status, 429)
})
