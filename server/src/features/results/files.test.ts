import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { resultAnomalies } from '@podium/contract/results/calls-anomalies'
import { exportResults, marksTemplate } from '@podium/contract/results/calls-files'
import {
  exportPreview,
  holdResults,
  importMarks,
  officeResultEvent,
} from '@podium/contract/results/calls-office'
import { readSheet } from '#platform/sheets/spreadsheet'
import { aDay, anOfficer, aSchool, aTeacher } from '../../../test/factories.ts'
import { readable, takeCsv, toldOf } from '../../../test/file-call.ts'
import { anEvent, candidates, releaseRows, searchBody } from '../../../test/results-factories.ts'
import { type TestServer, testServer } from '../../../test/server.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

/** The text of an answered file, or its refusal. */
async function post(body: object, token: string) {
  const response = await fetch(`${server.url}${exportResults.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function releasedEvent() {
  const event = await anEvent()
  const school = await aSchool()
  const other = await aSchool()
  const [first, second, absent, foreign] = await candidates(event, [
    { schoolId: school.id, classId: 7, name: 'Advait Udaharan' },
    { schoolId: school.id, classId: 8, name: '=Ishita Namunawala' },
    { schoolId: school.id, classId: 7, name: 'Manan Udaharan' },
    { schoolId: other.id, classId: 7, name: 'Zoya Kalpanik' },
  ])
  assert.ok(first && second && absent && foreign)
  const { setId } = await releaseRows(server, event, [
    { roll: first.roll, marks: [9, 35, 40] },
    { roll: second.roll, marks: [8, 30, 30] },
    { roll: absent.roll, attendance: 'A', marks: ['', '', ''] },
    { roll: foreign.roll, marks: [10, 40, 50] },
  ])
  return { event, setId, school, teacher: await aTeacher({ schoolId: school.id }), foreign }
}

test('a school downloads its released results, only its own, the absent without scores, names never as formulas', async () => {
  const { event, teacher, foreign } = await releasedEvent()
  const { status, bytes } = await post({ ...searchBody(event), format: 'csv' }, teacher.token)
  assert.equal(status, 200)
  const text = readable(bytes.toString())
  assert.match(text, /Advait Udaharan,Present,84,84,1,2,2,2,/)
  assert.match(text, /Manan Udaharan,Absent,,,,,,,,,,,\r?$/m)
  assert.doesNotMatch(text, /(^|,)=Ishita/m)
  assert.ok(!text.includes(foreign.roll))
})

test('what is downloaded is what is filtered: one class in a workbook', async () => {
  const { event, teacher } = await releasedEvent()
  const body = { ...searchBody(event, { classId: 8 }), format: 'xlsx' }
  const { bytes } = await post(body, teacher.token)
  const rows = await readSheet(bytes, 'results.xlsx')
  assert.equal(rows.length, 2)
  assert.equal(rows[1]?.cells[4], '=Ishita Namunawala')
  assert.equal(rows[0]?.cells.at(-1), 'Eligible For Level-2')
})

test('a held school downloads no row of what is held', async () => {
  const { event, school, teacher } = await releasedEvent()
  const { token } = await anOfficer('results')
  await server.call(
    holdResults,
    { body: { eventYearId: event.id, schCode: school.code, reason: 'A sheet is compared.' } },
    { token },
  )
  const { bytes } = await post({ ...searchBody(event), format: 'csv' }, teacher.token)
  assert.equal(bytes.toString().trim().split('\n').length, 1)
})

test("another school's code in the request is refused", async () => {
  const { event, teacher } = await releasedEvent()
  const { status } = await post({ ...searchBody(event, { schCode: 'OTHER' }), format: 'csv' }, teacher.token)
  assert.equal(status, 403)
})

test('the template holds a row for each paid student of the event, and filled in it is read without a fault', async () => {
  const event = await anEvent()
  const [one] = await candidates(event, [{}, { enrolled: false }])
  assert.ok(one)
  const { token } = await anOfficer('results')
  const eventYearId = String(event.id)
  const template = await server.download(marksTemplate, { eventYearId, format: 'csv' }, { token })
  assert.equal(template.status, 200)
  const empty = readable(template.bytes.toString())
  assert.equal(empty.trim().split('\n').length, 2)
  const filled = empty.replace(`${one.roll},,,,`, `${one.roll},P,1,2,3`)
  const file = { name: 'marks.csv', bytes: new TextEncoder().encode(filled) }
  const imported = await server.call(importMarks, { query: { eventYearId } }, { token, file })
  assert.equal(imported.status, 200, imported.body.message)
  await server.jobs.drain()
  const query = { setId: String(imported.body.setId) }
  const { body } = await server.call(resultAnomalies, { query }, { token })
  assert.deepEqual(body.kinds, [])
  const { body: found } = await server.call(officeResultEvent, { query: { eventYearId } }, { token })
  assert.equal(found.sets[0]?.rows, 1)
})

test('the template as a workbook has the sections of the event with their maxima as its columns', async () => {
  const event = await anEvent()
  const { token } = await anOfficer('results')
  const query = { eventYearId: String(event.id), format: 'xlsx' }
  const { bytes } = await server.download(marksTemplate, query, { token })
  const [header] = await readSheet(bytes, 'marks.xlsx')
  const sections = event.sectionList.map(({ name, maximum }) => `${name} (max ${maximum})`)
  assert.deepEqual(header?.cells.slice(0, 5), ['Roll No', 'Attendance', ...sections])
})

test('the template is not for a member of staff who may not import', async () => {
  const event = await anEvent()
  const { token } = await anOfficer('viewer')
  const query = { eventYearId: String(event.id), format: 'csv' }
  const { status } = await server.download(marksTemplate, query, { token })
  assert.equal(status, 403)
})

test('the office exports what it has filtered of a version in the order of the screen, and a line in the record says so', async () => {
  const { setId, school } = await releasedEvent()
  const viewer = await anOfficer('viewer')
  const namesOf = async (filters: object) => {
    const { status, text } = await takeCsv(server, exportPreview, { setId, ...filters }, viewer)
    assert.equal(status, 200, text)
    const rows = text.trim().split(/\r?\n/)
    return rows.slice(1).map((row) => /(Advait|Ishita|Manan|Zoya)/.exec(row)?.[1])
  }
  assert.deepEqual(await namesOf({}), ['Zoya', 'Ishita', 'Advait', 'Manan'])
  assert.deepEqual(await namesOf({ schCode: school.code, classId: 7 }), ['Advait', 'Manan'])
  const told = { format: 'csv', students: 2, filters: { schCode: school.code, classId: 7 } }
  assert.deepEqual(await toldOf(server, 'results.exported'), told)
})

test('results are not exported by a role that may not read them, nor of a version that is none', async () => {
  const { setId } = await releasedEvent()
  const taken = async (role: 'accounts' | 'viewer', id: number) =>
    (await takeCsv(server, exportPreview, { setId: id }, await anOfficer(role))).status
  assert.deepEqual([await taken('accounts', setId), await taken('viewer', 999_999_999)], [403, 404])
})
