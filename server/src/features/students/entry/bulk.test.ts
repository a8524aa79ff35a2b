import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BodyOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import { changeStudents, getStudentDetails } from '@podium/contract/students/calls'
import { aDay, aTeacher, eventOf, thisSeason } from '#test/factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn, aTeacherInSeason } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

interface Teacher {
  token: string
}
type Changes = BodyOf<typeof changeStudents>['students']

const change = (teacher: Teacher, students: Changes, season: Season = thisSeason) =>
  server.call(changeStudents, { body: { FYear: season, students } }, teacher)

const listed = async (teacher: Teacher, season: Season = thisSeason) =>
  (await server.ask(getStudentDetails, { FYear: season }, teacher)).data.map((row) => [
    row.studentName,
    row.section,
    row.eventLetter,
    row.cb,
    row.regAmount,
  ])

const seen = ({ id, version }: { id: number; version: number }) => ({ id, version })

test('a subject is added or removed with its books, each student is repriced, and one call undoes it', async () => {
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
  assert.deepEqual(await listed(teacher), [
    ['Ira', 'A', 'S,E', '', 350],
    ['Jai', 'A', 'S,E', '', 350],
  ])
  const undone = await change(teacher, body.before)
  assert.equal(undone.body.changed, 2)
  assert.deepEqual(await listed(teacher), [
    ['Ira', 'A', 'M,S', 'Mathematics', 350],
    ['Jai', 'A', 'S', '', 175],
  ])
})

test('a student who cannot be changed is named with the reason and does not block the others', async () => {
  const teacher = await aTeacherInSeason()
  const ira = await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Ira' })
  const jai = await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Jai' })
  const kavya = await anEnteredStudent(server, teacher, { rollno: 3, studentName: 'Kavya' })
  const lalit = await anEnteredStudent(server, teacher, { rollno: 4, studentName: 'Lalit' })
  await anEnteredStudent(server, teacher, { rollno: 3, section: 'B', studentName: 'Om' })
  await changeRows('students', { id: ira.id }, { paid: true })
  const { body } = await change(teacher, [
    { ...seen(ira), section: 'B' },
    { id: jai.id, version: 7, section: 'B' },
    { ...seen(kavya), section: 'B' },
    { ...seen(lalit), section: 'b' },
  ])
  assert.equal(body.changed, 1)
  assert.deepEqual(valuesOf(body.refused, 'studentName', 'message'), [
    ['Ira', 'This student is paid and can no longer be changed.'],
    ['Jai', 'Someone else changed this while you were editing. The latest state is shown; please try again.'],
    ['Kavya', 'Roll no 3 in Class 7 B is taken by Om.'],
  ])
  assert.deepEqual(
    (await listed(teacher)).map(([name, section]) => `${name} ${section}`),
    ['Ira A', 'Jai A', 'Kavya A', 'Om B', 'Lalit B'],
  )
})

test('a bulk change sent again because its answer was lost gets the same answer, and undoes the change as before', async () => {
  const teacher = await aTeacherInSeason()
  const ira = await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Ira' })
  const jai = await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Jai' })
  await anEnteredStudent(server, teacher, { rollno: 2, section: 'B', studentName: 'Om' })
  const once = { ...teacher, headers: { 'idempotency-key': 'bulk-change-0001' } }
  const students = [ira, jai].map((student) => ({ ...seen(student), section: 'B' }))
  const first = await change(once, students)
  assert.deepEqual([first.body.changed, first.body.refused.length], [1, 1])
  assert.deepEqual((await change(once, students)).body, first.body)
  await change(teacher, first.body.before)
  assert.deepEqual(
    (await listed(teacher)).map(([name, section]) => `${name} ${section}`),
    ['Ira A', 'Jai A', 'Om B'],
  )
})

test('a bulk change is refused without a subject, with an unavailable or closed one, or with an unknown section', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const ira = await anEnteredStudent(server, teacher, { FYear: season, studentName: 'Ira' })
  const { id } = await eventOf('E', season)
  await changeRows('events', { id }, { closes_on: '2026-11-20' })
  const tries: Array<[Partial<Changes[number]>, string]> = [
    [{ subjectName: [] }, 'Subject is required.'],
    [{ subjectName: ['A'] }, 'This class has no subject called A.'],
    [{ subjectName: ['M', 'E'] }, 'Enrolment for English closed on 20-Nov-2026.'],
    [{ section: '7' }, 'Section is required.'],
  ]
  for (const [changes, message] of tries) {
    const { body } = await change(teacher, [{ ...seen(ira), ...changes }], season)
    assert.deepEqual([body.changed, body.refused[0]?.message], [0, message])
  }
})

test("a bulk change that includes another school's student is not found and changes no one", async () => {
  const teacher = await aTeacherInSeason()
  const own = await anEnteredStudent(server, teacher, { studentName: 'Ira' })
  const other = await anEnteredStudent(server, await aTeacher(), { studentName: 'Zoya' })
  const { status } = await change(teacher, [
    { ...seen(own), section: 'B' },
    { ...seen(other), section: 'B' },
  ])
  assert.equal(status, 404)
  assert.equal((await listed(teacher))[0]?.[1], 'A')
})

test('students are deleted and restored together, each refused on its own, and one call undoes it', async () => {
  const teacher = await aTeacherInSeason()
  const ira = await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Ira' })
  const jai = await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Jai' })
  const paid = await anEnteredStudent(server, teacher, { rollno: 3, studentName: 'Kavya' })
  await changeRows('students', { id: paid.id }, { paid: true })
  const active = async () =>
    (await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)).data
      .filter(({ status }) => status)
      .map(({ studentName }) => studentName)
  const { body } = await change(teacher, [
    { ...seen(ira), active: false },
    { ...seen(jai), active: false },
    { ...seen(paid), active: false },
  ])
  assert.equal(body.changed, 2)
  assert.deepEqual(valuesOf(body.refused, 'studentName', 'message'), [
    ['Kavya', 'This student is paid and can no longer be changed.'],
  ])
  assert.deepEqual(await active(), ['Kavya'])
  await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Om' })
  const back = await change(teacher, body.before)
  assert.deepEqual([back.body.changed, back.body.refused.length], [1, 1])
  assert.match(back.body.refused[0]?.message ?? '', /^Roll no 2 in Class 7 A is now taken by Om\.$/)
  assert.deepEqual(await active(), ['Ira', 'Om', 'Kavya'])
})

/** The downloaded file as rows of text, without headings. */
