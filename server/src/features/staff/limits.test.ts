import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { officeConfirm, officeSignIn } from '@podium/contract/staff/calls'
import { hashPassword } from '#platform/auth/passwords'
import { totpCode } from '#platform/auth/totp'
import { aDay } from '../../../test/factories.ts'
import { type TestServer, testServer } from '../../../test/server.ts'

let server: TestServer
let now = aDay
before(async () => {
  server = await testServer({
    limitScale: 1,
    clock: () => now,
    settings: { trustProxy: ['127.0.0.1'] },
  })
})

const password = 'three blue lamps on a hill'

/** A member of staff with a second factor, and a place to sign in from that no other test uses. */
async function aMember() {
  const emailId = `${randomUUID()}@foundation.example`
  await server.deps.db
    .insertInto('staff')
    .values({
      email: emailId,
      name: 'Udaya Misaal',
      role: 'accounts',
      password_hash: await hashPassword(server.deps.keys, password),
      created_at: now,
    })
    .execute()
  const first = await begin(emailId)
  const secret = first.body.secret ?? ''
  assert.equal((await first.confirm(totpCode(secret, now))).body.result, 'success')
  now = new Date(now.getTime() + 60_000)
  return { emailId, secret }
}

let places = 0
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++places % 250}` })

async function begin(emailId: string, typed = password, headers = elsewhere()) {
  const cookies = new Map<string, string>()
  const answer = await server.call(officeSignIn, { body: { emailId, password: typed } }, { cookies, headers })
  const confirm = (code: string) => server.call(officeConfirm, { body: { code } }, { cookies, headers })
  return { ...answer, confirm }
}

test('whoever tries passwords elsewhere does not lock staff out, and is stopped himself', async () => {
  const { emailId, secret } = await aMember()
  const there = elsewhere()
  for (let tries = 0; tries < 10; tries++)
    assert.equal((await begin(emailId, 'not this one', there)).status, 200)
  assert.equal((await begin(emailId, password, there)).status, 429)
  const own = await begin(emailId)
  assert.equal((await own.confirm(totpCode(secret, now))).body.result, 'success')
})

test('who tries passwords from many places locks no officer out of one from which they have come in', async () => {
  const { emailId, secret } = await aMember()
  const desk = elsewhere()
  const own = await begin(emailId, password, desk)
  assert.equal((await own.confirm(totpCode(secret, now))).body.result, 'success')
  for (let place = 0; place < 10; place++) {
    const there = elsewhere()
    for (let tries = 0; tries < 10; tries++) await begin(emailId, 'not this one', there)
  }
  assert.equal((await begin(emailId)).status, 429)
  assert.equal((await begin(emailId, password, desk)).body.next, 'code')
})

test('wrong codes count over all tries: with the password alone nobody guesses on for ever', async () => {
  const { emailId, secret } = await aMember()
  const wrong = totpCode(secret, now) === '000000' ? '000001' : '000000'
  for (let step = 0; step < 4; step++) {
    const { confirm } = await begin(emailId)
    for (let tries = 0; tries < 5; tries++)
      assert.equal((await confirm(wrong)).body.code, 'office.wrong_code')
  }
  const { confirm } = await begin(emailId)
  assert.equal((await confirm(totpCode(secret, now))).status, 429)
})
