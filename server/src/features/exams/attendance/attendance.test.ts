import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seasonTrack } from '@podium/contract/dashboard/calls'
import type { Endpoint } from '@podium/contract/endpoint'
import {
  attendanceEvents,
  attendanceList,
  cancelPapers,
  officePaperSchools,
  paperFileOf,
  paperJobState,
  printPapers,
  saveAttendance,
  schoolPapers,
  startPapers,
} from '@podium/contract/exams/calls-attendance'
import { resolveAnomalies } from '@podium/contract/results/calls-corrections'
import {
  approveResults,
  computeResults,
  officeResultEvent,
  releaseResults,
} from '@podium/contract/results/calls-office'
import { moveStudent } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { storeFigures } from '#features/office/overview/commands-figures'
import { mergeOf } from '#test/accounts-factories'
import { filesOf, pdfText } from '#test/archives'
import { aDay, anOfficer, aSchool, aTeacher, eventOf, schoolCode, thisSeason } from '#test/factories'
import { auditLine } from '#test/file-call'
import {
  aClassThatSat,
  anomaliesOf,
  asShown,
  candidates,
  computeRows,
  importRows,
} from '#test/results-factories'
import { addRow, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'
import { aPaidSchool } from '#test/shipping-factories'
import { anEnteredStudent } from '#test/students-factories'

let operations: Awaited<ReturnType<typeof anOfficer>>
const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  operations = await anOfficer('operations')
})

/** Calls for a PDF: the status, the PDF's text, and the error, if any. */
async function pdfOf(endpoint: Endpoint, body: object, { token }: { token: string }) {
  const answer = await server.post(endpoint, body, { token })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200)
    return { status: answer.status, code: JSON.parse(bytes.toString()).code, text: '' }
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  return { status: 200, code: '', text: pdfText(bytes) }
}

const studentsOf = (schoolId: number) =>
  findRows('students', { school_id: schoolId }, ['name', 'exam_roll_no', 'paid'], 'id')

test('an attendance sheet lists the paid students with their exam roll numbers, and no one else', async () => {
  const world = await aPaidSchool(server, 2)
  await anEnteredStudent(server, world.teacher)
  const { id: eventYearId } = await eventOf('M')
  const body = { FYear: thisSeason, eventYearId, schoolId: world.schoolId, classId: '', kind: 'attendance' }
  const sheet = await pdfOf(printPapers, body, operations)
  assert.equal(sheet.status, 200)
  for (const student of await studentsOf(world.schoolId)) {
    assert.equal(sheet.text.includes(student.name), student.paid, student.name)
    if (student.paid) assert.ok(sheet.text.includes(student.exam_roll_no ?? 'none'))
  }
  const line = await auditLine(['change'], { school_id: world.schoolId, action: 'exam_papers.printed' })
  assert.deepEqual(line.change, { paper: 'attendance', eventLetter: 'M', students: 2 })
})

test('answer sheet lists and admit cards cover the same students', async () => {
  const world = await aPaidSchool(server, 1)
  const { id: eventYearId } = await eventOf('S')
  const [student] = await studentsOf(world.schoolId)
  for (const [kind, heading] of [
    ['answers', 'Answer sheet no'],
    ['admit', 'Admit card'],
  ] as const) {
    const body = { FYear: thisSeason, eventYearId, schoolId: world.schoolId, classId: '7', kind }
    const { text = `${heading} ${student?.exam_roll_no}` } = await pdfOf(printPapers, body, operations)
    assert.ok(text.includes(heading) && text.includes(student?.exam_roll_no ?? 'none'), kind)
  }
})

test('nothing is printed when no student is paid, or for a role that only reads', async () => {
  const world = await aPaidSchool(server, 1)
  const [english, mathematics] = [await eventOf('E'), await eventOf('M')]
  const body = { FYear: thisSeason, schoolId: world.schoolId, classId: '', kind: 'admit' }
  const none = await pdfOf(printPapers, { ...body, eventYearId: english.id }, operations)
  assert.deepEqual([none.status, none.code], [409, 'papers.none'])
  const viewer = await anOfficer('viewer')
  const denied = await pdfOf(printPapers, { ...body, eventYearId: mathematics.id }, viewer)
  assert.equal(denied.status, 403)
  const query = { FYear: thisSeason, eventYearId: String(mathematics.id) }
  await server.ask(officePaperSchools, query, viewer)
})

test('a school prints the papers of its own students', async () => {
  const world = await aPaidSchool(server, 2)
  const { id: eventId } = await eventOf('M')
  const { id: eventManagementId } = await findRow('participations', {
    school_id: world.schoolId,
    event_id: eventId,
  })
  const [student] = await studentsOf(world.schoolId)
  const own = await pdfOf(schoolPapers, { eventManagementId, kind: 'attendance' }, world.teacher)
  assert.equal(own.status, 200)
  assert.ok(own.text.includes(student?.name ?? 'none'))
})

test('the list counts paid students, and a job makes one file per class of the filtered schools, LKG before Class 1', async () => {
  const world = await aPaidSchool(server, 3)
  await sql`
    update enrolments n set class_id = (array[12, 13, 2])[place] from (
      select id, row_number() over (order by id) as place from students where school_id = ${world.schoolId}) s
    where n.student_id = s.id`.execute(server.deps.db)
  const { code } = await findRow('schools', { id: world.schoolId })
  const { id } = await eventOf('M')
  const query = { FYear: thisSeason, eventYearId: String(id), search: code }
  const list = await server.ask(officePaperSchools, query, operations)
  assert.deepEqual(valuesOf(list.data, 'schCode', 'students', 'numberless', 'classes'), [[code, 3, 0, 3]])
  const body = { FYear: thisSeason, eventYearId: id, search: code, kind: 'attendance' } as const
  const started = await server.ask(startPapers, body, operations)
  await server.jobs.drain()
  const state = await server.ask(paperJobState, {}, operations)
  assert.deepEqual(
    [
      state.job?.jobId,
      state.job?.state,
      state.job?.done,
      state.job?.files.map((file) => [file.classId, file.students]),
    ],
    [
      started.jobId,
      'done',
      3,
      [
        [13, 1],
        [2, 1],
        [12, 1],
      ],
    ],
  )
  const file = await pdfOf(paperFileOf, { jobId: started.jobId, classId: 12 }, operations)
  const [student] = await studentsOf(world.schoolId)
  assert.ok(file.text.includes(student?.name ?? 'none'))
  const missing = await pdfOf(paperFileOf, { jobId: started.jobId, classId: 8 }, operations)
  assert.equal(missing.status, 404)
})

test('in a large season a few schools are counted live, and a list of all shows the last count', async () => {
  const world = await aPaidSchool(server, 3)
  const { db } = server.deps
  const { code } = await findRow('schools', { id: world.schoolId })
  const { id } = await eventOf('M')
  const sums = async (more: object) => {
    const query = { FYear: thisSeason, eventYearId: String(id), search: code, ...more }
    const body = await server.ask(officePaperSchools, query, operations)
    return [body.data.length, body.total, body.students]
  }
  const asked = [{}, { classId: '7' }, { classId: '8' }, { page: '2' }, { page: '30' }, { search: 'zzzz' }]
  const totals = await Promise.all(asked.map(sums))
  assert.deepEqual(totals, [
    [1, 1, 3],
    [1, 1, 3],
    [0, 0, 0],
    [0, 1, 3],
    [0, 1, 3],
    [0, 0, 0],
  ])
  const all = await sums({ search: '' })
  await storeFigures(db, aDay, thisSeason)
  await sql`update season_figures set figures = jsonb_set(figures, '{students}', '1000000')`.execute(db)
  assert.deepEqual(await Promise.all(asked.map(sums)), totals)
  assert.deepEqual(await sums({ search: '' }), all)
  const figures = db.selectFrom('event_school_figures').select('students').where('event_id', '=', id)
  assert.deepEqual(await figures.where('school_id', '=', world.schoolId).execute(), [{ students: 3 }])

  await changeRows('students', { school_id: world.schoolId }, { active: false })
  assert.deepEqual(await sums({}), [0, 0, 0])
  assert.deepEqual((await sums({ search: '' })).slice(1), all.slice(1), 'the last count')
  await storeFigures(db, aDay, thisSeason)
  assert.deepEqual(await figures.where('school_id', '=', world.schoolId).execute(), [])
})

test('papers of many schools become one ZIP with a PDF for each school, until they expire', async () => {
  let now = new Date(aDay.getTime() + 30_000)
  const clocked = await testServer({ clock: () => now })
  const worlds = [await aPaidSchool(clocked, 2), await aPaidSchool(clocked, 1)]
  const schools = await findRows('schools', { id: worlds.map(({ schoolId }) => schoolId) }, [
    'id',
    'code',
    'name',
    'city',
  ])
  const city = `Zipnagar ${schools[0]?.id}`
  for (const { id } of schools) await changeRows('schools', { id }, { city })
  const { id } = await eventOf('M')
  const wanted = {
    FYear: thisSeason,
    eventYearId: id,
    search: city,
    kind: 'attendance',
    as: 'schools',
  } as const
  const started = await clocked.ask(startPapers, wanted, operations)
  await clocked.jobs.drain()
  const state = await clocked.ask(paperJobState, {}, operations)
  assert.deepEqual(
    [
      state.job?.jobId,
      state.job?.state,
      state.job?.as,
      state.job?.files.map((file) => [file.classId, file.students]),
    ],
    [started.jobId, 'done', 'schools', [[0, 3]]],
  )
  const fetchZip = () => clocked.post(paperFileOf, { jobId: started.jobId, classId: 0 }, operations)
  const answer = await fetchZip()
  assert.equal(answer.headers.get('content-type'), 'application/zip')
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(bytes.length, state.job?.files[0]?.bytes)
  const files = await filesOf(bytes)
  assert.deepEqual(
    valuesOf(files, 'name').sort(),
    schools.map(({ code, name }) => `${code} ${name}.pdf`).sort(),
  )
  assert.ok(files.every(({ content }) => content.subarray(0, 5).toString() === '%PDF-'))
  now = new Date(aDay.getTime() + 25 * 3_600_000)
  operations = await anOfficer('operations', now)
  assert.equal((await fetchZip()).status, 404)
  operations = await anOfficer('operations')
})

test('a job that finds no students says why, and an ended or unknown job cannot be stopped', async () => {
  const later = await testServer({ clock: () => new Date(aDay.getTime() + 60_000) })
  const { id } = await eventOf('M')
  const body = { FYear: thisSeason, eventYearId: id, search: 'no such school', kind: 'admit' } as const
  const empty = await later.ask(startPapers, body, operations)
  await later.jobs.drain()
  const failed = await later.ask(paperJobState, {}, operations)
  assert.deepEqual([failed.job?.jobId, failed.job?.state], [empty.jobId, 'failed'])
  assert.match(failed.job?.error ?? '', /^No student/)
  assert.equal((await later.call(cancelPapers, { body: { jobId: empty.jobId } }, operations)).status, 200)
  const same = await later.ask(paperJobState, {}, operations)
  assert.equal(same.job?.state, 'failed')
  const unknown = await later.call(cancelPapers, { body: { jobId: 'A'.repeat(22) } }, operations)
  assert.equal(unknown.status, 404)
})

test('a school enters absences from the exam day on, for several classes at once; no one else can', async () => {
  const { event, list, students, teacher } = await aClassThatSat('2026-11-22')
  const [absent, , older] = students
  assert.ok(absent && older)
  const save = async (lists: object[], by = teacher) =>
    (await server.send(saveAttendance, { body: { lists } }, by)).body.code
  const sheet = { eventManagementId: String(list.eventManagementId), classId: '7' }
  const shown = async () => {
    const { data } = await server.ask(attendanceEvents, { FYear: event.season }, teacher)
    return data[0]
  }
  const toEnter = async () =>
    (await server.ask(seasonTrack, { FYear: event.season }, teacher)).next?.attendance
  assert.equal((await shown())?.can, 'attendance.too_early')
  assert.equal(await toEnter(), 0)
  assert.equal(await save([{ ...list, absent: [] }]), 'attendance.too_early')
  const date = server.deps.db.updateTable('exam_dates').where('event_id', '=', event.id)
  await date.set({ held_on: '2026-11-21' }).execute()
  const { version, students: all } = await server.ask(attendanceList, sheet, teacher)
  assert.deepEqual([version, valuesOf(all, 'absent')], [0, [false, false]])
  assert.equal(await toEnter(), 2, 'the dashboard asks for both classes')
  assert.equal(await save([{ ...list, absent: [older.id] }]), 'not_found')
  const lists = [
    { ...list, absent: [absent.id] },
    { ...list, classId: 8, absent: [] },
  ]
  assert.equal(await save(lists, await aTeacher()), 'not_found')
  const once = { ...teacher, headers: { 'idempotency-key': 'attendance-key-0001' } }
  assert.equal(await save(lists, once), undefined)
  assert.equal(await save(lists, once), undefined, 'sent again after its answer was lost')
  assert.equal(await toEnter(), 0)
  assert.deepEqual(
    (await shown())?.classes.map(({ classId, students: n, absent, version: v }) => [classId, n, absent, v]),
    [
      [7, 2, 1, 1],
      [8, 1, 0, 1],
    ],
  )
  assert.equal(await save([{ ...list, absent: [] }]), 'changed_meanwhile')
  const changed = await server.ask(attendanceList, sheet, teacher)
  assert.deepEqual([changed.version, changed.students[0]?.absent], [1, true])
  const { change } = await server.deps.db
    .selectFrom('audit')
    .select('change')
    .where('action', '=', 'attendance.saved')
    .where('subject_id', '=', String(list.eventManagementId))
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const expected = {
    letter: 'M',
    classId: 7,
    students: 2,
    from: { absent: [] },
    to: { absent: [absent.roll] },
  }
  assert.deepEqual(change, expected)
})

test('a student whose payment is verified after the list was entered is still to be entered, not taken for present', async () => {
  const { event, list, students, teacher } = await aClassThatSat()
  const [absent, late] = students
  const pay = (paid: boolean) => changeRows('students', { id: late?.id ?? 0 }, { paid })
  const shown = async () => {
    const { data } = await server.ask(attendanceEvents, { FYear: event.season }, teacher)
    const row = data[0]?.classes.find(({ classId }) => classId === 7)
    const { next } = await server.ask(seasonTrack, { FYear: event.season }, teacher)
    return [row?.students, row?.absent, row?.added, next?.attendance]
  }
  await pay(false)
  const one = { ...list, absent: [absent?.id ?? 0], students: 1 }
  await server.ask(saveAttendance, { lists: [one, { ...list, classId: 8, absent: [] }] }, teacher)
  assert.deepEqual(await shown(), [1, 1, 0, 0])
  await pay(true)
  assert.deepEqual(await shown(), [2, 1, 1, 1])
  const again = { ...one, version: 1 }
  await server.refuses('changed_meanwhile', saveAttendance, { lists: [again] }, teacher)
  await server.ask(saveAttendance, { lists: [{ ...again, students: 2 }] }, teacher)
  assert.deepEqual(await shown(), [2, 1, 0, 0])
  await changeRows('students', { id: absent?.id ?? 0 }, { active: false })
  assert.deepEqual(await shown(), [1, 0, 0, 0], 'one who has left is no longer absent')
})

test("marks that contradict the school's attendance must be reviewed, even once the results are out", async () => {
  const { event, list, students, teacher } = await aClassThatSat()
  const [absent, marked, missing] = students
  assert.ok(absent && marked && missing)
  const lists = [
    { ...list, absent: [absent.id] },
    { ...list, classId: 8, absent: [] },
  ]
  await server.ask(saveAttendance, { lists }, teacher)
  const { setId, token } = await importRows(server, event, [
    { roll: absent.roll, marks: [1, 2, 3] },
    { roll: marked.roll, attendance: 'A', marks: [0, 0, 0] },
  ])
  const { data } = await anomaliesOf(server, setId, token)
  assert.deepEqual(valuesOf(data, 'nioRollNo', 'kind', 'blocking', 'treatment'), [
    [absent.roll, 'absent_reported', true, 'kept'],
    [marked.roll, 'present_reported', true, 'as_absent'],
    [missing.roll, 'present_reported', true, 'left_out'],
  ])
  await changeRows('result_sets', { id: setId }, { state: 'released', release_at: aDay })
  await server.refuses(
    'attendance.closed',
    saveAttendance,
    { lists: [{ ...list, version: 1, absent: [] }] },
    teacher,
  )
})

test('a student who was moved to a school after it entered its attendance is not taken for present there', async () => {
  const { event, list, schoolId, students, teacher } = await aClassThatSat()
  await server.ask(saveAttendance, { lists: [{ ...list, absent: [] }] }, teacher)
  const [moved] = await candidates(event, [{ schoolId: (await aSchool()).id }])
  assert.ok(moved)
  const to = { schCode: await schoolCode(schoolId), section: 'B', rollno: 1, reason: 'Moved house' }
  await server.ask(moveStudent, { id: moved.id, version: 1, ...to }, operations)
  const { setId, token } = await importRows(
    server,
    event,
    students.map(({ roll }) => ({ roll, marks: [1, 2, 3] })),
  )
  const { data } = await anomaliesOf(server, setId, token)
  assert.deepEqual(valuesOf(data, 'kind'), ['missing'])
})

test('two merged schools keep what both entered; a class that only one of them entered is entered again', async () => {
  const { event, list, schoolId, students, teacher } = await aClassThatSat()
  await server.ask(saveAttendance, { lists: [{ ...list, absent: [students[0]?.id ?? 0] }] }, teacher)
  const { id: gone } = await aSchool()
  const others = await candidates(
    event,
    [7, 8, 9].map((classId) => ({ schoolId: gone, classId })),
  )
  const participation = { school_id: gone, event_id: event.id, created_at: aDay }
  const { id: eventManagementId } = await addRow('participations', participation)
  const lists = others.map(({ id, class_id: classId }) => ({
    ...{ eventManagementId, classId, version: 0 },
    absent: classId === 9 ? [] : [id],
  }))
  await server.ask(saveAttendance, { lists }, await aTeacher({ schoolId: gone }))
  const merged = await mergeOf(server, await anOfficer('owner'), { target: schoolId, source: gone })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  const { data } = await server.ask(attendanceEvents, { FYear: event.season }, teacher)
  assert.deepEqual(valuesOf(data[0]?.classes ?? [], 'classId', 'students', 'absent'), [
    [7, 3, 2],
    [8, 2, null],
    [9, 1, 0],
  ])
  const again = { eventManagementId: String(list.eventManagementId), classId: '8' }
  const shown = await server.ask(attendanceList, again, teacher)
  assert.deepEqual(shown.students.map(({ absent }) => absent).sort(), [false, true])
})

test('attendance entered after the marks were imported is compared before ranks are computed', async () => {
  const { event, list, students, teacher } = await aClassThatSat()
  const [absent] = students
  assert.ok(absent)
  const { setId, token } = await importRows(
    server,
    event,
    students.map(({ roll }) => ({ roll, marks: [1, 2, 3] })),
  )
  const lists = [{ ...list, absent: [absent.id] }]
  await server.ask(saveAttendance, { lists }, teacher)
  const compute = () => server.send(computeResults, { body: { setId } }, { token })
  assert.equal((await compute()).status, 200)
  await server.jobs.drain()
  const { data } = await anomaliesOf(server, setId, token)
  assert.deepEqual(valuesOf(data, 'nioRollNo', 'kind'), [[absent.roll, 'absent_reported']])
  await refused('results.anomalies_open', compute())
})

test('attendance that contradicts computed marks blocks approval and release until it is compared', async () => {
  const { event, list, students, teacher } = await aClassThatSat()
  const [absent, other] = students
  assert.ok(absent && other)
  const rows = students.map(({ roll }) => ({ roll, marks: [1, 2, 3] }))
  const { setId, token } = await computeRows(server, event, rows)
  const approver = await anOfficer('owner')
  const save = async (version: number, absentOnes: number[]) => {
    const lists = [{ ...list, version, absent: absentOnes }]
    return (await server.send(saveAttendance, { body: { lists } }, teacher)).body.code
  }
  const approve = async () =>
    (await server.send(approveResults, { body: await asShown(server, setId) }, approver)).body.code
  const release = async (more = {}) =>
    (await server.send(releaseResults, { body: { ...(await asShown(server, setId)), ...more } }, approver))
      .body.code
  const compute = async () => {
    assert.equal((await server.send(computeResults, { body: { setId } }, { token })).status, 200)
    await server.jobs.drain()
  }
  const settle = async () => {
    const body = { setId, kind: 'absent_reported' as const, note: 'The sheet says present.' }
    assert.equal((await server.send(resolveAnomalies, { body }, { token })).status, 200)
  }

  // Attendance that agrees with the marks changes nothing.
  await save(0, [])
  await save(1, [absent.id])
  assert.equal(await approve(), 'results.attendance_changed')
  await compute()
  await settle()
  await compute()
  assert.equal(await approve(), undefined)
  await save(2, [absent.id, other.id])
  const early = { early: 'Asked for by the schools.' }
  assert.equal(await release(early), 'results.attendance_changed')
  const query = { eventYearId: String(event.id) }
  const { can } = (await server.ask(officeResultEvent, query, approver)).sets[0] ?? {}
  assert.deepEqual([can?.compute, can?.release], [true, 'results.attendance_changed'])
  await compute()
  await settle()
  await compute()
  assert.equal(await approve(), undefined)
  const releaseAt = new Date(aDay.getTime() + 3_600_000).toISOString()
  assert.equal(await release({ ...early, releaseAt }), undefined)
  // Rows already compared stay as they are until then.
  assert.equal(await save(3, []), 'attendance.scheduled')
})
