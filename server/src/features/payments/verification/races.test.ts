import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { deleteStudentPost, getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { testDatabase } from '#test/database'
import { thisSeason } from '#test/factories'
import { aFoundation, aSubmission } from '#test/payments-factories'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aTeacherInSeason } from '#test/students-factories'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => new Date('2026-11-21T06:00:00Z') })
  await aFoundation()
})

/** What the students' rows say now, against what the payment's lines say. */
async function booked(schoolId: number) {
  const { db } = await testDatabase()
  const students = await db.selectFrom('students').selectAll().where('school_id', '=', schoolId).execute()
  const lines = await db
    .selectFrom('payment_lines as l')
    .innerJoin('payments as p', 'p.id', 'l.payment_id')
    .select(['l.gross', 'l.retained', 'p.payable'])
    .where('p.school_id', '=', schoolId)
    .execute()
  return { students, lines }
}

test('a student edited while the payment is sent: one of both wins, and what is covered is what is entered', async () => {
  for (let round = 0; round < 8; round++) {
    const teacher = await aTeacherInSeason()
    const entry = anEntry({ subjectName: 'Mathematics' })
    const { id } = await anEnteredStudent(server, teacher, entry)
    const body = await aSubmission(server, teacher.token)
    const edit = () =>
      server.call(
        saveStudentDetails,
        { body: { ...entry, id, version: 1, subjectName: 'Mathematics,Science,English' } },
        teacher,
      )
    const pay = () => server.call(savePayment, { body }, teacher)
    const [first, second] = round % 2 === 0 ? [edit, pay] : [pay, edit]
    const answers = await Promise.all([first(), second()])
    const [edited, sent] = round % 2 === 0 ? answers : [answers[1], answers[0]]
    assert.equal([edited?.status, sent?.status].filter((status) => status === 200).length, 1)
    if (sent?.status === 200) assert.equal(edited?.body.code, 'enrolment.locked')
    else assert.equal(sent?.body.code, 'payments.amount_changed')
    const { students, lines } = await booked(teacher.schoolId)
    assert.equal(lines.length, sent?.status === 200 ? 1 : 0)
    for (const line of lines) {
      assert.equal(line.gross, students[0]?.reg_amount)
      assert.equal(line.payable, line.gross - line.retained)
    }
  }
})

test('a student deleted while the payment is sent: one of both wins', async () => {
  for (let round = 0; round < 6; round++) {
    const teacher = await aTeacherInSeason()
    const { id } = await anEnteredStudent(server, teacher)
    const body = await aSubmission(server, teacher.token)
    const [deleted, sent] = await Promise.all([
      server.call(deleteStudentPost, { body: { studentId: id } }, teacher),
      server.call(savePayment, { body }, teacher),
    ])
    assert.equal([deleted.status, sent.status].filter((status) => status === 200).length, 1)
    const { students, lines } = await booked(teacher.schoolId)
    assert.equal(students[0]?.active, sent.status === 200)
    assert.equal(lines.length, sent.status === 200 ? 1 : 0)
  }
})

test('what enrolment computes is what the card asks for, and a paid student can not be edited', async () => {
  const teacher = await aTeacherInSeason()
  const entry = anEntry({ subjectName: 'Mathematics,Science', cb: 'Mathematics,Science' })
  const { id } = await anEnteredStudent(server, teacher, entry)
  const query = { FYear: thisSeason }
  const { body } = await server.call(paymentSummary, { query }, teacher)
  const list = await server.call(getStudentDetails, { body: { FYear: thisSeason } }, teacher)
  const row = list.body.data[0]
  assert.deepEqual(
    body.dataList.map((item) => item.gross),
    [row?.regAmount, row?.bookAmount],
  )
  await server.call(savePayment, { body: await aSubmission(server, teacher.token) }, teacher)
  const edited = await server.call(saveStudentDetails, { body: { ...entry, id, version: 1 } }, teacher)
  assert.deepEqual([edited.status, edited.body.code], [409, 'enrolment.locked'])
})
