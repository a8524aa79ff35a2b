import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { before, test } from 'node:test'
import { foldName } from '@podium/contract/names'
import { type AssignableKind, assign, assignees, lookAt } from '@podium/contract/office/calls-assignments'
import { officePayments, rejectPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import {
  exportApplications,
  getApplication,
  listApplications,
  rejectApplication,
} from '@podium/contract/schools/calls-applications'
import { aDay, anOfficer, aTeacher, thisSeason } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { aPendingPayment } from '#test/payments-factories'
import { type TestServer, testServer } from '#test/server'

type Officer = Awaited<ReturnType<typeof anOfficer>>

let server: TestServer
let radhika: Officer
let owner: Officer
let now = aDay
before(async () => {
  server = await testServer({ clock: () => now })
  radhika = await anOfficer('accounts')
  owner = await anOfficer('owner')
})

const give = (by: Officer, kind: AssignableKind, ids: number[], to: Officer | null) =>
  server.call(assign, { body: { kind, ids, ...(to ? { staffId: to.id } : {}) } }, by)

async function payments(by: Officer, assigned?: string, state: 'pending' | 'rejected' = 'pending') {
  const query = { FYear: thisSeason, state, sort: 'newest', ...(assigned ? { assigned } : {}) } as const
  return (await server.call(officePayments, { query }, by)).body
}
const idsOf = async (by: Officer, assigned?: string) =>
  (await payments(by, assigned)).data.map(({ id }) => id)

async function anApplication() {
  const { id: user_id } = await aTeacher({ schoolId: null })
  const name = `Kalpanik Vidya Mandir ${randomInt(1e9)}`
  const place = { city: 'Namunapur', state: 'Karnataka', district: 'Namunapur', country: 'India' }
  const { id } = await server.deps.db
    .insertInto('applications')
    .values({
      ...{ ...place, user_id, school_name: name, name_key: foldName(name), submitted_at: aDay },
      ...{ address: '4 Udaharan Street', pin_code: '560099', phone: '9000000001' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name }
}

const changesOf = async (kind: AssignableKind, id: number) =>
  (
    await server.deps.db
      .selectFrom('audit')
      .select(['actor_id', 'change'])
      .where('action', '=', `${kind}.assigned`)
      .where('subject_id', '=', String(id))
      .orderBy('id')
      .execute()
  ).map(({ actor_id, change }) => ({ by: actor_id, change }))

test('a payment is assigned to an officer, to another and to no one; the list says to whom and is filtered by it', async () => {
  const { id } = await aPendingPayment(server, 1)
  const meera = await anOfficer('accounts')
  assert.equal((await give(radhika, 'payment', [id], radhika)).status, 200)
  const { data, total } = await payments(radhika, 'me')
  assert.deepEqual(
    [total, data.map((row) => [row.id, row.assignee])],
    [1, [[id, { staffId: radhika.id, name: radhika.name }]]],
  )
  assert.deepEqual(await idsOf(owner, String(radhika.id)), [id])
  assert.deepEqual(await idsOf(owner, 'me'), [])
  await give(owner, 'payment', [id], meera)
  assert.deepEqual([await idsOf(radhika, 'me'), await idsOf(meera, 'me')], [[], [id]])
  assert.ok(!(await idsOf(owner, 'none')).includes(id))
  await give(meera, 'payment', [id], null)
  assert.equal((await payments(owner)).data.find((row) => row.id === id)?.assignee, null)
  assert.ok((await idsOf(owner, 'none')).includes(id))
})

test('each assignment leaves a line that says from whom to whom, and one that changes nothing leaves none', async () => {
  const { id } = await aPendingPayment(server, 1)
  await give(radhika, 'payment', [id], radhika)
  await give(radhika, 'payment', [id], radhika)
  await give(owner, 'payment', [id], null)
  assert.deepEqual(await changesOf('payment', id), [
    { by: radhika.id, change: { from: { assignee: '' }, to: { assignee: radhika.name } } },
    { by: owner.id, change: { from: { assignee: radhika.name }, to: { assignee: '' } } },
  ])
})

test('only who may decide on it can be assigned to, and what was before stays', async () => {
  const { id } = await aPendingPayment(server, 1)
  const gone = await anOfficer('accounts')
  await server.deps.db.updateTable('staff').set({ disabled_at: aDay }).where('id', '=', gone.id).execute()
  await give(radhika, 'payment', [id], radhika)
  for (const to of [await anOfficer('viewer'), await anOfficer('operations'), gone]) {
    const { status, body } = await give(owner, 'payment', [id], to)
    assert.deepEqual(
      [status, body.message],
      [409, 'This person cannot decide on it. Please choose someone who can.'],
    )
  }
  assert.deepEqual(await idsOf(radhika, 'me'), [id])
})

test('who may not decide on it assigns nothing, and who may not read it learns nothing of it', async () => {
  const { id } = await aPendingPayment(server, 1)
  for (const role of ['viewer', 'operations', 'results'] as const)
    assert.equal((await give(await anOfficer(role), 'payment', [id], radhika)).status, 403)
  assert.equal((await give(radhika, 'application', [(await anApplication()).id], owner)).status, 403)
  const results = await anOfficer('results')
  assert.equal((await server.call(assignees, { query: { kind: 'payment' } }, results)).status, 403)
  assert.equal((await server.call(lookAt, { body: { kind: 'payment', id } }, results)).status, 403)
  assert.deepEqual(await changesOf('payment', id), [])
})

test('several are assigned together, or none where one is decided or is not there', async () => {
  const [first, second] = [await aPendingPayment(server, 1), await aPendingPayment(server, 1)]
  const meera = await anOfficer('accounts')
  await give(owner, 'payment', [first.id, second.id], meera)
  assert.deepEqual((await idsOf(meera, 'me')).sort(), [first.id, second.id].sort())
  await server.call(rejectPayment, { body: { id: second.id, version: 1, reason: 'Not ours' } }, owner)
  const late = await give(owner, 'payment', [first.id, second.id], radhika)
  assert.deepEqual([late.status, late.body.message], [409, 'This payment has already been decided.'])
  assert.equal((await give(owner, 'payment', [first.id, 2_000_000_000], radhika)).status, 404)
  assert.deepEqual(await idsOf(meera, 'me'), [first.id])
  // What was decided says whose it was.
  const { data } = await payments(meera, 'me', 'rejected')
  assert.deepEqual(
    data.map((row) => row.id),
    [second.id],
  )
})

test('an assignment is no lock: somebody else decides on the payment as they saw it before', async () => {
  const { id } = await aPendingPayment(server, 1)
  await give(radhika, 'payment', [id], radhika)
  assert.equal((await server.call(verifyPayment, { body: { id, version: 1 } }, owner)).status, 200)
})

test('an application is assigned in the same way, in the list, for itself, and in the file', async () => {
  const operations = await anOfficer('operations')
  const { id, name } = await anApplication()
  await give(owner, 'application', [id], operations)
  const mine = { state: 'submitted', assigned: 'me' } as const
  const list = async () => (await server.call(listApplications, { query: mine }, operations)).body
  const { data, total } = await list()
  const assignee = { staffId: operations.id, name: operations.name }
  assert.deepEqual([total, data.map((one) => [one.id, one.assignee])], [1, [[id, assignee]]])
  const { application } = (await server.call(getApplication, { query: { id: String(id) } }, owner)).body
  assert.deepEqual(application.assignee, assignee)
  const { text } = await takeCsv(server, exportApplications, { ...mine, search: '' }, operations)
  const [head, ...rows] = text.trim().split('\r\n')
  assert.match(head ?? '', /,Assigned to$/)
  assert.deepEqual(
    [rows.length, rows[0]?.startsWith(name), rows[0]?.endsWith(operations.name)],
    [1, true, true],
  )
  await server.call(rejectApplication, { body: { id, version: 1, reason: 'Not a school' } }, owner)
  assert.equal((await list()).total, 0)
  assert.equal(
    (await give(owner, 'application', [id], null)).body.message,
    'Someone else has already decided on this application.',
  )
})

test('those who may decide are offered, by name, and who has something but may no longer is told apart', async () => {
  const meera = await anOfficer('accounts')
  await give(owner, 'payment', [(await aPendingPayment(server, 1)).id], meera)
  await server.deps.db.updateTable('staff').set({ role: 'viewer' }).where('id', '=', meera.id).execute()
  const viewer = await anOfficer('viewer')
  const { data } = (await server.call(assignees, { query: { kind: 'payment' } }, viewer)).body
  const told = (who: Officer) => data.find(({ staffId }) => staffId === who.id)?.decides
  assert.deepEqual([told(radhika), told(owner), told(meera), told(viewer)], [true, true, false, undefined])
})

test('two who have the same payment open are told of each other, until one has left it for 45 seconds', async () => {
  const { id } = await aPendingPayment(server, 1)
  const look = async (by: Officer, one: number = id) =>
    (await server.call(lookAt, { body: { kind: 'payment', id: one } }, by)).body.others
  assert.deepEqual(await look(radhika), [])
  assert.deepEqual([await look(owner), await look(radhika)], [[radhika.name], [owner.name]])
  // Who may only read is told, and told of to nobody.
  const viewer = await anOfficer('viewer')
  assert.equal((await look(viewer)).length, 2)
  assert.deepEqual(await look(owner), [radhika.name])
  await look(radhika, id + 1)
  assert.deepEqual(await look(owner), [])
  await look(radhika)
  now = new Date(now.getTime() + 45_000)
  assert.deepEqual(await look(owner), [])
})
