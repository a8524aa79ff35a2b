import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  carryOutRequest,
  checkDataRequest,
  dataRequests,
  declineRequest,
} from '@podium/contract/privacy/calls'
import {
  askDataAsSchool,
  schoolDataRequests,
  withdrawDataRequest,
} from '@podium/contract/privacy/calls-school'
import { aDay, anOfficer } from '#test/factories'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent, aTeacherInSeason } from '#test/students-factories'

/** What parents tell a teacher about their children's data: passed on by the school, answered by the office. */
let server: TestServer
let officer: Awaited<ReturnType<typeof anOfficer>>
before(async () => {
  server = await testServer({ clock: () => aDay })
  officer = await anOfficer('operations')
})

type Kind = 'export' | 'erase' | 'correct'
type By = { token: string }
const asked = (studentId: number, by: By, kind: Kind = 'correct') =>
  server.call(
    askDataAsSchool,
    { body: { studentId, kind, words: 'The mother, today: the name is Asha.', reach: '9876500001' } },
    by,
  )
const ofSchool = async (by: By) => (await server.call(schoolDataRequests, { query: {} }, by)).body
const ofOffice = async (student: number) =>
  (await server.call(dataRequests, { query: { state: 'all', student: String(student) } }, officer)).body.data

test('what a school passes on is in the queue of the office with its clock, and the school follows it to the answer', async () => {
  const teacher = await aTeacherInSeason()
  const { id: studentId } = await anEnteredStudent(server, teacher)
  assert.equal((await asked(studentId, teacher)).status, 200)
  const again = await asked(studentId, teacher)
  assert.deepEqual([again.status, again.body.code], [409, 'privacy.open_already'])
  const [request] = await ofOffice(studentId)
  assert.deepEqual(
    [request?.kind, request?.askedThrough, request?.dueOn, request?.reach, request?.can.check],
    ['correct', 'school', '2027-02-19', '9876500001', true],
  )
  const [own] = (await ofSchool(teacher)).data
  assert.deepEqual([own?.state, own?.dueOn, own?.can.withdraw], ['asked', '2027-02-19', true])
  const id = request?.id ?? 0
  const check = { id, version: 1, method: 'call-back' as const, note: 'Called the number on record.' }
  assert.equal((await server.send(checkDataRequest, { body: check }, officer)).status, 200)
  assert.equal((await server.send(carryOutRequest, { body: { id, version: 2 } }, officer)).status, 200)
  const { data, open } = await ofSchool(teacher)
  assert.deepEqual([data[0]?.state, open], ['done', 0])
  assert.equal(JSON.stringify(data).includes('Called the number'), false, 'the check is not for the school')
  const lines = await server.deps.db
    .selectFrom('audit')
    .select('action')
    .where('subject_kind', '=', 'data_request')
    .where('subject_id', '=', String(id))
    .orderBy('id')
    .execute()
  assert.deepEqual(
    lines.map(({ action }) => action),
    ['data_request.asked', 'data_request.checked', 'data_request.corrected'],
  )
})

test('a school takes back what nobody has checked, and reads why a request was declined', async () => {
  const teacher = await aTeacherInSeason()
  const { id: studentId } = await anEnteredStudent(server, teacher)
  const first = (await asked(studentId, teacher)).body.id
  const stale = await server.send(withdrawDataRequest, { body: { id: first, version: 2 } }, teacher)
  assert.equal(stale.body.code, 'changed_meanwhile')
  assert.equal(
    (await server.send(withdrawDataRequest, { body: { id: first, version: 1 } }, teacher)).status,
    200,
  )
  const second = (await asked(studentId, teacher, 'erase')).body.id
  const declined = { id: second, version: 1, reason: 'It was the neighbour.' }
  assert.equal((await server.send(declineRequest, { body: declined }, officer)).status, 200)
  const late = await server.send(withdrawDataRequest, { body: { id: second, version: 2 } }, teacher)
  assert.deepEqual([late.status, late.body.code], [409, 'privacy.decided'])
  assert.deepEqual(
    (await ofSchool(teacher)).data.map(({ state, decision }) => [state, decision]),
    [
      ['withdrawn', ''],
      ['declined', 'It was the neighbour.'],
    ],
  )
})

test('a school sees its own requests alone, and nothing of what families or the office enter', async () => {
  const [teacher, other] = [await aTeacherInSeason(), await aTeacherInSeason()]
  const { id: studentId } = await anEnteredStudent(server, teacher)
  assert.equal((await asked(studentId, other)).status, 404)
  const { id } = (await asked(studentId, teacher)).body
  assert.deepEqual((await ofSchool(other)).data, [])
  assert.equal((await server.send(withdrawDataRequest, { body: { id, version: 1 } }, other)).status, 404)
  await server.deps.db
    .updateTable('data_requests')
    .set({ asked_through: 'family' })
    .where('id', '=', id)
    .execute()
  assert.deepEqual((await ofSchool(teacher)).data, [])
  assert.equal((await server.send(withdrawDataRequest, { body: { id, version: 1 } }, teacher)).status, 404)
})
