import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueEvent, saveCatalogueEvent } from '@podium/contract/catalogue/calls-events'
import { sentenceOf } from '@podium/contract/errors'
import { getOnlineExamSchedule } from '@podium/contract/exams/calls'
import {
  assignSlots,
  changeSlots,
  deleteSlot,
  deleteSlots,
  exportSlots,
  notifySchools,
  officeSlots,
  saveSlot,
  scheduleFile,
} from '@podium/contract/exams/calls-office'
import { officeMessages } from '@podium/contract/office/messages'
import { saveStudentDetails } from '@podium/contract/students/calls'
import { cancelStudent, moveStudent } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aTeacher, eventOf, season, thisSeason } from '#test/factories'
import { auditLines, newestChange, takeCsv } from '#test/file-call'
import { aStudent } from '#test/payments-factories'
import { addRow, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsLike, refused, testServer } from '#test/server'
import { anEntry, aWaitingSchool } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

type Teacher = Awaited<ReturnType<typeof aTeacher>>

/** A student of Computer Science with an exam time. */
async function aScheduledStudent(
  teacher: Teacher,
  at = '2026-12-10T04:30:00Z',
  traits: { active?: boolean } = {},
) {
  const student = await aStudent({ ...teacher, letters: ['K'], name: 'Ira Kalpanik', ...traits })
  const { id: event_id } = await eventOf('K')
  const from = new Date(at)
  const { id } = await addRow('exam_schedules', {
    student_id: student.id,
    event_id,
    from_at: from,
    to_at: new Date(from.getTime() + 3_600_000),
  })
  return { student, id }
}

const schedulesOf = async (teacher: Teacher, FYear: string = thisSeason) =>
  (await server.ask(getOnlineExamSchedule, { FYear }, teacher)).data

test('an online exam shows the student, the parent, the olympiad, its hours and both statuses [spec 7.23]', async () => {
  const teacher = await aTeacher()
  const { student, id } = await aScheduledStudent(teacher)
  await changeRows(
    'students',
    { id: student.id },
    { parent_name: 'Asha Kalpanik', parent_email: 'asha@family.example' },
  )
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
  const late = await aScheduledStudent(teacher, '2026-12-12T04:30:00Z')
  const early = await aScheduledStudent(teacher, '2026-12-11T04:30:00Z')
  await aScheduledStudent(teacher, '2026-12-10T04:30:00Z', { active: false })
  const ids = (await schedulesOf(teacher)).map(({ scheduleId }) => scheduleId)
  assert.deepEqual(ids, [early.id, late.id])
})

test('another school, another season and a school without online exams get an empty list [spec 2.13.10]', async () => {
  const owner = await aTeacher()
  await aScheduledStudent(owner)
  assert.deepEqual(await schedulesOf(await aTeacher()), [])
  assert.deepEqual(await schedulesOf(owner, season('2025-26')), [])
})

test('an exam cannot end before it begins', async () => {
  const { id } = await aScheduledStudent(await aTeacher())
  const backwards = changeRows('exam_schedules', { id }, { to_at: new Date('2026-12-10T04:00:00Z') })
  await assert.rejects(backwards, /exam_schedules/)
})

/** A slot that was created weeks ago and has passed. */
async function aPastSlot() {
  const { id: event_id } = await eventOf('K')
  const hours = { from: '2026-11-02T04:30:00.000Z', to: '2026-11-02T05:30:00.000Z' }
  const { id: slotId } = await addRow('exam_slots', {
    event_id,
    from_at: new Date(hours.from),
    to_at: new Date(hours.to),
    places: 5,
  })
  return { slotId, sent: { slotId, eventYearId: event_id, ...hours, places: 5 } }
}

let minute = 0

/** Creates a slot in December; returns its id. */
async function aSlot(officer: { token: string }, places: number, changes: object = {}) {
  const { id: eventYearId } = await eventOf('K')
  const at = new Date(Date.parse('2026-12-12T03:00:00Z') + ++minute * 60_000)
  const body = {
    slotId: 0,
    eventYearId,
    from: at.toISOString(),
    to: new Date(at.getTime() + 3_600_000).toISOString(),
    places,
    ...changes,
  }
  const answer = await server.call(saveSlot, { body }, officer)
  return { ...answer, slotId: answer.body.slotId, body, sent: body }
}

test('a slot never takes more students than it has places, however many officers assign them at once', async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 3)
  const [first, second] = [await aWaitingSchool(2), await aWaitingSchool(2)]
  const give = (schCode: string) =>
    server.call(assignSlots, { body: { eventYearId: sent.eventYearId, schCode, slotId } }, operations)
  const answers = await Promise.all([give(first.code), give(second.code)])
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'schedules.no_room')
  const body = await server.ask(officeSlots, { eventYearId: String(sent.eventYearId) }, operations)
  assert.equal(body.data.find((slot) => slot.slotId === slotId)?.taken, 2)
  const done = answers[0]?.status === 200 ? first : second
  assert.deepEqual(valuesOf(await schedulesOf(done.teacher), 'ScheduleStatus'), ['Scheduled', 'Scheduled'])
  await refused('schedules.nobody', give(done.code))
})

test('a cancelled student gives up the place, for another student or for the slot to be deleted', async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 1)
  const assign = (code: string) => ({ eventYearId: sent.eventYearId, schCode: code, slotId })
  const cancel = async ({ students: [student] }: Awaited<ReturnType<typeof aWaitingSchool>>) =>
    server.ask(cancelStudent, { id: student?.id ?? 0, version: 1, reason: 'Left the school' }, operations)
  const [first, second] = [await aWaitingSchool(1), await aWaitingSchool(1)]
  await server.ask(assignSlots, assign(first.code), operations)
  await server.refuses('schedules.no_room', assignSlots, assign(second.code), operations)
  await cancel(first)
  await server.ask(assignSlots, assign(second.code), operations)
  await server.refuses('schedules.slot_used', deleteSlot, { slotId, version: 1 }, operations)
  await cancel(second)
  await server.ask(deleteSlot, { slotId, version: 1 }, operations)
})

test('a student whose subject is taken back once the payment has bounced has no slot, and the school is told of none', async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 1)
  const { eventYearId } = sent
  const { code, teacher, students } = await aWaitingSchool(1)
  await server.ask(assignSlots, { eventYearId, schCode: code, slotId }, operations)
  const id = students[0]?.id ?? 0
  await changeRows('students', { id }, { paid: false })
  const { version, roll_no: rollno } = await findRow('students', { id })
  const entry = anEntry({ id, version, rollno, classId: 7, section: 'A', subjectName: 'M' })
  await server.ask(saveStudentDetails, entry, teacher)
  assert.deepEqual(await schedulesOf(teacher), [])
  await server.send(notifySchools, { body: { eventYearId } }, operations)
  assert.deepEqual(await mailsLike(server, `schedule:%:${teacher.id}`), [])
  await server.ask(deleteSlot, { slotId, version: 1 }, operations)
})

test('an exam for which students have a slot stays online', async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 1)
  const { eventYearId } = sent
  await server.ask(assignSlots, { eventYearId, schCode: (await aWaitingSchool(1)).code, slotId }, operations)
  const { event } = await server.ask(catalogueEvent, { eventYearId: `${eventYearId}` }, operations)
  const days = { closesOn: '2026-12-10', firstDate: '2026-12-12', secondDate: '2026-12-14' }
  const { version, sections } = event
  const body = { eventYearId, version, examMode: 'Offline', sections, ...days } as const
  const kept = await server.send(saveCatalogueEvent, { body }, operations)
  assert.deepEqual(valuesOf(kept.body.issues ?? [], 'path', 'message'), [
    ['examMode', officeMessages.modeSlots],
  ])
})

test('a moved student keeps the slot, and the new school is notified of it', async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 1)
  const { eventYearId } = sent
  const [from, to] = [await aWaitingSchool(1), await aTeacher()]
  await server.ask(assignSlots, { eventYearId, schCode: from.code, slotId }, operations)
  await server.ask(notifySchools, { eventYearId }, operations)
  const { code: schCode } = await findRow('schools', { id: to.schoolId })
  const id = from.students[0]?.id ?? 0
  const moving = { id, version: 1, schCode, section: 'A', rollno: 1, reason: 'Moved' }
  await server.ask(moveStudent, moving, operations)
  assert.deepEqual(valuesOf(await schedulesOf(to), 'ExamSchedule_From'), [sent.from])
  await server.ask(notifySchools, { eventYearId }, operations)
  assert.equal((await mailsLike(server, `schedule:%:${to.id}`)).length, 1)
})

test('a slot cannot be deleted at the moment students are assigned to it', async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 3)
  const { code, students } = await aWaitingSchool(1)
  const give = { eventYearId: sent.eventYearId, schCode: code, slotId }
  // The times are being written, and wait for the lock on the student.
  const answers = await whileHeld<{ status: number; body: { code?: string } }>(
    sql`select from students where id = ${students[0]?.id} for update`,
    [
      () => server.call(assignSlots, { body: give }, operations),
      () => server.call(deleteSlot, { body: { slotId, version: 1 } }, operations),
    ],
  )
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [200, undefined],
      [409, 'schedules.slot_used'],
    ],
  )
})

test('a school that reads Hindi is notified of its hours in Hindi', async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 5)
  const { eventYearId } = sent
  const { code, teacher } = await aWaitingSchool(2)
  await changeRows('users', { id: teacher.id }, { language: 'hi' })
  await server.ask(assignSlots, { eventYearId, schCode: code, slotId }, operations)
  await server.ask(notifySchools, { eventYearId }, operations)
  const [mail] = await mailsLike(server, `schedule:%:${teacher.id}`)
  assert.match(mail?.subject ?? '', /^ऑनलाइन परीक्षा का समय: /)
  assert.match(mail?.text ?? '', /आपके 2 विद्यार्थियों का समय.*examScheduleStatus\?season=\d{4}-\d\d\s/s)
})

test("changing a slot's hours reschedules its students and notifies their school once per change", async () => {
  const operations = await anOfficer('operations')
  const { slotId, sent } = await aSlot(operations, 5)
  const { eventYearId } = sent
  const world = await aWaitingSchool(2)
  await server.ask(assignSlots, { eventYearId, schCode: world.code, slotId }, operations)
  const mailsTo = async () => {
    await server.ask(notifySchools, { eventYearId }, operations)
    const rows = await server.deps.db
      .selectFrom('outbox')
      .select('key')
      .where('key', 'like', `schedule:%:${world.teacher.id}`)
      .execute()
    return rows.length
  }
  assert.equal(await mailsTo(), 1)
  await server.refuses('schedules.nobody', notifySchools, { eventYearId }, operations)
  const to = new Date(Date.parse(sent.to) + 1_800_000).toISOString()
  await server.ask(saveSlot, { ...sent, slotId, version: 1, to }, operations)
  assert.deepEqual(valuesOf(await schedulesOf(world.teacher), 'ScheduleStatus', 'ExamSchedule_To'), [
    ['Rescheduled', to],
    ['Rescheduled', to],
  ])
  await server.refuses(
    'schedules.too_few_places',
    saveSlot,
    { ...sent, slotId, version: 2, to, places: 1 },
    operations,
  )
  await server.refuses('schedules.slot_used', deleteSlot, { slotId, version: 2 }, operations)
})

test('past hours cannot be assigned, and a slot that has begun keeps its start but may end later', async () => {
  const operations = await anOfficer('operations')
  const past = await aPastSlot()
  const save = (body: object) =>
    server.call(saveSlot, { body: { ...past.sent, version: 1, ...body } }, operations)
  const { from } = past.sent
  const made = await save({ slotId: 0, version: undefined, from: '2026-11-02T04:31:00Z' })
  assert.deepEqual([made.status, made.body.issues?.[0]?.path], [400, 'from'])
  const later = { from: '2026-12-27T04:30:00Z', to: '2026-12-27T05:30:00Z' }
  await refused('schedules.slot_begun', save(later))
  assert.deepEqual((await save({ to: '2026-11-02T05:45:00Z' })).body.issues?.[0]?.path, 'to')
  const coming = await aSlot(operations, 1)
  const back = { ...coming.sent, slotId: coming.slotId, from: '2026-11-20T04:30:00Z' }
  await refused('schedules.slot_begun', save(back))
  assert.equal((await save({ places: 6 })).status, 200)
  assert.equal((await save({ version: 2, to: later.to, places: 6 })).status, 200)
  assert.deepEqual(await currentSlots(operations, past.slotId), [[from, '2026-12-27T05:30:00.000Z', 6]])
  await server.ask(deleteSlot, { slotId: past.slotId, version: 3 }, operations)
})

test("staff who may read slots export an olympiad's slots as a file, and the export is logged", async () => {
  const operations = await anOfficer('operations')
  const { sent } = await aSlot(operations, 4321, { from: '2026-12-20T18:30:00Z', to: '2026-12-20T19:30:00Z' })
  const { eventYearId } = sent
  const { text } = await takeCsv(server, exportSlots, { eventYearId }, await anOfficer('viewer'))
  assert.ok(text.includes('2026-12-21,12:00 AM,01:00 AM,4321,0,4321,0'), text)
  const slots = text.trim().split('\n').length - 1
  assert.deepEqual(await newestChange('schedule.exported'), { format: 'csv', slots })
  assert.equal((await takeCsv(server, exportSlots, { eventYearId }, await anOfficer('accounts'))).status, 403)
  const offline = await takeCsv(server, exportSlots, { eventYearId: (await eventOf('M')).id }, operations)
  assert.equal(JSON.parse(offline.text).code, 'schedules.not_online')
})

test('a slot must end after it begins, be unique and belong to an online olympiad; only some roles create it', async () => {
  const operations = await anOfficer('operations')
  const { sent, slotId } = await aSlot(operations, 1)
  await server.refuses('schedules.slot_known', saveSlot, sent, operations)
  const backwards = await server.call(saveSlot, { body: { ...sent, to: sent.from } }, operations)
  assert.deepEqual([backwards.status, backwards.body.issues?.[0]?.path], [400, 'to'])
  const { id: offline } = await eventOf('M')
  await server.refuses('schedules.not_online', saveSlot, { ...sent, eventYearId: offline }, operations)
  const { id: past } = await eventOf('K', season('2025-26'))
  await server.refuses('schedules.season_over', saveSlot, { ...sent, eventYearId: past }, operations)
  const viewer = await anOfficer('viewer')
  assert.equal((await server.call(deleteSlot, { body: { slotId, version: 1 } }, viewer)).status, 403)
  await server.refuses('changed_meanwhile', deleteSlot, { slotId, version: 7 }, operations)
  await server.ask(deleteSlot, { slotId, version: 1 }, operations)
})

/** The current times and places of slots, by id. */
async function currentSlots(officer: { token: string }, ...ids: number[]) {
  const { id } = await eventOf('K')
  const body = await server.ask(officeSlots, { eventYearId: String(id) }, officer)
  return ids.map((id) => {
    const slot = body.data.find(({ slotId }) => slotId === id)
    return slot && [slot.from, slot.to, slot.places]
  })
}

const hours = (day: number) => ({ from: `2027-01-${day}T04:30:00.000Z`, to: `2027-01-${day}T05:30:00.000Z` })
const firstVersions = (...ids: number[]) => ids.map((id) => ({ id, version: 1 }))
const linesAbout = (action: string, ...ids: number[]) =>
  auditLines(['subject_id'], { action, subject_id: ids })

test('slots on consecutive days move together in either direction without colliding, and each move is logged', async () => {
  const operations = await anOfficer('operations')
  const made = [await aSlot(operations, 2, hours(11)), await aSlot(operations, 3, hours(12))] as const
  const ids = [made[0].slotId, made[1].slotId] as const
  const { teacher, code } = await aWaitingSchool(1)
  const { eventYearId } = made[0].sent
  await server.ask(assignSlots, { eventYearId, schCode: code, slotId: ids[0] }, operations)
  const key = crypto.randomUUID()
  const later = () =>
    server.call(
      changeSlots,
      { body: { slots: firstVersions(...ids), days: 1 } },
      { ...operations, headers: { 'idempotency-key': key } },
    )
  const first = (await later()).body
  assert.deepEqual([valuesOf(first.done, 'id').sort(), first.refused], [ids.toSorted(), []])
  assert.deepEqual((await later()).body.done, first.done)
  const [tenth, eleventh, twelfth, thirteenth] = [hours(10), hours(11), hours(12), hours(13)]
  assert.deepEqual(await currentSlots(operations, ...ids), [
    [twelfth.from, twelfth.to, 2],
    [thirteenth.from, thirteenth.to, 3],
  ])
  assert.deepEqual(valuesOf(await schedulesOf(teacher), 'ScheduleStatus', 'ExamSchedule_From'), [
    ['Rescheduled', twelfth.from],
  ])
  assert.equal((await linesAbout('slot.changed', ...ids)).length, 2)
  const slots = ids.map((id) => ({ id, version: 2 }))
  const earlier = await server.ask(changeSlots, { slots, days: -2, places: 7 }, operations)
  assert.deepEqual(earlier.refused, [])
  assert.deepEqual(await currentSlots(operations, ...ids), [
    [tenth.from, tenth.to, 7],
    [eleventh.from, eleventh.to, 7],
  ])
})

test('a bulk change skips and names slots that have begun, are full, in use, duplicate or changed meanwhile', async () => {
  const operations = await anOfficer('operations')
  const past = await aPastSlot()
  const full = await aSlot(operations, 5, hours(20))
  const free = await aSlot(operations, 5, hours(21))
  const { code } = await aWaitingSchool(2)
  const given = { eventYearId: full.sent.eventYearId, schCode: code, slotId: full.slotId }
  await server.ask(assignSlots, given, operations)
  const change = async (body: { slots: { id: number; version: number }[]; days: number; places?: number }) =>
    (await server.ask(changeSlots, body, operations)).refused.map(({ id, message }) => [id, message])
  const sentence = (code: Parameters<typeof sentenceOf>[0]) => sentenceOf(code)
  const three = firstVersions(past.slotId, full.slotId, free.slotId)
  assert.deepEqual(await change({ slots: three, days: 0, places: 1 }), [
    [full.slotId, sentence('schedules.too_few_places')],
  ])
  assert.deepEqual(await change({ slots: [{ id: past.slotId, version: 2 }], days: 30 }), [
    [past.slotId, sentence('schedules.slot_begun')],
  ])
  assert.deepEqual(await change({ slots: [{ id: free.slotId, version: 2 }], days: -100 }), [
    [free.slotId, sentence('schedules.slot_begun')],
  ])
  assert.deepEqual(await change({ slots: firstVersions(full.slotId), days: 1 }), [
    [full.slotId, sentence('schedules.slot_known')],
  ])
  assert.deepEqual(await change({ slots: [...firstVersions(free.slotId), { id: 0, version: 1 }], days: 3 }), [
    [free.slotId, sentence('changed_meanwhile')],
    [0, sentence('not_found')],
  ])
  const nothing = await server.send(changeSlots, { body: { slots: three, days: 0 } }, operations)
  assert.deepEqual([nothing.status, nothing.body.issues?.[0]?.path], [400, 'days'])
  const slots = [
    ...firstVersions(full.slotId),
    { id: free.slotId, version: 2 },
    { id: past.slotId, version: 2 },
  ]
  const viewer = await anOfficer('viewer')
  assert.equal((await server.send(deleteSlots, { body: { slots } }, viewer)).status, 403)
  const { body } = await server.call(deleteSlots, { body: { slots } }, operations)
  assert.deepEqual(body.done, [{ id: free.slotId }, { id: past.slotId }])
  assert.deepEqual(body.refused, [{ id: full.slotId, message: sentence('schedules.slot_used') }])
  assert.equal((await linesAbout('slot.deleted', free.slotId, past.slotId, full.slotId)).length, 2)
})

test('no student gets two online exams at once: not with a slot, by a file of times, or when a slot moves', async () => {
  const operations = await anOfficer('operations')
  const { id: eventYearId } = await eventOf('E')
  await changeRows('events', { id: eventYearId }, { mode: 'Online' })
  const { code, students } = await aWaitingSchool(2)
  const [first] = students
  assert(first)
  for (const { id: student_id, school_id } of students)
    await addRow('enrolments', {
      ...{ student_id, school_id, class_id: 7, event_id: eventYearId },
      ...{ fee: 17_500, retained: 2_500, created_at: aDay },
    })
  const computer = await aSlot(operations, 2, hours(26))
  const given = { eventYearId: computer.sent.eventYearId, schCode: code, slotId: computer.slotId }
  await server.ask(assignSlots, given, operations)
  const half = { from: '2027-01-26T05:00:00.000Z', to: '2027-01-26T06:00:00.000Z' }
  const clashing = await aSlot(operations, 2, { ...half, eventYearId })
  const free = await aSlot(operations, 2, { ...hours(27), eventYearId })
  const assign = { eventYearId, schCode: code }
  await server.refuses('schedules.clash', assignSlots, { ...assign, slotId: clashing.slotId }, operations)
  const lines = `Exam Roll No,Date,From,To\n${first.exam_roll_no},2027-01-26,10:45,11:45`
  const file = { name: 'hours.csv', bytes: new TextEncoder().encode(lines) }
  const read = await server.ask(scheduleFile, { eventYearId: String(eventYearId) }, { ...operations, file })
  assert.deepEqual(valuesOf(read.rows, 'outcome'), ['clash'])
  await server.ask(assignSlots, assign, operations)
  const taken = await findRows('exam_schedules', { event_id: eventYearId }, ['slot_id'])
  assert.deepEqual(
    valuesOf(taken, 'slot_id'),
    [free.slotId, free.slotId],
    'the slot that clashes is left out',
  )
  const moved = { ...computer.sent, slotId: computer.slotId, version: 1, ...hours(27) }
  await server.refuses('schedules.clash', saveSlot, moved, operations)
  await changeRows('events', { id: eventYearId }, { mode: 'Offline' })
})
