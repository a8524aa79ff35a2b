import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { recordHistory } from '@podium/contract/changes'
import {
  changeIncident,
  closeIncident,
  exportIncidents,
  incidentFile,
  incidentList,
  noteIncidentReport,
  oneIncident,
  openIncident,
  reopenIncident,
} from '@podium/contract/incidents'
import { noteToldOtherwise } from '@podium/contract/incidents-mails'
import {
  addPick,
  incidentActors,
  incidentPeople,
  type PickForm,
  previewPick,
  removePick,
} from '@podium/contract/incidents-people'
import { showStudentContact } from '@podium/contract/students-record'
import { readSheet } from '#platform/spreadsheet'
import { cellText } from '#platform/spreadsheet-rows'
import { anEnteredStudent } from '#test/enrolment-factories'
import { aDay, anOfficer, aSeason, aTeacher, aWord, thisSeason } from '#test/factories'
import { pdfText } from '#test/pdf-text'
import { type TestServer, testServer } from '#test/server'

/** 21-Nov-2026, 11:30 in India. */
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

const form = (traits: object = {}) => ({
  title: `Lost laptop ${aWord()}`,
  nature: 'lost' as const,
  foundDay: '2026-11-21',
  foundTime: '10:00',
  beganDay: '2026-11-20',
  beganTime: '18:00',
  happened: 'A laptop with a list of children was left in a train.',
  extent: 'One list.',
  ...traits,
})

async function opened(traits: object = {}) {
  const { status, body } = await server.call(openIncident, { body: form(traits) }, operations)
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

const one = async (id: number) =>
  (await server.call(oneIncident, { query: { id: String(id) } }, operations)).body.incident
const seen = async (id: number) => ({ id, version: (await one(id)).version })
const peopleOf = async (id: number, standing: '' | 'told' = '') =>
  (await server.call(incidentPeople, { query: { id: String(id), standing } }, operations)).body

async function picked(id: number, pick: object) {
  const body = { ...(await seen(id)), pick: pick as PickForm }
  return server.call(addPick, { body }, operations)
}

async function reported(id: number, traits: object = {}) {
  for (const clock of ['cert', 'board'] as const) {
    const note = {
      clock,
      outcome: 'made' as const,
      day: '2026-11-21',
      time: '11:00',
      note: 'No. 7',
      ...traits,
    }
    const { status, body } = await server.call(
      noteIncidentReport,
      { body: { ...(await seen(id)), ...note } },
      operations,
    )
    assert.equal(status, 200, JSON.stringify(body))
  }
}

test('two clocks run from when an incident was found, and stop at the report', async () => {
  const id = await opened()
  const fresh = (await one(id)).clocks
  assert.deepEqual(
    fresh.map(({ name, dueAt, left, late, outcome }) => [name, dueAt, left, late, outcome]),
    [
      ['cert', '2026-11-21T10:30:00.000Z', 270, false, ''],
      ['board', '2026-11-24T04:30:00.000Z', 4230, false, ''],
    ],
  )
  const early = await opened({ foundDay: '2026-11-20', foundTime: '10:00', beganDay: '', beganTime: '' })
  assert.deepEqual(
    (await one(early)).clocks.map(({ left, late }) => [left, late]),
    [
      [-1170, true],
      [2790, false],
    ],
  )
  await reported(early)
  const [cert, board] = (await one(early)).clocks
  assert.deepEqual([cert?.late, cert?.note, board?.late, board?.outcome], [true, 'No. 7', false, 'made'])
  await reported(early, { outcome: 'needless' as const })
  assert.equal((await one(early)).clocks[0]?.late, false)
})

test('what is still to come, or was found before it began, or reported before it was found, is refused at its field', async () => {
  const pathOf = async (traits: object) =>
    (await server.send(openIncident, { body: form(traits) }, operations)).body.issues?.[0]?.path
  assert.equal(await pathOf({ foundTime: '11:31' }), 'foundDay')
  assert.equal(await pathOf({ beganDay: '2026-11-21', beganTime: '10:01' }), 'beganDay')
  assert.equal(await pathOf({ beganTime: '' }), 'beganTime')
  assert.equal(await pathOf({ foundDay: '2026-02-31' }), 'foundDay')
  assert.equal(await pathOf({ happened: '  ' }), 'happened')
  const id = await opened()
  const early = { clock: 'cert', outcome: 'made', day: '2026-11-21', time: '09:59', note: 'x' }
  const { body } = await server.send(
    noteIncidentReport,
    { body: { ...(await seen(id)), ...early } },
    operations,
  )
  assert.equal(body.issues?.[0]?.path, 'day')
})

test('those affected are picked by schools, by a list, and stand there once; taking a pick back leaves those of others', async () => {
  const id = await opened()
  const teacher = await aTeacher()
  const [first, second] = [await anEnteredStudent(server, teacher), await anEnteredStudent(server, teacher)]
  const school = await server.deps.db
    .selectFrom('schools')
    .select('code')
    .where('id', '=', teacher.schoolId)
    .executeTakeFirstOrThrow()
  const list = {
    how: 'list' as const,
    lines: `${first.id}\n${teacher.email.toUpperCase()}\nnobody@podium.example`,
  }
  const preview = await server.call(previewPick, { body: { id, pick: list } }, operations)
  const { children, people, schools, added, unknown, sample } = preview.body
  assert.deepEqual([children, people, schools, added, unknown], [1, 1, 1, 2, ['nobody@podium.example']])
  assert.deepEqual(sample.map(({ name }) => name).sort(), [first.studentName, teacher.name].sort())
  assert.equal((await peopleOf(id)).total, 0)
  assert.equal((await picked(id, list)).body.added, 2)
  assert.equal((await picked(id, list)).body.code, 'incident.nobody_found')
  const bySchool = { how: 'schools', codes: school.code.toLowerCase(), season: thisSeason, who: 'both' }
  assert.equal((await picked(id, bySchool)).body.added, 1)
  const { data, picks } = await peopleOf(id)
  assert.deepEqual(data.map((row) => row.studentId ?? 0).sort(), [0, first.id, second.id].sort())
  assert.deepEqual(
    picks.map(({ how, what }) => [how, what.codes, what.lines]),
    [
      ['list', [], 3],
      ['schools', [school.code], 0],
    ],
  )
  const take = { ...(await seen(id)), pickId: picks[1]?.id ?? 0 }
  assert.equal((await server.call(removePick, { body: take }, operations)).status, 200)
  assert.deepEqual((await peopleOf(id)).data.map((row) => row.studentId ?? 0).sort(), [0, first.id].sort())
  const empty = await server.send(
    addPick,
    { body: { ...(await seen(id)), pick: { ...list, lines: '' } } },
    operations,
  )
  assert.equal(empty.body.issues?.[0]?.path, 'lines')
})

test('what an officer saw or changed between two instants names the children, and says what names nobody', async () => {
  const id = await opened()
  const teacher = await aTeacher()
  const [looked, other] = [await anEnteredStudent(server, teacher), await anEnteredStudent(server, teacher)]
  const nosy = await anOfficer('operations')
  await server.deps.db
    .updateTable('staff')
    .set({ name: `Zoya ${aWord()}` })
    .where('id', '=', nosy.id)
    .execute()
  await server.call(showStudentContact, { body: { id: looked.id } }, nosy)
  now = new Date(aDay.getTime() + 120_000)
  await server.call(showStudentContact, { body: { id: other.id } }, nosy)
  const pick = {
    how: 'actor' as const,
    actor: { kind: 'office' as const, id: nosy.id },
    ...{ fromDay: '2026-11-21', fromTime: '11:30', untilDay: '2026-11-21', untilTime: '11:30' },
  }
  const found = (await server.call(previewPick, { body: { id, pick } }, operations)).body
  assert.deepEqual([found.children, found.people, found.sample[0]?.name], [1, 0, looked.studentName])
  await server.call(
    addPick,
    { body: { ...(await seen(id)), pick: { ...pick, untilTime: '11:40' } } },
    operations,
  )
  assert.deepEqual(
    (await peopleOf(id)).data.map(({ studentId }) => studentId).sort(),
    [looked.id, other.id].sort(),
  )
  now = aDay
  const backwards = { ...pick, untilTime: '11:00' }
  const refused = await server.send(previewPick, { body: { id, pick: backwards } }, operations)
  assert.equal(refused.body.issues?.[0]?.path, 'untilDay')
  const { email } = nosy
  const actors = (await server.call(incidentActors, { query: { search: email } }, operations)).body.data
  assert.deepEqual(
    actors.map(({ kind, id: number }) => [kind, number]),
    [['office', nosy.id]],
  )
})

test('an incident is closed once both reports are noted and everybody is told, and opened again with a reason', async () => {
  const id = await opened()
  const child = await anEnteredStudent(server, await aTeacher())
  await server.deps.db.updateTable('students').set({ parent_email: '' }).where('id', '=', child.id).execute()
  await picked(id, { how: 'list', lines: String(child.id) })
  const close = async () =>
    server.call(closeIncident, { body: { ...(await seen(id)), conclusion: 'Found again.' } }, owner)
  assert.equal((await close()).body.code, 'incident.reports_open')
  await reported(id)
  assert.equal((await close()).body.code, 'incident.people_waiting')
  assert.equal((await one(id)).counts.unreachable, 1)
  const told = { ...(await seen(id)), note: 'The school rang the family.' }
  assert.equal((await server.call(noteToldOtherwise, { body: told }, operations)).body.told, 1)
  assert.equal((await peopleOf(id, 'told')).data[0]?.note, 'The school rang the family.')
  assert.equal((await close()).status, 200)
  const change = { ...(await seen(id)), ...form() }
  assert.equal((await server.call(changeIncident, { body: change }, operations)).body.code, 'incident.closed')
  const reopen = { ...(await seen(id)), reason: 'A second list was on it.' }
  assert.equal((await server.call(reopenIncident, { body: reopen }, operations)).status, 403)
  assert.equal((await server.call(reopenIncident, { body: reopen }, owner)).status, 200)
  assert.equal((await server.call(reopenIncident, { body: reopen }, owner)).body.code, 'changed_meanwhile')
  const history = await server.call(
    recordHistory,
    { query: { kind: 'incident', id: String(id) } },
    operations,
  )
  const actions = history.body.data.map(({ action }) => action.replace('incident.', ''))
  assert.deepEqual(actions.toReversed(), [
    ...['opened', 'picked', 'report_noted', 'report_noted', 'told_otherwise', 'closed', 'reopened'],
  ])
})

test('the report has all fields and the timeline, the register its search and its file; neither names who is affected', async () => {
  const id = await opened({ title: `Quolex ${aWord()}`, measures: 'The laptop was locked from afar.' })
  const child = await anEnteredStudent(server, await aTeacher())
  await picked(id, { how: 'list', lines: String(child.id) })
  const file = async (endpoint: { path: string }, body: object) => {
    const answer = await fetch(server.url + endpoint.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 200)
    return Buffer.from(await answer.arrayBuffer())
  }
  const pdf = await file(incidentFile, { id, format: 'pdf' })
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  const sheet = await readSheet(await file(incidentFile, { id, format: 'xlsx' }), 'report.xlsx')
  const cells = sheet.map((row) => row.cells.map(cellText).join('|')).join('\n')
  for (const text of [cells, pdfText(pdf)]) {
    for (const said of [
      'left in a train',
      'One list.',
      'from afar',
      '20-Nov-2026',
      'A list of 1 lines',
      'Incident entered',
    ])
      assert.ok(text.includes(said), `${said}: ${text}`)
    assert.ok(!text.includes(child.studentName))
  }
  const { title } = await one(id)
  const rows = (await server.call(incidentList, { query: { search: title.slice(7) } }, owner)).body.data
  assert.deepEqual(
    rows.map((row) => [row.id, row.children, row.state]),
    [[id, 1, 'open']],
  )
  const csv = await file(exportIncidents, { search: title, format: 'csv' })
  assert.deepEqual([csv.toString('utf8').trim().split('\r\n').length, csv.includes(title)], [2, true])
})
