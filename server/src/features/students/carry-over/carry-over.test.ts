import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BodyOf } from '@podium/contract/endpoint'
import { parseSeason, type Season, seasonOfYear } from '@podium/contract/season'
import { getStudentDetails, restoreStudent } from '@podium/contract/students/calls'
import {
  type CarryOptionsInput,
  carryOverOffer,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import { importStatus, undoImport } from '@podium/contract/students/calls-import'
import { aDay, aTeacher, eventOf, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aNextLevelRound, anEvent, candidates, releaseRows } from '#test/results-factories'
import { addRow, addRows, changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import {
  anEnteredStudent,
  aSeasonOfItsOwn,
  aTeacherInSeason,
  lastSeason,
  lastYear,
} from '#test/students-factories'
import { insertSeason } from '../../../../seed/catalogue.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))

interface Teacher {
  token: string
  schoolId: number
}
type Confirmation = BodyOf<typeof confirmCarryOver>

/** What the page would confirm: the preselected students without issues, or these. */
async function confirmation(
  teacher: Teacher,
  {
    season = thisSeason,
    options = {},
    only,
  }: { season?: Season; options?: CarryOptionsInput; only?: number[] } = {},
): Promise<Confirmation> {
  const body = await server.ask(previewCarryOver, { FYear: season, options }, teacher)
  const chosen = body.rows.filter((row) =>
    only ? only.includes(row.studentId) : row.proposed && row.issues.length === 0,
  )
  const sum = (of: 'regAmount' | 'bookAmount') => chosen.reduce((total, row) => total + row[of], 0)
  return {
    FYear: season,
    options,
    digest: body.digest,
    take: chosen.map((row) => row.studentId),
    regAmount: sum('regAmount'),
    bookAmount: sum('bookAmount'),
  }
}

const confirm = (teacher: Teacher, body: Confirmation) => server.call(confirmCarryOver, { body }, teacher)

async function carried(teacher: Teacher, body: Confirmation) {
  const answer = await confirm(teacher, body)
  assert.equal(answer.status, 200, answer.body.message)
  await server.jobs.drain()
  const { importId } = answer.body
  return await server.ask(importStatus, { importId }, teacher)
}

const list = async (teacher: Teacher, season: Season = thisSeason) =>
  (await server.ask(getStudentDetails, { FYear: season }, teacher)).data

const twoSiblings = [
  { name: 'Ira Misaal', rollNo: 1, mobile: '9876500001', cb: 'Mathematics' },
  { name: 'Jai Misaal', classId: 4, rollNo: 2, mobile: '9876500001' },
]

test('confirmed students from last season are entered as by an import, siblings in one family', async () => {
  const teacher = await aTeacherInSeason()
  const [ira] = await lastYear(teacher, [...twoSiblings, { name: 'Mira', classId: 12 }])
  const done = await carried(teacher, await confirmation(teacher))
  assert.deepEqual(
    [done.state, done.source, done.fileName, done.imported, done.refused, done.undoable],
    ['done', 'carry-over', '2025-26', 2, [], 2],
  )
  const rows = await list(teacher)
  assert.deepEqual(valuesOf(rows, 'className', 'rollNo', 'studentName', 'eventLetter', 'cb', 'regAmount'), [
    ['Class 5', 2, 'Jai Misaal', 'M,S', '', 350],
    ['Class 7', 1, 'Ira Misaal', 'M,S', 'Mathematics', 350],
  ])
  const ids = rows.map((row) => row.id)
  const kept = await findRows('students', { id: ids })
  assert.equal(new Set(valuesOf(kept, 'family_link_id')).size, 1)
  assert.ok(kept.some((row) => row.carried_from === ira))
  const trail = await auditLines(['action'], { action: 'student.imported', subject_id: ids })
  assert.equal(trail.length, 2)
})

test('a student whose data was erased does not come back in the next season', async () => {
  const teacher = await aTeacherInSeason()
  const [ira] = await lastYear(teacher, twoSiblings)
  const erased = { name: 'Erased', name_key: '', parent_mobile: '', erased_at: aDay }
  await changeRows('students', { id: ira ?? 0 }, erased)
  const { rows } = await server.ask(previewCarryOver, { FYear: thisSeason, options: {} }, teacher)
  assert.deepEqual(valuesOf(rows, 'studentName'), ['Jai Misaal'])
  const { students, left } = await server.ask(carryOverOffer, { FYear: thisSeason }, teacher)
  assert.deepEqual([students, left], [1, 1])
})

test('a list that is confirmed several times is carried over once', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  const answers = await Promise.all([1, 2, 3].map(() => confirm(teacher, body)))
  assert.deepEqual(valuesOf(answers, 'status'), [200, 200, 200])
  assert.equal(new Set(answers.map((answer) => answer.body.importId)).size, 1)
  const done = await carried(teacher, body)
  assert.deepEqual([done.state, done.imported], ['done', 2])
  assert.equal((await list(teacher)).length, 2)
})

test('two people who confirm different lists at once enter no student twice', async () => {
  const teacher = await aTeacherInSeason()
  const [ira = 0] = await lastYear(teacher, twoSiblings)
  const both = await confirmation(teacher)
  const options = { rows: [{ studentId: ira, rollno: 77 }] }
  const one = await confirmation(teacher, { options, only: [ira] })
  await Promise.all([confirm(teacher, both), confirm(teacher, one)])
  await server.jobs.drain()
  const names = (await list(teacher)).map((row) => row.studentName)
  assert.equal(new Set(names).size, names.length)
})

test('a student who has been carried over meanwhile is refused by name, whatever the roll no', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  const { importId } = await carried(teacher, body)
  const { db } = server.deps
  await changeRows('students', { import_id: importId }, { section: 'Z' })
  // As if the job of another, earlier list reached the same students now.
  const again = await db
    .updateTable('student_imports')
    .set({ done: 0, imported: 0 })
    .where('id', '=', importId)
    .returning('job_id')
    .executeTakeFirstOrThrow()
  await changeRows('jobs', { id: again.job_id }, { state: 'failed' })
  const done = await carried(teacher, body)
  assert.deepEqual(
    [done.imported, valuesOf(done.refused, 'studentName', 'message')],
    [
      0,
      ['Jai Misaal', 'Ira Misaal'].map((name) => [
        name,
        'Someone else has already brought this student over.',
      ]),
    ],
  )
  assert.equal((await list(teacher)).length, 2)
})

test('amounts that have changed since the preview are shown anew, and nothing is saved', async () => {
  const teacher = await aTeacherInSeason()
  const last = await aSeasonOfItsOwn()
  const season = await aSeasonOfItsOwn()
  await lastYear(teacher, twoSiblings, last)
  const body = await confirmation(teacher, { season })
  const { id } = await eventOf('S', season)
  await changeRows('event_fees', { event_id: id }, { fee: 20_000 })
  const changed = await refused('enrolment.amounts_changed', confirm(teacher, body))
  assert.equal(changed.regAmount, 750)
  await server.jobs.drain()
  assert.deepEqual(await list(teacher, season), [])
})

test('a list that has changed since the preview is refused', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Om Misaal' })
  await refused('changed_meanwhile', confirm(teacher, body))
})

test('a season that has closed since the preview is refused', async () => {
  const teacher = await aTeacherInSeason()
  const last = await aSeasonOfItsOwn()
  const season = await aSeasonOfItsOwn()
  await lastYear(teacher, twoSiblings, last)
  const body = await confirmation(teacher, { season })
  await changeRows('seasons', { label: season }, { state: 'closed' })
  await refused('enrolment.season_closed', confirm(teacher, body))
})

test('students who leave, lack a subject, have a taken roll no or belong to another school cannot be carried over', async () => {
  const teacher = await aTeacherInSeason()
  const stranger = await aTeacherInSeason()
  const [mira = 0, kavya = 0, ira = 0] = await lastYear(teacher, [
    { name: 'Mira', classId: 12 },
    { name: 'Kavya', classId: 14, letters: 'A', subjects: 'Little Star: First English' },
    { name: 'Ira', rollNo: 1 },
  ])
  const [foreign = 0] = await lastYear(stranger, [{ name: 'Somebody' }])
  await anEnteredStudent(server, teacher, { rollno: 5, studentName: 'Om Misaal' })
  const options = { rows: [{ studentId: ira, rollno: 5 }] }
  const body = await confirmation(teacher, { options })
  assert.deepEqual(body.take, [])
  await refused('enrolment.import_empty', confirm(teacher, body))
  const { issues = [] } = await refused(
    'input.invalid',
    confirm(teacher, { ...body, take: [mira, kavya, ira, foreign] }),
  )
  const notOffered = 'This student is not one of those who can be entered.'
  assert.deepEqual(
    new Map(valuesOf(issues, 'path', 'message')),
    new Map([
      [`take.${kavya}`, 'Subject is required.'],
      [`take.${ira}`, 'Roll no 5 in Class 7 A is taken by Om Misaal.'],
      [`take.${mira}`, notOffered],
      [`take.${foreign}`, notOffered],
    ]),
  )
})

test('a deleted student is not proposed again, and cannot be restored beside a second copy', async () => {
  const teacher = await aTeacherInSeason()
  const [ira = 0] = await lastYear(teacher, twoSiblings.slice(0, 1))
  await carried(teacher, await confirmation(teacher))
  const [first] = await list(teacher)
  assert.ok(first)
  await changeRows('students', { id: first.id }, { active: false })
  assert.deepEqual((await confirmation(teacher)).take, [])
  const again = await carried(teacher, await confirmation(teacher, { only: [ira] }))
  assert.equal(again.imported, 1)
  await changeRows('students', { id: first.id }, { roll_no: 9 })
  const refused = await server.refuses(
    'enrolment.duplicate',
    restoreStudent,
    { studentId: first.id },
    teacher,
  )
  assert.equal(refused.message, 'Ira Misaal was brought over again and is in the list.')
})

test('after the undo, the same list can be carried over again', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  const { importId } = await carried(teacher, body)
  const undone = await server.ask(undoImport, { importId }, teacher)
  assert.deepEqual([undone.removed, undone.stayed], [2, []])
  assert.deepEqual(await list(teacher), [])
  const again = await carried(teacher, body)
  assert.deepEqual([again.state, again.imported, again.undone], ['done', 2, false])
})

test('a mobile typed in by a family joins no other family: the link follows the mobile that the school entered', async () => {
  const teacher = await aTeacherInSeason()
  const { db } = server.deps
  const [mine, theirs] = ['9876500071', '9876500072']
  const [child, sister, stranger] = await lastYear(teacher, [
    { name: 'Ira Misaal', mobile: theirs },
    { name: 'Jai Misaal', mobile: mine },
    { name: 'Om Kalpanik', mobile: theirs },
  ])
  for (const [id, mobile, ids] of [
    ['a', mine, [child, sister]],
    ['b', theirs, [stranger]],
  ] as const) {
    const link = { id: `${id}-${teacher.schoolId}`, school_id: teacher.schoolId, season: lastSeason }
    const codes = { access_code_hash: '', access_code_sealed: '', created_at: aDay }
    await addRow('family_links', { ...link, parent_mobile: mobile, ...codes })
    const own = ids.filter((id) => id !== undefined)
    await changeRows('students', { id: own }, { family_link_id: link.id })
  }
  await carried(teacher, await confirmation(teacher))
  const rows = await db
    .selectFrom('students as st')
    .innerJoin('family_links as l', 'l.id', 'st.family_link_id')
    .select(['st.carried_from', 'st.parent_mobile', 'l.parent_mobile as link'])
    .where('st.school_id', '=', teacher.schoolId)
    .where('st.season', '=', thisSeason)
    .orderBy('st.carried_from')
    .execute()
  assert.deepEqual(valuesOf(rows, 'carried_from', 'parent_mobile', 'link'), [
    [child, theirs, mine],
    [sister, mine, mine],
    [stranger, theirs, theirs],
  ])
})

test('students carried over with a placeholder mobile get a link each', async () => {
  const teacher = await aTeacherInSeason()
  const mobile = '9999999999'
  await lastYear(teacher, [
    { name: 'Ira Misaal', mobile },
    { name: 'Om Kalpanik', mobile },
  ])
  await carried(teacher, await confirmation(teacher))
  const rows = await findRows('students', { school_id: teacher.schoolId, season: thisSeason }, [
    'family_link_id',
    'parent_mobile',
  ])
  assert.deepEqual(valuesOf(rows, 'parent_mobile'), [mobile, mobile])
  assert.equal(new Set(valuesOf(rows, 'family_link_id')).size, 2)
})

test('a link whose mobile no student of the season has any more is not reused for students carried over', async () => {
  const teacher = await aTeacherInSeason()
  const [id, mobile] = [`left-${teacher.schoolId}`, '9876500081']
  const link = { id, school_id: teacher.schoolId, season: thisSeason, parent_mobile: mobile }
  const codes = { access_code_hash: '', access_code_sealed: '', created_at: aDay }
  await addRow('family_links', { ...link, ...codes })
  await lastYear(teacher, [
    { name: 'Ira Misaal', mobile },
    { name: 'Jai Misaal', mobile },
  ])
  await carried(teacher, await confirmation(teacher))
  const rows = await findRows('students', { school_id: teacher.schoolId, season: thisSeason }, [
    'family_link_id',
  ])
  const links = new Set(rows.map((row) => row.family_link_id))
  assert.deepEqual([rows.length, links.size, links.has(id)], [2, 1, false])
})

async function preview(teacher: Teacher, options: CarryOptionsInput = {}, season: Season = thisSeason) {
  const body = await server.ask(previewCarryOver, { FYear: season, options }, teacher)
  const row = (name: string) => {
    const found = body.rows.find((row) => row.studentName === name)
    assert.ok(found, name)
    return found
  }
  return { ...body, row }
}

test("students move up a class with their subjects and books, at this season's prices; Class 12 leaves", async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, [
    { name: 'Ira', classId: 15, letters: 'A', subjects: 'Little Star: First English' },
    { name: 'Jai', classId: 13, letters: 'A', subjects: 'Little Star: First English' },
    { name: 'Kavya', classId: 14, letters: 'A', subjects: 'Little Star: First English' },
    { name: 'Lalit', classId: 6, section: 'B', rollNo: 4, cb: 'Mathematics', mobile: '9876543210' },
    { name: 'Mira', classId: 12 },
  ])
  const { rows, row, totals, fromSeason } = await preview(teacher)
  assert.equal(fromSeason, '2025-26')
  assert.deepEqual(valuesOf(rows, 'studentName', 'state', 'classId', 'subjectName'), [
    ['Ira', 'new', 13, 'Little Star: First English'],
    ['Jai', 'new', 14, 'Little Star: First English'],
    ['Kavya', 'new', 1, ''],
    ['Lalit', 'new', 7, 'Mathematics,Science'],
    ['Mira', 'leaves', 0, ''],
  ])
  const lalit = row('Lalit')
  assert.deepEqual(
    [lalit.section, lalit.rollNo, lalit.eventLetter, lalit.regAmount, lalit.bookCount, lalit.bookAmount],
    ['B', 4, 'M,S', 350, 1, 220],
  )
  assert.deepEqual(row('Kavya').warnings, [{ kind: 'choose', with: 'Little Star: First English' }])
  assert.deepEqual(row('Kavya').issues, [{ path: 'subjectName', message: 'Subject is required.' }])
  assert.deepEqual(totals, {
    enter: 3,
    look: 1,
    there: 0,
    leaves: 1,
    regAmount: 650,
    bookAmount: 220,
    school_Expenses: lalit.school_Expenses + 2 * row('Ira').school_Expenses,
    book_school_Expenses: 20,
  })
  const body = await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)
  assert.deepEqual(body.data, [], 'a preview saves nothing')
})

test('a taken roll no is replaced by the next free one, and the change is pointed out', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { rollno: 4, studentName: 'Om Misaal' })
  const [first = 0, second = 0] = await lastYear(teacher, [
    { name: 'Ira', rollNo: 4 },
    { name: 'Jai', rollNo: 9 },
    { name: 'Kavya', section: 'B', rollNo: 9 },
  ])
  const plain = await preview(teacher)
  assert.deepEqual(
    [plain.row('Ira').rollNo, plain.row('Ira').warnings],
    [10, [{ kind: 'roll', with: 'Om Misaal' }]],
  )
  assert.deepEqual([plain.row('Jai').rollNo, plain.row('Kavya').rollNo], [9, 9])

  const merged = await preview(teacher, { sections: [{ classId: 7, from: 'B', to: 'A' }] })
  assert.deepEqual([merged.row('Kavya').section, merged.row('Kavya').rollNo], ['A', 11])

  const typed = await preview(teacher, {
    rows: [
      { studentId: first, rollno: 9 },
      { studentId: second, rollno: 4 },
    ],
  })
  assert.deepEqual(typed.row('Ira').issues, [])
  assert.deepEqual(typed.row('Jai').issues, [
    { path: 'rollno', message: 'Roll no 4 in Class 7 A is taken by Om Misaal.' },
  ])
})

test('a student already entered is skipped and a likely duplicate not proposed; both are shown with their match', async () => {
  const teacher = await aTeacherInSeason()
  const enter = (studentName: string, parentMobileNo: string) =>
    anEnteredStudent(server, teacher, { studentName, parentMobileNo })
  const there = await enter('Ira  Misaal', '9876500001')
  await enter('Jai', '')
  await enter('Kavyaa', '9876500003')
  await lastYear(teacher, [
    { name: 'Ira Misaal', mobile: '9876500001' },
    { name: 'Jai', mobile: '9876500002' },
    { name: 'Kavya', mobile: '9876500003' },
    { name: 'Her Brother', classId: 3, mobile: '9876500003' },
    { name: 'Gone', active: false },
    { name: 'Back', active: false },
    { name: 'Back' },
  ])
  const { rows, row, totals } = await preview(teacher)
  assert.equal(row('Ira Misaal').state, 'there')
  assert.equal(row('Ira Misaal').other?.id, there.id)
  const looked = (name: string) => [
    row(name).proposed,
    row(name).warnings[0]?.kind,
    row(name).warnings[0]?.with,
  ]
  assert.deepEqual(looked('Jai'), [false, 'likely', 'Jai'])
  assert.deepEqual(looked('Kavya'), [false, 'likely', 'Kavyaa'])
  assert.deepEqual(looked('Her Brother'), [true, undefined, undefined])
  assert.deepEqual(looked('Gone'), [false, 'deleted', ''])
  assert.equal(rows.filter((row) => row.studentName === 'Back').length, 1, 'deleted and entered again')
  assert.deepEqual([totals.enter, totals.there, totals.look], [2, 1, 3])
})

test('subjects not offered or already closed are left out and named; an invalid mobile is left out too', async () => {
  const teacher = await aTeacherInSeason()
  const last = await aSeasonOfItsOwn()
  const season = await aSeasonOfItsOwn()
  const science = await eventOf('S', season)
  const { db } = server.deps
  await changeRows('events', { id: science.id }, { closes_on: '2026-11-20' })
  const english = await eventOf('E', season)
  await db.deleteFrom('event_fees').where('event_id', '=', english.id).where('class_id', '=', 7).execute()
  await lastYear(
    teacher,
    [{ name: 'Ira', letters: 'M,S,E', subjects: 'Mathematics,Science,English', mobile: '12345' }],
    last,
  )
  const { row, offers } = await preview(teacher, {}, season)
  assert.deepEqual(row('Ira').warnings, [
    { kind: 'subjects', with: 'English' },
    { kind: 'closed', with: 'Science' },
    { kind: 'parent', with: '' },
  ])
  assert.deepEqual([row('Ira').eventLetter, row('Ira').issues], ['M', []])
  const letters = offers[0]?.subjects.map((subject) => subject.eventLetter) ?? []
  assert.ok(letters.includes('M') && !letters.includes('S') && !letters.includes('E'))
})

test('books can be left out, and subjects chosen for a class or for a student', async () => {
  const teacher = await aTeacherInSeason()
  const [ira = 0] = await lastYear(teacher, [
    { name: 'Ira', cb: 'Mathematics' },
    { name: 'Kavya', classId: 14, letters: 'A', subjects: 'Little Star: First English' },
  ])
  const { row } = await preview(teacher, {
    books: 'none',
    choose: [{ classId: 1, subjectName: ['M', 'English'] }],
    rows: [{ studentId: ira, section: 'c', subjectName: ['Science'] }],
  })
  const ofIra = row('Ira')
  assert.deepEqual([ofIra.section, ofIra.eventLetter, ofIra.bookCount], ['C', 'S', 0])
  assert.deepEqual([row('Kavya').eventLetter, row('Kavya').issues], ['M,E', []])
  const foreign = await preview(teacher, { rows: [{ studentId: ira, subjectName: ['A'] }] })
  assert.equal(foreign.row('Ira').issues[0]?.message, 'This class has no subject called A.')
})

test('a student is marked as invited to the second level once the school was told, not when eligible', async () => {
  const event = await anEvent()
  const next = seasonOfYear(Number(event.season.slice(0, 4)) + 1)
  await server.deps.db.transaction().execute((tx) => insertSeason(tx, next, aDay))
  const teacher = await aTeacher()
  const names = ['Ira', 'Jai'].map((name) => ({ name, schoolId: teacher.schoolId }))
  const [first, second] = await candidates(event, names)
  const marks = (roll: string | undefined, of: number[]) => ({ roll: roll ?? '', attendance: 'P', marks: of })
  const rows = [marks(first?.roll, [10, 40, 40]), marks(second?.roll, [1, 5, 5])]
  const { setId } = await releaseRows(server, event, rows)
  const season = parseSeason(next)
  assert.ok(season)
  const marked = async () => {
    const { row } = await preview(teacher, {}, season)
    return [row('Ira').level2, row('Jai').level2]
  }
  assert.deepEqual(await marked(), ['', ''], 'eligible, but no one is invited yet')
  await aNextLevelRound(event, setId)
  const invitation = (student: typeof first, what: string) => ({
    event_id: event.id,
    student_id: student?.id ?? 0,
    school_id: teacher.schoolId,
    class_id: 7,
    found_by: '',
    wanted: true,
    decided_at: aDay,
    notice: what,
  })
  await addRows('next_level_invitations', [invitation(first, ''), invitation(second, 'invited')])
  assert.deepEqual(await marked(), ['', 'Mathematics'], 'invited, and the school was told')
  await changeRows(
    'next_level_invitations',
    { event_id: event.id, notice: 'invited' },
    { notice: 'withdrawn' },
  )
  assert.deepEqual(await marked(), ['', ''], 'withdrawn')
})

test('the carry-over is offered while the season is open and most students are not yet entered', async () => {
  const teacher = await aTeacherInSeason()
  const offer = () => server.ask(carryOverOffer, { FYear: thisSeason }, teacher)
  assert.deepEqual([(await offer()).offered, (await offer()).students], [false, 0], 'no students last season')
  await lastYear(teacher, [
    { name: 'Ira', mobile: '9876500001' },
    { name: 'Jai' },
    { name: 'Mira', classId: 12 },
  ])
  assert.deepEqual([(await offer()).offered, (await offer()).students, (await offer()).left], [true, 2, 2])
  await anEnteredStudent(server, teacher, { studentName: 'Ira', parentMobileNo: '9876500001' })
  assert.equal((await offer()).left, 1)
  const open = await offer()
  assert.equal(open.offered, true)
  // Entries of every subject have closed.
  const events = await findRows('events', { season: thisSeason }, ['id', 'closes_on'])
  await changeRows('events', { season: thisSeason }, { closes_on: '2026-11-20' })
  assert.deepEqual(await offer(), { ...open, offered: false })
  for (const { id, closes_on } of events) await changeRows('events', { id }, { closes_on })
  assert.deepEqual(await offer(), open)
})

test('a season that is not open has no preview', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn('closed')
  await server.refuses('enrolment.season_closed', previewCarryOver, { FYear: season }, teacher)
  // Nor has one that the office has not opened yet, or whose entries have closed for every subject.
  await server.refuses('enrolment.season_closed', previewCarryOver, { FYear: '2080-81' }, teacher)
  const over = await aSeasonOfItsOwn()
  await changeRows('events', { season: over }, { closes_on: '2026-11-20' })
  await server.refuses('enrolment.season_closed', previewCarryOver, { FYear: over }, teacher)
})
