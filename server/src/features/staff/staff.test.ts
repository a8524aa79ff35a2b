import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import {
  officeConfirm,
  officeMe,
  officeSetUp,
  officeSignIn,
  officeSignOut,
} from '@podium/contract/staff/calls'
import { hashPassword } from '#platform/auth/passwords'
import { totpCode } from '#platform/auth/totp'
import { aDay, anOfficer, aTeacher } from '../../../test/factories.ts'
import { type TestServer, testServer } from '../../../test/server.ts'
import { offerSetUp } from './commands.ts'

let server: TestServer
let now = aDay
before(async () => {
  server = await testServer({ clock: () => now })
})

const password = 'three blue lamps on a hill'
const laterBy = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

async function aMember() {
  const email = `${randomUUID()}@foundation.example`
  await server.deps.db
    .insertInto('staff')
    .values({
      email,
      name: 'Udaya Misaal',
      role: 'accounts',
      password_hash: await hashPassword(server.deps.keys, password),
      created_at: now,
    })
    .execute()
  return email
}

/** Signs in for the first time: password, then the new authenticator's code. */
async function enrolled() {
  const emailId = await aMember()
  const cookies = new Map<string, string>()
  const first = await server.call(officeSignIn, { body: { emailId, password } }, { cookies })
  assert.equal(first.body.next, 'enrol')
  const secret = first.body.secret ?? ''
  const second = await server.call(officeConfirm, { body: { code: totpCode(secret, now) } }, { cookies })
  assert.equal(second.body.result, 'success')
  return { emailId, secret, token: second.body.token, recoveryCodes: second.body.recoveryCodes ?? [] }
}

async function secondStep(emailId: string) {
  const cookies = new Map<string, string>()
  const first = await server.call(officeSignIn, { body: { emailId, password } }, { cookies })
  assert.equal(first.body.next, 'code')
  assert.equal(first.body.secret, undefined)
  return (code: string) => server.call(officeConfirm, { body: { code } }, { cookies })
}

test('an authenticator lists the code under the foundation’s name, as settings have it', async () => {
  const named = {
    id: 1,
    name: 'Namuna Foundation',
    short_name: 'Namuna',
    support_phone: '',
    support_email: '',
  }
  await server.deps.db.insertInto('foundation').values(named).execute()
  const emailId = await aMember()
  const { body } = await server.call(officeSignIn, { body: { emailId, password } })
  const { searchParams, pathname } = new URL(body.uri ?? '')
  assert.equal(searchParams.get('issuer'), 'Namuna')
  assert.ok(decodeURIComponent(pathname).endsWith(`Namuna:${emailId}`), pathname)
})

test('staff enrol a second factor at their first sign-in and are in the office with what their role may do', async () => {
  const { token, recoveryCodes } = await enrolled()
  assert.equal(recoveryCodes.length, 8)
  const me = await server.call(officeMe, {}, { token })
  assert.equal(me.body.officer.role, 'accounts')
  assert.ok(me.body.officer.permissions.includes('payments.decide'))
  assert.ok(!me.body.officer.permissions.includes('results.import'))
})

test('a wrong password and an unknown e-mail are answered alike', async () => {
  const emailId = await aMember()
  const wrong = await server.call(officeSignIn, { body: { emailId, password: 'not this one' } })
  const unknown = await server.call(officeSignIn, {
    body: { emailId: `${randomUUID()}@foundation.example`, password },
  })
  assert.equal(wrong.status, 200)
  assert.equal(wrong.body.result, 'error')
  assert.deepEqual(wrong.body, unknown.body)
})

test('the password alone opens no session', async () => {
  const { emailId } = await enrolled()
  const cookies = new Map<string, string>()
  const first = await server.send(officeSignIn, { body: { emailId, password } }, { cookies })
  assert.equal(first.body.token, undefined)
  const without = await server.call(officeConfirm, { body: { code: '123456' } })
  assert.equal(without.body.code, 'office.step_over')
})

test('a code works once, even within its half minute', async () => {
  const { emailId, secret } = await enrolled()
  laterBy(60)
  const code = totpCode(secret, now)
  const confirm = await secondStep(emailId)
  assert.equal((await confirm(code)).body.result, 'success')
  const again = await secondStep(emailId)
  assert.equal((await again(code)).body.code, 'office.wrong_code')
})

test('five wrong codes end the step, and the right one then comes too late', async () => {
  const { emailId, secret } = await enrolled()
  laterBy(60)
  const confirm = await secondStep(emailId)
  const right = totpCode(secret, now)
  const wrong = right === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) assert.equal((await confirm(wrong)).body.code, 'office.wrong_code')
  assert.equal((await confirm(right)).body.code, 'office.step_over')
})

test('the second step ends after five minutes', async () => {
  const { emailId, secret } = await enrolled()
  laterBy(60)
  const confirm = await secondStep(emailId)
  laterBy(301)
  assert.equal((await confirm(totpCode(secret, now))).body.code, 'office.step_over')
})

test('a recovery code opens the office once', async () => {
  const { emailId, recoveryCodes } = await enrolled()
  const [code = ''] = recoveryCodes
  assert.equal((await (await secondStep(emailId))(code.toLowerCase())).body.result, 'success')
  assert.equal((await (await secondStep(emailId))(code)).body.code, 'office.wrong_code')
})

test('disabled staff are out at once and stay out', async () => {
  const { emailId, token } = await enrolled()
  await server.deps.db.updateTable('staff').set({ disabled_at: now }).where('email', '=', emailId).execute()
  assert.equal((await server.call(officeMe, {}, { token })).status, 401)
  assert.equal(
    (await server.call(officeSignIn, { body: { emailId, password } })).body.code,
    'office.wrong_sign_in',
  )
})

test('signing out ends the session', async () => {
  const { token } = await enrolled()
  await server.call(officeSignOut, {}, { token })
  assert.equal((await server.call(officeMe, {}, { token })).status, 401)
})

test('a school account is not let into the office, nor staff into a school', async () => {
  const teacher = await aTeacher({ now })
  assert.equal((await server.call(officeMe, {}, { token: teacher.token })).status, 403)
})

test('the set-up link is offered only to an installation without staff, and makes nobody an owner in another', async () => {
  await anOfficer('owner', now)
  assert.equal(await offerSetUp(server.deps, now), undefined)
  const body = {
    token: 'x'.repeat(43),
    name: 'Somebody',
    emailId: 'somebody@foundation.example',
    password,
    foundationName: 'Another',
    supportPhone: '1',
    supportEmail: 'help@foundation.example',
  }
  assert.equal((await server.call(officeSetUp, { body })).body.code, 'office.set_up_over')
})

test('the first owner gets no password that everybody would try', async () => {
  const body = {
    token: 'x'.repeat(43),
    name: 'Anand Udaharan',
    emailId: 'anand@foundation.example',
    password: 'password12345',
    foundationName: 'Another',
    supportPhone: '1',
    supportEmail: 'help@foundation.example',
  }
  const answer = await server.call(officeSetUp, { body })
  assert.equal(answer.body.issues?.[0]?.path, 'password')
})
