import assert from 'node:assert/strict'
import { test } from 'node:test'
import { savePayment } from '@podium/contract/payments/calls'
import type { Season } from '@podium/contract/season'
import { startActing } from '@podium/contract/staff/calls-act-as-school'
import {
  changeStudents,
  deleteStudent,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { confirmCarryOver, previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { importStatus, undoImport } from '@podium/contract/students/calls-import'
import { getSignOffs, reopenList, signOffLists } from '@podium/contract/students/calls-sign-off'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSeason, aTeacher, eventOf, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aFoundation, aSubmission } from '#test/payments-factories'
import { changeRows, findRow, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import {
  aCheckedList,
  anEnteredStudent,
  anEntry,
  aSeasonOfItsOwn,
  importList,
  lastYear,
} from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

interface Person {
  token: string
  schoolId: number
}

const coordinator = 'Hema Misaal'

async function aCoordinator() {
  await aSeason()
  return aTeacher({ coordinator: true, name: coordinator })
}

const lists = (person: Person, season: Season = thisSeason) =>
  server.ask(getSignOffs, { FYear: season }, person)

async function listOf(person: Person, letter: string, season: Season = thisSeason) {
  const found = (await lists(person, season)).data.find(({ eventLetter }) => eventLetter === letter)
  assert.ok(found, letter)
  return found
}

const sign = (
  person: Pick<Person, 'token'>,
  lists: ReadonlyArray<{ eventManagementId: number; students: number }>,
  name = coordinator,
) => server.call(signOffLists, { body: { name, lists: [...lists] } }, person)

/** The list's id, even of a list without students, which is not shown. */
async function idOf({ schoolId }: Person, letter: string) {
  const { id } = await eventOf(letter)
  const { id: list } = await findRow('participations', { school_id: schoolId, event_id: id })
  return list
}

async function signed(person: Person, letter: string, season: Season = thisSeason) {
  const { eventManagementId, totalStudent } = await listOf(person, letter, season)
  const { body } = await sign(person, [{ eventManagementId, students: totalStudent }])
  assert.deepEqual([body.done, body.refused], [[{ id: eventManagementId }], []], body.message)
  return eventManagementId
}

const reopen = (person: Person, eventManagementId: number, reason = 'A child came late') =>
  server.call(reopenList, { body: { eventManagementId, reason } }, person)

const rowsOf = async (person: Person, season: Season = thisSeason) =>
  (await server.ask(getStudentDetails, { FYear: season }, person)).data

test('before its sign-off a list shows what is missing, student by student', async () => {
  const person = await aCoordinator()
  const reachable = { parentMobileNo: '9876512340', subjectName: 'Mathematics', cb: '' }
  await anEnteredStudent(server, person, { ...reachable, rollno: 1, studentName: 'Aarav Misaal' })
  await anEnteredStudent(server, person, { ...reachable, rollno: 2, studentName: 'Misaal, Aarav' })
  await anEnteredStudent(server, person, { ...reachable, rollno: 3, section: 'B', parentMobileNo: '' })
  await anEnteredStudent(server, person, { ...reachable, classId: 8, parentMobileNo: '9999999999' })
  const list = await listOf(person, 'M')
  assert.deepEqual([list.totalStudent, list.paidStudent, list.canSign, list.signedOff], [4, 0, true, false])
  assert.deepEqual(valuesOf(list.checks, 'kind', 'count'), [
    ['unpaid', 4],
    ['mobile', 2],
    ['twins', 2],
    ['lonely', 1],
    ['date', 0],
    ['contact', 0],
  ])
  const duplicates = list.checks.find(({ kind }) => kind === 'twins')?.students
  assert.deepEqual(
    duplicates?.map(({ studentName, other }) => [
      studentName,
      other?.studentName,
      other?.className,
      other?.rollNo,
    ]),
    [
      ['Aarav Misaal', 'Misaal, Aarav', 'Class 7', 2],
      ['Misaal, Aarav', 'Aarav Misaal', 'Class 7', 1],
    ],
  )
})

test('no one is entered into, changed in or removed from a list that is signed off', async () => {
  const person = await aCoordinator()
  const maths = { subjectName: 'Mathematics', cb: '' }
  const first = await anEnteredStudent(server, person, maths)
  const gone = await anEnteredStudent(server, person, maths)
  await server.ask(deleteStudent, { studentId: String(gone.id) }, person)
  const second = await anEnteredStudent(server, person, { subjectName: 'Science', cb: '' })
  await signed(person, 'M')
  const attempts: Array<[string, Promise<{ status: number; body: { code?: string; message: string } }>]> = [
    ['entered', server.call(saveStudentDetails, { body: anEntry(maths) }, person)],
    [
      'changed',
      server.call(saveStudentDetails, { body: { ...anEntry(maths), id: first.id, version: 1 } }, person),
    ],
    [
      'moved in',
      server.call(saveStudentDetails, { body: { ...anEntry(), id: second.id, version: 1 } }, person),
    ],
    [
      'moved out',
      server.call(
        saveStudentDetails,
        { body: { ...anEntry({ subjectName: 'Science', cb: '' }), id: first.id, version: 1 } },
        person,
      ),
    ],
    ['deleted', server.call(deleteStudent, { query: { studentId: String(first.id) } }, person)],
    ['restored', server.call(restoreStudent, { body: { studentId: gone.id } }, person)],
  ]
  for (const [name, attempt] of attempts) {
    const { status, body } = await attempt
    assert.deepEqual([status, body.code], [409, 'enrolment.signed_off'], `${name}: ${body.message}`)
  }
  const bulk = await server.ask(
    changeStudents,
    { FYear: thisSeason, students: [{ id: first.id, version: 1, section: 'C' }] },
    person,
  )
  assert.deepEqual([bulk.changed, bulk.refused[0]?.message.includes('signed off')], [0, true])
  const rows = await rowsOf(person)
  assert.deepEqual(
    rows.map(({ id, can, status }) => [id, can.edit, status]).toSorted(),
    [
      [first.id, 'enrolment.signed_off', true],
      [gone.id, 'enrolment.deleted', false],
      [second.id, true, true],
    ].toSorted(),
  )
  await server.ask(saveStudentDetails, anEntry({ subjectName: 'Science', cb: '' }), person)
})

test('an import neither adds students to a signed-off list nor removes any by its undo', async () => {
  const person = await aCoordinator()
  const before = await aCheckedList(server, person, ['7,A,1,Kavya Udaharan,9876500001,M'])
  await importList(server, person, before.importId)
  const late = await aCheckedList(server, person, [
    '7,A,2,Nila Udaharan,9876500002,M',
    '7,A,3,Om Udaharan,9876500003,S',
  ])
  assert.equal(late.goodCount, 2)
  const id = await signed(person, 'M')
  await importList(server, person, late.importId)
  const status = await server.ask(importStatus, { importId: late.importId }, person)
  assert.deepEqual([status.state, status.imported], ['failed', 0])
  assert.match(status.error, /signed off/)
  const again = await aCheckedList(server, person, [
    '7,A,4,Isha Udaharan,9876500004,M',
    '7,A,5,Dev Udaharan,9876500005,S',
  ])
  assert.deepEqual(valuesOf(again.errors, 'row', 'field', 'message'), [
    [2, 'subjectName', 'The list of Mathematics is signed off.'],
  ])
  const undo = () => server.call(undoImport, { body: { importId: before.importId } }, person)
  await refused('enrolment.undo_nothing', undo())
  await reopen(person, id)
  assert.equal((await undo()).body.removed, 1)
})

test('last season is carried over without the subjects whose lists are signed off', async () => {
  const person = await aCoordinator()
  await lastYear(person, [{ name: 'Ira Misaal' }])
  await anEnteredStudent(server, person, { subjectName: 'Mathematics', cb: '' })
  await signed(person, 'M')
  const body = await server.ask(previewCarryOver, { FYear: thisSeason, options: {} }, person)
  assert.deepEqual(valuesOf(body.rows, 'subjectName'), ['Science'])
  const [row] = body.rows
  assert.ok(row)
  await server.ask(
    confirmCarryOver,
    {
      FYear: thisSeason,
      options: {},
      digest: body.digest,
      take: [row.studentId],
      regAmount: row.regAmount,
      bookAmount: row.bookAmount,
    },
    person,
  )
  await server.jobs.drain()
  assert.equal((await listOf(person, 'M')).totalStudent, 1)
})

test('the fees of a signed-off list can still be paid', async () => {
  await aFoundation()
  const person = await aCoordinator()
  await anEnteredStudent(server, person, { subjectName: 'Mathematics', cb: '' })
  await signed(person, 'M')
  await server.ask(savePayment, await aSubmission(server, person.token), person)
  assert.equal((await listOf(person, 'M')).signedOff, true)
})

test('only the coordinator signs a list off and reopens it', async () => {
  const person = await aCoordinator()
  const colleague = await aTeacher({ schoolId: person.schoolId })
  await anEnteredStudent(server, colleague)
  const { eventManagementId } = await listOf(person, 'M')
  const denied = [403, 'signoff.not_coordinator']
  const first = await sign(colleague, [{ eventManagementId, students: 1 }])
  assert.deepEqual([first.status, first.body.code], denied)
  await signed(person, 'M')
  const second = await reopen(colleague, eventManagementId)
  assert.deepEqual([second.status, second.body.code], denied)
  const seen = await lists(colleague)
  assert.deepEqual(
    [seen.coordinator, seen.data[0]?.canSign, seen.data[0]?.canReopen],
    ['Hema Misaal', 'signoff.not_coordinator', 'signoff.not_coordinator'],
  )
})

test('an officer signed in as a school reads its lists but cannot sign them off or reopen them', async () => {
  const person = await aCoordinator()
  await anEnteredStudent(server, person)
  const officer = await anOfficer('operations')
  const acting = { id: person.schoolId, reason: 'They asked us on the phone', minutes: '15' as const }
  const { token } = await server.ask(startActing, acting, officer)
  const query = { FYear: thisSeason }
  const [list] = (await server.ask(getSignOffs, query, { token })).data
  assert.deepEqual([list?.canSign, list?.canReopen], ['access.acting', 'access.acting'])
  const body = { eventManagementId: list?.eventManagementId ?? 0, students: 1 }
  await refused('access.acting', sign({ token }, [body]))
  assert.equal((await sign(person, [body])).body.done.length, 1)
  const again = { eventManagementId: body.eventManagementId, reason: 'One is missing' }
  await server.refuses('access.acting', reopenList, again, { token })
})

test('several lists are signed off at once; one that has changed since it was shown stays open and says why', async () => {
  const person = await aCoordinator()
  await anEnteredStudent(server, person, { subjectName: 'Mathematics,Science', cb: '' })
  const { id } = await anEnteredStudent(server, person, { subjectName: 'English', cb: '' })
  const shown = (await lists(person)).data.map((list) => ({
    eventManagementId: list.eventManagementId,
    students: list.totalStudent,
  }))
  assert.equal(shown.length, 3)
  const stillOpen = async () => (await lists(person)).data.filter(({ signedOff }) => !signedOff).length

  const unnamed = await sign(person, shown, ' ')
  assert.deepEqual([unnamed.status, unnamed.body.issues?.[0]?.path], [400, 'name'])
  const misnamed = await sign(person, shown, 'Hema Missal')
  assert.deepEqual(
    [misnamed.status, misnamed.body.code, misnamed.body.issues?.[0]?.path],
    [409, 'signoff.name_differs', 'name'],
  )
  const other = await aCoordinator()
  await anEnteredStudent(server, other)
  const foreign = { eventManagementId: (await listOf(other, 'M')).eventManagementId, students: 1 }
  assert.equal((await sign(person, [...shown, foreign])).status, 404)
  assert.equal(await stillOpen(), 3, 'a refused call signs nothing')

  await anEnteredStudent(server, person, { subjectName: 'Science', cb: '' })
  await server.ask(deleteStudent, { studentId: String(id) }, person)
  const { body } = await sign(person, [...shown, ...shown], ' hema  misaal ')
  const [maths, science, english] = await Promise.all(['M', 'S', 'E'].map((letter) => idOf(person, letter)))
  assert.deepEqual(body.done, [{ id: maths }])
  assert.deepEqual(
    body.refused.toSorted((a, b) => a.id - b.id),
    [
      { id: science, message: 'The number of students has changed. Check the list and sign it off again.' },
      { id: english, message: 'There are no students in this list.' },
    ].toSorted((a, b) => Number(a.id) - Number(b.id)),
  )
  assert.deepEqual(
    [(await listOf(person, 'M')).signedOff, (await listOf(person, 'S')).signedOff],
    [true, false],
  )
})

test('a list of a closed season cannot be signed off', async () => {
  const person = await aCoordinator()
  const season = await aSeasonOfItsOwn()
  await anEnteredStudent(server, person, { FYear: season })
  await changeRows('seasons', { label: season }, { state: 'closed' })
  const over = await listOf(person, 'M', season)
  assert.equal(over.canSign, 'enrolment.season_closed')
  const { body } = await sign(person, [{ eventManagementId: over.eventManagementId, students: 1 }])
  assert.deepEqual([body.done, valuesOf(body.refused, 'id')], [[], [over.eventManagementId]])
})

test('a list is signed off once and reopened once, with a reason, and its history keeps both', async () => {
  const person = await aCoordinator()
  await anEnteredStudent(server, person)
  const eventManagementId = await signed(person, 'M')
  const twice = await sign(person, [{ eventManagementId, students: 1 }])
  assert.deepEqual(
    [twice.body.done, valuesOf(twice.body.refused, 'message')],
    [[], ['This list has already been signed off.']],
  )
  const withoutReason = await reopen(person, eventManagementId, '  ')
  assert.deepEqual([withoutReason.status, withoutReason.body.issues?.[0]?.path], [400, 'reason'])
  assert.equal((await reopen(person, eventManagementId)).status, 200)
  await refused('signoff.not_signed', reopen(person, eventManagementId))
  await server.ask(saveStudentDetails, anEntry(), person)
  await signed(person, 'M')
  const { history, checks, signedOff } = await listOf(person, 'M')
  assert.deepEqual([signedOff, checks], [true, []])
  assert.deepEqual(valuesOf(history, 'students', 'signedBy', 'reopenedBy', 'reason'), [
    [2, 'Hema Misaal', '', ''],
    [1, 'Hema Misaal', 'Hema Misaal', 'A child came late'],
  ])
  assert.deepEqual(history[1]?.missing.map(({ kind }) => kind).toSorted(), [
    'contact',
    'date',
    'mobile',
    'unpaid',
  ])
  const trail = await auditLines(['action'], { subject_kind: 'participation', subject_id: eventManagementId })
  assert.deepEqual(valuesOf(trail, 'action'), ['list.signed_off', 'list.reopened', 'list.signed_off'])
})

test('a sign-off or reopening sent again because its answer was lost gets the first answer, and happens once', async () => {
  const person = await aCoordinator()
  await anEnteredStudent(server, person)
  const { eventManagementId } = await listOf(person, 'M')
  const once = { ...person, headers: { 'idempotency-key': 'sign-off-key-0001' } }
  for (let sent = 0; sent < 2; sent++) {
    const { body } = await sign(once, [{ eventManagementId, students: 1 }])
    assert.deepEqual([body.done, body.refused], [[{ id: eventManagementId }], []])
  }
  for (let sent = 0; sent < 2; sent++) assert.equal((await reopen(once, eventManagementId)).status, 200)
  assert.equal((await listOf(person, 'M')).history.length, 1)
})

test('a list cannot be reopened after the last day for entries', async () => {
  const season = await aSeasonOfItsOwn()
  const person = await aCoordinator()
  await anEnteredStudent(server, person, { FYear: season })
  const id = await signed(person, 'M', season)
  const { id: event } = await eventOf('M', season)
  await changeRows('events', { id: event }, { closes_on: '2026-11-20' })
  assert.equal((await listOf(person, 'M', season)).canReopen, 'enrolment.closed')
  await refused('enrolment.closed', reopen(person, id))
})

test('entering or deleting a student while the list is being signed off waits, and is refused', async () => {
  const person = await aCoordinator()
  const maths = { subjectName: 'Mathematics', cb: '' }
  const { id } = await anEnteredStudent(server, person, maths)
  const { eventManagementId } = await listOf(person, 'M')
  const answers = await whileHeld<{ status: number; body: { code?: string } }>(
    sql`update participations set signed_off_at = ${aDay}::timestamptz where id = ${eventManagementId}`,
    [
      () => server.call(saveStudentDetails, { body: anEntry(maths) }, person),
      () => server.call(deleteStudent, { query: { studentId: String(id) } }, person),
    ],
  )
  for (const { status, body } of answers) assert.deepEqual([status, body.code], [409, 'enrolment.signed_off'])
  assert.deepEqual(valuesOf(await rowsOf(person), 'id', 'status'), [[id, true]])
})
