import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrolmentTicket } from '@podium/contract/families/calls'
import type { WrittenLanguage } from '@podium/contract/languages'
import { familyCertificate } from '@podium/contract/results/calls-certificates'
import { formatDay } from '@podium/contract/season'
import { pdfText } from '#test/archives'
import { aDay, eventOf } from '#test/factories'
import { addRow, changeRows, findRows } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aFamily, aVisitingFamily } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

async function ticket(family: Awaited<ReturnType<typeof aVisitingFamily>>, language: WrittenLanguage = 'en') {
  const query = { individualRegId: family.id, language }
  const { status, headers, bytes } = await server.download(enrolmentTicket, query, family)
  assert.equal(status, 200)
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  return { headers, text: pdfText(bytes) }
}

async function datesOf(letter: string) {
  const event = await eventOf(letter)
  const dates = await findRows('exam_dates', { event_id: event.id }, ['id', 'held_on'], 'ordinal')
  const [first, second] = dates
  assert.ok(first && second)
  return { eventId: event.id, first, second }
}

test('a ticket names the student, the school and the olympiads, with both dates until one is chosen [spec 2.7.4]', async () => {
  const family = await aVisitingFamily(server, [{ studentName: 'Pari Namunawala', section: 'B', rollno: 31 }])
  const { headers, text } = await ticket(family)
  assert.match(headers.get('content-disposition') ?? '', /Enrollment Ticket Pari Namunawala 2026-27\.pdf/)
  const { first, second } = await datesOf('M')
  for (const expected of [
    'Pari Namunawala',
    'Class 7, Section B',
    'Hemant Namunawala',
    'Udaharan School',
    '1 Namuna Road',
    'Mathematics (M)',
    'Science (S)',
    `${formatDay(first.held_on)} or ${formatDay(second.held_on)}`,
    'Not assigned yet',
  ])
    assert.ok(text.includes(expected), `${expected} in ${text}`)
  assert.ok(
    !text.includes(family.mobile) && !text.includes(family.code),
    'the ticket shows neither mobile number nor access code',
  )
})

test('a ticket shows the exam roll number once paid, and the date the school has chosen', async () => {
  const family = await aVisitingFamily(server)
  const examRollNo = `T-${family.id}-7-001`
  await changeRows('students', { id: family.id }, { paid: true, exam_roll_no: examRollNo })
  const { eventId, first, second } = await datesOf('M')
  await changeRows(
    'participations',
    { school_id: family.schoolId, event_id: eventId },
    { exam_date_id: second.id },
  )
  const { text } = await ticket(family)
  assert.ok(text.includes(examRollNo) && !text.includes('Not assigned yet'))
  assert.match(text, new RegExp(`Mathematics \\(M\\) At school ${formatDay(second.held_on)}`))
  assert.ok(!text.includes(`${formatDay(first.held_on)} or`) || text.includes('Science'))
})

test('a ticket shows the time of an online exam in Indian time', async () => {
  const family = await aVisitingFamily(server, [{ subjectName: 'Mathematics' }])
  const { eventId } = await datesOf('M')
  await addRow('exam_schedules', {
    student_id: family.id,
    event_id: eventId,
    from_at: new Date('2026-12-10T04:30:00Z'),
    to_at: new Date('2026-12-10T05:30:00Z'),
  })
  const { text } = await ticket(family)
  assert.match(text, /10-Dec-2026, 10:00 AM – 11:00 AM/)
})

test('a ticket for online exams alone says nothing of an exam room', async (step) => {
  const family = await aVisitingFamily(server, [{ subjectName: 'Mathematics' }])
  assert.match((await ticket(family)).text, /exam room/)
  const { eventId } = await datesOf('M')
  await changeRows('events', { id: eventId }, { mode: 'Online' })
  step.after(() => changeRows('events', { id: eventId }, { mode: 'Offline' }))
  const { text } = await ticket(family)
  assert.doesNotMatch(text, /exam room/)
  assert.match(text, /Keep this ticket at hand during an online exam\./)
})

test('a Hindi ticket is in Hindi, with the name as it was entered', async () => {
  const family = await aVisitingFamily(server, [{ studentName: 'इशिता नमूनावाला' }])
  const { text } = await ticket(family, 'hi')
  assert.match(text, /कक्षा 7/)
  assert.match(text, /टिकट/)
  assert.match(text, /गणित/)
  assert.match(text, /नमू/)
})

test("another family's ticket is not found, and no ticket opens without the code", async () => {
  const family = await aVisitingFamily(server)
  const foreign = await aFamily(server, [{}], family.teacher)
  for (const individualRegId of [foreign.id, 999_999_999]) {
    await server.refuses('not_found', enrolmentTicket, { individualRegId }, family)
  }
  const { status } = await server.send(enrolmentTicket, { query: { individualRegId: family.id } })
  assert.equal(status, 401)
})

test('a link allows sixty tickets and certificates an hour', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const family = await aVisitingFamily(server)
  for (let time = 0; time < 59; time++)
    await strict.deps.limits.take('family-document.per-link', family.groupId)
  const query = { individualRegId: family.id }
  assert.equal((await strict.download(enrolmentTicket, query, family)).status, 200)
  assert.equal((await strict.download(enrolmentTicket, query, family)).status, 429)
  const certificate = { body: { resultId: '1-1' } }
  assert.equal((await strict.send(familyCertificate, certificate, family)).status, 429)
})
