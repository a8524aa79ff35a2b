import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getBook, getSubject } from '@podium/contract/catalogue/calls'
import { catalogueEvent, saveFees } from '@podium/contract/catalogue/calls-events'
import type { Season } from '@podium/contract/season'
import {
  changeStudents,
  deleteStudentPost,
  getParticipationFinalSummary,
  getParticipationSummary,
  getStudentByClassAndSchool,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSchool, aTeacher, eventOf, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import {
  aMobile,
  anEnteredStudent,
  anEntry,
  aSeasonOfItsOwn,
  aTeacherInSeason,
} from '#test/students-factories'

let clock = aDay
const server = beforehand(() => testServer({ clock: () => clock }))

interface Teacher {
  token: string
}
const save = (teacher: Teacher, body: unknown) => server.send(saveStudentDetails, { body }, teacher)
const remove = (teacher: Teacher, studentId: number) =>
  server.call(deleteStudentPost, { body: { studentId } }, teacher)
const restore = (teacher: Teacher, studentId: number) =>
  server.call(restoreStudent, { body: { studentId } }, teacher)
const list = async (teacher: Teacher, season: Season = thisSeason) =>
  (await server.ask(getStudentDetails, { FYear: season }, teacher)).data
const mark = (id: number, set: { paid?: boolean; locked?: boolean }) =>
  server.deps.db.updateTable('students').set(set).where('id', '=', id).execute()

test("an empty form lists everything that is required, in the specification's words [spec 5.13]", async () => {
  const teacher = await aTeacherInSeason()
  const { status, body } = await save(teacher, {
    classId: '',
    section: '',
    rollno: '',
    studentName: ' ',
    subjectName: '',
  })
  assert.equal(status, 400)
  assert.deepEqual(body.issues, [
    { path: 'classId', message: 'Class is required.' },
    { path: 'section', message: 'Section is required.' },
    { path: 'rollno', message: 'Roll No is required.' },
    { path: 'studentName', message: 'Student Name is required.' },
    { path: 'subjectName', message: 'Subject is required.' },
  ])
})

const wrong: ReadonlyArray<[string, object, string, string]> = [
  ['a roll no below 1', { rollno: 0 }, 'rollno', 'Roll No is required.'],
  ['a roll no that is not a number', { rollno: 'seven' }, 'rollno', 'Roll No is required.'],
  ['an unknown class', { classId: 16 }, 'classId', 'Class is required.'],
  ['an invalid section', { section: 'AA' }, 'section', 'Section is A to Z, or - for none.'],
  [
    'a formula as a name',
    { studentName: '=HYPERLINK("x")' },
    'studentName',
    'A name does not begin with =, +, - or @.',
  ],
  [
    'a formula that begins with a minus, as a name',
    { studentName: "-2+3+cmd|' /C calc'!A0" },
    'studentName',
    'A name does not begin with =, +, - or @.',
  ],
  [
    'a name with a hidden change of writing direction',
    { studentName: 'Om\u202e Misaal' },
    'studentName',
    'A name is letters on one line.',
  ],
  [
    'a formula as a parent’s name',
    { parentName: '@SUM' },
    'parentName',
    'A name does not begin with =, +, - or @.',
  ],
  ['an invalid e-mail', { parentEmailId: 'om@misaal' }, 'parentEmailId', 'Enter valid E-mail.'],
  ['a mobile of nine digits', { parentMobileNo: '987654321' }, 'parentMobileNo', 'Enter valid mobile no.'],
  ['a mobile with letters', { parentMobileNo: '98765abcde' }, 'parentMobileNo', 'Enter valid mobile no.'],
  [
    'an unknown subject',
    { subjectName: 'M,Cooking' },
    'subjectName',
    'This class has no subject called Cooking.',
  ],
  [
    'a subject of other classes',
    { subjectName: 'A', cb: '' },
    'subjectName',
    'This class has no subject called A.',
  ],
  [
    'a book without its subject',
    { cb: 'English' },
    'cb',
    'Comprehensive Book: please choose the subject English first.',
  ],
  [
    'a book that is not offered for the subject',
    { subjectName: 'E', cb: '', geneX: 'E' },
    'geneX',
    'Olympiad Excellence Guide is not offered for English in this class.',
  ],
  [
    'a little stars’ book in Class 7',
    { tb: 'M' },
    'tb',
    'Text Book is not offered for Mathematics in this class.',
  ],
]
for (const [name, traits, path, message] of wrong) {
  test(`${name} is refused, and nothing is saved`, async () => {
    const teacher = await aTeacherInSeason()
    const { status, body } = await save(teacher, { ...anEntry(), ...traits })
    assert.equal(status, 400)
    assert.deepEqual(body.issues, [{ path, message }])
    assert.deepEqual(await list(teacher), [])
  })
}

test('unknown fields and an unknown season are refused', async () => {
  const teacher = await aTeacherInSeason()
  await refused('input.invalid', save(teacher, { ...anEntry(), paid: true }))
  await refused('input.invalid', save(teacher, anEntry({ FYear: '2047-48' })))
})

test('amounts sent by a client are checked: wrong ones are answered with the right ones, and nothing is saved [spec 5.15]', async () => {
  const teacher = await aTeacherInSeason()
  const body = await refused(
    'enrolment.amounts_changed',
    save(teacher, {
      ...anEntry(),
      regAmount: 1,
      bookAmount: 220,
      school_Expenses: 50,
      book_school_Expenses: 20,
    }),
  )
  const { regAmount, bookAmount, school_Expenses, book_school_Expenses } = body
  const right = { regAmount, bookAmount, school_Expenses, book_school_Expenses }
  assert.deepEqual(right, { regAmount: 350, bookAmount: 220, school_Expenses: 50, book_school_Expenses: 20 })
  assert.deepEqual(await list(teacher), [])
  assert.equal((await save(teacher, { ...anEntry(), ...right })).status, 200)
})

test('a changed price applies at once, although the catalogue is cached', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const event = await eventOf('M', season)
  const entry = () => anEntry({ FYear: season, subjectName: 'M', cb: '' })
  const first = await anEnteredStudent(server, teacher, entry())
  assert.equal(first.regAmount, 175)
  await changeRows('event_fees', { event_id: event.id }, { fee: 20_000 })
  await refused('enrolment.amounts_changed', save(teacher, { ...entry(), regAmount: 175 }))
  assert.equal((await anEnteredStudent(server, teacher, { ...entry(), regAmount: 200 })).regAmount, 200)
  const rule = JSON.stringify({ kind: 'percent', percent: 10 })
  await changeRows('seasons', { label: season }, { share_rule: rule })
  assert.equal((await anEnteredStudent(server, teacher, entry())).school_Expenses, 20)
  const [before] = (await list(teacher, season)).filter((row) => row.id === first.id)
  assert.equal(before?.regAmount, 175, 'saved entries keep their price')
})

test('a roll no taken in the same class and section is refused, naming the student who has it', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { rollno: 7, studentName: 'Om Misaal' })
  const { status, body } = await save(teacher, anEntry({ rollno: 7 }))
  assert.equal(status, 409)
  assert.equal(body.message, 'Roll no 7 in Class 7 A is taken by Om Misaal.')
  assert.deepEqual(body.issues, [
    { path: 'rollno', message: 'Roll no 7 in Class 7 A is taken by Om Misaal.' },
  ])
  const other = await anEnteredStudent(server, teacher, { rollno: 8 })
  assert.equal((await save(teacher, anEntry({ id: other.id, version: 1, rollno: 7 }))).status, 409)
  assert.equal((await list(teacher)).length, 2)
  await anEnteredStudent(server, teacher, { rollno: 7, section: 'B' })
  await anEnteredStudent(server, await aTeacherInSeason(), { rollno: 7 })
})

test('a likely duplicate is saved and pointed out', async () => {
  const teacher = await aTeacherInSeason()
  const first = await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Farhan Kalpanik' })
  const { status, body } = await save(teacher, anEntry({ rollno: 2, studentName: 'FARHAN  KALPANIK.' }))
  assert.equal(status, 200)
  assert.deepEqual(body.likely, [
    { id: first.id, studentName: 'Farhan Kalpanik', className: 'Class 7', section: 'A', rollNo: 1 },
  ])
  const elsewhere = await save(teacher, anEntry({ classId: 8, studentName: 'Farhan Kalpanik' }))
  assert.deepEqual(elsewhere.body.likely, [])
})

test('a student who is paid, or whose payment is being verified, cannot be changed, deleted or restored [spec 2.9.4 4.10]', async () => {
  const teacher = await aTeacherInSeason()
  for (const [set, reason] of [
    [{ paid: true }, 'enrolment.paid'],
    [{ locked: true }, 'enrolment.locked'],
  ] as const) {
    const student = await anEnteredStudent(server, teacher)
    await mark(student.id, set)
    await refused(reason, save(teacher, anEntry({ id: student.id, version: 1 })))
    await refused(reason, remove(teacher, student.id))
    const [row] = (await list(teacher)).filter(({ id }) => id === student.id)
    assert.deepEqual(row?.can, { edit: reason, delete: reason, restore: 'enrolment.not_deleted' })
    assert.equal(row?.version, 1)
    await changeRows('students', { id: student.id }, { active: false })
    await refused(reason, restore(teacher, student.id))
  }
})

test('an event is open until the end of its last day in India, and its entries cannot change afterwards', async () => {
  const teacher = await aTeacher({ now: new Date('2026-11-30T18:00:00Z') })
  const season = await aSeasonOfItsOwn()
  const event = await eventOf('M', season)
  await changeRows('events', { id: event.id }, { closes_on: '2026-11-30' })
  const entry = () => anEntry({ FYear: season, subjectName: 'M', cb: '' })
  try {
    clock = new Date('2026-11-30T18:29:59Z')
    const student = await anEnteredStudent(server, teacher, entry())
    const deleted = await anEnteredStudent(server, teacher, entry())
    assert.equal((await remove(teacher, deleted.id)).status, 200)
    clock = new Date('2026-11-30T18:30:00Z')
    const late = await refused('enrolment.closed', save(teacher, entry()))
    assert.equal(late.message, 'Enrolment for Mathematics closed on 30-Nov-2026.')
    await refused('enrolment.closed', save(teacher, { ...entry(), id: student.id, version: 1 }))
    // Not even for another event: the entry in the closed one would change.
    const moved = anEntry({ FYear: season, subjectName: 'S', cb: '', id: student.id, version: 1 })
    await refused('enrolment.closed', save(teacher, moved))
    await refused('enrolment.closed', remove(teacher, student.id))
    await refused('enrolment.closed', restore(teacher, deleted.id))
    const rows = await list(teacher, season)
    assert.deepEqual(rows.map((row) => [row.status, row.version, row.can.edit]).sort(), [
      [false, 2, 'enrolment.deleted'],
      [true, 1, 'enrolment.closed'],
    ])
    const body = await server.ask(getSubject, { FYear: season, classId: '7' }, teacher)
    assert.deepEqual(
      valuesOf(
        body.data.filter((subject) => subject.closed),
        'eventLetter',
      ),
      ['M'],
    )
  } finally {
    clock = aDay
  }
})

test('a season that is not open accepts no entries and no changes', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const student = await anEnteredStudent(server, teacher, { FYear: season })
  await changeRows('seasons', { label: season }, { state: 'closed' })
  const entry = anEntry({ FYear: season })
  await refused('enrolment.season_closed', save(teacher, entry))
  await refused('enrolment.season_closed', save(teacher, { ...entry, id: student.id, version: 1 }))
  await refused('enrolment.season_closed', remove(teacher, student.id))
  assert.equal((await list(teacher, season)).length, 1)
})

test('a student of another season is not found in this one', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const student = await anEnteredStudent(server, teacher, { FYear: season })
  await refused('not_found', save(teacher, anEntry({ id: student.id, version: 1 })))
  assert.deepEqual((await list(teacher, season))[0], student)
})

test('a change with an outdated version, or without one, is refused', async () => {
  const teacher = await aTeacherInSeason()
  const { id } = await anEnteredStudent(server, teacher)
  assert.equal((await save(teacher, anEntry({ id, version: 1, studentName: 'Manan' }))).status, 200)
  await refused('changed_meanwhile', save(teacher, anEntry({ id, version: 1 })))
  await refused('input.invalid', save(teacher, anEntry({ id })))
  await server.refuses('changed_meanwhile', deleteStudentPost, { studentId: id, version: 1 }, teacher)
  assert.equal((await list(teacher))[0]?.studentName, 'Manan')
})

test('a deleted student cannot be changed', async () => {
  const teacher = await aTeacherInSeason()
  const { id } = await anEnteredStudent(server, teacher)
  await remove(teacher, id)
  await refused('enrolment.deleted', save(teacher, anEntry({ id, version: 2 })))
  assert.equal((await list(teacher))[0]?.version, 2)
})

/** Makes calls that all start before the first one continues. */
const callAtOnce = <T>(studentId: number, calls: ReadonlyArray<() => Promise<T>>) =>
  whileHeld(sql`select from students where id = ${studentId} for update`, calls)

const winners = (answers: ReadonlyArray<{ status: number }>) =>
  answers.filter(({ status }) => status === 200).length

test('of simultaneous entries with one roll no, exactly one succeeds and the others name the student who has it', async () => {
  const teacher = await aTeacherInSeason()
  const answers = await Promise.all(Array.from({ length: 6 }, () => save(teacher, anEntry({ rollno: 44 }))))
  assert.equal(winners(answers), 1)
  for (const answer of answers) if (answer.status !== 200) await refused('enrolment.duplicate', answer)
  const rows = await list(teacher)
  assert.equal(rows.length, 1)
  const links = await findRows('family_links', { school_id: teacher.schoolId }, ['id'])
  assert.equal(links.length, 1, 'refused entries leave nothing behind')
})

test('of simultaneous changes of one version, exactly one succeeds', async () => {
  const teacher = await aTeacherInSeason()
  const { id } = await anEnteredStudent(server, teacher)
  const edits = Array.from(
    { length: 6 },
    (_, i) => () => save(teacher, anEntry({ id, version: 1, studentName: `Joel ${'ABCDEF'[i]}` })),
  )
  const answers = await callAtOnce(id, edits)
  assert.equal(winners(answers), 1)
  for (const answer of answers) if (answer.status !== 200) await refused('changed_meanwhile', answer)
  const trail = await auditLines(['action'], { subject_kind: 'student', subject_id: id })
  assert.equal(trail.length, 2)
})

test('of simultaneous changes that give a family another mobile, one succeeds, and no link is left behind', async () => {
  const teacher = await aTeacherInSeason()
  const { id } = await anEnteredStudent(server, teacher)
  const edits = [aMobile(), aMobile(), aMobile()].map(
    (parentMobileNo) => () => save(teacher, anEntry({ id, version: 1, parentMobileNo })),
  )
  const bulk = { id, version: 1, section: 'B' }
  const section = () =>
    server.send(changeStudents, { body: { FYear: thisSeason, students: [bulk] } }, teacher)
  const [first, ...others] = await callAtOnce<{ status: number; body: object }>(id, [...edits, section])
  assert.equal(first?.status, 200)
  assert.equal({ changed: 1, ...others.pop()?.body }.changed, 0)
  for (const answer of others) await refused('changed_meanwhile', answer)
  const links = await findRows('family_links', { school_id: teacher.schoolId }, ['id'])
  assert.equal(links.length, 2, 'of the entry and of the one change')
})

test('after a simultaneous change and deletion, list and entries agree with the one that came first', async () => {
  const teacher = await aTeacherInSeason()
  for (let round = 0; round < 5; round++) {
    const { id } = await anEnteredStudent(server, teacher)
    const change = anEntry({ id, version: 1, subjectName: 'E', cb: '' })
    const gone = { studentId: id, version: 1 }
    const calls = [() => save(teacher, change), () => server.send(deleteStudentPost, { body: gone }, teacher)]
    const answers = await callAtOnce(id, round % 2 ? calls : calls.toReversed())
    assert.equal(winners(answers), 1)
    const [row] = (await list(teacher)).filter((item) => item.id === id)
    const edited = row?.status === true
    assert.deepEqual([row?.status, row?.eventLetter], edited ? [true, 'E'] : [false, 'M,S'])
    const lines = await findRows('enrolments', { student_id: id }, ['event_id'])
    assert.equal(lines.length, edited ? 1 : 2)
  }
})

test('subjects and books are those of the class and season, or of the current season if none is named [spec 4.11 7.36 7.37]', async () => {
  const teacher = await aTeacherInSeason()
  const subjects = await server.ask(getSubject, { FYear: thisSeason, classId: '7' }, teacher)
  assert.equal(subjects.data.length, 10)
  const [math] = subjects.data
  assert.deepEqual(
    [
      math?.subjectName,
      math?.eventLetter,
      math?.eventFee,
      math?.retainFee,
      math?.closesOn,
      math?.closed,
      math?.examMode,
    ],
    ['Mathematics', 'M', 175, 25, '2026-11-30', false, 'Offline'],
  )
  const books = await server.ask(getBook, { classId: '14' }, teacher)
  assert.deepEqual(books.data.at(-1), {
    subjectName: 'Little Star: Stories',
    eventLetter: 'J',
    cb: null,
    pyqp: null,
    geneX: null,
    tb: 140,
    wb: null,
    retainFee: 20,
    retainFees: { cb: null, pyqp: null, geneX: null, tb: 20, wb: null },
  })
  const draft = await aSeasonOfItsOwn('preparing')
  const hidden = await server.ask(getSubject, { FYear: draft, classId: '7' }, teacher)
  assert.deepEqual(hidden.data, [], 'a season in preparation is not shown')
  const none = await server.send(getSubject, { query: { FYear: thisSeason, classId: '99' } }, teacher)
  assert.deepEqual(none.body.issues, [{ path: 'classId', message: 'Class is required.' }])
})

test('the participation summaries count active students by subject and class [spec 2.10.1 7.40-42]', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { classId: 8, parentMobileNo: '9876500099', studentName: 'Joel' })
  await anEnteredStudent(server, teacher, { classId: 7 })
  await anEnteredStudent(server, teacher, { classId: 7, subjectName: 'M', cb: '' })
  const gone = await anEnteredStudent(server, teacher)
  await remove(teacher, gone.id)
  const school = String(teacher.schoolId)
  const body = await server.ask(getParticipationSummary, { FYear: thisSeason, schId: school }, teacher)
  assert.deepEqual(body.data, [
    {
      subjectName: 'Mathematics',
      eventLetter: 'M',
      totalStudent: 3,
      details: [
        { classCode: '7', classId: 7, totalStudent: 2 },
        { classCode: '8', classId: 8, totalStudent: 1 },
      ],
    },
    {
      subjectName: 'Science',
      eventLetter: 'S',
      totalStudent: 2,
      details: [
        { classCode: '7', classId: 7, totalStudent: 1 },
        { classCode: '8', classId: 8, totalStudent: 1 },
      ],
    },
  ])
  const final = await server.ask(getParticipationFinalSummary, { FYear: thisSeason }, teacher)
  assert.deepEqual(final.data[1]?.details, [
    { classCode: '7', classId: 7, studentCount: 1 },
    { classCode: '8', classId: 8, studentCount: 1 },
  ])
  const ask = { FYear: thisSeason, eventLetter: 'S', classCode: '8', subjectName: 'Science' }
  const behind = await server.ask(getStudentByClassAndSchool, ask, teacher)
  assert.deepEqual(behind.data, [{ studentName: 'Joel', section: 'A', mobileNo: '9876500099', email: '' }])
  const other = await aSchool()
  for (const schId of [other.code, String(other.id)]) {
    const query = { FYear: thisSeason, schId }
    await server.refuses('access.other_school', getParticipationSummary, query, teacher)
  }
})

test('a deleted student is not restored to a class to which a subject is no longer offered', async () => {
  const FYear = await aSeasonOfItsOwn()
  const teacher = await aTeacher()
  const { id } = await anEnteredStudent(server, teacher, { FYear, subjectName: 'Mathematics', cb: '' })
  await remove(teacher, id)
  const { id: eventYearId } = await eventOf('M', FYear)
  const operations = await anOfficer('operations')
  const offer = async (keeps: (classId: number) => boolean) => {
    const { event, fees } = await server.ask(catalogueEvent, { eventYearId: String(eventYearId) }, operations)
    const classes = fees
      .map(({ className: _, students: __, ...row }) => row)
      .filter(({ classId }) => keeps(classId))
    await server.ask(saveFees, { eventYearId, version: event.version, classes }, operations)
  }
  await offer((classId) => classId !== 7)
  await refused('enrolment.not_offered', restore(teacher, id))
})
