import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getStudentDetails } from '@podium/contract/students/calls'
import { exportStudents } from '@podium/contract/students/calls-export'
import { readRows } from '#platform/sheets/spreadsheet'
import { cellText } from '#platform/sheets/spreadsheet-rows'
import { aDay, thisSeason } from '../../../../test/factories.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { anEnteredStudent, aTeacherInSeason } from '../../../../test/students-factories.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

/** The downloaded file as rows of text, without its head. */
async function exported(token: string, body: object, format: 'xlsx' | 'csv' = 'csv') {
  const response = await fetch(`${server.url}${exportStudents.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ FYear: thisSeason, format, ...body }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const rows: string[][] = []
  if (response.status === 200)
    for await (const row of readRows(bytes, `students.${format}`)) rows.push(row.cells.map(cellText))
  return { status: response.status, headers: response.headers, rows: rows.slice(1) }
}

for (const format of ['xlsx', 'csv'] as const) {
  test(`The ${format} holds the students that the filters leave, with their amounts`, async () => {
    const teacher = await aTeacherInSeason()
    await anEnteredStudent(server, teacher, { studentName: 'Aadhya Kalpanik', rollno: 4, section: 'A' })
    await anEnteredStudent(server, teacher, { studentName: 'Joel Namunawala', rollno: 2, section: 'B' })
    const all = await exported(teacher.token, {}, format)
    assert.equal(all.rows.length, 2)
    const { rows, headers } = await exported(teacher.token, { section: 'A' }, format)
    assert.match(headers.get('content-disposition') ?? '', /Students 2026-27/)
    assert.equal(rows.length, 1)
    assert.deepEqual(rows[0]?.slice(0, 4), ['Class 7', 'A', '4', 'Aadhya Kalpanik'])
    const list = await server.call(getStudentDetails, { body: { FYear: thisSeason, section: 'A' } }, teacher)
    assert.equal(Number(rows[0]?.at(-6)), list.body.data[0]?.regAmount)
    assert.equal(rows[0]?.at(-1), 'Unpaid')
  })
}

test('Of chosen students only these are exported, and none of another school', async () => {
  const teacher = await aTeacherInSeason()
  const other = await aTeacherInSeason()
  const mine = await anEnteredStudent(server, teacher, { studentName: 'Pari Namunawala' })
  await anEnteredStudent(server, teacher, { studentName: 'Om Misaal' })
  const theirs = await anEnteredStudent(server, other)
  const { rows } = await exported(teacher.token, { ids: [mine.id, theirs.id] })
  assert.deepEqual(
    rows.map((row) => row[3]),
    ['Pari Namunawala'],
  )
})

test('An export for another school is refused', async () => {
  const teacher = await aTeacherInSeason()
  const other = await aTeacherInSeason()
  assert.equal((await exported(teacher.token, { schId: other.schoolId })).status, 403)
})

test('A name that is a formula is exported as text', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { studentName: '-Ira+1', rollno: 1 })
  const { rows } = await exported(teacher.token, {})
  assert.equal(rows[0]?.[3], "'-Ira+1")
})
