import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BodyOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import { getStudentDetails } from '@podium/contract/students/calls'
import { changeStudents } from '@podium/contract/students/calls-bulk'
import { aDay, aTeacher, eventOf, thisSeason } from '#test/factories'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn, aTeacherInSeason } from '#test/students-factories'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

interface Teacher {
  token: string
}
type Changes = BodyOf<typeof changeStudents>['students']

const change = (teacher: Teacher, students: Changes, season: Season = thisSeason) =>
  server.call(changeStudents, { body: { FYear: season, students } }, teacher)

const list = async (teacher: Teacher, season: Season = thisSeason) => {
  const { body } = await server.call(getStudentDetails, { body: { FYear: season } }, teacher)
  return body.data.map((row) => [row.studentName, row.section, row.eventLetter, row.cb, row.regAmount])
}

const seen = ({ id, version }: { id: number; version: number }) => ({ id, version })

test('a subject is added and taken away with its books, each student priced anew, and one call takes it back', async () => {
  const teacher = await aTeacherInSeason()
  const ira = await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Ira' })
  const jai = await anEnteredStudent(server, teacher, {
    rollno: 2,
    studentName: 'Jai',
    subjectName: 'Science',
    cb: '',
  })
  const { status, body } = await change(teacher, [
    { ...seen(ira), subjectName: ['S', 'E'] },
    { ...seen(jai), subjectName: ['S', 'English'] },
  ])
  assert.equal(status, 200, body.message)
  assert.deepEqual([body.changed, body.refused], [2, []])
  assert.deepEqual(await list(teacher), [
    ['Ira', 'A', 'S,E', '', 350],
    ['Jai', 'A', 'S,E', '', 350],
  ])
  const undone = await change(teacher, body.before)
  assert.equal(undone.body.changed, 2)
  assert.deepEqual(await list(teacher), [
    ['Ira', 'A', 'M,S', 'Mathematics', 350],
    ['Jai', 'A', 'S', '', 175],
  ])
})

test('who can not be changed is named with the reason, and keeps nobody else back', async () => {
  const teacher = await aTeacherInSeason()
  const ira = await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Ira' })
  const jai = await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Jai' })
  const kavya = await anEnteredStudent(server, teacher, { rollno: 3, studentName: 'Kavya' })
  const lalit = await anEnteredStudent(server, teacher, { rollno: 4, studentName: 'Lalit' })
  await anEnteredStudent(server, teacher, { rollno: 3, section: 'B', studentName: 'Om' })
  await server.deps.db.updateTable('students').set({ paid: true }).where('id', '=', ira.id).execute()
  const { body } = await change(teacher, [
    { ...seen(ira), section: 'B' },
    { id: jai.id, version: 7, section: 'B' },
    { ...seen(kavya), section: 'B' },
    { ...seen(lalit), section: 'b' },
  ])
  assert.equal(body.changed, 1)
  assert.deepEqual(
    body.refused.map(({ studentName, message }) => [studentName, message]),
    [
      ['Ira', 'This student is paid and can no longer be changed.'],
      [
        'Jai',
        'Someone else changed this while you were editing. The latest state is shown; please try again.',
      ],
      ['Kavya', 'Roll no 3 in Class 7 B is taken by Om.'],
    ],
  )
  assert.deepEqual(
    (await list(teacher)).map(([name, section]) => `${name} ${section}`),
    ['Ira A', 'Jai A', 'Kavya A', 'Om B', 'Lalit B'],
  )
})

test('no subject, one of other classes, one that has closed and a section that is none are refused', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const ira = await anEnteredStudent(server, teacher, { FYear: season, studentName: 'Ira' })
  const { id } = await eventOf('E', season)
  await server.deps.db.updateTable('events').set({ closes_on: '2026-11-20' }).where('id', '=', id).execute()
  const tries: Array<[Partial<Changes[number]>, string]> = [
    [{ subjectName: [] }, 'Subject is required.'],
    [{ subjectName: ['A'] }, 'This class has no subject called A.'],
    [{ subjectName: ['M', 'E'] }, 'Enrolment for English closed on 20-Nov-2026.'],
    [{ section: '7' }, 'Section is required.'],
  ]
  for (const [what, message] of tries) {
    const { body } = await change(teacher, [{ ...seen(ira), ...what }], season)
    assert.deepEqual([body.changed, body.refused[0]?.message], [0, message])
  }
})

test("another school's student is not found, and nobody of the list is changed", async () => {
  const teacher = await aTeacherInSeason()
  const own = await anEnteredStudent(server, teacher, { studentName: 'Ira' })
  const other = await anEnteredStudent(server, await aTeacher(), { studentName: 'Zoya' })
  const { status } = await change(teacher, [
    { ...seen(own), section: 'B' },
    { ...seen(other), section: 'B' },
  ])
  assert.equal(status, 404)
  assert.equal((await list(teacher))[0]?.[1], 'A')
})

test('students are deleted and restored together, each refused by itself, and one call takes it back', async () => {
  const teacher = await aTeacherInSeason()
  const ira = await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Ira' })
  const jai = await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Jai' })
  const paid = await anEnteredStudent(server, teacher, { rollno: 3, studentName: 'Kavya' })
  await server.deps.db.updateTable('students').set({ paid: true }).where('id', '=', paid.id).execute()
  const active = async () =>
    (await server.call(getStudentDetails, { body: { FYear: thisSeason } }, teacher)).body.data
      .filter(({ status }) => status)
      .map(({ studentName }) => studentName)
  const { body } = await change(teacher, [
    { ...seen(ira), active: false },
    { ...seen(jai), active: false },
    { ...seen(paid), active: false },
  ])
  assert.equal(body.changed, 2)
  assert.deepEqual(
    body.refused.map(({ studentName, message }) => [studentName, message]),
    [['Kavya', 'This student is paid and can no longer be changed.']],
  )
  assert.deepEqual(await active(), ['Kavya'])
  await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Om' })
  const back = await change(teacher, body.before)
  assert.deepEqual([back.body.changed, back.body.refused.length], [1, 1])
  assert.match(back.body.refused[0]?.message ?? '', /^Roll no 2 in Class 7 A is now taken by Om\.$/)
  assert.deepEqual(await active(), ['Ira', 'Om', 'Kavya'])
})
