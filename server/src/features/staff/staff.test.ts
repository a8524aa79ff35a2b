import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import {
  confirmAgain,
  officeConfirm,
  officeMe,
  officeSetUp,
  officeSignIn,
  officeSignOut,
} from '@podium/contract/staff/calls'
import { inviteStaff } from '@podium/contract/staff/calls-people'
import { hashPassword } from '#platform/auth/passwords'
import { totpCode } from '#platform/auth/secrets'
import { aDay, anOfficer, aTeacher } from '#test/factories'
import { addRow, changeRows } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { offerSetUp } from './commands.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const strict = beforehand(() =>
  testServer({ limitScale: 1, clock: () => now, settings: { trustProxy: ['127.0.0.1'] } }),
)

const password = 'three blue lamps on a hill'
const laterBy = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

async function aMember() {
  const email = `${randomUUID()}@foundation.example`
  await addRow('staff', {
    email,
    name: 'Udaya Misaal',
    role: 'accounts',
    password_hash: await hashPassword(server.deps.keys, password),
    created_at: now,
  })
  return email
}

/** Signs in for the first time: password, then the new authenticator's code. */
async function enrolled() {
  const emailId = await aMember()
  const cookies = new Map<string, string>()
  const first = await server.ask(officeSignIn, { emailId, password }, { cookies })
  assert.equal(first.next, 'enrol')
  const secret = first.secret ?? ''
  const second = await server.call(officeConfirm, { body: { code: totpCode(secret, now) } }, { cookies })
  assert.equal(second.body.result, 'success')
  return { emailId, secret, token: second.body.token, recoveryCodes: second.body.recoveryCodes ?? [] }
}

async function secondStep(emailId: string) {
  const cookies = new Map<string, string>()
  const first = await server.ask(officeSignIn, { emailId, password }, { cookies })
  assert.equal(first.next, 'code')
  assert.equal(first.secret, undefined)
  return (code: string) => server.call(officeConfirm, { body: { code } }, { cookies })
}

test("an authenticator lists the code under the foundation's name from the settings", async () => {
  const named = {
    id: 1,
    name: 'Namuna Foundation',
    short_name: 'Namuna',
    support_phone: '',
    support_email: '',
  }
  await addRow('foundation', named)
  const emailId = await aMember()
  const body = await server.ask(officeSignIn, { emailId, password })
  const { searchParams, pathname } = new URL(body.uri ?? '')
  assert.equal(searchParams.get('issuer'), 'Namuna')
  assert.ok(decodeURIComponent(pathname).endsWith(`Namuna:${emailId}`), pathname)
})

test('officers set up a second factor at their first sign-in and can then do what their role allows', async () => {
  const { token, recoveryCodes } = await enrolled()
  assert.equal(recoveryCodes.length, 8)
  const me = await server.ask(officeMe, {}, { token })
  assert.equal(me.officer.role, 'accounts')
  assert.ok(me.officer.permissions.includes('payments.decide'))
  assert.ok(!me.officer.permissions.includes('results.import'))
})

test('a wrong password and an unknown e-mail get the same answer', async () => {
  const emailId = await aMember()
  const wrong = await server.call(officeSignIn, { body: { emailId, password: 'not this one' } })
  const stranger = { emailId: `${randomUUID()}@foundation.example`, password }
  const unknown = await server.call(officeSignIn, { body: stranger })
  assert.equal(wrong.status, 200)
  assert.equal(wrong.body.result, 'error')
  assert.deepEqual(wrong.body, unknown.body)
})

test('the password alone opens no session', async () => {
  const { emailId } = await enrolled()
  const cookies = new Map<string, string>()
  const first = await server.send(officeSignIn, { body: { emailId, password } }, { cookies })
  assert.equal(first.body.token, undefined)
  await server.refuses('office.step_over', officeConfirm, { code: '123456' })
})

test('a code works once, even within its half minute', async () => {
  const { emailId, secret } = await enrolled()
  laterBy(60)
  const code = totpCode(secret, now)
  const confirm = await secondStep(emailId)
  assert.equal((await confirm(code)).body.result, 'success')
  const again = await secondStep(emailId)
  await refused('office.wrong_code', again(code))
})

test('five wrong codes end the second step, and the right one then comes too late', async () => {
  const { emailId, secret } = await enrolled()
  laterBy(60)
  const confirm = await secondStep(emailId)
  const right = totpCode(secret, now)
  const wrong = right === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) await refused('office.wrong_code', confirm(wrong))
  await refused('office.step_over', confirm(right))
})

test('the second step ends after five minutes', async () => {
  const { emailId, secret } = await enrolled()
  laterBy(60)
  const confirm = await secondStep(emailId)
  laterBy(301)
  await refused('office.step_over', confirm(totpCode(secret, now)))
})

test('a recovery code signs an officer in once', async () => {
  const { emailId, recoveryCodes } = await enrolled()
  const [code = ''] = recoveryCodes
  assert.equal((await (await secondStep(emailId))(code.toLowerCase())).body.result, 'success')
  await refused('office.wrong_code', (await secondStep(emailId))(code))
})

test('a deactivated officer is signed out at once and stays out', async () => {
  const { emailId, token } = await enrolled()
  await changeRows('staff', { email: emailId }, { disabled_at: now })
  assert.equal((await server.call(officeMe, {}, { token })).status, 401)
  await server.refuses('office.wrong_sign_in', officeSignIn, { emailId, password })
})

test('signing out ends the session', async () => {
  const { token } = await enrolled()
  await server.ask(officeSignOut, {}, { token })
  assert.equal((await server.call(officeMe, {}, { token })).status, 401)
})

test("a school's account cannot sign in to the office, nor an officer to a school", async () => {
  const teacher = await aTeacher({ now })
  assert.equal((await server.call(officeMe, {}, teacher)).status, 403)
})

test('the set-up link is offered only to an installation without officers, and makes no one an owner of another', async () => {
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
  await server.refuses('office.set_up_over', officeSetUp, body)
})

test('the first owner cannot choose a common password', async () => {
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

beforeEach(() => {
  now = new Date(now.getTime() + 86_400_000)
})
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}

/** An owner with a password and an authenticator who has just signed in. */
async function anOwner(on = server) {
  const emailId = `${randomUUID()}@foundation.example`
  const { id } = await addRow('staff', {
    email: emailId,
    name: 'Udaya Misaal',
    role: 'owner',
    password_hash: await hashPassword(on.deps.keys, password),
    created_at: now,
  })
  const cookies = new Map<string, string>()
  const { body } = await on.call(officeSignIn, { body: { emailId, password } }, { cookies })
  const secret = body.secret ?? ''
  const done = await on.call(officeConfirm, { body: { code: totpCode(secret, now) } }, { cookies })
  const { token, recoveryCodes = [] } = done.body
  return { id, emailId, secret, token, recoveryCodes }
}

/** Signs the same user in on another device. */
async function onAnotherDevice({ emailId, secret }: { emailId: string; secret: string }) {
  const cookies = new Map<string, string>()
  await server.ask(officeSignIn, { emailId, password }, { cookies })
  const body = await server.ask(officeConfirm, { code: totpCode(secret, now) }, { cookies })
  return { token: body.token }
}

const someone = () =>
  ({ name: 'Nayana Namuna', emailId: `${randomUUID()}@foundation.example`, role: 'viewer' }) as const

/** Whether a call that requires a recent confirmation succeeds. */
async function canInvite({ token }: { token: string }): Promise<true | string | undefined> {
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

test('the second factor given at sign-in counts for ten minutes; afterwards a code is required', async () => {
  const owner = await anOwner()
  later(10)
  assert.equal(await canInvite(owner), true)
  later(1)
  assert.equal(await canInvite(owner), 'session.confirm')
  await server.ask(confirmAgain, { code: totpCode(owner.secret, now) }, owner)
  assert.equal(await canInvite(owner), true)
  later(11)
  assert.equal(await canInvite(owner), 'session.confirm')
  assert.deepEqual(await linesOf(owner.id), [{ action: 'staff.confirmed', change: { method: 'code' } }])
})

test('the password confirms an action as well, and a recovery code does so once', async () => {
  const owner = await anOwner()
  later(11)
  await server.ask(confirmAgain, { password }, owner)
  assert.equal(await canInvite(owner), true)
  later(11)
  const [code = ''] = owner.recoveryCodes
  await server.ask(confirmAgain, { code }, owner)
  assert.equal(await canInvite(owner), true)
  later(11)
  assert.equal((await server.call(confirmAgain, { body: { code } }, owner)).status, 400)
  assert.equal(await canInvite(owner), 'session.confirm')
})

test('a wrong code or password is refused at its field, confirms nothing and is logged', async () => {
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
  assert.equal(await canInvite(owner), 'session.confirm')
  assert.deepEqual(await linesOf(owner.id), [
    { action: 'staff.confirm_failed', change: { method: 'code' } },
    { action: 'staff.confirm_failed', change: { method: 'password' } },
  ])
})

test('the code used at sign-in cannot confirm an action a second time', async () => {
  const owner = await anOwner()
  const used = totpCode(owner.secret, now)
  assert.equal((await server.call(confirmAgain, { body: { code: used } }, owner)).status, 400)
})

test('a confirmation takes either a code or the password, not both and not neither', async () => {
  const owner = await anOwner()
  later(11)
  for (const body of [{}, { code: '', password: '' }, { code: totpCode(owner.secret, now), password }])
    assert.equal((await server.call(confirmAgain, { body }, owner)).status, 400)
  assert.equal(await canInvite(owner), 'session.confirm')
  assert.deepEqual(await linesOf(owner.id), [])
})

test("a confirmation counts for one session, not for the same officer's other sessions", async () => {
  const owner = await anOwner()
  later(11)
  const other = await onAnotherDevice(owner)
  assert.equal(await canInvite(other), true)
  assert.equal(await canInvite(owner), 'session.confirm')
  later(11)
  await server.ask(confirmAgain, { password }, owner)
  assert.equal(await canInvite(other), 'session.confirm')
})

test('a refused call changes nothing, and succeeds when sent again after the confirmation', async () => {
  const owner = await anOwner()
  later(11)
  const body = someone()
  const sent = { ...owner, headers: { 'idempotency-key': randomUUID() } }
  await server.refuses('session.confirm', inviteStaff, body, sent)
  await server.ask(confirmAgain, { password }, owner)
  await server.ask(inviteStaff, body, sent)
})

test('guesses at a confirmation are limited as at sign-in, and do not lock the officer out of it', async () => {
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

/** An office user with a second factor, and an address that no other test uses. */
async function aKnownMember() {
  const emailId = `${randomUUID()}@foundation.example`
  await addRow('staff', {
    email: emailId,
    name: 'Udaya Misaal',
    role: 'accounts',
    password_hash: await hashPassword(strict.deps.keys, password),
    created_at: now,
  })
  const first = await begin(emailId)
  const secret = first.body.secret ?? ''
  assert.equal((await first.confirm(totpCode(secret, now))).body.result, 'success')
  now = new Date(now.getTime() + 60_000)
  return { emailId, secret }
}

let places = 0
const fromElsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++places % 250}` })

async function begin(emailId: string, typed = password, headers = fromElsewhere()) {
  const cookies = new Map<string, string>()
  const answer = await strict.call(officeSignIn, { body: { emailId, password: typed } }, { cookies, headers })
  const confirm = (code: string) => strict.call(officeConfirm, { body: { code } }, { cookies, headers })
  return { ...answer, confirm }
}

test('guessing passwords elsewhere does not lock an officer out, and the guesser is stopped', async () => {
  const { emailId, secret } = await aKnownMember()
  const there = fromElsewhere()
  for (let tries = 0; tries < 10; tries++)
    assert.equal((await begin(emailId, 'not this one', there)).status, 200)
  assert.equal((await begin(emailId, password, there)).status, 429)
  const own = await begin(emailId)
  assert.equal((await own.confirm(totpCode(secret, now))).body.result, 'success')
})

test('guessing from many places does not lock an officer out of a place they have signed in from', async () => {
  const { emailId, secret } = await aKnownMember()
  const desk = fromElsewhere()
  const own = await begin(emailId, password, desk)
  assert.equal((await own.confirm(totpCode(secret, now))).body.result, 'success')
  for (let place = 0; place < 10; place++) {
    const there = fromElsewhere()
    for (let tries = 0; tries < 10; tries++) await begin(emailId, 'not this one', there)
  }
  assert.equal((await begin(emailId)).status, 429)
  assert.equal((await begin(emailId, password, desk)).body.next, 'code')
})

test('wrong codes are counted over all attempts: with the password alone no one guesses forever', async () => {
  const { emailId, secret } = await aKnownMember()
  const wrong = totpCode(secret, now) === '000000' ? '000001' : '000000'
  for (let step = 0; step < 4; step++) {
    const { confirm } = await begin(emailId)
    for (let tries = 0; tries < 5; tries++) await refused('office.wrong_code', confirm(wrong))
  }
  const { confirm } = await begin(emailId)
  assert.equal((await confirm(totpCode(secret, now))).status, 429)
})
