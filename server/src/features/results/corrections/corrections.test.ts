import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchResults } from '@podium/contract/results/calls'
import { schoolCertificate } from '@podium/contract/results/calls-certificates'
import {
  correctResults,
  officeResultChanges,
  resolveAnomalies,
  resultCorrections,
  resultOnRecord,
} from '@podium/contract/results/calls-corrections'
import {
  approveResults,
  computeResults,
  holdResults,
  releaseResults,
} from '@podium/contract/results/calls-office'
import { verifyCertificate } from '@podium/contract/results/calls-public'
import { cancelStudent, correctStudent, moveStudent } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSchool, aTeacher } from '#test/factories'
import {
  type AnEvent,
  anEvent,
  anomaliesOf,
  asShown,
  candidates,
  importRows,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { addRow, changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsLike, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))

/** Two schools with released results: two students of one, the second better, and one of the other. */
async function aReleasedWorld() {
  const event = await anEvent()
  const [a, b] = [await aSchool(), await aSchool()]
  const [first, second, other] = await candidates(event, [
    { schoolId: a.id },
    { schoolId: a.id },
    { schoolId: b.id, classId: 8 },
  ])
  assert(first && second && other)
  const rows = [
    { roll: first.roll, marks: [1, 1, 1] },
    { roll: second.roll, marks: [2, 2, 2] },
    { roll: other.roll, marks: [3, 3, 3] },
  ]
  await releaseRows(server, event, rows)
  const teacher = await aTeacher({ schoolId: a.id })
  const stranger = await aTeacher({ schoolId: b.id })
  return { event, a, b, first, second, other, rows, teacher, stranger, officer: await anOfficer('results') }
}
type World = Awaited<ReturnType<typeof aReleasedWorld>>

const aCorrection = (roll: string, more: object = {}) => ({
  nioRollNo: roll,
  present: true,
  marks: [9, 9, 9],
  ...more,
})

const correct = (world: World, rows: object[], reason = 'Question 7 had two right answers.') =>
  server.send(correctResults, { body: { eventYearId: world.event.id, reason, rows } }, world.officer)

/** Computed by the officer who corrected, approved by another, who is returned. */
async function approve(setId: number, token: string) {
  await server.jobs.drain()
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  const owner = await anOfficer('owner')
  await server.ask(approveResults, await asShown(server, setId), owner)
  return owner
}

async function release(setId: number, token: string) {
  const owner = await approve(setId, token)
  await server.ask(releaseResults, await asShown(server, setId), owner)
  await server.jobs.drain()
}

const print = (resultId: string, token: string) => server.post(schoolCertificate, { resultId }, { token })

const correctionsShown = async ({ event, teacher }: World, token = teacher.token) =>
  (await server.ask(resultCorrections, { eventYearId: String(event.id) }, { token })).data

const resultsOf = (event: AnEvent, token: string) => server.ask(searchResults, searchBody(event), { token })

test('a corrected row creates the next version, with ranks recomputed and all other marks unchanged', async () => {
  const world = await aReleasedWorld()
  const { event, first, second, teacher, stranger, officer } = world
  const { status, body } = await correct(world, [aCorrection(first.roll.toLowerCase())])
  assert.deepEqual([status, body.version], [200, 2])
  await release(Number(body.setId), officer.token)

  const { version, data } = await resultsOf(event, teacher.token)
  assert.equal(version, 2)
  assert.deepEqual(valuesOf(data, 'nioRollNo', 'rawMarks', 'finalClassRank'), [
    [first.roll, 27, 1],
    [second.roll, 6, 2],
  ])
  const [correction, ...others] = await correctionsShown(world)
  assert.deepEqual(
    [others.length, correction?.version, correction?.reason, correction?.count],
    [0, 2, 'Question 7 had two right answers.', 2],
  )
  assert.deepEqual(
    correction?.changes.map(({ nioRollNo, before, after }) => [
      nioRollNo,
      before?.rawMarks,
      before?.classRank,
      after?.rawMarks,
      after?.classRank,
    ]),
    [
      [first.roll, 3, 2, 27, 1],
      [second.roll, 6, 1, 6, 2],
    ],
  )
  assert.deepEqual(await correctionsShown(world, stranger.token), [], 'the other school reads nothing of it')

  const changes = await server.ask(officeResultChanges, { setId: String(body.setId) }, officer)
  assert.deepEqual([changes.version, changes.total], [1, 2])
})

test('a roll number shows its student and released marks, and a roll number of another event shows nothing', async () => {
  const world = await aReleasedWorld()
  const { first, officer, a } = world
  const recordedResult = async (nioRollNo: string, eventYearId = world.event.id) => {
    const query = { eventYearId: String(eventYearId), nioRollNo }
    return (await server.ask(resultOnRecord, query, officer)).data
  }
  const recorded = await recordedResult(first.roll.toLowerCase())
  assert.deepEqual(
    [recorded?.schCode, recorded?.result],
    [a.code, { present: true, marks: [1, 1, 1], finalScore: 3 }],
  )
  await correct(world, [aCorrection(first.roll)])
  await server.jobs.drain()
  assert.deepEqual(
    (await recordedResult(first.roll))?.result?.marks,
    [1, 1, 1],
    'until the release, the version that schools see',
  )
  assert.equal(await recordedResult(first.roll, (await anEvent()).id), null)
  assert.equal(await recordedResult('NOBODY-1'), null)
})

test('only the school whose results a correction changes is notified, with the reason', async () => {
  const world = await aReleasedWorld()
  const { a, b, first, officer } = world
  const people = [await aTeacher({ schoolId: a.id }), await aTeacher({ schoolId: b.id })]
  const ids = people.map(({ id }) => id)
  await changeRows('users', { id: ids }, { coordinator: true })
  const { body } = await correct(world, [aCorrection(first.roll)])
  await release(Number(body.setId), officer.token)
  const mails = await mailsLike(server, `results:${body.setId}:%`)
  assert.deepEqual(valuesOf(mails, 'key'), [`results:${body.setId}:${ids[0]}`])
  assert.match(mails[0]?.subject ?? '', /Results corrected/)
  assert.match(mails[0]?.text ?? '', /Question 7 had two right answers\./)
  // Not to the subject that comes first.
  const page = `/result/viewresult?FYear=${world.event.season}&eventYearId=${world.event.id}\n`
  assert.ok(mails[0]?.text.includes(page), page)
})

test('a school whose results are withheld reads nothing of a correction', async () => {
  const world = await aReleasedWorld()
  const { event, a, first, officer } = world
  const { body } = await correct(world, [aCorrection(first.roll)])
  await release(Number(body.setId), officer.token)
  const held = { eventYearId: event.id, schCode: a.code, reason: 'x' }
  await server.ask(holdResults, held, { token: (await anOfficer('owner')).token })
  assert.deepEqual(await correctionsShown(world), [])
})

test('a correction without a reason or rows, of an unknown student or with marks above the maximum is refused', async () => {
  const world = await aReleasedWorld()
  const { first } = world
  assert.equal((await correct(world, [aCorrection(first.roll)], ' ')).status, 400)
  assert.equal((await correct(world, [])).status, 400)
  const wrong: [rows: object[], path: string][] = [
    [[aCorrection('NOBODY-1')], 'rows.0.nioRollNo'],
    [[aCorrection(first.roll, { marks: [9, 9, 51] })], 'rows.0.marks.2'],
    [[aCorrection(first.roll, { marks: [9, 9] })], 'rows.0.marks.2'],
    [[aCorrection(first.roll, { present: false })], 'rows.0.nioRollNo'],
    [[aCorrection(first.roll, { finalScore: 26 })], 'rows.0.finalScore'],
    [[aCorrection(first.roll), aCorrection(first.roll)], 'rows.1.nioRollNo'],
  ]
  for (const [rows, path] of wrong) {
    const { status, body } = await correct(world, rows)
    assert.deepEqual([status, body.code, body.issues?.[0]?.path], [400, 'results.corrections', path])
  }
  const sets = await findRows('result_sets', { event_id: world.event.id }, ['version'])
  assert.deepEqual(sets, [{ version: 1 }], 'nothing is kept of a refused correction')
})

test('results that no school has seen cannot be corrected by hand', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const row = { roll: student?.roll ?? '', marks: [1, 1, 1] }
  const { token } = await importRows(server, event, [row])
  const body = { eventYearId: event.id, reason: 'x', rows: [aCorrection(row.roll)] }
  await server.refuses('results.nothing_out', correctResults, body, { token })
})

test('a correction that makes a certificate untrue revokes it, and the next certificate gets a new number', async () => {
  const world = await aReleasedWorld()
  const { event, first, other, teacher, stranger, officer } = world
  const number = async (of: { roll: string }, token: string) => {
    const row = (await resultsOf(event, token)).data.find(({ nioRollNo }) => nioRollNo === of.roll)
    await print(row?.resultId ?? '', token)
    const student = await server.deps.db
      .selectFrom('certificates')
      .innerJoin('students', 'students.id', 'certificates.student_id')
      .select(['number'])
      .where('exam_roll_no', '=', of.roll)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return student?.number ?? ''
  }
  const state = async (wanted: string) => (await server.ask(verifyCertificate, { number: wanted })).state
  const [mine, theirs] = [await number(first, teacher.token), await number(other, stranger.token)]
  assert.deepEqual([await state(mine), await state(theirs)], ['valid', 'valid'])

  const { body } = await correct(world, [aCorrection(first.roll)])
  await release(Number(body.setId), officer.token)
  assert.deepEqual([await state(mine), await state(theirs)], ['replaced', 'valid'])
  assert.equal(await number(other, stranger.token), theirs)
  const next = await number(first, teacher.token)
  assert.notEqual(next, mine)
  assert.deepEqual([await state(next), await state(mine)], ['valid', 'replaced'])
})

test('a correction made while another is being released is based on what is then released', async () => {
  const world = await aReleasedWorld()
  const { event, first, second, officer } = world
  const { body } = await correct(world, [aCorrection(first.roll)])
  const setId = Number(body.setId)
  const owner = await approve(setId, officer.token)
  const shown = await asShown(server, setId)
  const approved = sql`select from result_sets where id = ${setId} for update`
  const [released, corrected] = await whileHeld<{ status: number }>(approved, [
    () => server.call(releaseResults, { body: shown }, owner),
    () => correct(world, [aCorrection(second.roll, { marks: [8, 8, 8] })]),
  ])
  assert.deepEqual([released?.status, corrected?.status], [200, 200])
  await server.jobs.drain()
  const sets = await findRows(
    'result_sets',
    { event_id: event.id },
    ['id', 'version', 'state', 'based_on'],
    'version',
  )
  assert.deepEqual(valuesOf(sets, 'version', 'state', 'based_on'), [
    [1, 'superseded', null],
    [2, 'released', sets[0]?.id],
    [3, 'imported', setId],
  ])
})

test('a certificate that is issued while a correction of it is being released is not valid afterwards', async () => {
  const world = await aReleasedWorld()
  const { event, first, teacher, officer } = world
  const shown = (await resultsOf(event, teacher.token)).data.find(({ nioRollNo }) => nioRollNo === first.roll)
  const { body } = await correct(world, [aCorrection(first.roll)])
  const setId = Number(body.setId)
  const owner = await approve(setId, officer.token)
  const release = await asShown(server, setId)
  // Both have read the first version when the certificate can be stored.
  await whileHeld<{ status: number }>(sql`lock table certificates in share mode`, [
    () => print(shown?.resultId ?? '', teacher.token),
    () => server.call(releaseResults, { body: release }, owner),
  ])
  const issued = await findRows('certificates', { event_id: event.id }, ['number', 'revoked_at'])
  assert.deepEqual(
    issued.filter(({ revoked_at }) => revoked_at === null),
    [],
  )
})

/** Three students of a school whose marks are read, and not computed yet. */
async function readMarks() {
  const event = await anEvent()
  const students = await candidates(event, [{}, {}, {}])
  const [first, second, third] = students
  assert(first && second && third)
  const marks = students.map(({ roll }, place) => ({ roll, marks: [0, 0, 40 - place] }))
  const { setId, token } = await importRows(server, event, marks)
  const office = await anOfficer('operations')
  return { event, first, second, third, setId, results: { token }, office }
}

const ranked = async (setId: number) =>
  (
    await findRows('results', { set_id: setId }, ['student_id', 'school_id', 'class_id', 'class_rank'])
  ).toSorted((a, b) => a.student_id - b.student_id)

test('a student who is moved or whose class is corrected after the marks were read is ranked there', async () => {
  const { event, first, second, third, setId, results, office } = await readMarks()
  const target = await aSchool()
  await addRow('event_fees', { event_id: event.id, class_id: 8, fee: 17_500, retained: 2_500 })
  const reason = 'Wrong on the list'
  const moving = { id: first.id, version: 1, schCode: target.code, section: 'B', rollno: 1, reason }
  await server.ask(moveStudent, moving, office)
  const parent = { parentName: '', parentEmailId: '', parentMobileNo: '' }
  const { name: studentName } = second
  const corrected = {
    id: second.id,
    version: 1,
    classId: 8,
    section: 'A',
    rollno: 2,
    studentName,
    ...parent,
    reason,
  }
  await server.ask(correctStudent, corrected, office)
  await server.ask(computeResults, { setId }, results)
  await server.jobs.drain()
  assert.deepEqual(await ranked(setId), [
    { student_id: first.id, school_id: target.id, class_id: 7, class_rank: 1 },
    { student_id: second.id, school_id: second.school_id, class_id: 8, class_rank: 1 },
    { student_id: third.id, school_id: third.school_id, class_id: 7, class_rank: 1 },
  ])
})

test('a student who is cancelled after the marks were read is not ranked, and is reported before anything is computed', async () => {
  const { first, second, third, setId, results, office } = await readMarks()
  await server.ask(cancelStudent, { id: first.id, version: 1, reason: 'Left the school' }, office)
  await server.ask(computeResults, { setId }, results)
  await server.jobs.drain()
  assert.deepEqual(await ranked(setId), [])
  const { data } = await anomaliesOf(server, setId, results.token)
  assert.deepEqual(valuesOf(data, 'kind', 'blocking', 'nioRollNo'), [['not_enrolled', true, first.roll]])
  await server.refuses('results.anomalies_open', computeResults, { setId }, results)
  await server.ask(resolveAnomalies, { setId, kind: 'not_enrolled', note: 'Cancelled' }, results)
  await server.ask(computeResults, { setId }, results)
  await server.jobs.drain()
  assert.deepEqual(valuesOf(await ranked(setId), 'student_id', 'class_rank'), [
    [second.id, 1],
    [third.id, 2],
  ])
})

test('a class found wrong in computed results is corrected once the marks are read again, and not after', async () => {
  const { event, first, second, third, setId, results, office } = await readMarks()
  await addRow('event_fees', { event_id: event.id, class_id: 8, fee: 17_500, retained: 2_500 })
  const parent = { parentName: '', parentEmailId: '', parentMobileNo: '', reason: 'Wrong on the list' }
  const of = { id: first.id, studentName: first.name, section: 'A', rollno: 2, ...parent }
  const compute = async (id: number) => {
    await server.ask(computeResults, { setId: id }, results)
    await server.jobs.drain()
  }
  await compute(setId)
  await server.refuses('students.has_results', correctStudent, { ...of, version: 1, classId: 8 }, office)
  const again = await importRows(
    server,
    event,
    [first, second, third].map(({ roll }, place) => ({ roll, marks: [0, 0, 40 - place] })),
  )
  await server.ask(correctStudent, { ...of, version: 1, classId: 8 }, office)
  await compute(again.setId)
  assert.deepEqual(valuesOf(await ranked(again.setId), 'class_id', 'class_rank'), [
    [8, 1],
    [7, 1],
    [7, 2],
  ])
  await server.refuses('students.has_results', correctStudent, { ...of, version: 2, classId: 7 }, office)
})

test('while ranks are computed no student of them is moved, cancelled or given another class', async () => {
  const { first, setId, office } = await readMarks()
  await changeRows('result_sets', { id: setId }, { state: 'computing' })
  const { code: schCode } = await aSchool()
  const reason = 'Too early'
  const moving = { id: first.id, version: 1, schCode, section: 'B', rollno: 1, reason }
  await server.refuses('students.has_results', moveStudent, moving, office)
  await server.refuses('students.has_results', cancelStudent, { id: first.id, version: 1, reason }, office)
})
