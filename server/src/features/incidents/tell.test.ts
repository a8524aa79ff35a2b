import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { oneIncident, openIncident } from '@podium/contract/incidents'
import {
  approveIncidentSending,
  askIncidentSending,
  incidentMails,
  saveIncidentWords,
  withdrawIncidentSending,
} from '@podium/contract/incidents-mails'
import { addPick, incidentPeople } from '@podium/contract/incidents-people'
import { anEnteredStudent } from '#test/enrolment-factories'
import { aDay, anOfficer, aSeason, aTeacher, aWord } from '#test/factories'
import { mailsLike } from '#test/mails'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
let owner: Awaited<ReturnType<typeof anOfficer>>
let operations: Awaited<ReturnType<typeof anOfficer>>
before(async () => {
  server = await testServer({ clock: () => aDay })
  await aSeason()
  owner = await anOfficer('owner')
  operations = await anOfficer('operations')
})

const told = (language: string) => ({
  what: `A list went to a wrong address (${language}).`,
  consequences: 'Somebody may know the class.',
  measures: 'It was deleted.',
  safety: 'Be careful with calls.',
  contact: 'The office.',
})

const one = async (id: number) =>
  (await server.call(oneIncident, { query: { id: String(id) } }, owner)).body.incident
const seen = async (id: number) => ({ id, version: (await one(id)).version })
const statusOf = async (endpoint: typeof askIncidentSending, id: number, by: { token: string }) => {
  const { status, body } = await server.call(endpoint, { body: await seen(id) }, by)
  return status === 200 ? 'done' : body.code
}

/** A breach with these children and people of schools. */
async function affecting(lines: (string | number)[]) {
  const facts = { title: aWord(), nature: 'lost' as const, happened: 'A list was lost.' }
  const times = { foundDay: '2026-11-21', foundTime: '10:00' }
  const { id } = (await server.call(openIncident, { body: { ...facts, ...times } }, operations)).body
  await pick(id, lines)
  return id
}

async function pick(id: number, lines: (string | number)[]) {
  const list = { how: 'list' as const, lines: lines.join('\n') }
  await server.call(addPick, { body: { ...(await seen(id)), pick: list } }, operations)
}

async function worded(id: number) {
  const words = { en: told('en'), hi: told('hi') }
  await server.call(saveIncidentWords, { body: { ...(await seen(id)), words } }, operations)
}

async function sent(id: number) {
  assert.equal(await statusOf(askIncidentSending, id, operations), 'done')
  assert.equal(await statusOf(approveIncidentSending, id, owner), 'done')
  await server.jobs.drain()
}

async function aChildOf(teacher: Awaited<ReturnType<typeof aTeacher>>, email: string) {
  const child = await anEnteredStudent(server, teacher)
  await server.deps.db
    .updateTable('students')
    .set({ parent_email: email })
    .where('id', '=', child.id)
    .execute()
  return child
}

test('mails leave once they are worded, asked for by one and approved by another who may decide', async () => {
  const teacher = await aTeacher()
  const id = await affecting([teacher.email])
  assert.equal(await statusOf(askIncidentSending, id, operations), 'incident.words_missing')
  await worded(id)
  assert.equal(await statusOf(approveIncidentSending, id, owner), 'incident.not_asked')
  assert.equal(await statusOf(askIncidentSending, id, owner), 'done')
  assert.equal(await statusOf(askIncidentSending, id, operations), 'incident.asked')
  assert.equal(await statusOf(approveIncidentSending, id, owner), 'incident.second_person')
  assert.equal(await statusOf(approveIncidentSending, id, operations), 'access.denied')
  assert.equal(await statusOf(withdrawIncidentSending, id, operations), 'done')
  assert.equal(await statusOf(askIncidentSending, id, operations), 'done')
  await worded(id)
  assert.equal(await statusOf(approveIncidentSending, id, owner), 'incident.not_asked', 'other words')
  assert.equal((await mailsLike(server, `incident:${id}:%`)).length, 0)
  await sent(id)
  const [mail, ...others] = await mailsLike(server, `incident:${id}:%`)
  assert.equal(others.length, 0)
  assert.match(mail?.text ?? '', /A list went to a wrong address \(en\)/)
  assert.match(mail?.text ?? '', /21-Nov-2026 10:00 AM/)
})

test('a family reads once about all its children, by class and roll no, in both languages; nobody is told twice', async () => {
  const teacher = await aTeacher()
  const email = `${aWord()}@family.example`
  const [first, second] = [await aChildOf(teacher, email), await aChildOf(teacher, email)]
  const without = await aChildOf(teacher, '')
  const id = await affecting([first.id, second.id, without.id])
  await worded(id)
  const { data } = (await server.call(incidentMails, { query: { id: String(id) } }, owner)).body
  assert.deepEqual(
    data.map(({ kind }) => kind),
    ['family'],
  )
  assert.match(data[0]?.hi.text ?? '', /wrong address \(hi\)/)
  await sent(id)
  const mails = await mailsLike(server, `incident:${id}:%`)
  assert.equal(mails.length, 1)
  const text = mails[0]?.text ?? ''
  for (const said of ['(en)', '(hi)', `${first.rollNo},`, `${second.rollNo},`])
    assert.ok(text.includes(said), said)
  assert.ok(!text.includes(first.studentName) && !text.includes(second.studentName))
  const { counts, sending } = await one(id)
  assert.deepEqual([counts.told, counts.waiting, counts.unreachable, sending.state], [2, 0, 1, 'done'])
  const people = (await server.call(incidentPeople, { query: { id: String(id) } }, owner)).body.data
  assert.deepEqual(
    people.map(({ toldAt, way }) => [toldAt, way]),
    [
      [aDay.toISOString(), 'mail'],
      [aDay.toISOString(), 'mail'],
      [null, ''],
    ],
  )
  assert.equal(await statusOf(askIncidentSending, id, operations), 'incident.nobody_to_tell')
  await pick(id, [teacher.email])
  await sent(id)
  assert.equal((await mailsLike(server, `incident:${id}:%`)).length, 2)
})
