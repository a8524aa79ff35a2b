import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { changeList } from '@podium/contract/audit-log/calls'
import { officeConfirm, officeMe, officeSignIn } from '@podium/contract/staff/calls'
import {
  acceptInvitation,
  changeOfficePassword,
  endOwnSessions,
  endStaffSessions,
  exportStaff,
  inviteStaff,
  newRecoveryCodes,
  ownSessions,
  readInvitation,
  replaceAuthenticator,
  resetSecondFactor,
  sendStaffLink,
  setStaffRole,
  setStaffStatus,
  staffList,
  staffSessions,
} from '@podium/contract/staff/calls-people'
import { sql } from 'kysely'
import type { Role } from '#platform/auth/policy'
import { totpCode } from '#platform/auth/secrets'
import { openSession } from '#platform/auth/session'
import { whileHeld } from '#test/database'
import { aDay, anOfficer } from '#test/factories'
import { newestChange, takeCsv } from '#test/file-call'
import { changeRows } from '#test/rows'
import { before, beforehand, mailsTo, type TestServer, testServer } from '#test/server'

let now = aDay
let owner: Awaited<ReturnType<typeof anOfficer>>
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  owner = await anOwner()
})

const password = 'three blue lamps on a hill'

/** Another owner who can sign in, so that the office does not depend on a single one. */
async function anOwner() {
  const made = await anOfficer('owner')
  await changeRows('staff', { id: made.id }, { password_hash: 'x' })
  return made
}

const textsTo = async (address: string) => (await mailsTo(server, address)).map(({ text }) => text).join('\n')

const tokenIn = (text: string) => /\/office\/join#token=([\w-]+)/.exec(text)?.[1] ?? ''

async function invite(role: Role = 'accounts') {
  const emailId = `${randomUUID()}@foundation.example`
  const answer = await server.ask(inviteStaff, { name: 'Tara Kalpanik', emailId, role }, owner)
  return { id: answer.id, emailId, token: tokenIn(await textsTo(emailId)) }
}

async function member(id: number) {
  const body = await server.ask(staffList, {}, owner)
  const one = body.data.find((each) => each.id === id)
  assert.ok(one)
  return one
}

async function signInWith(emailId: string, secret?: string) {
  const cookies = new Map<string, string>()
  const first = await server.ask(officeSignIn, { emailId, password }, { cookies })
  const key = secret ?? first.secret ?? ''
  const second = await server.ask(officeConfirm, { code: totpCode(key, now) }, { cookies })
  return { next: first.next, secret: key, ...second }
}

async function joined(role: Role = 'accounts') {
  const { id, emailId, token } = await invite(role)
  await server.ask(acceptInvitation, { token, password })
  const { token: session, secret, recoveryCodes } = await signInWith(emailId)
  return { id, emailId, session, secret, recoveryCodes: recoveryCodes ?? [] }
}

const signedIn = async (token: string) => (await server.call(officeMe, {}, { token })).status
const codeOf = async (sent: ReturnType<TestServer['send']>) => {
  const { status, body } = await sent
  return [status, body.code]
}

test('an invited colleague sets a password by the e-mailed link, sets up a second factor and is signed in', async () => {
  const { id, emailId, token } = await invite('results')
  assert.equal((await member(id)).state, 'invited')
  const whose = await server.ask(readInvitation, { token })
  assert.deepEqual([whose.name, whose.emailId], ['Tara Kalpanik', emailId])
  assert.equal((await server.call(acceptInvitation, { body: { token, password } })).body.result, 'success')
  const entered = await signInWith(emailId)
  assert.deepEqual([entered.next, entered.officer.role], ['enrol', 'results'])
  assert.deepEqual([(await member(id)).state, (await member(id)).sessions], ['active', 1])
})

test('an invitation link works once, and not after a newer link or after three days', async () => {
  const { id, emailId, token } = await invite()
  const { version } = await member(id)
  await server.ask(sendStaffLink, { id, version }, owner)
  const newer =
    (await mailsTo(server, emailId)).map(({ text }) => tokenIn(text)).find((other) => other !== token) ?? ''
  const accept = async (tried: string) =>
    (await server.call(acceptInvitation, { body: { token: tried, password } })).body.code
  assert.equal(await accept(token), 'staff.invite_over')
  assert.equal(await accept(newer), undefined)
  assert.equal(await accept(newer), 'staff.invite_over')
  const late = await invite()
  const before = now
  now = new Date(now.getTime() + 3 * 86_400_000 + 1)
  assert.equal(await accept(late.token), 'staff.invite_over')
  now = before
})

test('an e-mail is invited only once, and a common password is refused', async () => {
  const { emailId, token } = await invite()
  const again = await server.call(inviteStaff, { body: { name: 'X', emailId, role: 'viewer' } }, owner)
  assert.equal(again.body.issues?.[0]?.path, 'emailId')
  const common = await server.call(acceptInvitation, { body: { token, password: 'password12345' } })
  assert.equal(common.body.issues?.[0]?.path, 'password')
})

test('an officer whose role changes is signed out at once and notified by e-mail, and the change is logged', async () => {
  const { id, emailId, session } = await joined()
  const { version } = await member(id)
  await server.ask(setStaffRole, { id, version, role: 'viewer' }, owner)
  assert.equal(await signedIn(session), 401)
  assert.match(await textsTo(emailId), /made you viewer/)
  const body = await server.ask(changeList, { kind: 'staff', record: String(id) }, owner)
  assert.deepEqual(body.data[0]?.changes[0], { field: 'role', from: 'accounts', to: 'viewer', as: 'words' })
  const stale = server.send(setStaffRole, { body: { id, version, role: 'owner' } }, owner)
  assert.deepEqual(await codeOf(stale), [409, 'changed_meanwhile'])
})

test('a deactivated officer is signed out at once and cannot sign in until reactivated', async () => {
  const { id, emailId, session } = await joined()
  const { version } = await member(id)
  const switchTo = (active: boolean, at: number) =>
    server.send(setStaffStatus, { body: { id, version: at, active, reason: 'Left us' } }, owner)
  await switchTo(false, version)
  assert.equal(await signedIn(session), 401)
  assert.match(await textsTo(emailId), /Left us/)
  const link = server.send(sendStaffLink, { body: { id, version: version + 1 } }, owner)
  assert.deepEqual(await codeOf(link), [409, 'staff.switched_off'])
  await server.refuses('office.wrong_sign_in', officeSignIn, { emailId, password })
  await switchTo(true, version + 1)
  assert.equal((await server.ask(officeSignIn, { emailId, password })).next, 'code')
})

test('the only owner can be neither demoted nor deactivated, not even by two at once', async () => {
  const { db } = server.deps
  const others = await db
    .updateTable('staff')
    .set({ role: 'viewer' })
    .where('role', '=', 'owner')
    .where('id', '<>', owner.id)
    .returning('id')
    .execute()
  const { id, version, lastOwner } = await member(owner.id)
  assert.equal(lastOwner, true)
  const demote = { id, version, role: 'viewer' as const }
  assert.deepEqual(await codeOf(server.send(setStaffRole, { body: demote }, owner)), [
    409,
    'staff.last_owner',
  ])
  const off = { id, version, active: false, reason: 'Why' }
  assert.deepEqual(await codeOf(server.send(setStaffStatus, { body: off }, owner)), [409, 'staff.last_owner'])
  // An owner who has not accepted the invitation does not count as a second one.
  await invite('owner')
  assert.deepEqual(await codeOf(server.send(setStaffRole, { body: demote }, owner)), [
    409,
    'staff.last_owner',
  ])
  const second = await anOwner()
  const answers = await Promise.all([
    server.send(setStaffRole, { body: { ...demote, id: second.id } }, owner),
    server.send(setStaffRole, { body: demote }, second),
  ])
  // The second one finds the owner gone, or was signed out when the role changed.
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const owners = db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
  assert.equal((await owners.execute()).filter(({ id }) => [owner.id, second.id].includes(id)).length, 1)
  await changeRows('staff', { id: [...others.map((other) => other.id), owner.id] }, { role: 'owner' })
  owner = await anOwner()
})

test('a revoked second factor is set up again, and the old codes fail', async () => {
  const { id, emailId, session, recoveryCodes } = await joined()
  const { version } = await member(id)
  await server.ask(resetSecondFactor, { id, version, reason: 'Phone lost' }, owner)
  assert.equal(await signedIn(session), 401)
  assert.match(await textsTo(emailId), /Phone lost/)
  const cookies = new Map<string, string>()
  const first = await server.ask(officeSignIn, { emailId, password }, { cookies })
  assert.equal(first.next, 'enrol')
  await server.refuses('office.wrong_code', officeConfirm, { code: recoveryCodes[0] ?? '' }, { cookies })
})

test('new recovery codes are created against a code, and the earlier ones fail', async () => {
  const { emailId, session, secret, recoveryCodes } = await joined()
  const renew = (code: string) => server.call(newRecoveryCodes, { body: { code } }, { token: session })
  assert.equal((await renew('000000')).body.issues?.[0]?.path, 'code')
  now = new Date(now.getTime() + 60_000)
  const { body } = await renew(totpCode(secret, now))
  assert.equal(body.recoveryCodes.length, 8)
  const enter = async (code: string) => {
    const cookies = new Map<string, string>()
    await server.ask(officeSignIn, { emailId, password }, { cookies })
    return (await server.call(officeConfirm, { body: { code } }, { cookies })).body.result
  }
  assert.equal(await enter(recoveryCodes[0] ?? ''), 'error')
  assert.equal(await enter(body.recoveryCodes[0] ?? ''), 'success')
})

test('an officer with a new phone removes the old one by a recovery code, and is signed out everywhere', async () => {
  const { emailId, session, recoveryCodes } = await joined()
  const replace = (code: string) => server.call(replaceAuthenticator, { body: { code } }, { token: session })
  assert.equal((await replace('000000')).body.issues?.[0]?.path, 'code')
  assert.equal(await signedIn(session), 200)
  assert.equal((await replace(recoveryCodes[0] ?? '')).body.result, 'success')
  assert.equal(await signedIn(session), 401)
  assert.match(await textsTo(emailId), /New phone/)
  assert.equal((await server.ask(officeSignIn, { emailId, password }, {})).next, 'enrol')
})

test("an officer sees where they are signed in and ends other sessions; an owner can end a colleague's", async () => {
  const { id, session } = await joined()
  const open = () =>
    server.deps.db
      .transaction()
      .execute((tx) => openSession(tx, now, { kind: 'office', staffId: id, source: '', agent: 'Another' }))
  const [second, third] = [await open(), await open()]
  const by = { token: session }
  const body = await server.ask(ownSessions, {}, by)
  assert.equal(body.data.length, 3)
  assert.equal(body.data.filter(({ current }) => current).length, 1)
  const other = body.data.find(({ current }) => !current)?.id ?? ''
  await server.ask(endOwnSessions, { session: other }, by)
  assert.equal((await server.ask(ownSessions, {}, by)).data.length, 2)
  assert.equal((await server.call(endOwnSessions, { body: { session: other } }, by)).status, 404)
  await server.ask(endOwnSessions, {}, by)
  assert.deepEqual([await signedIn(session), await signedIn(second), await signedIn(third)], [200, 401, 401])
  const seen = await server.ask(staffSessions, { id: String(id) }, owner)
  assert.equal(seen.data.length, 1)
  await server.ask(endStaffSessions, { id }, owner)
  assert.equal(await signedIn(session), 401)
})

test("another officer's session is not found among one's own", async () => {
  const mine = await joined()
  const theirs = await server.ask(ownSessions, {}, owner)
  const session = theirs.data[0]?.id ?? ''
  const answer = await server.call(endOwnSessions, { body: { session } }, { token: mine.session })
  assert.equal(answer.status, 404)
  assert.equal(await signedIn(owner.token), 200)
})

test('changing the password needs the old one, and signs the officer out everywhere else', async () => {
  const { id, session } = await joined()
  const other = await server.deps.db
    .transaction()
    .execute((tx) => openSession(tx, now, { kind: 'office', staffId: id, source: '', agent: '' }))
  const change = (typed: string) =>
    server.call(
      changeOfficePassword,
      { body: { password: typed, newPassword: 'four green boats at noon' } },
      { token: session },
    )
  assert.equal((await change('not this one')).body.issues?.[0]?.path, 'password')
  // Of two at once one counts: the other knew a password that is replaced.
  const both = await Promise.all([change(password), change(password)])
  assert.deepEqual(both.map(({ body }) => body.issues?.[0]?.path ?? body.result).sort(), [
    'password',
    'success',
  ])
  assert.deepEqual([await signedIn(session), await signedIn(other)], [200, 401])
})

test('a sign-in begun with the old password sets up no second factor once the password is changed', async () => {
  const { id, emailId, token } = await invite()
  await server.ask(acceptInvitation, { token, password })
  const cookies = new Map<string, string>()
  const begun = await server.ask(officeSignIn, { emailId, password }, { cookies })
  assert.equal(begun.next, 'enrol')
  await server.ask(sendStaffLink, { id, version: (await member(id)).version }, owner)
  const newer = (await mailsTo(server, emailId)).map(({ text }) => tokenIn(text)).find((it) => it !== token)
  await server.ask(acceptInvitation, { token: newer ?? '', password: 'four green boats at noon' })
  const code = totpCode(begun.secret ?? '', now)
  await server.refuses('office.step_over', officeConfirm, { code }, { cookies })
  assert.equal((await member(id)).secondFactor, false)
})

test('a sign-in whose password is replaced while it is being checked is refused', async () => {
  const { id, emailId } = await joined()
  const replacing = sql`update staff set password_hash = 'x' where id = ${id}`
  const [answer] = await whileHeld(replacing, [
    () => server.call(officeSignIn, { body: { emailId, password } }),
  ])
  assert.equal(answer?.body.code, 'office.wrong_sign_in')
})

test("only an owner can open the list of the office's people", async () => {
  for (const role of ['operations', 'accounts', 'results', 'viewer'] as const)
    assert.equal((await server.call(staffList, {}, await anOfficer(role))).status, 403)
})

test('only an owner exports the filtered list of people, and the export is logged', async () => {
  const { emailId } = await invite('accounts')
  const { emailId: other } = await invite('results')
  const filters = { search: '@foundation.example', role: 'accounts', state: 'invited' } as const
  const { text } = await takeCsv(server, exportStaff, filters, owner)
  assert.ok(text.includes(`Tara Kalpanik,${emailId},Accounts,Invited,No,,0`), text)
  assert.ok(!text.includes(other))
  const people = text.trim().split('\r\n').length - 1
  assert.deepEqual(await newestChange('staff.exported'), { format: 'csv', people, filters })
  for (const role of ['operations', 'accounts', 'results', 'viewer'] as const)
    assert.equal((await takeCsv(server, exportStaff, filters, await anOfficer(role))).status, 403)
})
