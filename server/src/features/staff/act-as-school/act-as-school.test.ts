import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getSessions, me } from '@podium/contract/accounts/calls'
import { changePassword } from '@podium/contract/accounts/calls-registration'
import { changeList } from '@podium/contract/audit-log/calls'
import { savePayment } from '@podium/contract/payments/calls'
import { saveContact } from '@podium/contract/schools/calls'
import { officeSchool } from '@podium/contract/schools/calls-record'
import { setSchoolAccount, setSchoolStatus } from '@podium/contract/schools/calls-write'
import { confirmReceipt } from '@podium/contract/shipping/calls'
import { officeSignOut } from '@podium/contract/staff/calls'
import { actingSessions, endActing, startActing } from '@podium/contract/staff/calls-act-as-school'
import { setStaffRole, setStaffStatus } from '@podium/contract/staff/calls-people'
import { exportStudents } from '@podium/contract/students/calls'
import { importFaults } from '@podium/contract/students/calls-import-preview'
import { schoolsOwnCalls } from '#platform/auth/policy'
import { servedRoutes } from '#platform/http/http'
import { aContact, aDay, anOfficer, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { changeRows, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { aCheckedList, anEnteredStudent } from '#test/students-factories'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(() => aSeason())

const reason = 'Asked by phone to enter a contact'

async function anActingSession(traits: { minutes?: '15' | '30' | '60' } = {}) {
  const teacher = await aTeacher({ now, name: 'Meera Namunawala' })
  const officer = await anOfficer('operations', now)
  const body = { id: teacher.schoolId, reason, ...traits }
  const answer = await server.ask(startActing, body, officer)
  return { teacher, officer, token: answer.token, until: answer.until }
}

const asMe = async (token: string) => (await server.call(me, {}, { token })).status

test('an officer signs in as a school, and each change there is logged under both names', async () => {
  const { teacher, officer, token } = await anActingSession()
  await server.ask(saveContact, aContact, { token })
  await anEnteredStudent(server, { token })
  const body = await server.ask(
    changeList,
    { who: officer.email, by: 'office' },
    await anOfficer('owner', now),
  )
  const lines = body.data.map(({ action, actorName, actingFor, schoolId }) => [
    action,
    actorName,
    actingFor,
    schoolId,
  ])
  const both = ['Radhika Kalpanik', 'Meera Namunawala', teacher.schoolId]
  assert.deepEqual(lines, [
    ['student.added', ...both],
    ['contact.asked_for', ...both],
    ['acting.started', 'Radhika Kalpanik', '', teacher.schoolId],
  ])
})

test('the school sees which officer signed in, why, when and what was done', async () => {
  const { teacher, token } = await anActingSession()
  await server.ask(saveContact, aContact, { token })
  const during = await server.ask(actingSessions, {}, teacher)
  assert.equal(during.data[0]?.endedAt, null)
  await server.ask(endActing, {}, { token })
  const [session] = (await server.ask(actingSessions, {}, teacher)).data
  assert.deepEqual(
    [
      session?.officer,
      session?.reason,
      session?.startedAt,
      session?.endedAt,
      session?.acts.map(({ action }) => action),
    ],
    ['Radhika Kalpanik', reason, now.toISOString(), now.toISOString(), ['contact.asked_for']],
  )
  const another = await server.ask(actingSessions, {}, await aTeacher({ now }))
  assert.deepEqual(another.data, [])
})

test('files with the contacts of families that an officer takes from there are logged, and the school sees it', async () => {
  const { teacher, officer, token } = await anActingSession()
  await anEnteredStudent(server, { token })
  const listed = { FYear: thisSeason, section: 'A', studentName: 'Ishita', format: 'csv' as const }
  assert.equal((await server.post(exportStudents, listed, { token })).status, 200)
  const { importId } = await aCheckedList(server, { token }, ['7,A,x,Om Misaal,9876500000,M'])
  assert.equal((await server.download(importFaults, { importId }, { token })).status, 200)
  const lines = await auditLines(['actor_id', 'subject_kind', 'change'], { action: 'students.exported' })
  assert.deepEqual(lines, [
    { actor_id: officer.id, subject_kind: 'school', change: { format: 'csv', students: 1 } },
    { actor_id: officer.id, subject_kind: 'import', change: { file: 'students.csv' } },
  ])
  const [session] = (await server.ask(actingSessions, {}, teacher)).data
  assert.equal(session?.acts.filter(({ action }) => action === 'students.exported').length, 2)
})

test('acting as a school ends when its time is up, however busy, and when the officer ends it', async () => {
  const { token } = await anActingSession({ minutes: '15' })
  const started = now
  now = new Date(started.getTime() + 14 * 60_000)
  assert.equal(await asMe(token), 200)
  now = new Date(started.getTime() + 15 * 60_000)
  assert.equal(await asMe(token), 401)
  const second = await anActingSession()
  await server.ask(endActing, {}, second)
  assert.equal(await asMe(second.token), 401)
})

test('acting as a school ends when the officer signs out, changes role or is deactivated', async () => {
  const first = await anActingSession()
  await server.ask(officeSignOut, {}, first.officer)
  assert.equal(await asMe(first.token), 401)
  const owner = await anOfficer('owner', now)
  const second = await anActingSession()
  const role = { id: second.officer.id, version: 1, role: 'accounts' as const }
  await server.ask(setStaffRole, role, owner)
  assert.equal(await asMe(second.token), 401)
  const third = await anActingSession()
  const off = { id: third.officer.id, version: 1, active: false, reason: 'Left' }
  await server.ask(setStaffStatus, off, owner)
  assert.equal(await asMe(third.token), 401)
})

test('a visit is no sign-in of the person whose account it uses, neither for the person nor for the office', async () => {
  const { teacher, officer, token } = await anActingSession()
  await asMe(token)
  const { data } = await server.ask(getSessions, {}, teacher)
  assert.deepEqual(valuesOf(data, 'current'), [true])
  await changeRows('sessions', { user_id: teacher.id, acting_session_id: null }, { ended_at: now })
  const { staff } = await server.ask(
    officeSchool,
    { id: String(teacher.schoolId), FYear: thisSeason },
    officer,
  )
  assert.deepEqual(valuesOf(staff, 'lastSeen'), [null])
})

test('a visit that ends with the right to it, or with the account, is over for the school at once', async () => {
  const owner = await anOfficer('owner', now)
  const seen = async ({ schoolId }: { schoolId: number }) => {
    const { data } = await server.ask(actingSessions, {}, await aTeacher({ schoolId, now }))
    return data[0]?.endedAt
  }
  const { teacher, officer } = await anActingSession()
  await server.ask(setStaffRole, { id: officer.id, version: officer.version, role: 'viewer' }, owner)
  assert.equal(await seen(teacher), now.toISOString())
  const other = await anActingSession()
  const { id: userId, schoolId: id } = other.teacher
  await server.ask(setSchoolAccount, { id, userId, version: 1, enabled: false, reason: 'Has left' }, owner)
  assert.equal(await seen(other.teacher), now.toISOString())
})

test("only the school's own staff handle passwords, codes and the statements of having paid and received", async () => {
  const { token } = await anActingSession()
  const routes = servedRoutes(server.app).filter(({ endpoint }) =>
    schoolsOwnCalls.has(`${endpoint.method} ${endpoint.path}`),
  )
  assert.equal(routes.length, schoolsOwnCalls.size)
  for (const { endpoint } of routes) {
    const { status, body } = await server.send(endpoint, {}, { token })
    assert.deepEqual([endpoint.path, status, body.code], [endpoint.path, 403, 'access.acting'])
  }
  for (const { path } of [changePassword, savePayment, confirmReceipt])
    assert.ok(schoolsOwnCalls.has(`POST ${path}`), path)
})

test('acting as a school needs a reason, the right role and an existing, active school with staff', async () => {
  const { schoolId: id } = await aTeacher({ now })
  const officer = await anOfficer('operations', now)
  const start = async (body: object, by = officer) => {
    const answer = await server.send(startActing, { body: { id, reason, ...body } }, by)
    return [answer.status, answer.body.code]
  }
  assert.deepEqual(await start({ reason: ' ' }), [400, 'input.invalid'])
  assert.deepEqual(await start({ minutes: '600' }), [400, 'input.invalid'])
  assert.deepEqual(await start({ id: 999_999_999 }), [404, 'not_found'])
  assert.deepEqual(await start({ id: (await aSchool()).id }), [409, 'acting.nobody'])
  for (const role of ['accounts', 'results', 'viewer'] as const)
    assert.deepEqual(await start({}, await anOfficer(role, now)), [403, 'access.denied'])
  const off = { id, version: 1, active: false, reason: 'Closed' }
  await server.ask(setSchoolStatus, off, officer)
  assert.deepEqual(await start({}), [409, 'schools.inactive'])
})

test("a member of the school's staff has no acting to end", async () => {
  await server.refuses('access.denied', endActing, {}, await aTeacher({ now }))
})
