import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { endSession, getSessions, login, logout, me } from '@podium/contract/accounts/calls'
import {
  emailVerify,
  forgotPassword,
  otpVerify,
  verifyAccessCode,
} from '@podium/contract/accounts/calls-registration'
import { newTokenHeader } from '@podium/contract/headers'
import { getStudentDetails } from '@podium/contract/students/calls'
import { openSession } from '#platform/auth/session'
import { createLogger } from '#platform/telemetry/logger'
import { aLinkedSchool, anAccount, anAddress, aPassword, codeFor } from '#test/accounts-factories'
import { aDay, thisSeason } from '#test/factories'
import { changeRows } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { aTeacherInSeason } from '#test/students-factories'

let now = aDay
const lines: string[] = []
const options = { clock: () => now, log: createLogger('warn', { write: (line) => void lines.push(line) }) }
const server = beforehand(() => testServer(options))
/** A second instance on the same database */
const other = beforehand(() => testServer(options))
/** With the limits of production */
const strict = beforehand(() => testServer({ limitScale: 1 }))

const behindProxy = () => testServer({ limitScale: 1, settings: { trustProxy: ['127.0.0.1'] } })
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

const later = (hours: number, seconds = 0) => {
  now = new Date(now.getTime() + hours * 3_600_000 + seconds * 1000)
}
const events = (kind: string) => lines.filter((line) => JSON.parse(line).security === kind)

async function signedIn(staySignedIn = true): Promise<string> {
  now = aDay
  const { email } = await anAccount(server)
  const body = await server.ask(login, { emailId: email, password: aPassword, staySignedIn })
  return body.token
}

/** Asks for the session: the status, and the new token that is offered. */
async function request(token: string, at = server) {
  const { status, headers, body } = await at.call(me, {}, { token })
  return { status, code: body.code, offered: headers.get(newTokenHeader) ?? '' }
}

/** Both tokens of a session that got a new token and has used it. */
async function rotated() {
  const first = await signedIn()
  later(25)
  const { offered: second } = await request(first)
  assert.equal((await request(second)).status, 200)
  return { first, second }
}

test('a session that stays signed in gets a new token after a day of use, once and never earlier', async () => {
  const token = await signedIn()
  later(23)
  assert.deepEqual(await request(token), { status: 200, code: undefined, offered: '' })
  later(2)
  const { offered } = await request(token)
  assert.match(offered, /^[\w-]{43}$/)
  assert.notEqual(offered, token)
  assert.deepEqual(await request(offered), { status: 200, code: undefined, offered: '' })
  later(25)
  assert.match((await request(offered)).offered, /^[\w-]{43}$/)
})

test('a session that does not stay signed in keeps its token', async () => {
  const token = await signedIn(false)
  for (let half = 0; half < 22; half++) {
    later(0.5, -1)
    assert.deepEqual(await request(token), { status: 200, code: undefined, offered: '' })
  }
})

test('of simultaneous calls to two instances all are answered, and only one receives the new token', async () => {
  const token = await signedIn()
  later(25)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => request(token, index % 2 ? server : other)),
  )
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  )
  assert.equal(answers.filter(({ offered }) => offered !== '').length, 1)
})

test('a lost new token does no harm: the old one stays valid, and another is offered within the hour', async () => {
  const token = await signedIn()
  later(25)
  const { offered: lost } = await request(token)
  later(0, 120)
  assert.deepEqual(await request(token), { status: 200, code: undefined, offered: '' })
  later(1)
  const { offered } = await request(token)
  assert.ok(offered !== '' && offered !== lost)
  // A token that arrived late is replaced like the old one.
  assert.equal((await request(offered)).status, 200)
  later(0, 61)
  assert.equal((await request(lost)).code, 'session.reused')
})

test('the old token stays valid for a minute after the first use of the new one', async () => {
  const { first, second } = await rotated()
  later(0, 60)
  assert.equal((await request(first)).status, 200)
  assert.equal((await request(second)).status, 200)
})

test('an old token used after that minute ends the session for both holders and is logged', async () => {
  const { first, second } = await rotated()
  later(0, 61)
  const before = events('token-reused').length
  assert.deepEqual(await request(first), { status: 401, code: 'session.reused', offered: '' })
  const [line = ''] = events('token-reused').slice(before)
  assert.match(line, /"who":"account:\d+"/)
  assert.ok(!line.includes(first) && !line.includes(second))
  assert.deepEqual(await request(second, other), { status: 401, code: 'session.reused', offered: '' })
})

test('a session cached under its old token does not outlive that minute', async () => {
  now = aDay
  const teacher = await aTeacherInSeason()
  const session = { kind: 'account', userId: teacher.id, staySignedIn: true, source: '', agent: '' } as const
  const first = await server.deps.db.transaction().execute((tx) => openSession(tx, now, session))
  later(25)
  const list = (token: string) => server.call(getStudentDetails, { body: { FYear: thisSeason } }, { token })
  const second = (await list(first)).headers.get(newTokenHeader) ?? ''
  // Cached under both tokens
  for (const token of [first, second, first]) assert.equal((await list(token)).status, 200)
  later(0, 59)
  assert.equal((await list(first)).status, 200)
  later(0, 2)
  await refused('session.reused', list(first))
  assert.equal((await list(second)).status, 401)
})

test('of simultaneous calls, those of sessions just ended on another instance are refused and the others answered', async () => {
  now = aDay
  const people = [await aTeacherInSeason(), await aTeacherInSeason(), await aTeacherInSeason()]
  const list = async ({ token }: { token: string }) =>
    (await server.call(getStudentDetails, { body: { FYear: thisSeason } }, { token })).status
  // Cached
  for (const person of people) assert.equal(await list(person), 200)
  await other.ask(logout, {}, people[1])
  await changeRows('schools', { id: people[2]?.schoolId ?? 0 }, { active: false })
  const calls = [...people, ...people, ...people, ...people]
  assert.deepEqual(
    await Promise.all(calls.map(list)),
    calls.map((_, index) => [200, 401, 403][index % 3]),
  )
})

test('signing out with either token ends the session, and so does a new sign-in in its place', async () => {
  const session = await rotated()
  await server.ask(logout, {}, { token: session.first })
  assert.equal((await request(session.second)).code, 'session.ended')
  const two = await rotated()
  const { email } = await anAccount(server)
  await server.ask(login, { emailId: email, password: aPassword }, { token: two.second })
  assert.equal((await request(two.second)).code, 'session.ended')
})

test("a person ends any of their other sessions, and no one else's", async () => {
  now = aDay
  const { email } = await anAccount(server)
  const signIn = async () => (await server.ask(login, { emailId: email, password: aPassword })).token
  const [here, there, third] = [await signIn(), await signIn(), await signIn()]
  const idOf = async (token: string) =>
    (await server.ask(getSessions, {}, { token })).data.find(({ current }) => current)?.id ?? ''
  const end = async (session: string, token: string) =>
    (await server.call(endSession, { body: { session } }, { token })).status
  const stranger = await signedIn()
  assert.equal(await end(await idOf(there), stranger), 404)
  assert.equal(await end(await idOf(here), here), 404)
  assert.equal(await end(await idOf(there), here), 200)
  assert.equal(await end('no-such-session', here), 404)
  assert.deepEqual(
    [(await request(here)).status, (await request(there)).status, (await request(third)).status],
    [200, 401, 200],
  )
})

test('a second one-time password within a minute is refused, for known and unknown addresses alike', async () => {
  const account = await anAccount(strict)
  for (const EmailId of [anAddress(), account.email]) {
    assert.equal((await strict.call(emailVerify, { body: { EmailId } })).status, 200)
    const second = await strict.call(emailVerify, { body: { EmailId } })
    assert.equal(second.status, 429)
    assert.ok(Number(second.headers.get('retry-after')) > 30)
  }
})

test("strangers who request one-time passwords for an address are limited and do not void its owner's", async () => {
  const proxied = await behindProxy()
  const EmailId = anAddress()
  const at = (place: number) => from(`198.51.100.${place}`)
  const ask = (place: number, cookies = new Map<string, string>()) =>
    proxied.send(emailVerify, { body: { EmailId } }, { cookies, ...at(place) })
  const cookies = new Map<string, string>()
  assert.equal((await ask(1, cookies)).status, 200)
  const otp = await codeFor(proxied, EmailId)
  const strangers = []
  for (let place = 2; place < 22; place++) strangers.push((await ask(place)).status)
  // At most fifteen e-mails an hour to one address, whoever requests them.
  assert.deepEqual(strangers, [...Array(14).fill(200), ...Array(6).fill(429)])
  const mine = await proxied.call(otpVerify, { body: { EmailId, otp } }, { cookies, ...at(1) })
  assert.equal(mine.body.message, 'OTP is verified')
})

test('one source uses up only its own limits for an address and a link', async () => {
  const proxied = await behindProxy()
  const emailId = anAddress()
  const { id, code } = await aLinkedSchool(proxied)
  const at = (place: number) => from(`198.51.100.${place}`)
  const reset = async (place: number) =>
    (await proxied.call(forgotPassword, { body: { emailId } }, at(place))).status
  const enter = async (place: number, tried: string) =>
    (await proxied.call(verifyAccessCode, { body: { id, code: tried } }, at(place))).status
  for (let tries = 0; tries < 5; tries++) {
    assert.equal(await reset(31), 200)
    assert.equal(await enter(31, 'WRONG234'), 200)
  }
  // Refusals here do not count towards the overall limit.
  for (let tries = 0; tries < 15; tries++) assert.equal(await reset(31), 429)
  assert.deepEqual([await enter(31, code), await reset(32), await enter(32, code)], [429, 200, 200])
})

test('the sixth access code for a link within a quarter of an hour is not checked', async () => {
  const { id, code } = await aLinkedSchool(strict)
  for (let tries = 0; tries < 5; tries++)
    assert.equal((await strict.call(verifyAccessCode, { body: { id, code: 'WRONG234' } })).status, 200)
  assert.equal((await strict.call(verifyAccessCode, { body: { id, code } })).status, 429)
})

test('the eleventh password for an account within a quarter of an hour is not checked', async () => {
  const { email } = await anAccount(strict)
  const body = { emailId: email, password: 'not this one' }
  for (let tries = 0; tries < 10; tries++) assert.equal((await strict.call(login, { body })).status, 200)
  const right = await strict.call(login, { body: { emailId: email, password: aPassword } })
  assert.equal(right.status, 429)
})

test('guesses and reset requests from many sources do not lock a person out of one they have signed in from', async () => {
  const proxied = await behindProxy()
  const { email } = await anAccount(proxied)
  const signIn = (place: number, password: string) =>
    proxied.call(login, { body: { emailId: email, password } }, from(`203.0.113.${place}`))
  assert.equal((await signIn(1, aPassword)).body.result, 'success')
  for (let tries = 0; tries < 100; tries++) await signIn(2 + Math.floor(tries / 10), 'not this one')
  assert.equal((await signIn(20, aPassword)).status, 429)
  assert.equal((await signIn(1, aPassword)).body.result, 'success')
  const reset = async (place: number) =>
    (await proxied.call(forgotPassword, { body: { emailId: email } }, from(`203.0.113.${place}`))).status
  for (let tries = 0; tries < 15; tries++) assert.equal(await reset(2 + Math.floor(tries / 5)), 200)
  assert.deepEqual([await reset(20), await reset(1)], [429, 200])
})

test('a sixth password reset link within an hour is not sent', async () => {
  const emailId = anAddress()
  for (let tries = 0; tries < 5; tries++)
    assert.equal((await strict.call(forgotPassword, { body: { emailId } })).status, 200)
  assert.equal((await strict.call(forgotPassword, { body: { emailId } })).status, 429)
})

test('behind a known proxy, all addresses of one IPv6 network count as one source', async () => {
  const proxied = await behindProxy()
  const network = `2001:db8:${randomInt(1, 65_536).toString(16)}`
  const ask = (address: string) =>
    proxied.call(forgotPassword, { body: { emailId: anAddress() } }, from(address))
  for (let at = 1; at <= 20; at++) assert.equal((await ask(`${network}:1::${at}`)).status, 200)
  assert.equal((await ask(`${network}:1:ffff::1`)).status, 429)
  assert.equal((await ask(`${network}:2::1`)).status, 200)
})

test('without a known proxy, a forwarded address does not count as a new source', async () => {
  const ask = (address: string) =>
    strict.call(forgotPassword, { body: { emailId: anAddress() } }, from(address))
  let last = 200
  for (let at = 1; at <= 21; at++) last = (await ask(`192.0.2.${at}`)).status
  assert.equal(last, 429)
})
