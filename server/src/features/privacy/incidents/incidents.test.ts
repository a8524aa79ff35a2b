import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordHistory } from '@podium/contract/audit-log/calls'
import {
  carryOutRequest,
  checkDataRequest,
  dataRequests,
  familyAskData,
  familyDataFile,
} from '@podium/contract/privacy/calls'
import {
  type AffectedForm,
  addAffected,
  changeIncident,
  closeIncident,
  exportIncidents,
  findAffected,
  incidentDetails,
  incidentList,
  incidentPeople,
  markNotifiedOtherwise,
  noteIncident,
  openIncident,
  removeAffected,
  reopenIncident,
  saveIncidentMail,
  sendIncidentMail,
} from '@podium/contract/privacy/calls-incidents'
import { aDay, anOfficer, aSeason, aTeacher, aWord, thisSeason } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { changeRows, findRow, valuesOf } from '#test/rows'
import { before, beforehand, mailsLike, refused, testServer } from '#test/server'
import { anEnteredStudent, aVisitingFamily } from '#test/students-factories'

/** 21-Nov-2026, 11:30 in India. */
let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(() => aSeason())
const owner = beforehand(() => anOfficer('owner'))
const operations = beforehand(() => anOfficer('operations'))

const form = (traits: object = {}) => ({
  title: `Lost laptop ${aWord()}`,
  nature: 'lost' as const,
  foundDay: '2026-11-21',
  foundTime: '10:00',
  happened: 'A laptop with a list of children was left in a train.',
  extent: 'One list.',
  ...traits,
})

async function anIncident(traits: object = {}) {
  const body = await server.ask(openIncident, form(traits), operations)
  return body.id
}

const incidentOf = async (id: number, by = operations) =>
  (await server.ask(incidentDetails, { id: String(id) }, by)).incident
const seen = async (id: number) => ({ id, version: (await incidentOf(id)).version })
const peopleOf = async (id: number, status: '' | 'notified' | 'waiting' | 'unreachable' = '') =>
  (await server.ask(incidentPeople, { id: String(id), status }, operations)).data

const byList = (...lines: (string | number)[]): AffectedForm => ({ by: 'list', lines: lines.join('\n') })
const affect = async (id: number, who: AffectedForm) =>
  server.call(addAffected, { body: { ...(await seen(id)), who } }, operations)

/** A breach that affects these children and school users. */
async function anIncidentFor(...lines: (string | number)[]) {
  const id = await anIncident()
  assert.equal((await affect(id, byList(...lines))).status, 200)
  return id
}

const mail = {
  en: { subject: 'About data with us', text: 'A list went to a wrong address.' },
  hi: { subject: 'डेटा के बारे में', text: 'एक सूची ग़लत पते पर गई।' },
}
const writeMail = async (id: number) =>
  (await server.call(saveIncidentMail, { body: { ...(await seen(id)), mail } }, operations)).body
const sendAsSeen = async (body: Awaited<ReturnType<typeof seen>>, by = owner) =>
  (await server.call(sendIncidentMail, { body }, by)).body
const send = async (id: number, by = owner) => sendAsSeen(await seen(id), by)

async function aChildOf(teacher: Awaited<ReturnType<typeof aTeacher>>, email: string) {
  const child = await anEnteredStudent(server, teacher)
  await changeRows('students', { id: child.id }, { parent_email: email })
  return child
}

test('a repeated request opens a breach once', async () => {
  const once = { token: operations.token, headers: { 'idempotency-key': 'incident-key-0001' } }
  const body = form()
  const { id } = await server.ask(openIncident, body, once)
  assert.equal((await server.ask(openIncident, body, once)).id, id)
})

test('a date in the future or an invalid one is refused at its field', async () => {
  const pathOf = async (traits: object) =>
    (await server.send(openIncident, { body: form(traits) }, operations)).body.issues?.[0]?.path
  assert.equal(await pathOf({ foundTime: '11:31' }), 'foundDay')
  assert.equal(await pathOf({ foundDay: '2026-02-31' }), 'foundDay')
  assert.equal(await pathOf({ happened: '  ' }), 'happened')
})

test('those affected are found by school, season and class, or by a list, and each is added once', async () => {
  const id = await anIncident()
  const teacher = await aTeacher()
  const [first, second] = [await anEnteredStudent(server, teacher), await anEnteredStudent(server, teacher)]
  const { code } = await findRow('schools', { id: teacher.schoolId })
  const found = async (who: AffectedForm) =>
    (await server.call(findAffected, { body: { id, who } }, operations)).body
  const filter = { by: 'filter' as const, codes: `${code} XXX9999`, season: '' as const, classId: 0 }
  const both = await found({ ...filter, who: 'both' })
  assert.deepEqual([both.children, both.people, both.schools, both.added], [2, 1, 1, 3])
  assert.deepEqual(both.unknown, ['XXX9999'])
  assert.ok(both.sample.some(({ name }) => name === first.studentName))
  const { classId } = first
  const ofClass = await found({ ...filter, classId, codes: '', season: thisSeason, who: 'people' })
  assert.ok(ofClass.people >= 1 && ofClass.children === 0)
  const narrowed = { ...filter, season: thisSeason, who: 'children' as const }
  assert.equal((await found({ ...narrowed, classId })).children, second.classId === classId ? 2 : 1)
  assert.equal((await found({ ...narrowed, season: '2024-25' as typeof thisSeason })).children, 0)
  assert.equal((await affect(id, byList(first.id, `${teacher.email}\nnobody@podium.example`))).body.added, 2)
  assert.equal((await affect(id, { ...filter, who: 'both' })).body.added, 1)
  await refused('incident.nobody_found', affect(id, { ...filter, who: 'both' }))
  assert.equal((await peopleOf(id)).length, 3)
  const nobody = { ...filter, codes: ' ', who: 'both' }
  const { issues } = await server.refuses('input.invalid', findAffected, { id, who: nobody }, operations)
  assert.equal(issues?.[0]?.path, 'who.codes')
})

test('people can be removed until they are notified, by name or all together', async () => {
  const teacher = await aTeacher()
  const [told, first, second] = [
    await aChildOf(teacher, ''),
    await aChildOf(teacher, `${aWord()}@family.example`),
    await aChildOf(teacher, `${aWord()}@family.example`),
  ]
  const id = await anIncidentFor(told.id, first.id, second.id, teacher.email)
  const note = { ...(await seen(id)), people: [], note: 'By phone.' }
  assert.equal((await server.ask(markNotifiedOtherwise, note, operations)).notified, 1)
  const remove = async (people: number[]) =>
    (await server.call(removeAffected, { body: { ...(await seen(id)), people } }, operations)).body
  const rows = await peopleOf(id)
  const rowOf = (studentId: number) => rows.find((row) => row.studentId === studentId)?.id ?? 0
  assert.equal((await remove([rowOf(first.id)])).removed, 1)
  assert.equal((await remove([rowOf(told.id)])).code, 'changed_meanwhile')
  assert.equal((await remove([])).removed, 2)
  assert.deepEqual(valuesOf(await peopleOf(id), 'studentId', 'note'), [[told.id, 'By phone.']])
})

test('an officer drafts the e-mail, an owner sends it, and it is kept as it was sent', async () => {
  const teacher = await aTeacher()
  const id = await anIncidentFor(teacher.email)
  assert.equal((await send(id)).code, 'incident.mail_missing')
  await writeMail(id)
  const { preview, can } = await incidentOf(id)
  assert.match(preview?.en.text ?? '', /^Hello,\n\nA list went to a wrong address\.\n\nNeed help\?/)
  assert.match(preview?.hi.text ?? '', /एक सूची ग़लत पते पर गई।/)
  assert.deepEqual([can.send, (await incidentOf(id, owner)).can.send], ['access.denied', true])
  assert.equal((await send(id, operations)).code, 'access.denied')
  const signedInLongAgo = await anOfficer('owner', new Date(aDay.getTime() - 11 * 60_000))
  assert.equal((await send(id, signedInLongAgo)).code, 'session.confirm')
  assert.equal((await mailsLike(server, `incident:${id}:%`)).length, 0)
  const sent = await send(id)
  assert.deepEqual([sent.people, sent.mails], [1, 1])
  const [letter] = await mailsLike(server, `incident:${id}:%`)
  assert.deepEqual(
    [letter?.to, letter?.subject, letter?.text],
    [teacher.email, mail.en.subject, preview?.en.text.trim()],
  )
  assert.equal((await writeMail(id)).code, 'incident.sent')
  assert.equal((await send(id)).code, 'incident.nobody_to_tell')
})

test('each address gets one e-mail, in both languages where none is known, and no one is notified twice', async () => {
  const teacher = await aTeacher()
  const email = `${aWord()}@family.example`
  const children = [await aChildOf(teacher, email), await aChildOf(teacher, email.toUpperCase())]
  const without = [await aChildOf(teacher, ''), await aChildOf(teacher, 'no address')]
  const id = await anIncidentFor(...[...children, ...without].map((child) => child.id))
  await writeMail(id)
  const { waiting, unreachable } = await incidentOf(id)
  assert.deepEqual([waiting, unreachable], [2, 2])
  const once = await seen(id)
  const both = await Promise.all([sendAsSeen(once), sendAsSeen(once)])
  assert.deepEqual(valuesOf(both, 'code').sort(), ['changed_meanwhile', undefined])
  const [letter, ...others] = await mailsLike(server, `incident:${id}:%`)
  assert.equal(others.length, 0)
  assert.equal(letter?.to, email)
  for (const { text } of Object.values(mail)) assert.ok(letter?.text.includes(text), text)
  assert.deepEqual(valuesOf(await peopleOf(id), 'notifiedAt', 'via', 'delivery'), [
    ...children.map(() => [now.toISOString(), 'mail', 'sent']),
    [null, '', ''],
    [null, '', ''],
  ])
  await affect(id, byList(teacher.email))
  assert.deepEqual([(await send(id)).mails, (await mailsLike(server, `incident:${id}:%`)).length], [1, 2])
})

test('an incident is closed once everyone is notified, keeps its notes, and is reopened with a reason', async () => {
  const child = await aChildOf(await aTeacher(), '')
  const id = await anIncidentFor(child.id)
  const note = (text: string) => server.call(noteIncident, { body: { id, text } }, operations)
  assert.equal((await note('Reported to the Board, No. 7.')).status, 200)
  const close = async () =>
    server.call(closeIncident, { body: { ...(await seen(id)), note: 'Found again.' } }, owner)
  await refused('incident.people_waiting', close())
  const told = { ...(await seen(id)), note: 'The school rang the family.' }
  assert.equal((await server.ask(markNotifiedOtherwise, told, operations)).notified, 1)
  assert.equal((await close()).status, 200)
  await refused('incident.closed', note('Too late.'))
  const change = { ...(await seen(id)), ...form() }
  await server.refuses('incident.closed', changeIncident, change, operations)
  const reopen = { ...(await seen(id)), reason: 'A second list was on it.' }
  assert.equal((await server.call(reopenIncident, { body: reopen }, operations)).status, 403)
  await server.ask(reopenIncident, reopen, owner)
  await server.refuses('changed_meanwhile', reopenIncident, reopen, owner)
  assert.deepEqual(valuesOf((await incidentOf(id)).notes, 'text'), [
    'Reported to the Board, No. 7.',
    'Found again.',
    'A second list was on it.',
  ])
  const query = { kind: 'incident', id: String(id) }
  const history = (await server.ask(recordHistory, query, operations)).data
  assert.deepEqual(history.map(({ action }) => action.replace('incident.', '')).toReversed(), [
    ...['opened', 'picked', 'noted', 'notified_otherwise', 'closed', 'reopened'],
  ])
})

test('a note on an incident that does not exist is not found', async () => {
  const { status } = await server.call(noteIncident, { body: { id: 999_999_999, text: 'Lost' } }, operations)
  assert.equal(status, 404)
})

test('the register can be searched, and its exported file names no one who is affected', async () => {
  const id = await anIncident({ title: `Quolex ${aWord()}` })
  const child = await anEnteredStudent(server, await aTeacher())
  await affect(id, byList(child.id))
  const { title } = await incidentOf(id)
  const rows = (await server.ask(incidentList, { search: title.slice(7) }, owner)).data
  assert.deepEqual(valuesOf(rows, 'id', 'children', 'state'), [[id, 1, 'open']])
  const { text } = await takeCsv(server, exportIncidents, { search: title }, owner)
  assert.deepEqual([text.trim().split('\r\n').length, text.includes(title)], [2, true])
  assert.ok(!text.includes(child.studentName))
})

/** What the file of a child's data tells the family about incidents. */
async function readByFamily(family: Awaited<ReturnType<typeof aVisitingFamily>>) {
  const ask = { individualRegId: family.id, kind: 'export' as const, message: '' }
  await server.ask(familyAskData, ask, family)
  const query = { state: 'all' as const, student: String(family.id) }
  const { data } = await server.ask(dataRequests, query, operations)
  const id = data.find(({ state }) => state === 'asked')?.id ?? 0
  const check = { id, version: 1, method: 'family-code' as const, note: 'Asked behind the code.' }
  await server.ask(checkDataRequest, check, operations)
  await server.ask(carryOutRequest, { id, version: 2 }, operations)
  const { bytes } = await server.download(familyDataFile, { id, format: 'json' }, family)
  return JSON.parse(bytes.toString()).incidents
}

test("a student's data include the incidents its family was notified of, in the words sent, and no others", async () => {
  const [family, other] = [await aVisitingFamily(server), await aVisitingFamily(server)]
  await changeRows('students', { id: other.id }, { parent_email: '' })
  const id = await anIncidentFor(family.id, other.id)
  await writeMail(id)
  await send(id)
  await writeMail(await anIncidentFor(family.id))
  const read = { number: id, foundAt: '2026-11-21T04:30:00.000Z', youNotifiedAt: aDay.toISOString() }
  assert.deepEqual(await readByFamily(family), [{ ...read, way: 'mail', mail: mail.en.text }])
  assert.deepEqual(await readByFamily(other), [])
  const note = { ...(await seen(id)), people: [], note: 'The school rang the family of Tara.' }
  await server.ask(markNotifiedOtherwise, note, operations)
  now = new Date(aDay.getTime() + 1000)
  assert.deepEqual(await readByFamily(other), [{ ...read, way: 'otherwise', mail: null }])
  now = aDay
})
