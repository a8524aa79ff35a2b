import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getParticipationSummary, getStudentDetails, saveStudentDetails } from '@podium/contract/enrolment'
import { searchResults } from '@podium/contract/results'
import { anEnteredStudent, anEntry, aTeacherInSeason } from '#test/enrolment-factories'
import { aDay, aSchool, aTeacher, thisSeason } from '#test/factories'
import { anEvent, candidates, releaseRows, searchBody } from '#test/results-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

const FYear = thisSeason

test('a school’s results are written down once, and anew when one of them changes', async () => {
  const event = await anEvent()
  const school = await aSchool()
  const teacher = await aTeacher({ schoolId: school.id })
  const students = await candidates(event, [{ schoolId: school.id }, { schoolId: school.id }])
  const rows = students.map(({ roll }, i) => ({ roll, marks: [1, 1, 9 - i] }))
  const { setId } = await releaseRows(server, event, rows)
  const search = async (more: object = {}) => {
    const { body } = await server.call(searchResults, { body: searchBody(event, more) }, teacher)
    return { ...body, data: body.data.toSorted((a, b) => a.resultId.localeCompare(b.resultId)) }
  }
  const read = await search({ limit: 1 })
  assert.equal(read.data.length, 1)
  assert.equal(read.total, 2)
  const { db } = server.deps
  const first = await search()
  assert.deepEqual(
    first.data.map(({ nioRollNo }) => nioRollNo).sort(),
    students.map(({ roll }) => roll).sort(),
  )
  assert.deepEqual(await search(), first)
  assert.deepEqual(await search({ limit: 50 }), first)
  const kept = db.selectFrom('result_lists').select('rows').where('school_id', '=', school.id)
  assert.deepEqual(await kept.execute(), [{ rows: 2 }])

  await db.updateTable('results').set({ student_name: 'Other "Name"' }).where('set_id', '=', setId).execute()
  assert.deepEqual(await kept.execute(), [])
  const after = await search()
  assert.deepEqual(
    after.data.map(({ studentName }) => studentName),
    ['Other "Name"', 'Other "Name"'],
  )
  assert.deepEqual(await search(), after)
})

test('a list of children says what the one child’s call says, whatever their names hold', async () => {
  const teacher = await aTeacherInSeason()
  const names = ['Ishita Namunawala', 'Om "Chhota" Namunawala', 'O\\Neil Namuna', 'दीया नमूना']
  const ids: number[] = []
  for (const studentName of names) ids.push((await anEnteredStudent(server, teacher, { studentName })).id)
  const list = async () => {
    const { body } = await server.call(getStudentDetails, { body: { FYear } }, teacher)
    return body.data
  }
  const read = await list()
  assert.deepEqual(read.map(({ studentName }) => studentName).sort(), names.toSorted())
  const { db } = server.deps
  // What a file of long ago may have brought in: the marks that stand between columns.
  await db
    .updateTable('students')
    .set({ parent_name: 'A\u001fB' })
    .where('id', '=', ids[0] ?? 0)
    .execute()
  const again = await list()
  assert.deepEqual(
    again,
    read.map((row) => (row.id === ids[0] ? { ...row, parentName: 'A\u001fB' } : row)),
  )
})

test('who was signed out, disabled or whose school was switched off is refused by the very next call', async () => {
  const { db } = server.deps
  const ends = {
    'the session ended': (userId: number) =>
      db.updateTable('sessions').set({ ended_at: aDay }).where('user_id', '=', userId).execute(),
    'the account disabled': (userId: number) =>
      db.updateTable('users').set({ disabled_at: aDay }).where('id', '=', userId).execute(),
    'the school switched off': (_: number, schoolId: number) =>
      db.updateTable('schools').set({ active: false }).where('id', '=', schoolId).execute(),
  }
  const event = await anEvent()
  for (const [says, end] of Object.entries(ends)) {
    const teacher = await aTeacherInSeason()
    const calls = [
      () => server.send(searchResults, { body: searchBody(event) }, teacher),
      () => server.send(getStudentDetails, { body: { FYear } }, teacher),
      () => server.send(getParticipationSummary, { query: { FYear } }, teacher),
      () => server.send(saveStudentDetails, { body: anEntry({ rollno: 77, section: 'Q' }) }, teacher),
    ]
    for (const call of calls.slice(0, 3)) assert.equal((await call()).status, 200, says)
    await end(teacher.id, teacher.schoolId)
    for (const call of calls) assert.notEqual((await call()).status, 200, says)
    const saved = await db
      .selectFrom('students')
      .where('school_id', '=', teacher.schoolId)
      .selectAll()
      .execute()
    assert.deepEqual(saved, [], says)
  }
})
