import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, beforeEach, test } from 'node:test'
import { confirmAgain, officeConfirm, officeSignIn } from '@podium/contract/staff/calls'
import { inviteStaff } from '@podium/contract/staff/calls-people'
import { hashPassword } from '#platform/auth/passwords'
import { totpCode } from '#platform/auth/totp'
import { aDay } from '../../../test/factories.ts'
import { type TestServer, testServer } from '../../../test/server.ts'

let server: TestServer
let now = aDay
before(async () => {
  server = await testServer({ clock: () => now })
})
beforeEach(() => {
  now = new Date(now.getTime() + 86_400_000)
})

const password = 'three blue lamps on a hill'
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}

/** An owner with a password and an authenticator, who has just signed in. */
async function anOwner(on = server) {
  const emailId = `${randomUUID()}@foundation.example`
  const { id } = await on.deps.db
    .insertInto('staff')
    .values({
      email: emailId,
      name: 'Udaya Misaal',
      role: 'owner',
      password_hash: await hashPassword(on.deps.keys, password),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const cookies = new Map<string, string>()
  const { body } = await on.call(officeSignIn, { body: { emailId, password } }, { cookies })
  const secret = body.secret ?? ''
  const done = await on.call(officeConfirm, { body: { code: totpCode(secret, now) } }, { cookies })
  const { token, recoveryCodes = [] } = done.body
  return { id, emailId, secret, token, recoveryCodes }
}

/** Signs the same person in somewhere else. */
async function elsewhere({ emailId, secret }: { emailId: string; secret: string }) {
  const cookies = new Map<string, string>()
  await server.call(officeSignIn, { body: { emailId, password } }, { cookies })
  const { body } = await server.call(officeConfirm, { body: { code: totpCode(secret, now) } }, { cookies })
  return { token: body.token }
}

const someone = () =>
  ({ name: 'Nayana Namuna', emailId: `${randomUUID()}@foundation.example`, role: 'viewer' }) as const

/** Whether a call that asks for a fresh proof is carried out. */
async function invites({ token }: { token: string }): Promise<true | string | undefined> {
  const { status, body } = await server.call(inviteStaff, { body: someone() }, { token })
  return status === 200 ? true : body.code
}

async function linesOf(id: number, on = server) {
  return on.deps.db
    .selectFrom('audit')
    .select(['action', 'change'])
    .where('subject_kind', '=', 'staff')
    .where('subject_id', '=', String(id))
    .where('action', 'like', 'staff.confirm%')
    .orderBy('id')
    .execute()
}

test('what was proved at the sign-in is believed for ten minutes, and then a code is asked for', async () => {
  const owner = await anOwner()
  later(10)
  assert.equal(await invites(owner), true)
  later(1)
  assert.equal(await invites(owner), 'session.confirm')
  const confirmed = await server.call(confirmAgain, { body: { code: totpCode(owner.secret, now) } }, owner)
  assert.equal(confirmed.status, 200)
  assert.equal(await invites(owner), true)
  later(11)
  assert.equal(await invites(owner), 'session.confirm')
  assert.deepEqual(await linesOf(owner.id), [{ action: 'staff.confirmed', change: { method: 'code' } }])
})

test('the password proves it as well, and a recovery code does once', async () => {
  const owner = await anOwner()
  later(11)
  assert.equal((await server.call(confirmAgain, { body: { password } }, owner)).status, 200)
  assert.equal(await invites(owner), true)
  later(11)
  const [code = ''] = owner.recoveryCodes
  assert.equal((await server.call(confirmAgain, { body: { code } }, owner)).status, 200)
  assert.equal(await invites(owner), true)
  later(11)
  assert.equal((await server.call(confirmAgain, { body: { code } }, owner)).status, 400)
  assert.equal(await invites(owner), 'session.confirm')
})

test('a wrong code or password is refused at its field, proves nothing and is on record', async () => {
  const owner = await anOwner()
  later(11)
  const right = totpCode(owner.secret, now)
  for (const [field, value] of [
    ['code', right === '000000' ? '000001' : '000000'],
    ['password', 'three red lamps on a hill'],
  ] as const) {
    const { status, body } = await server.call(confirmAgain, { body: { [field]: value } }, owner)
    assert.deepEqual([status, body.issues?.map(({ path }) => path)], [400, [field]])
  }
  assert.equal(await invites(owner), 'session.confirm')
  assert.deepEqual(await linesOf(owner.id), [
    { action: 'staff.confirm_failed', change: { method: 'code' } },
    { action: 'staff.confirm_failed', change: { method: 'password' } },
  ])
})

test('the code of the sign-in does not prove anything a second time', async () => {
  const owner = await anOwner()
  const used = totpCode(owner.secret, now)
  assert.equal((await server.call(confirmAgain, { body: { code: used } }, owner)).status, 400)
})

test('either a code or the password is given, not both and not neither', async () => {
  const owner = await anOwner()
  later(11)
  for (const body of [{}, { code: '', password: '' }, { code: totpCode(owner.secret, now), password }])
    assert.equal((await server.call(confirmAgain, { body }, owner)).status, 400)
  assert.equal(await invites(owner), 'session.confirm')
  assert.deepEqual(await linesOf(owner.id), [])
})

test('a session is confirmed for itself alone, not for other places of the same officer', async () => {
  const owner = await anOwner()
  later(11)
  const other = await elsewhere(owner)
  assert.equal(await invites(other), true)
  assert.equal(await invites(owner), 'session.confirm')
  later(11)
  await server.call(confirmAgain, { body: { password } }, owner)
  assert.equal(await invites(other), 'session.confirm')
})

test('what was refused changes nothing and is carried out when it is sent again after the proof', async () => {
  const owner = await anOwner()
  later(11)
  const body = someone()
  const sent = { ...owner, headers: { 'idempotency-key': randomUUID() } }
  assert.equal((await server.call(inviteStaff, { body }, sent)).body.code, 'session.confirm')
  await server.call(confirmAgain, { body: { password } }, owner)
  assert.equal((await server.call(inviteStaff, { body }, sent)).status, 200)
})

test('who guesses has as many tries as at the sign-in, and does not lock the officer out of it', async () => {
  const strict = await testServer({ clock: () => now, limitScale: 1 })
  const owner = await anOwner(strict)
  later(11)
  const tries = async (body: { code?: string; password?: string }, times: number) => {
    const statuses = new Set<number>()
    for (let i = 0; i < times; i++) statuses.add((await strict.call(confirmAgain, { body }, owner)).status)
    return [...statuses]
  }
  assert.deepEqual(await tries({ password: 'three red lamps on a hill' }, 10), [400])
  assert.deepEqual(await tries({ password }, 1), [429])
  assert.deepEqual(await tries({ code: 'WRONGWRONG' }, 20), [400])
  assert.deepEqual(await tries({ code: totpCode(owner.secret, now) }, 1), [429])
  const { body } = await strict.call(officeSignIn, { body: { emailId: owner.emailId, password } })
  assert.equal(body.next, 'code')
})
