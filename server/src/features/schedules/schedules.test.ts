import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getOnlineExamSchedule } from '@podium/contract/schedules'
import { aDay, aTeacher, eventOf, season, thisSeason } from '../../../test/factories.ts'
import { aStudent } from '../../../test/payments-factories.ts'
import { type TestServer, testServer } from '../../../test/server.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

type Teacher = Awaited<ReturnType<typeof aTeacher>>

/** A student of Computer Science with the hour of the exam. */
async function aScheduled(teacher: Teacher, at = '2026-12-10T04:30:00Z', traits: { active?: boolean } = {}) {
  const student = await aStudent({ ...teacher, letters: ['K'], name: 'Ira Kalpanik', ...traits })
  const { id: event_id } = await eventOf('K')
  const from = new Date(at)
  const { id } = await server.deps.db
    .insertInto('exam_schedules')
    .values({ student_id: student.id, event_id, from_at: from, to_at: new Date(from.getTime() + 3_600_000) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { student, id }
}

const schedulesOf = async (teacher: Teacher, FYear: string = thisSeason) =>
  (await server.call(getOnlineExamSchedule, { query: { FYear } }, teacher)).body.data

test('an online exam names the child, the parent, the olympiad, its hours and both states', async () => {
  const teacher = await aTeacher()
  const { student, id } = await aScheduled(teacher)
  await server.deps.db
    .updateTable('students')
    .set({ parent_name: 'Asha Kalpanik', parent_email: 'asha@family.example' })
    .where('id', '=', student.id)
    .execute()
  assert.deepEqual(await schedulesOf(teacher), [
    {
      scheduleId: id,
      StudentName: 'Ira Kalpanik',
      ClassId: 7,
      Section: 'A',
      RollNo: student.roll_no,
      M_F_Name: 'Asha Kalpanik',
      Email: 'asha@family.example',
      EventLetter: 'K',
      subjectName: 'Computer Science',
      ExamSchedule_From: '2026-12-10T04:30:00.000Z',
      ExamSchedule_To: '2026-12-10T05:30:00.000Z',
      ExamStatus: 'Not started',
      ScheduleStatus: 'Scheduled',
    },
  ])
})

test('the earliest exam comes first, and a deleted student has none', async () => {
  const teacher = await aTeacher()
  const late = await aScheduled(teacher, '2026-12-12T04:30:00Z')
  const early = await aScheduled(teacher, '2026-12-11T04:30:00Z')
  await aScheduled(teacher, '2026-12-10T04:30:00Z', { active: false })
  const ids = (await schedulesOf(teacher)).map(({ scheduleId }) => scheduleId)
  assert.deepEqual(ids, [early.id, late.id])
})

test('another school, another season and a school without online exams have an empty list', async () => {
  const owner = await aTeacher()
  await aScheduled(owner)
  assert.deepEqual(await schedulesOf(await aTeacher()), [])
  assert.deepEqual(await schedulesOf(owner, season('2025-26')), [])
})

test('an exam can not end before it begins', async () => {
  const { id } = await aScheduled(await aTeacher())
  const backwards = server.deps.db
    .updateTable('exam_schedules')
    .set({ to_at: new Date('2026-12-10T04:00:00Z') })
    .where('id', '=', id)
    .execute()
  await assert.rejects(backwards, /exam_schedules/)
})
