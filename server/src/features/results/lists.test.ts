import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { searchResults } from '@podium/contract/results/calls'
import { previewResults, resultsSummary } from '@podium/contract/results/calls-office'
import {
  getParticipationSummary,
  getStudentDetails,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import {
  type AnEvent,
  anEvent,
  candidates,
  computeRows,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aTeacherInSeason } from '#test/students-factories'

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

/** Eighteen children of three classes and two schools: many equal, some absent, their roll numbers not in the order of ranks. */
async function aVersion(event: AnEvent) {
  const schools = [await aSchool(), await aSchool()]
  const children = Array.from({ length: 18 }, (_, i) => ({
    schoolId: schools[i % 2]?.id ?? 0,
    classId: [5, 7, 8][i % 3] ?? 7,
  }))
  const students = await candidates(event, children)
  return students.map(({ roll }, i) =>
    i % 7 === 3 ? { roll, attendance: 'A', marks: ['', '', ''] } : { roll, marks: [i % 4, i % 4, i % 4] },
  )
}

test('every page of a version continues the one before it by olympiad rank, however the equal and the absent fall', async () => {
  const event = await anEvent({ rules: { medals: [{ medal: 'Gold', classRank: 1, minimumPool: 1 }] } })
  const { setId, token } = await computeRows(server, event, await aVersion(event))
  const read = async (more: object) => {
    const query = { setId: String(setId), pageSize: '500', ...more }
    const { status, body } = await server.call(previewResults, { query }, { token })
    assert.equal(status, 200)
    return { total: body.total, rows: body.data }
  }
  const whole = await read({})
  const ordered = whole.rows.toSorted(
    (a, b) =>
      (a.finalOlympiadRank ?? 1000) - (b.finalOlympiadRank ?? 1000) ||
      a.classId - b.classId ||
      (a.nioRollNo < b.nioRollNo ? -1 : 1),
  )
  assert.deepEqual(whole.rows, ordered)
  const filters = {
    all: { more: {}, rows: whole.rows },
    'a class': { more: { classId: '7' }, rows: whole.rows.filter(({ classId }) => classId === 7) },
    medals: { more: { action: '2' }, rows: whole.rows.filter(({ medalNew }) => medalNew !== '') },
    'a class none sat': { more: { classId: '11' }, rows: [] },
  }
  assert.ok(filters.medals.rows.length > 0)
  for (const [says, { more, rows }] of Object.entries(filters))
    for (const size of [1, 4, 7]) {
      const found: typeof whole.rows = []
      for (let page = 1; page <= Math.ceil(rows.length / size) + 1; page++) {
        const part = await read({ ...more, page: String(page), pageSize: String(size) })
        assert.equal(part.total, rows.length, says)
        found.push(...part.rows)
      }
      assert.deepEqual(found, rows, `${says}, ${size} at a time`)
    }
})

test('the figures of a version, and what it changes, follow a result that is changed or taken away', async () => {
  const event = await anEvent()
  const rows = await aVersion(event)
  await releaseRows(server, event, rows)
  const second = rows.map((row, i) => (i === 0 ? { ...row, marks: [9, 9, 9] } : row))
  const { setId } = await computeRows(server, event, second)
  const { token } = await anOfficer('results')
  const { db } = server.deps
  const summary = async () =>
    (await server.call(resultsSummary, { query: { setId: String(setId) } }, { token })).body
  const first = await summary()
  const lineOf = ({ classes }: typeof first) => classes.find(({ classId }) => classId === 5)
  assert.deepEqual([lineOf(first)?.present, lineOf(first)?.absent, first.changes?.removed], [5, 1, 0])
  const own = (present: boolean) => {
    const ids = db.selectFrom('results').select('student_id').where('set_id', '=', setId)
    return ids.where('class_id', '=', 5).where('present', '=', present).orderBy('student_id').limit(1)
  }
  await db
    .updateTable('results')
    .set({ medal: 'Gold', prize: 'Cup', prize_amount: 2_500, final_score: 990_000 })
    .where('set_id', '=', setId)
    .where('student_id', '=', own(false))
    .execute()
  const { gold = 0, prizes = 0, prizeAmount = 0 } = lineOf(first) ?? {}
  const after = await summary()
  assert.deepEqual(lineOf(after), {
    ...lineOf(first),
    gold: gold + 1,
    prizes: prizes + 1,
    prizeAmount: prizeAmount + 25,
    highest: 99,
  })
  assert.equal(after.changes?.changed, (first.changes?.changed ?? 0) + 1)
  assert.deepEqual(after.classes.slice(1), first.classes.slice(1))

  await db.deleteFrom('results').where('set_id', '=', setId).where('student_id', '=', own(false)).execute()
  const last = await summary()
  assert.deepEqual([lineOf(last)?.present, lineOf(last)?.absent, lineOf(last)?.gold], [5, 0, gold])
  assert.equal(last.changes?.removed, 1)
})
