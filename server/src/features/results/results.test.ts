import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportResults, marksTemplate, searchResults } from '@podium/contract/results/calls'
import { resultAnomalies } from '@podium/contract/results/calls-corrections'
import {
  exportPreview,
  exportResultEvents,
  holdResults,
  importMarks,
  officeResultEvent,
  previewResults,
  resultsSummary,
} from '@podium/contract/results/calls-office'
import {
  getParticipationSummary,
  getStudentDetails,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { readSheet } from '#platform/sheets/spreadsheet'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import { newestChange, readable, takeCsv } from '#test/file-call'
import {
  type AnEvent,
  aFamilyOf,
  anEvent,
  aReleasedEvent,
  candidates,
  computeRows,
  readBy,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aTeacherInSeason } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

const FYear = thisSeason

test("a school's results are stored ready to read, and stored again when one of them changes", async () => {
  const event = await anEvent()
  const school = await aSchool()
  const teacher = await aTeacher({ schoolId: school.id })
  const students = await candidates(event, [{ schoolId: school.id }, { schoolId: school.id }])
  const rows = students.map(({ roll }, i) => ({ roll, marks: [1, 1, 9 - i] }))
  const { setId } = await releaseRows(server, event, rows)
  const search = async (more: object = {}) => {
    const body = await server.ask(searchResults, searchBody(event, more), teacher)
    return { ...body, data: body.data.toSorted((a, b) => a.resultId.localeCompare(b.resultId)) }
  }
  const read = await search({ limit: 1 })
  assert.equal(read.data.length, 1)
  assert.equal(read.total, 2)
  const { db } = server.deps
  const first = await search()
  assert.deepEqual(valuesOf(first.data, 'nioRollNo').sort(), valuesOf(students, 'roll').sort())
  assert.deepEqual(await search(), first)
  assert.deepEqual(await search({ limit: 50 }), first)
  const kept = db.selectFrom('result_lists').select('rows').where('school_id', '=', school.id)
  assert.deepEqual(await kept.execute(), [{ rows: 2 }])

  await changeRows('results', { set_id: setId }, { student_name: 'Other "Name"' })
  assert.deepEqual(await kept.execute(), [])
  const after = await search()
  assert.deepEqual(valuesOf(after.data, 'studentName'), ['Other "Name"', 'Other "Name"'])
  assert.deepEqual(await search(), after)
})

test('a list of students gives the same as the call for one student, whatever their names contain', async () => {
  const teacher = await aTeacherInSeason()
  const names = ['Ishita Namunawala', 'Om "Chhota" Namunawala', 'O\\Neil Namuna', 'दीया नमूना']
  const ids: number[] = []
  for (const studentName of names) ids.push((await anEnteredStudent(server, teacher, { studentName })).id)
  const list = async () => (await server.ask(getStudentDetails, { FYear }, teacher)).data
  const read = await list()
  assert.deepEqual(valuesOf(read, 'studentName').sort(), names.toSorted())
  // What an old import may contain: control characters that separate columns.
  await changeRows('students', { id: ids[0] ?? 0 }, { parent_name: 'A\u001fB' })
  const again = await list()
  assert.deepEqual(
    again,
    read.map((row) => (row.id === ids[0] ? { ...row, parentName: 'A\u001fB' } : row)),
  )
})

test('a user who is signed out, disabled or whose school is deactivated is refused by the very next call', async () => {
  const ends = {
    'the session ended': (userId: number) => changeRows('sessions', { user_id: userId }, { ended_at: aDay }),
    'the account disabled': (userId: number) => changeRows('users', { id: userId }, { disabled_at: aDay }),
    'the school switched off': (_: number, schoolId: number) =>
      changeRows('schools', { id: schoolId }, { active: false }),
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
    const saved = await findRows('students', { school_id: teacher.schoolId })
    assert.deepEqual(saved, [], says)
  }
})

/** Eighteen students of three classes and two schools: many equal, some absent, roll nos not in rank order. */
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

test('the pages of a version follow on by olympiad rank, wherever equal and absent students fall', async () => {
  const event = await anEvent({ rules: { medals: [{ medal: 'Gold', classRank: 1, minimumPool: 1 }] } })
  const { setId, token } = await computeRows(server, event, await aVersion(event))
  const read = async (more: object) => {
    const query = { setId: String(setId), pageSize: '500', ...more }
    const body = await server.ask(previewResults, query, { token })
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

test("a version's figures and changes follow a result that is changed or deleted", async () => {
  const event = await anEvent()
  const rows = await aVersion(event)
  await releaseRows(server, event, rows)
  const second = rows.map((row, i) => (i === 0 ? { ...row, marks: [9, 9, 9] } : row))
  const { setId } = await computeRows(server, event, second)
  const { token } = await anOfficer('results')
  const { db } = server.deps
  const summary = () => server.ask(resultsSummary, { setId: String(setId) }, { token })
  const first = await summary()
  const lineOf = ({ classes }: typeof first) => classes.find(({ classId }) => classId === 5)
  assert.deepEqual([lineOf(first)?.present, lineOf(first)?.absent, first.changes?.removed], [5, 1, 0])
  const own = (present: boolean) =>
    db
      .selectFrom('results')
      .select('student_id')
      .where('set_id', '=', setId)
      .where('class_id', '=', 5)
      .where('present', '=', present)
      .orderBy('student_id')
      .limit(1)
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

test("only the family reads its children's released results, with score, ranks and reasons", async () => {
  const { event, students, idOf } = await aReleasedEvent(server)
  const [first, , , fourth] = students
  assert(first && fourth)
  const { token } = await aFamilyOf(server, [first, fourth], event.season)
  const children = await readBy(server, token)
  assert.deepEqual(valuesOf(children, 'individualRegId'), [first.id, fourth.id])
  const [asha, dev] = children.map(({ results }) => results[0])
  assert.equal(asha?.state, 'released')
  assert.equal(asha?.result?.resultId, idOf(0))
  assert.deepEqual(
    asha?.result?.ranks.map(({ scope, rank, pool }) => [scope, rank, pool]),
    [
      ['class', 1, 5],
      ['state', 2, 6],
      ['zonal', 2, 6],
      ['olympiad', 2, 6],
    ],
  )
  assert.deepEqual(asha?.result?.medalRules, [
    { medal: 'Gold', classRank: 1, minimumPool: 5, pool: 5, met: true },
  ])
  assert.deepEqual([asha?.result?.prize, asha?.result?.prizeAmount], ['Prize of ₹15,000', 15_000])
  assert.equal(asha?.result?.eligibility?.eligible, true)
  assert.deepEqual([dev?.result?.score.rawMarks, dev?.result?.eligibility?.eligible], [40, false])
  assert.doesNotMatch(JSON.stringify(children), /Kalpanik|Chetan|किरण/)
})

test("a family whose school's results are withheld is told so, and sees neither result nor reason", async () => {
  const { event, school, students } = await aReleasedEvent(server)
  const [first] = students
  assert(first)
  const { token } = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code, reason: 'Two sheets are compared.' }
  await server.ask(holdResults, held, { token })
  const family = await aFamilyOf(server, [first], event.season)
  const children = await readBy(server, family.token)
  assert.deepEqual(
    children[0]?.results.map(({ state, result }) => [state, result]),
    [['withheld', null]],
  )
  assert.doesNotMatch(JSON.stringify(children), /sheets/)
})

test('before the release a family reads when results are expected, and that an absent child did not sit', async () => {
  const event = await anEvent()
  const [child] = await candidates(event, [{}])
  assert(child)
  const expectedOn = '2031-01-15'
  await changeRows('seasons', { label: event.season }, { results_from: expectedOn })
  const awaiting = await aFamilyOf(server, [child], event.season)
  const [before] = await readBy(server, awaiting.token)
  assert.deepEqual(
    before?.results.map(({ state, expectedOn: day, result }) => [state, day, result]),
    [['awaited', expectedOn, null]],
  )
  const released = await aReleasedEvent(server)
  const absent = released.students[5]
  const [unpaid] = await candidates(released.event, [{ schoolId: released.school.id }])
  assert(absent && unpaid)
  const { token } = await aFamilyOf(server, [absent, unpaid], released.event.season)
  const after = await readBy(server, token)
  assert.deepEqual(
    after.map(({ results }) => [results[0]?.state, results[0]?.result]),
    [
      ['absent', null],
      ['none', null],
    ],
  )
})

test('a gift certificate link is always https, whatever the database holds [spec 2.12.3]', async () => {
  const { event, students, setId, teacher } = await aReleasedEvent(server)
  const [first] = students
  assert(first)
  const { token } = await aFamilyOf(server, [first], event.season)
  const linked = async (coupon_link: string) => {
    const row = server.deps.db.updateTable('results').set({ coupon_link }).where('set_id', '=', setId)
    await row.where('student_id', '=', first.id).execute()
    const [child] = await readBy(server, token)
    const body = await server.ask(searchResults, searchBody(event), teacher)
    return [child?.results[0]?.result?.couponLink, body.data[0]?.couponLink]
  }
  const good = 'https://coupons.example/cup'
  assert.deepEqual(await linked(good), [good, good])
  for (const bad of ['javascript:alert(1)', 'http://coupons.example/cup', 'data:text/html,x', '//x.example'])
    assert.deepEqual(await linked(bad), ['', ''])
})

/** The same student, a season later. */
async function nextYear(name: string, schoolId: number) {
  const event = await anEvent()
  const [child] = await candidates(event, [{ name, schoolId, classId: 8 }])
  assert(child)
  for (const student of [child]) {
    const name_key = name.toLowerCase()
    await changeRows('students', { id: student.id }, { name_key })
  }
  return { event, child }
}

test("a family sees last season's result of a student with the same school, mobile and name, not of a partial match", async () => {
  const last = await aReleasedEvent(server)
  const [asha, kiran] = last.students
  assert(asha && kiran)
  const mobile = '9000012345'
  await aFamilyOf(server, [asha, kiran], last.event.season, mobile)
  const { event, child } = await nextYear('Asha Namunawala', last.school.id)
  const seen = async (token: string) =>
    (await readBy(server, token)).flatMap(({ individualRegId, results }) =>
      results.map(({ fyear, state }) => [individualRegId === child.id, fyear, state]),
    )
  const same = await aFamilyOf(server, [child], event.season, mobile)
  assert.deepEqual(await seen(same.token), [
    [true, event.season, 'awaited'],
    [true, last.event.season, 'released'],
  ])
  const otherMobile = await aFamilyOf(server, [child], event.season, '9000054321')
  assert.deepEqual(await seen(otherMobile.token), [[true, event.season, 'awaited']])
  const without = await aFamilyOf(server, [child], event.season)
  assert.deepEqual(await seen(without.token), [[true, event.season, 'awaited']])
  const elsewhere = await nextYear('Asha Namunawala', last.other.id)
  const otherSchool = await aFamilyOf(server, [elsewhere.child], elsewhere.event.season, mobile)
  const children = await readBy(server, otherSchool.token)
  assert.deepEqual(
    children[0]?.results.map(({ state }) => state),
    ['awaited'],
  )
})

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

test('a school exports only its own released results, absent students without scores, and no name as a formula', async () => {
  const { event, teacher, foreign } = await releasedEvent()
  const { status, bytes } = await server.download(
    exportResults,
    { ...searchBody(event), format: 'csv' },
    teacher,
  )
  assert.equal(status, 200)
  const text = readable(bytes.toString())
  assert.match(text, /Advait Udaharan,Present,84,84,1,2,2,2,/)
  assert.match(text, /Manan Udaharan,Absent,,,,,,,,,,,\r?$/m)
  assert.doesNotMatch(text, /(^|,)=Ishita/m)
  assert.ok(!text.includes(foreign.roll))
})

test('an export contains what is filtered: one class in a workbook', async () => {
  const { event, teacher } = await releasedEvent()
  const body = { ...searchBody(event, { classId: 8 }), format: 'xlsx' }
  const { bytes } = await server.download(exportResults, body, teacher)
  const rows = await readSheet(bytes, 'results.xlsx')
  assert.equal(rows.length, 2)
  assert.equal(rows[1]?.cells[4], '=Ishita Namunawala')
  assert.equal(rows[0]?.cells.at(-1), 'Eligible For Level-2')
})

test('a school whose results are withheld exports none of their rows', async () => {
  const { event, school, teacher } = await releasedEvent()
  const { token } = await anOfficer('results')
  await server.ask(
    holdResults,
    { eventYearId: event.id, schCode: school.code, reason: 'A sheet is compared.' },
    { token },
  )
  const { bytes } = await server.download(exportResults, { ...searchBody(event), format: 'csv' }, teacher)
  assert.equal(bytes.toString().trim().split('\n').length, 1)
})

test("a request with another school's code is refused", async () => {
  const { event, teacher } = await releasedEvent()
  const { status } = await server.download(
    exportResults,
    { ...searchBody(event, { schCode: 'OTHER' }), format: 'csv' },
    teacher,
  )
  assert.equal(status, 403)
})

test('the template has a row for each paid student of the event, and is read without errors when filled in', async () => {
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
  const imported = await server.ask(importMarks, { eventYearId }, { token, file })
  await server.jobs.drain()
  const query = { setId: String(imported.setId) }
  const body = await server.ask(resultAnomalies, query, { token })
  assert.deepEqual(body.kinds, [])
  const found = await server.ask(officeResultEvent, { eventYearId }, { token })
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

test('a role that may not import gets no template', async () => {
  const event = await anEvent()
  const { token } = await anOfficer('viewer')
  const query = { eventYearId: String(event.id), format: 'csv' }
  const { status } = await server.download(marksTemplate, query, { token })
  assert.equal(status, 403)
})

test("the office exports a version's filtered results in the order of the screen, and the export is logged", async () => {
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
  assert.deepEqual(await newestChange('results.exported'), told)
})

test("a role that may read results exports a season's events with the status of their results; another does not", async () => {
  const { event } = await releasedEvent()
  const { season } = event
  const viewer = await anOfficer('viewer')
  const { status, text } = await takeCsv(server, exportResultEvents, { season }, viewer)
  assert.equal(status, 200, text)
  const [head = '', ...rows] = text.trim().split(/\r?\n/)
  assert.match(
    head,
    /Subject,Letter,Level,Last exam,Results from,Status,Version,Scheduled for,Released version/,
  )
  const own = rows.find((row) => row.split(',')[1] === event.letter) ?? ''
  assert.match(own, /,Released,1,,1,2026-11-21,0$/)
  assert.deepEqual(await newestChange('results.events_exported'), { format: 'csv', events: rows.length })
  const accounts = await anOfficer('accounts')
  assert.equal((await takeCsv(server, exportResultEvents, { season }, accounts)).status, 403)
})

test('results of an unknown version, or by a role that may not read them, are not exported', async () => {
  const { setId } = await releasedEvent()
  const taken = async (role: 'accounts' | 'viewer', id: number) =>
    (await takeCsv(server, exportPreview, { setId: id }, await anOfficer(role))).status
  assert.deepEqual([await taken('accounts', setId), await taken('viewer', 999_999_999)], [403, 404])
})
