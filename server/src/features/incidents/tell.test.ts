import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { oneIncident, openIncident } from '@podium/contract/incidents'
import {
  approveIncidentSending,
  askIncidentSending,
  incidentMails,
  noteToldOtherwise,
  saveIncidentWords,
  withdrawIncidentSending,
} from '@podium/contract/incidents-mails'
import { addPick, incidentPeople } from '@podium/contract/incidents-people'
import {
  carryOutRequest,
  checkDataRequest,
  dataRequests,
  familyAskData,
  familyDataFile,
} from '@podium/contract/privacy'
import { anEnteredStudent } from '#test/enrolment-factories'
import { aDay, anOfficer, aSeason, aTeacher, aWord } from '#test/factories'
import { aVisitingFamily } from '#test/families-factories'
import { mailsLike } from '#test/mails'
import { type TestServer, testServer } from '#test/server'

let now = aDay
let server: TestServer
let owner: Awaited<ReturnType<typeof anOfficer>>
let operations: Awaited<ReturnType<typeof anOfficer>>
before(async () => {
  server = await testServer({ clock: () => now })
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

async function worded(id: number, en = 'en') {
  const words = { en: told(en), hi: told('hi') }
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

/** What a family reads of incidents in the file of its child's data. */
async function readByFamily(family: Awaited<ReturnType<typeof aVisitingFamily>>) {
  const ask = { individualRegId: family.id, kind: 'export' as const, words: '' }
  await server.call(familyAskData, { body: ask }, family)
  const query = { state: 'all' as const, student: String(family.id) }
  const { data } = (await server.call(dataRequests, { query }, operations)).body
  const id = data.find(({ state }) => state === 'asked')?.id ?? 0
  const check = { id, version: 1, method: 'family-code' as const, note: 'Asked behind the code.' }
  await server.call(checkDataRequest, { body: check }, operations)
  assert.equal((await server.call(carryOutRequest, { body: { id, version: 2 } }, operations)).status, 200)
  const { bytes } = await server.download(familyDataFile, { id, format: 'json' }, family)
  return JSON.parse(bytes.toString()).incidents
}

test("a child's data tell of the incidents of which its family was told, as the mail said it, and of no other", async () => {
  const [family, other] = [await aVisitingFamily(server), await aVisitingFamily(server)]
  await server.deps.db.updateTable('students').set({ parent_email: '' }).where('id', '=', other.id).execute()
  const id = await affecting([family.id, other.id])
  await worded(id)
  await sent(id)
  const waiting = await affecting([family.id])
  await worded(waiting)
  assert.equal(await statusOf(askIncidentSending, waiting, operations), 'done')
  now = new Date(aDay.getTime() + 300_000)
  await worded(id, 'a draft of other words')
  const read = {
    Number: id,
    'A drill, nothing has happened': false,
    Began: null,
    Found: '2026-11-21T04:30:00.000Z',
    'You were told': aDay.toISOString(),
  }
  const words = {
    'What happened': 'A list went to a wrong address (en).',
    'What it may mean': 'Somebody may know the class.',
    'What we have done': 'It was deleted.',
    'What you can do': 'Be careful with calls.',
    'Who answers your questions': 'The office.',
  }
  assert.deepEqual(await readByFamily(family), [{ ...read, How: 'By e-mail', ...words }])
  assert.deepEqual(await readByFamily(other), [])
  const note = { ...(await seen(id)), people: [], note: 'The school rang the family of Tara.' }
  assert.equal((await server.call(noteToldOtherwise, { body: note }, operations)).status, 200)
  const unsaid = Object.fromEntries(Object.keys(words).map((word) => [word, null]))
  const rung = { ...read, 'You were told': now.toISOString(), How: 'Otherwise', ...unsaid }
  now = new Date(now.getTime() + 1000)
  assert.deepEqual(await readByFamily(other), [rung])
  now = aDay
})
