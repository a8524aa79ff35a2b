import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueEvent, saveCatalogueEvent } from '@podium/contract/catalogue/calls-events'
import { downloadForm, seasonTrack } from '@podium/contract/dashboard/calls'
import { getExamDates, setExamDate, setExamDateGet } from '@podium/contract/exams/calls'
import { officeMessages } from '@podium/contract/office/messages'
import { savePayment } from '@podium/contract/payments/calls'
import { addDays, formatDay, istDay, type Season } from '@podium/contract/season'
import { officeDue, officeDueOfSchool } from '@podium/contract/shipping/calls-orders'
import { pdfText } from '#test/archives'
import { aDay, anOfficer, aSchool, aTeacher, eventOf, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aFoundation, aSubmission } from '#test/payments-factories'
import { addRow, changeRows, findRow, valuesOf } from '#test/rows'
import { beforehand, mailsLike, refused, testServer } from '#test/server'
import { anEnteredStudent, aSchoolThatMayChoose, subjectOf } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

const today = istDay(aDay)
type Chooser = Awaited<ReturnType<typeof aSchoolThatMayChoose>>

const choose = ({ subject, teacher }: Chooser, examDateId: unknown, more: object = {}) =>
  server.send(
    setExamDate,
    { body: { eventManagementId: subject.eventManagementId, examDateId, ...more } },
    teacher,
  )
const cardOf = ({ teacher, season }: Chooser) => subjectOf(server, teacher, season)

async function choicesLogged({ subject }: Chooser) {
  return auditLines(['change', 'actor_name', 'school_id', 'season'], {
    action: 'exam_date.chosen',
    subject_id: subject.eventManagementId,
  })
}

/** Nothing was chosen, and nothing is in the activity log. */
async function assertNothingChosen(chooser: Chooser) {
  const participation = await findRow('participations', { id: chooser.subject.eventManagementId }, [
    'exam_date_id',
    'version',
  ])
  assert.deepEqual(participation, { exam_date_id: null, version: 1 })
  assert.deepEqual(await choicesLogged(chooser), [])
}

/** Moves the first date of the season's Mathematics to this many days after today. */
async function moveFirstDate({ subject }: Chooser, days: number) {
  await changeRows('exam_dates', { id: subject.firstDateId }, { held_on: addDays(today, days) })
}

test('a school sees the two dates of each of its offline olympiads, and that none is chosen yet [spec 2.14.3 7.29 9.14]', async () => {
  const chooser = await aSchoolThatMayChoose(server, { subjectName: 'Mathematics,Computer Science,Science' })
  const body = await server.ask(getExamDates, { FYear: chooser.season }, chooser.teacher)
  assert.deepEqual(valuesOf(body.data, 'subjectName'), ['Mathematics', 'Science'])
  const year = chooser.season.slice(0, 4)
  const { eventManagementId, firstDateId, secondDateId } = chooser.subject
  assert.ok(eventManagementId > 0 && firstDateId !== secondDateId)
  assert.deepEqual(body.data[0], {
    eventManagementId,
    eventLetter: 'M',
    subjectName: 'Mathematics',
    examLevel: 1,
    examDate: null,
    examDateId: null,
    firstDateId,
    firstDate: `${year}-12-03`,
    secondDateId,
    secondDate: `${year}-12-17`,
    version: 1,
    can: true,
    totalStudent: 1,
    paidStudent: 1,
    waitingStudent: 0,
    freeStudent: 0,
    until: `${year}-11-03`,
    history: [],
  })
})

for (const twin of [setExamDateGet, setExamDate]) {
  test(`${twin.method} chooses a date and confirms it, and a second choice changes it [spec 4.15 7.30 8.10]`, async () => {
    const chooser = await aSchoolThatMayChoose(server)
    const { eventManagementId, firstDateId, secondDateId, firstDate, secondDate } = chooser.subject
    for (const [examDateId, day] of [
      [firstDateId, firstDate],
      [secondDateId, secondDate],
    ]) {
      const input = { eventManagementId, examDateId }
      const answer = await server.send(
        twin,
        twin.method === 'GET' ? { query: input } : { body: input },
        chooser.teacher,
      )
      assert.deepEqual(
        [answer.status, answer.body.result, answer.body.message],
        [200, 'success', 'Details saved sucessfully'],
      )
      const after = await cardOf(chooser)
      assert.deepEqual([after.examDateId, after.examDate], [examDateId, day])
    }
  })
}

test('the card shows every change, newest first, with who made it and both dates', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const { firstDateId, secondDateId, firstDate, secondDate } = chooser.subject
  await choose(chooser, firstDateId)
  await choose(chooser, secondDateId)
  const lines = await choicesLogged(chooser)
  assert.deepEqual(valuesOf(lines, 'change'), [
    { letter: 'M', from: null, to: firstDate },
    { letter: 'M', from: firstDate, to: secondDate },
  ])
  for (const line of lines)
    assert.deepEqual(
      [line.actor_name, line.school_id, line.season],
      [chooser.teacher.name, chooser.teacher.schoolId, chooser.season],
    )
  const { history } = await cardOf(chooser)
  assert.deepEqual(valuesOf(history, 'by', 'from', 'to'), [
    [chooser.teacher.name, firstDate, secondDate],
    [chooser.teacher.name, null, firstDate],
  ])
  assert.equal(Date.parse(history[0]?.at ?? ''), aDay.getTime())
})

test('choosing the current date again succeeds and records nothing', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  await choose(chooser, chooser.subject.firstDateId)
  assert.equal((await choose(chooser, chooser.subject.firstDateId)).status, 200)
  assert.equal((await choicesLogged(chooser)).length, 1)
})

for (const nothing of ['', 0, null, undefined]) {
  test(`no date (${JSON.stringify(nothing)}) is refused with the quoted sentence [spec 5.21]`, async () => {
    const chooser = await aSchoolThatMayChoose(server)
    const refused = await choose(chooser, nothing)
    const message = 'Please select Exam date.'
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.message],
      [400, 'exam.no_date', message],
    )
    assert.deepEqual(refused.body.issues, [{ path: 'examDateId', message }])
    await assertNothingChosen(chooser)
  })
}

test('the GET call without a date is refused with the quoted sentence too', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  for (const examDateId of ['', undefined]) {
    const query = { eventManagementId: chooser.subject.eventManagementId, examDateId }
    const refused = await server.send(setExamDateGet, { query }, chooser.teacher)
    assert.deepEqual([refused.status, refused.body.message], [400, 'Please select Exam date.'])
  }
  await assertNothingChosen(chooser)
})

test('a date of another olympiad or an unknown date cannot be chosen', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const other = await aSchoolThatMayChoose(server, { subjectName: 'Science' })
  for (const examDateId of [other.subject.firstDateId, 999_999_999]) {
    await refused('exam.date_not_offered', choose(chooser, examDateId))
  }
  await assertNothingChosen(chooser)
})

test('no date can be chosen while a student of the olympiad is unpaid, and the answer counts those students [spec 4.14]', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const traits = { FYear: chooser.season, subjectName: 'Mathematics', cb: '' }
  await anEnteredStudent(server, chooser.teacher, traits)
  assert.equal((await cardOf(chooser)).can, 'exam.unpaid')
  const { totalStudent, paidStudent, waitingStudent } = await refused(
    'exam.unpaid',
    choose(chooser, chooser.subject.firstDateId),
  )
  assert.deepEqual([totalStudent, paidStudent, waitingStudent], [2, 1, 0])
  await assertNothingChosen(chooser)
})

test('students whose fee is being verified are counted separately, and book payments do not count [spec 4.14]', async () => {
  await aFoundation()
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher, { subjectName: 'Mathematics', cb: 'Mathematics' })
  const waiting = async () => (await subjectOf(server, teacher, thisSeason)).waitingStudent
  for (const [kind, count] of [
    ['Book Fee', 0],
    ['Registration Fee', 1],
  ] as const) {
    const body = await aSubmission(server, teacher.token, kind)
    await server.ask(savePayment, body, teacher)
    assert.equal(await waiting(), count, kind)
  }
})

test('students of other olympiads, of other schools and deleted students do not block the choice', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const inSeason = { FYear: chooser.season, cb: '' }
  await anEnteredStudent(server, chooser.teacher, { ...inSeason, subjectName: 'Science' })
  const deleted = await anEnteredStudent(server, chooser.teacher, { ...inSeason, subjectName: 'Mathematics' })
  await changeRows('students', { id: deleted.id }, { active: false })
  await anEnteredStudent(server, await aTeacher(), { ...inSeason, subjectName: 'Mathematics' })
  assert.equal((await choose(chooser, chooser.subject.firstDateId)).status, 200)
})

test('an olympiad whose last student was deleted is not listed and accepts no choice', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const { id } = chooser.student
  await changeRows('students', { id }, { active: false })
  const body = await server.ask(getExamDates, { FYear: chooser.season }, chooser.teacher)
  assert.deepEqual(body.data, [])
  await refused('exam.no_students', choose(chooser, chooser.subject.firstDateId))
  await assertNothingChosen(chooser)
})

test("an olympiad that no student takes any longer does not block the school's season", async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const traits = { FYear: chooser.season, subjectName: 'Science', cb: '' }
  const { id } = await anEnteredStudent(server, chooser.teacher, traits)
  await choose(chooser, chooser.subject.firstDateId)
  const nextStep = async () =>
    (await server.ask(seasonTrack, { FYear: chooser.season }, chooser.teacher)).next?.key
  await changeRows('students', { id }, { paid: true })
  assert.equal(await nextStep(), 'dates')
  await changeRows('students', { id }, { active: false })
  assert.equal(await nextStep(), 'signoff')
})

test('a school can choose until the thirtieth day before the first date', async () => {
  const chooser = await aSchoolThatMayChoose(server, { ownSeason: true })
  await moveFirstDate(chooser, 29)
  const { can, until } = await cardOf(chooser)
  assert.deepEqual([can, until], ['exam.too_late', addDays(today, -1)])
  await refused('exam.too_late', choose(chooser, chooser.subject.secondDateId))
  await assertNothingChosen(chooser)
  await moveFirstDate(chooser, 30)
  assert.equal((await cardOf(chooser)).can, true)
  assert.equal((await choose(chooser, chooser.subject.secondDateId)).status, 200)
})

test("the season's rule sets how many days before the first date a school can choose", async () => {
  const chooser = await aSchoolThatMayChoose(server, { ownSeason: true })
  await moveFirstDate(chooser, 10)
  const days = (date_choice_days: number) =>
    changeRows('seasons', { label: chooser.season }, { date_choice_days })
  await days(11)
  await refused('exam.too_late', choose(chooser, chooser.subject.firstDateId))
  await days(10)
  assert.equal((await choose(chooser, chooser.subject.firstDateId)).status, 200)
})

test('an olympiad without dates yet says so', async () => {
  const chooser = await aSchoolThatMayChoose(server, { ownSeason: true })
  const { firstDateId, secondDateId } = chooser.subject
  await server.deps.db.deleteFrom('exam_dates').where('id', 'in', [firstDateId, secondDateId]).execute()
  const body = await server.ask(getExamDates, { FYear: chooser.season }, chooser.teacher)
  assert.deepEqual([body.data[0]?.can, body.data[0]?.until], ['exam.no_dates', null])
  await refused('exam.no_dates', choose(chooser, firstDateId))
})

test('an online olympiad has no date to choose', async () => {
  const chooser = await aSchoolThatMayChoose(server, { subjectName: 'Mathematics,Computer Science' })
  const online = await server.deps.db
    .selectFrom('participations as p')
    .innerJoin('events as e', 'e.id', 'p.event_id')
    .innerJoin('exam_dates as d', 'd.event_id', 'e.id')
    .select(['p.id', 'd.id as date'])
    .where('p.school_id', '=', chooser.teacher.schoolId)
    .where('e.letter', '=', 'K')
    .executeTakeFirstOrThrow()
  await refused('exam.online', choose(chooser, online.date, { eventManagementId: online.id }))
})

test("a choice made over a colleague's newer one is refused, and the colleague's is kept", async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const { version, firstDateId, secondDateId } = chooser.subject
  await choose(chooser, firstDateId, { version })
  await refused('changed_meanwhile', choose(chooser, secondDateId, { version }))
  assert.equal((await cardOf(chooser)).examDateId, firstDateId)
})

test('the same choice sent many times at once is recorded once', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const { version, firstDateId } = chooser.subject
  const tries = await Promise.all(Array.from({ length: 8 }, () => choose(chooser, firstDateId, { version })))
  assert.deepEqual([...new Set(valuesOf(tries, 'status'))], [200])
  assert.equal((await choicesLogged(chooser)).length, 1)
  assert.equal((await cardOf(chooser)).version, version + 1)
})

test('when two people choose different dates from the same card, one is saved and the other is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const chooser = await aSchoolThatMayChoose(server)
    const { version, firstDateId, secondDateId } = chooser.subject
    const both = await Promise.all([
      choose(chooser, firstDateId, { version }),
      choose(chooser, secondDateId, { version }),
    ])
    assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409])
    const winner = both[0]?.status === 200 ? firstDateId : secondDateId
    assert.equal((await cardOf(chooser)).examDateId, winner)
    assert.equal((await choicesLogged(chooser)).length, 1)
  }
})

/** Saves an event as the office's page does, with these changes. */
async function changeEvent(letter: string, season: Season, change: object) {
  const { id: eventYearId } = await eventOf(letter, season)
  const operations = await anOfficer('operations')
  const { event } = await server.ask(catalogueEvent, { eventYearId: `${eventYearId}` }, operations)
  const { version, examMode, closesOn, firstDate, secondDate, sections } = event
  const body = { eventYearId, version, examMode, closesOn, firstDate, secondDate, sections, ...change }
  return server.send(saveCatalogueEvent, { body }, operations)
}

test('a school is told by e-mail when the date it has chosen moves, and not when the other one does', async () => {
  const chooser = await aSchoolThatMayChoose(server, { ownSeason: true })
  const { season, teacher, subject } = chooser
  await choose(chooser, subject.firstDateId)
  const mails = async () => {
    await server.jobs.drain()
    return mailsLike(server, `exam-date:%:${teacher.id}`)
  }
  const [first, second] = [subject.firstDate ?? '', subject.secondDate ?? '']
  await changeEvent('M', season, { secondDate: addDays(second, 1) })
  assert.deepEqual(await mails(), [])
  await changeEvent('M', season, { firstDate: addDays(first, 1) })
  const [mail, ...others] = await mails()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, `New exam date: Mathematics ${season}`)
  assert.ok(mail.text.includes(`from ${formatDay(first)} to ${formatDay(addDays(first, 1))}.`), mail.text)
  assert.ok(mail.text.includes(`/School/examdate?season=${season}`), mail.text)
  assert.equal((await cardOf(chooser)).examDate, addDays(first, 1))
})

test('an exam goes online only while no school has a date for it, and then has no papers to be packed', async () => {
  const chooser = await aSchoolThatMayChoose(server, { ownSeason: true, subjectName: 'Mathematics,Science' })
  const { season, teacher, subject } = chooser
  // As the payment's verification does
  await addRow('dispatch_stale', { school_id: teacher.schoolId, season })
  await choose(chooser, subject.firstDateId)
  const papers = async () => {
    const operations = await anOfficer('operations')
    const asked = { FYear: season, contents: 'papers' } as const
    await server.ask(officeDue, asked, operations)
    const ofSchool = { ...asked, schoolId: `${teacher.schoolId}` }
    const { data } = await server.ask(officeDueOfSchool, ofSchool, operations)
    return valuesOf(data, 'eventLetter')
  }
  assert.deepEqual(await papers(), ['M', 'S'])
  const kept = await changeEvent('M', season, { examMode: 'Online' })
  assert.deepEqual(valuesOf(kept.body.issues ?? [], 'path', 'message'), [
    ['examMode', officeMessages.modeDates],
  ])
  assert.equal((await changeEvent('S', season, { examMode: 'Online' })).status, 200)
  assert.deepEqual(await papers(), ['M'])
})

test('another school sees nothing of the card and can choose nothing', async () => {
  const chooser = await aSchoolThatMayChoose(server)
  const stranger = await aTeacher()
  const body = await server.ask(getExamDates, { FYear: chooser.season }, stranger)
  assert.deepEqual(body.data, [])
  await refused('not_found', choose({ ...chooser, teacher: stranger }, chooser.subject.firstDateId))
  await assertNothingChosen(chooser)
  const query = { FYear: chooser.season, schCode: (await aSchool()).code }
  assert.equal((await server.send(getExamDates, { query }, stranger)).status, 403)
})

test('the school registration form shows the chosen date, and the fees and prices of all classes', async () => {
  const chooser = await aSchoolThatMayChoose(server, { ownSeason: true })
  const { teacher, season } = chooser
  await choose(chooser, chooser.subject.secondDateId)
  const { firstDate, secondDate } = await cardOf(chooser)
  const form = async (kind: 'school' | 'books' | 'students', blank = false) => {
    const asked = { FYear: season, form: kind, ...(blank && { blank: '1' as const }) }
    const { status, bytes } = await server.download(downloadForm, asked, teacher)
    assert.equal(status, 200)
    return pdfText(bytes)
  }
  const dates = `Mathematics ${formatDay(firstDate ?? '')} ${formatDay(secondDate ?? '')}`
  const chosen = new RegExp(`${dates} 1 ${formatDay(secondDate ?? '')}`)
  assert.match(await form('school'), chosen)
  assert.doesNotMatch(await form('school', true), chosen)

  const fees = server.deps.db.updateTable('event_fees').set({ fee: 15_000, cb: 19_900 })
  const event = server.deps.db
    .selectFrom('events')
    .select('id')
    .where('season', '=', season)
    .where('letter', '=', 'M')
  await fees.where('class_id', '=', 3).where('event_id', 'in', event).execute()
  assert.match(await form('students'), /M Mathematics ₹150 to ₹[\d,.]+,/)
  assert.match(await form('books'), /Mathematics ₹199 to ₹[\d,.]+/)
})
