import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardSummary } from '@podium/contract/dashboard/calls'
import { messages } from '@podium/contract/messages'
import {
  acceptQuestion,
  acceptQuestions,
  declineQuestion,
  declineQuestions,
  exportQuestions,
  getTeacherQuestions,
  officeQuestions,
  saveTeacherQuestion,
  withdrawQuestion,
} from '@podium/contract/questions/calls'
import { mergeOf } from '#test/accounts-factories'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, season, thisSeason } from '#test/factories'
import { auditLine, auditLines, newestChange, takeCsv } from '#test/file-call'
import { changeRows, findRow, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))
before(() => aSeason())

type Teacher = Awaited<ReturnType<typeof aTeacher>>

const filled = {
  FYear: thisSeason as string,
  classId: 7,
  eventLetter: 'M',
  chapter: 'Chapter03',
  question: 'The sum of three consecutive odd numbers is 57. Which is the largest?',
  option1: '17',
  option2: '19',
  option3: '21',
  option4: '23',
  answer: 3,
}

const send = (teacher: Teacher, changes: object = {}) =>
  server.send(saveTeacherQuestion, { body: { ...filled, ...changes } }, teacher)
const listOf = async (teacher: Teacher, FYear: string = thisSeason) =>
  (await server.ask(getTeacherQuestions, { FYear }, teacher)).data

test('a repeated request sends a question once, and gets its answer', async () => {
  const { token } = await aTeacher()
  const once = { token, headers: { 'idempotency-key': 'question-key-0001' } }
  const first = await server.ask(saveTeacherQuestion, filled, once)
  assert.deepEqual(await server.ask(saveTeacherQuestion, filled, once), first)
})

test("a question that was sent appears as waiting in the school's list, with its sender [spec 2.13.11]", async () => {
  const teacher = await aTeacher({ name: 'Asha Misaal' })
  const { body } = await server.call(saveTeacherQuestion, { body: filled }, teacher)
  assert.equal(body.message, messages.questionSent)
  assert.deepEqual(await listOf(teacher), [
    {
      id: body.id,
      classId: 7,
      eventLetter: 'M',
      subjectName: 'Mathematics',
      chapter: 'Chapter03',
      question: filled.question,
      options: ['17', '19', '21', '23'],
      answer: 3,
      status: 'sent',
      reason: '',
      withdrawn: false,
      sentBy: 'Asha Misaal',
      creationDate: aDay.toISOString(),
    },
  ])
})

test('of one question that two merged schools sent, one is declined with the reason, not shown as withdrawn', async () => {
  const [teacher, other] = [await aTeacher(), await aTeacher()]
  for (const sender of [teacher, other]) assert.equal((await send(sender)).status, 200)
  const pair = { target: teacher.schoolId, source: other.schoolId }
  assert.equal((await mergeOf(server, await anOfficer('owner'), pair)).status, 200)
  const [declined, kept] = await listOf(teacher)
  assert.deepEqual([kept?.status, declined?.status, declined?.withdrawn], ['sent', 'declined', false])
  assert.match(declined?.reason ?? '', /^The same question was sent twice: /)
})

test('a question that was sent is logged and counted on the dashboard', async () => {
  const teacher = await aTeacher()
  const body = await server.ask(saveTeacherQuestion, filled, teacher)
  const line = await auditLine(['actor_id', 'school_id', 'season'], {
    action: 'question.sent',
    subject_id: body.id,
  })
  assert.deepEqual(line, { actor_id: teacher.id, school_id: teacher.schoolId, season: thisSeason })
  const summary = await server.ask(dashboardSummary, { FYear: thisSeason }, teacher)
  assert.deepEqual([summary.teacherQuestion, summary.acceptedQuestion], [1, 0])
})

test('a teacher sees what became of a question, and why it was declined', async () => {
  const teacher = await aTeacher()
  const { id } = await server.ask(saveTeacherQuestion, filled, teacher)
  const reason = 'The bank has this question already.'
  await server.ask(declineQuestion, { id, version: 1, reason }, await anOfficer('operations'))
  const [question] = await listOf(teacher)
  assert.deepEqual([question?.status, question?.reason, question?.withdrawn], ['declined', reason, false])
})

test('the same question counts once, whatever its case, until it is declined', async () => {
  const teacher = await aTeacher()
  await server.ask(saveTeacherQuestion, filled, teacher)
  await refused('questions.sent_already', send(teacher, { question: `  ${filled.question.toUpperCase()} ` }))
  assert.equal((await listOf(teacher)).length, 1)
  assert.equal((await send(teacher, { classId: 8 })).status, 200)
  assert.equal((await send(await aTeacher())).status, 200)
  await changeRows('teacher_questions', { school_id: teacher.schoolId }, { state: 'declined' })
  assert.equal((await send(teacher)).status, 200)
})

test('a school withdraws a question, and sends it again; the office reads why it is over', async () => {
  const [teacher, operations] = [await aTeacher(), await anOfficer('operations')]
  const { id } = await server.ask(saveTeacherQuestion, filled, teacher)
  const other = await aTeacher()
  await refused('not_found', server.call(withdrawQuestion, { body: { id } }, other))
  await server.ask(withdrawQuestion, { id }, teacher)
  assert.deepEqual(valuesOf(await listOf(teacher), 'status', 'reason', 'withdrawn'), [['declined', '', true]])
  const accept = { body: { id, version: 1 } }
  const refusal = await refused('questions.reviewed', server.call(acceptQuestion, accept, operations))
  assert.equal(refusal.message, 'Withdrawn by the school.')
  assert.equal((await send(teacher)).status, 200)
})

test('a withdrawal sent again because its answer was lost is answered as done', async () => {
  const teacher = await aTeacher()
  const { id } = await server.ask(saveTeacherQuestion, filled, teacher)
  const once = { ...teacher, headers: { 'idempotency-key': 'withdrawal-0001' } }
  for (let sent = 0; sent < 2; sent++) await server.ask(withdrawQuestion, { id }, once)
  const trail = await auditLines(['action'], { subject_kind: 'question', subject_id: id })
  assert.deepEqual(valuesOf(trail, 'action'), ['question.sent', 'question.withdrawn'])
})

test('of a withdrawal and a decision at once exactly one succeeds, and a decided question stays', async () => {
  const [teacher, operations] = [await aTeacher(), await anOfficer('operations')]
  const { id } = await server.ask(saveTeacherQuestion, filled, teacher)
  const withdraw = () => server.call(withdrawQuestion, { body: { id } }, teacher)
  const accept = server.call(acceptQuestion, { body: { id, version: 1 } }, operations)
  assert.deepEqual(valuesOf(await Promise.all([accept, withdraw()]), 'status').sort(), [200, 409])
  await refused('questions.decided', withdraw())
})

test('a question sent twice at once is kept once', async () => {
  const teacher = await aTeacher()
  const both = await Promise.all([send(teacher), send(teacher)])
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409])
  assert.equal((await listOf(teacher)).length, 1)
})

for (const [field, value, message] of [
  ['classId', 0, 'Class is required.'],
  ['classId', 16, 'Class is required.'],
  ['eventLetter', '', 'Subject is required.'],
  ['eventLetter', 'A', 'This subject is not offered to the class in this season.'],
  ['chapter', '', 'Chapter is required.'],
  ['chapter', 'Chapter3', 'Chapter is required.'],
  ['chapter', 'Chapter501', 'Chapter is required.'],
  ['question', ' ', 'Question is required.'],
  ['question', 'x'.repeat(2001), 'At most 2000 characters.'],
  ['option1', '', 'Option is required.'],
  ['option4', ' ', 'Option is required.'],
  ['option2', 'x'.repeat(301), 'At most 300 characters.'],
  ['option3', ' 19 ', 'The four options must differ.'],
  ['answer', 0, 'Answer is required.'],
  ['answer', 5, 'Answer is required.'],
] as const) {
  test(`${field} “${String(value).slice(0, 12)}” is refused with “${message}” and nothing is sent`, async () => {
    const teacher = await aTeacher()
    const refused = await send(teacher, { [field]: value })
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.issues, [{ path: field, message }])
    assert.deepEqual(await listOf(teacher), [])
  })
}

for (const chapter of ['Chapter01', 'Chapter99', 'Chapter100', 'Chapter500']) {
  test(`${chapter} is a chapter [spec 3.6]`, async () => {
    assert.equal((await send(await aTeacher(), { chapter })).status, 200)
  })
}

test('a season that is over accepts no more questions, and an unknown season accepts none', async () => {
  const teacher = await aTeacher()
  const over = season('2024-25')
  await aSeason(over)
  await changeRows('seasons', { label: over }, { state: 'closed' })
  await refused('questions.season_closed', send(teacher, { FYear: over }))
  assert.equal((await send(teacher, { FYear: '2031-32' })).status, 404)
  assert.deepEqual(await listOf(teacher, over), [])
})

test("another school sees none of the questions, and a question is sent only for one's own school", async () => {
  const owner = await aTeacher()
  await send(owner)
  const stranger = await aTeacher()
  assert.deepEqual(await listOf(stranger), [])
  await refused('access.other_school', send(stranger, { schId: (await aSchool()).id }))
  assert.deepEqual(await listOf(stranger), [])
})

test('the office is told that other schools have sent the same question, and of no other question', async () => {
  const question = 'Which number comes next: 2, 6, 12, 20?'
  const [first, second, third] = [await aTeacher(), await aTeacher(), await aTeacher()]
  const sent = await send(first, { question })
  const two = await send(second, { question: question.toUpperCase() })
  const alone = await send(third, { question, classId: 8 })
  const { token } = await anOfficer('operations')
  const query = { FYear: thisSeason, search: 'which number comes next' }
  const body = await server.ask(officeQuestions, query, { token })
  assert.deepEqual(valuesOf(body.data, 'id').sort(), [sent, two, alone].map((sent) => sent.body.id).sort())
  assert.deepEqual(body.same, { [String(sent.body.id)]: 1, [String(two.body.id)]: 1 })
})

test('the office accepts a question, or declines it with a reason for the school; a declined one may be sent again', async () => {
  const [teacher, operations] = [await aTeacher(), await anOfficer('operations')]
  const first = await server.ask(saveTeacherQuestion, filled, teacher)
  const second = await server.ask(
    saveTeacherQuestion,
    { ...filled, question: 'How many days has a leap year?' },
    teacher,
  )
  const query = { FYear: thisSeason, search: filled.question.slice(0, 40) }
  const waiting = await server.ask(officeQuestions, query, operations)
  assert.ok(waiting.data.some(({ id, sentBy }) => id === first.id && sentBy === teacher.name))
  const decline = { id: first.id, version: 1, reason: 'The options are too close.' }
  await server.ask(declineQuestion, decline, operations)
  const accept = { id: second.id, version: 1 }
  await server.ask(acceptQuestion, accept, operations)
  assert.deepEqual(valuesOf(await listOf(teacher), 'status', 'reason'), [
    ['accepted', ''],
    ['declined', 'The options are too close.'],
  ])
  assert.equal((await send(teacher)).status, 200)
})

test('a question is decided once, by a role that may, and declined only with a reason', async () => {
  const [teacher, owner] = [await aTeacher(), await anOfficer('owner')]
  const body = await server.ask(saveTeacherQuestion, filled, teacher)
  const viewer = await anOfficer('viewer')
  const accept = { id: body.id, version: 1 }
  assert.equal((await server.call(acceptQuestion, { body: accept }, viewer)).status, 403)
  const silent = await server.call(declineQuestion, { body: { ...accept, reason: ' ' } }, owner)
  assert.deepEqual([silent.status, silent.body.issues?.[0]?.path], [400, 'reason'])
  const answers = await Promise.all([1, 2].map(() => server.call(acceptQuestion, { body: accept }, owner)))
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  assert.equal(
    (await server.call(acceptQuestion, { body: { ...accept, id: 999_999_999 } }, owner)).status,
    404,
  )
})

test('several questions are decided together and logged one by one; one decided meanwhile is reported and skipped', async () => {
  const [teacher, owner] = [await aTeacher(), await anOfficer('owner')]
  const ids: number[] = []
  for (const question of ['What is 5 + 8?', 'What is 6 + 8?', 'What is 7 + 8?', 'What is 9 + 8?'])
    ids.push((await server.ask(saveTeacherQuestion, { ...filled, question }, teacher)).id)
  const [first = 0, second = 0, third = 0, fourth = 0] = ids
  const of = (...chosen: number[]) => chosen.map((id) => ({ id, version: 1 }))
  await server.ask(declineQuestion, { id: second, version: 1, reason: 'Known.' }, owner)
  const accept = { questions: of(first, second, 999_999_999, first) }
  const key = { ...owner, headers: { 'idempotency-key': `questions-${first}-accepted` } }
  const accepted = await server.ask(acceptQuestions, accept, key)
  assert.deepEqual(accepted.done, [{ id: first }])
  assert.deepEqual(valuesOf(accepted.refused, 'id'), [second, 999_999_999])
  assert.deepEqual((await server.ask(acceptQuestions, accept, key)).done, [{ id: first }])
  const decline = { questions: of(third, fourth), reason: 'Too easy for class 7.' }
  const declined = await server.ask(declineQuestions, decline, owner)
  assert.deepEqual([declined.done.length, declined.refused], [2, []])
  assert.deepEqual(valuesOf(await listOf(teacher), 'status', 'reason'), [
    ['declined', 'Too easy for class 7.'],
    ['declined', 'Too easy for class 7.'],
    ['declined', 'Known.'],
    ['accepted', ''],
  ])
  const lines = await auditLines(['action'], {
    subject_id: ids,
    action: ['question.accepted', 'question.declined'],
  })
  assert.equal(lines.length, 4)
})

test('a bulk decision needs the right role, is limited to a page, and declines only with a reason', async () => {
  const teacher = await aTeacher()
  const body = await server.ask(saveTeacherQuestion, filled, teacher)
  const owner = await anOfficer('owner')
  const questions = [{ id: body.id, version: 1 }]
  const viewer = await anOfficer('viewer')
  assert.equal((await server.call(acceptQuestions, { body: { questions } }, viewer)).status, 403)
  const silent = await server.call(declineQuestions, { body: { questions, reason: ' ' } }, owner)
  assert.deepEqual([silent.status, silent.body.issues?.[0]?.path], [400, 'reason'])
  const many = Array.from({ length: 21 }, (_, n) => ({ id: body.id + n, version: 1 }))
  assert.equal((await server.call(acceptQuestions, { body: { questions: many } }, owner)).status, 400)
  const stale = [{ id: body.id, version: 7 }]
  const late = await server.ask(acceptQuestions, { questions: stale }, owner)
  assert.deepEqual([late.done, late.refused.length], [[], 1])
  assert.equal((await listOf(teacher))[0]?.status, 'sent')
})

test('a role that may read questions exports those of a status, and the export is logged', async () => {
  const teacher = await aTeacher()
  const { code } = await findRow('schools', { id: teacher.schoolId })
  await send(teacher)
  await send(teacher, { question: 'How many sides has a hexagon, one of them counted twice?', classId: 8 })
  const filters = { FYear: thisSeason, status: 'sent', letter: 'M', classId: '7', search: code } as const
  const { text } = await takeCsv(server, exportQuestions, filters, await anOfficer('results'))
  const lines = text.trim().split('\n')
  assert.equal(lines.length, 2, text)
  assert.match(lines[1] ?? '', /,17,19,21,23,C,/)
  assert.deepEqual(await newestChange('question.exported'), { format: 'csv', questions: 1, filters })
  assert.equal((await takeCsv(server, exportQuestions, filters, await anOfficer('accounts'))).status, 403)
})

test('an account that sends and withdraws questions again and again has to wait after the sixtieth in an hour', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const teacher = await aTeacher()
  for (let n = 0; n < 60; n++) {
    const { id } = await strict.ask(saveTeacherQuestion, filled, teacher)
    await strict.ask(withdrawQuestion, { id }, teacher)
  }
  await strict.refuses('request.too_many', saveTeacherQuestion, filled, teacher)
  assert.equal((await listOf(teacher)).length, 60)
})
