import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parseSeason, type Season, seasonOfYear } from '@podium/contract/season'
import { getStudentDetails } from '@podium/contract/students/calls'
import {
  type CarryOptionsInput,
  carryOverOffer,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import { aDay, aTeacher, eventOf, thisSeason } from '#test/factories'
import { aNextLevelRound, anEvent, candidates, releaseRows } from '#test/results-factories'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn, aTeacherInSeason, lastYear } from '#test/students-factories'
import { insertSeason } from '../../../../seed/catalogue.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

interface Teacher {
  token: string
  schoolId: number
}

async function preview(teacher: Teacher, options: CarryOptionsInput = {}, season: Season = thisSeason) {
  const { status, body } = await server.call(previewCarryOver, { body: { FYear: season, options } }, teacher)
  assert.equal(status, 200, body.message)
  const row = (name: string) => {
    const found = body.rows.find((one) => one.studentName === name)
    assert.ok(found, name)
    return found
  }
  return { ...body, row }
}

test('children move up a class with their subjects and books, at the prices of this season; Class 12 leaves', async () => {
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
  assert.deepEqual(
    rows.map((one) => [one.studentName, one.state, one.classId, one.subjectName]),
    [
      ['Ira', 'new', 13, 'Little Star: First English'],
      ['Jai', 'new', 14, 'Little Star: First English'],
      ['Kavya', 'new', 1, ''],
      ['Lalit', 'new', 7, 'Mathematics,Science'],
      ['Mira', 'leaves', 0, ''],
    ],
  )
  const lalit = row('Lalit')
  assert.deepEqual(
    [lalit.section, lalit.rollNo, lalit.eventLetter, lalit.regAmount, lalit.bookCount, lalit.bookAmount],
    ['B', 4, 'M,S', 350, 1, 220],
  )
  assert.deepEqual(row('Kavya').looks, [{ kind: 'choose', with: 'Little Star: First English' }])
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
  const { body } = await server.call(getStudentDetails, { body: { FYear: thisSeason } }, teacher)
  assert.deepEqual(body.data, [], 'a preview saves nothing')
})

test('a roll no that is taken is replaced by the next free one, which is pointed out', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { rollno: 4, studentName: 'Om Misaal' })
  const [first = 0, second = 0] = await lastYear(teacher, [
    { name: 'Ira', rollNo: 4 },
    { name: 'Jai', rollNo: 9 },
    { name: 'Kavya', section: 'B', rollNo: 9 },
  ])
  const plain = await preview(teacher)
  assert.deepEqual(
    [plain.row('Ira').rollNo, plain.row('Ira').looks],
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

test('who is entered already is skipped, and who may be is not proposed; each with whom', async () => {
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
  const looked = (name: string) => [row(name).proposed, row(name).looks[0]?.kind, row(name).looks[0]?.with]
  assert.deepEqual(looked('Jai'), [false, 'likely', 'Jai'])
  assert.deepEqual(looked('Kavya'), [false, 'likely', 'Kavyaa'])
  assert.deepEqual(looked('Her Brother'), [true, undefined, undefined])
  assert.deepEqual(looked('Gone'), [false, 'deleted', ''])
  assert.equal(rows.filter((one) => one.studentName === 'Back').length, 1, 'deleted and entered again')
  assert.deepEqual([totals.enter, totals.there, totals.look], [2, 1, 3])
})

test('subjects that the class is not offered or that have closed stay behind, named; an invalid mobile is left out', async () => {
  const teacher = await aTeacherInSeason()
  const last = await aSeasonOfItsOwn()
  const season = await aSeasonOfItsOwn()
  const science = await eventOf('S', season)
  const { db } = server.deps
  await db.updateTable('events').set({ closes_on: '2026-11-20' }).where('id', '=', science.id).execute()
  const english = await eventOf('E', season)
  await db.deleteFrom('event_fees').where('event_id', '=', english.id).where('class_id', '=', 7).execute()
  await lastYear(
    teacher,
    [{ name: 'Ira', letters: 'M,S,E', subjects: 'Mathematics,Science,English', mobile: '12345' }],
    last,
  )
  const { row, offers } = await preview(teacher, {}, season)
  assert.deepEqual(row('Ira').looks, [
    { kind: 'subjects', with: 'English' },
    { kind: 'closed', with: 'Science' },
    { kind: 'parent', with: '' },
  ])
  assert.deepEqual([row('Ira').eventLetter, row('Ira').issues], ['M', []])
  const letters = offers[0]?.subjects.map((one) => one.eventLetter) ?? []
  assert.ok(letters.includes('M') && !letters.includes('S') && !letters.includes('E'))
})

test('books can stay behind, subjects be chosen for a class and for a child', async () => {
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

test('who is invited to the second level is marked by the list that the school was told of, not by eligibility', async () => {
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
  assert.deepEqual(await marked(), ['', ''], 'Ira is eligible, and nobody is invited yet')
  const { db } = server.deps
  await aNextLevelRound(event, setId)
  const told = (student: typeof first, what: string) => ({
    event_id: event.id,
    student_id: student?.id ?? 0,
    school_id: teacher.schoolId,
    class_id: 7,
    found_by: '',
    wanted: true,
    decided_at: aDay,
    told: what,
  })
  await db
    .insertInto('next_level_invitations')
    .values([told(first, ''), told(second, 'invited')])
    .execute()
  assert.deepEqual(await marked(), ['', 'Mathematics'], 'invited by hand, and told so')
  await db
    .updateTable('next_level_invitations')
    .set({ told: 'withdrawn' })
    .where('event_id', '=', event.id)
    .where('told', '=', 'invited')
    .execute()
  assert.deepEqual(await marked(), ['', ''], 'taken back')
})

test('the offer stands while the season is open and most are left', async () => {
  const teacher = await aTeacherInSeason()
  const offer = async () =>
    (await server.call(carryOverOffer, { query: { FYear: thisSeason } }, teacher)).body
  assert.deepEqual([(await offer()).offered, (await offer()).students], [false, 0], 'nobody last season')
  await lastYear(teacher, [
    { name: 'Ira', mobile: '9876500001' },
    { name: 'Jai' },
    { name: 'Mira', classId: 12 },
  ])
  assert.deepEqual([(await offer()).offered, (await offer()).students, (await offer()).left], [true, 2, 2])
  await anEnteredStudent(server, teacher, { studentName: 'Ira', parentMobileNo: '9876500001' })
  assert.equal((await offer()).left, 1)
})

test('a season that is not open has nothing to preview', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn('closed')
  const { status, body } = await server.call(previewCarryOver, { body: { FYear: season } }, teacher)
  assert.deepEqual([status, body.code], [409, 'enrolment.season_closed'])
})
