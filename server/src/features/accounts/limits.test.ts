import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { before, test } from 'node:test'
import { login } from '@podium/contract/accounts/calls'
import { forgotPassword } from '@podium/contract/accounts/calls-password'
import { emailVerify, otpVerify, verifyAccessCode } from '@podium/contract/accounts/calls-registration'
import { aLinkedSchool, anAccount, anAddress, aPassword, codeFor } from '#test/accounts-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ limitScale: 1 })
})

test('a second one-time password in the same minute has to wait, for known and unknown addresses', async () => {
  const account = await anAccount(server)
  for (const EmailId of [anAddress(), account.email]) {
    assert.equal((await server.call(emailVerify, { body: { EmailId } })).status, 200)
    const second = await server.call(emailVerify, { body: { EmailId } })
    assert.equal(second.status, 429)
    assert.ok(Number(second.headers.get('retry-after')) > 30)
  }
})

test('a stranger who asks for one-time passwords of an address leaves its owner’s, and the code on the way to them', async () => {
  const proxied = await testServer({ limitScale: 1, settings: { trustProxy: ['127.0.0.1'] } })
  const EmailId = anAddress()
  const from = (place: number) => ({ 'x-forwarded-for': `198.51.100.${place}` })
  const ask = (place: number, cookies = new Map<string, string>()) =>
    proxied.send(emailVerify, { body: { EmailId } }, { cookies, headers: from(place) })
  const cookies = new Map<string, string>()
  assert.equal((await ask(1, cookies)).status, 200)
  const otp = await codeFor(proxied, EmailId)
  const strangers = []
  for (let place = 2; place < 22; place++) strangers.push((await ask(place)).status)
  // Not more e-mails than fifteen an hour to one address, from wherever they are asked for.
  assert.deepEqual(strangers, [...Array(14).fill(200), ...Array(6).fill(429)])
  const mine = await proxied.call(otpVerify, { body: { EmailId, otp } }, { cookies, headers: from(1) })
  assert.equal(mine.body.message, 'OTP is verified')
})

test('one place uses up its own limits of an address and of a link alone', async () => {
  const proxied = await testServer({ limitScale: 1, settings: { trustProxy: ['127.0.0.1'] } })
  const emailId = anAddress()
  const { id, code } = await aLinkedSchool(proxied)
  const at = (place: number) => ({ headers: { 'x-forwarded-for': `198.51.100.${place}` } })
  const reset = async (place: number) =>
    (await proxied.call(forgotPassword, { body: { emailId } }, at(place))).status
  const enter = async (place: number, tried: string) =>
    (await proxied.call(verifyAccessCode, { body: { id, code: tried } }, at(place))).status
  for (let tries = 0; tries < 5; tries++) {
    assert.equal(await reset(31), 200)
    assert.equal(await enter(31, 'WRONG234'), 200)
  }
  // What is refused here is not counted of everywhere.
  for (let tries = 0; tries < 15; tries++) assert.equal(await reset(31), 429)
  assert.deepEqual([await enter(31, code), await reset(32), await enter(32, code)], [429, 200, 200])
})

test('the sixth access code for a link within a quarter of an hour is not looked at', async () => {
  const { id, code } = await aLinkedSchool(server)
  for (let tries = 0; tries < 5; tries++)
    assert.equal((await server.call(verifyAccessCode, { body: { id, code: 'WRONG234' } })).status, 200)
  assert.equal((await server.call(verifyAccessCode, { body: { id, code } })).status, 429)
})

test('the eleventh password for an account within a quarter of an hour is not looked at', async () => {
  const { email } = await anAccount(server)
  const body = { emailId: email, password: 'not this one' }
  for (let tries = 0; tries < 10; tries++) assert.equal((await server.call(login, { body })).status, 200)
  const right = await server.call(login, { body: { emailId: email, password: aPassword } })
  assert.equal(right.status, 429)
})

test('who tries passwords from many places locks nobody out of one from which they have come in', async () => {
  const proxied = await testServer({ limitScale: 1, settings: { trustProxy: ['127.0.0.1'] } })
  const { email } = await anAccount(proxied)
  const from = (place: number, password: string) =>
    proxied.call(
      login,
      { body: { emailId: email, password } },
      { headers: { 'x-forwarded-for': `203.0.113.${place}` } },
    )
  assert.equal((await from(1, aPassword)).body.result, 'success')
  for (let tries = 0; tries < 100; tries++) await from(2 + Math.floor(tries / 10), 'not this one')
  assert.equal((await from(20, aPassword)).status, 429)
  assert.equal((await from(1, aPassword)).body.result, 'success')
})

test('a sixth link for a new password within an hour is not sent', async () => {
  const emailId = anAddress()
  for (let tries = 0; tries < 5; tries++)
    assert.equal((await server.call(forgotPassword, { body: { emailId } })).status, 200)
  assert.equal((await server.call(forgotPassword, { body: { emailId } })).status, 429)
})

test('behind a known proxy, all addresses of one IPv6 network are one source', async () => {
  const proxied = await testServer({ limitScale: 1, settings: { trustProxy: ['127.0.0.1'] } })
  const network = `2001:db8:${randomInt(1, 65_536).toString(16)}`
  const ask = (address: string) =>
    proxied.call(
      forgotPassword,
      { body: { emailId: anAddress() } },
      { headers: { 'x-forwarded-for': address } },
    )
  for (let at = 1; at <= 20; at++) assert.equal((await ask(`${network}:1::${at}`)).status, 200)
  assert.equal((await ask(`${network}:1:ffff::1`)).status, 429)
  assert.equal((await ask(`${network}:2::1`)).status, 200)
})

test('without a known proxy, nobody gets a new source by saying so', async () => {
  const ask = (address: string) =>
    server.call(
      forgotPassword,
      { body: { emailId: anAddress() } },
      { headers: { 'x-forwarded-for': address } },
    )
  let last = 200
  for (let at = 1; at <= 21; at++) last = (await ask(`192.0.2.${at}`)).status
  assert.equal(last, 429)
})
