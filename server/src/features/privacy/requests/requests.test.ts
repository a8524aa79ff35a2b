import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editFamilyStudent } from '@podium/contract/families/calls'
import {
  askDataAsSchool,
  askDataRequest,
  carryOutRequest,
  checkDataRequest,
  dataFile,
  dataRequests,
  declineRequest,
  exportDataRequests,
  familyAskData,
  familyConsent,
  familyDataFile,
  familyPrivacy,
  schoolDataRequests,
  withdrawDataRequest,
} from '@podium/contract/privacy/calls'
import { formatDay, istDay } from '@podium/contract/season'
import { pdfText } from '#test/archives'
import { aDay, anOfficer, aSeason, eventOf, thisSeason } from '#test/factories'
import { auditLines, newestChange, takeCsv } from '#test/file-call'
import { aFamilyOf, aReleasedEvent } from '#test/results-factories'
import { addRow, addRows, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'
import {
  aFamily,
  aMobile,
  anEnteredStudent,
  aTeacherInSeason,
  aVisitingFamily,
  lastSeason,
  lastYear,
} from '#test/students-factories'

const day = 86_400_000
let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(() => aSeason())
const officer = beforehand(() => anOfficer('operations'))

const requestsAbout = async (student: number, by = officer) =>
  (await server.call(dataRequests, { query: { state: 'all', student: String(student) } }, by)).body

type Family = Awaited<ReturnType<typeof aVisitingFamily>>
type Asking = Pick<Family, 'id' | 'token' | 'groupId'>

/** Requested by a family, checked and granted by the office. */
async function aGrantedRequest<Of extends Asking = Family>(of?: Of) {
  const family = of ?? (await aVisitingFamily(server, [{ studentName: 'Asha Namunawala' }]))
  const ask = { individualRegId: family.id, kind: 'export' as const, message: 'Please send me all.' }
  await server.ask(familyAskData, ask, family)
  const id = (await requestsAbout(family.id)).data[0]?.id ?? 0
  const check = { id, version: 1, method: 'family-code' as const, note: 'Asked behind the code.' }
  await server.ask(checkDataRequest, check, officer)
  await server.ask(carryOutRequest, { id, version: 2 }, officer)
  return { family, id }
}

test('a copy in Hindi has the Hindi names of prizes and awards, and the marks beside the final score', async () => {
  const { event, students } = await aReleasedEvent(server)
  const [child = assert.fail()] = students
  const { token, linkId } = await aFamilyOf(server, [child], event.season)
  await changeRows(
    'results',
    { student_id: child.id },
    { prize: 'Prize of ₹15,000', award: 'Zonal award, place 2' },
  )
  const { id } = await aGrantedRequest({ id: child.id, token, groupId: linkId })
  const [result] = JSON.parse((await takeFile(id, { token })).text).results
  assert.deepEqual([result.marks, result.score, result.prize], [90, 90, 'Prize of ₹15,000'])
  const { bytes } = await server.download(familyDataFile, { id, format: 'pdf', language: 'hi' }, { token })
  const hindi = pdfText(bytes)
  for (const word of ['₹15,000 का पुरस्कार', 'क्षेत्रीय पुरस्कार', 'मूल अंक']) assert.ok(hindi.includes(word), word)
  assert.doesNotMatch(hindi, /Prize|award/)
})

const takeFile = async (id: number, by: { token: string }) => {
  const { status, bytes } = await server.download(familyDataFile, { id, format: 'json' }, by)
  return { status, text: bytes.toString() }
}

type Kind = 'export' | 'erase' | 'correct'
type By = { token: string }
const asked = (studentId: number, by: By, kind: Kind = 'correct') =>
  server.call(
    askDataAsSchool,
    { body: { studentId, kind, message: 'The mother, today: the name is Asha.', contact: '9876500001' } },
    by,
  )
const schoolRequests = (by: By) => server.ask(schoolDataRequests, {}, by)
const ofOffice = async (student: number) =>
  (await server.ask(dataRequests, { state: 'all', student: String(student) }, officer)).data

test('a repeated request for data is entered once, by a school and by the office, and gets its answer', async () => {
  const teacher = await aTeacherInSeason()
  const body = { kind: 'correct' as const, message: 'Her name is Asha.', contact: '9876500001' }
  for (const [call, { token }] of [
    [askDataAsSchool, teacher],
    [askDataRequest, officer],
  ] as const) {
    const { id: studentId } = await anEnteredStudent(server, teacher)
    const once = { token, headers: { 'idempotency-key': `data-key-${studentId}` } }
    const first = await server.ask(call, { ...body, studentId }, once)
    assert.deepEqual(await server.ask(call, { ...body, studentId }, once), first)
  }
})

test('an account that passes on more than sixty requests in an hour has to wait', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const teacher = await aTeacherInSeason()
  const { id: studentId } = await anEnteredStudent(server, teacher)
  const body = { studentId, kind: 'correct' as const, message: 'Her name is Asha.', contact: '9876500001' }
  await strict.ask(askDataAsSchool, body, teacher)
  for (let n = 1; n < 60; n++) await strict.refuses('privacy.open_already', askDataAsSchool, body, teacher)
  await strict.refuses('request.too_many', askDataAsSchool, body, teacher)
})

test("a request passed on by a school joins the office's queue with its deadline, and the school follows it to the answer", async () => {
  const teacher = await aTeacherInSeason()
  const { id: studentId } = await anEnteredStudent(server, teacher)
  assert.equal((await asked(studentId, teacher)).status, 200)
  await refused('privacy.open_already', asked(studentId, teacher))
  const [request] = await ofOffice(studentId)
  assert.deepEqual(
    [request?.kind, request?.requestedThrough, request?.dueOn, request?.contact, request?.can.check],
    ['correct', 'school', '2027-02-19', '9876500001', true],
  )
  const [own] = (await schoolRequests(teacher)).data
  assert.deepEqual([own?.state, own?.dueOn, own?.can.withdraw], ['asked', '2027-02-19', true])
  const id = request?.id ?? 0
  const check = { id, version: 1, method: 'call-back' as const, note: 'Called the number on record.' }
  assert.equal((await server.send(checkDataRequest, { body: check }, officer)).status, 200)
  assert.equal((await server.send(carryOutRequest, { body: { id, version: 2 } }, officer)).status, 200)
  const { data, open } = await schoolRequests(teacher)
  assert.deepEqual([data[0]?.state, open], ['done', 0])
  assert.equal(JSON.stringify(data).includes('Called the number'), false, 'the school does not see the check')
  const lines = await auditLines(['action'], { subject_kind: 'data_request', subject_id: id })
  assert.deepEqual(valuesOf(lines, 'action'), [
    'data_request.asked',
    'data_request.checked',
    'data_request.corrected',
  ])
})

test('a school withdraws a request before it is checked, and reads why another was declined', async () => {
  const teacher = await aTeacherInSeason()
  const { id: studentId } = await anEnteredStudent(server, teacher)
  const first = (await asked(studentId, teacher)).body.id
  await server.refuses('changed_meanwhile', withdrawDataRequest, { id: first, version: 2 }, teacher)
  assert.equal(
    (await server.send(withdrawDataRequest, { body: { id: first, version: 1 } }, teacher)).status,
    200,
  )
  const second = (await asked(studentId, teacher, 'erase')).body.id
  const declined = { id: second, version: 1, reason: 'It was the neighbour.' }
  assert.equal((await server.send(declineRequest, { body: declined }, officer)).status, 200)
  await server.refuses('privacy.decided', withdrawDataRequest, { id: second, version: 2 }, teacher)
  assert.deepEqual(valuesOf((await schoolRequests(teacher)).data, 'state', 'decision'), [
    ['withdrawn', ''],
    ['declined', 'It was the neighbour.'],
  ])
})

test('a school sees only its own requests, and none entered by families or the office', async () => {
  const [teacher, other] = [await aTeacherInSeason(), await aTeacherInSeason()]
  const { id: studentId } = await anEnteredStudent(server, teacher)
  assert.equal((await asked(studentId, other)).status, 404)
  const { id } = (await asked(studentId, teacher)).body
  assert.deepEqual((await schoolRequests(other)).data, [])
  assert.equal((await server.send(withdrawDataRequest, { body: { id, version: 1 } }, other)).status, 404)
  await changeRows('data_requests', { id }, { asked_through: 'family' })
  assert.deepEqual((await schoolRequests(teacher)).data, [])
  assert.equal((await server.send(withdrawDataRequest, { body: { id, version: 1 } }, teacher)).status, 404)
})

test('a family sends a request on its page, and the office sees the legal deadline', async () => {
  const family = await aVisitingFamily(server)
  const body = { individualRegId: family.id, kind: 'export' as const, message: 'All that you hold.' }
  await server.ask(familyAskData, body, family)
  await server.refuses('privacy.open_already', familyAskData, body, family)
  const [request] = (await requestsAbout(family.id)).data
  assert.deepEqual(
    [request?.requestedThrough, request?.dueOn, request?.late, request?.message],
    ['family', '2027-02-19', false, 'All that you hold.'],
  )
  now = new Date('2027-02-19T18:29:00Z')
  const viewer = await anOfficer('viewer', now)
  assert.equal((await requestsAbout(family.id, viewer)).data[0]?.late, false)
  now = new Date('2027-02-19T18:31:00Z')
  const late = await requestsAbout(family.id, viewer)
  assert.deepEqual([late.data[0]?.late, late.late], [true, 1])
  assert.match(String(late.data[0]?.can.check), /Access Denied/)
  now = aDay
})

test('a granted file contains everything about the student, in its family’s language, for it only and for 30 days', async () => {
  const { family, id } = await aGrantedRequest()
  const { status, text } = await takeFile(id, family)
  assert.equal(status, 200)
  const data = JSON.parse(text)
  assert.equal(data.entries[0].name, 'Asha Namunawala')
  assert.equal(data.entries[0].parentMobile, family.mobile)
  assert.ok(data.olympiads.length > 0)
  assert.equal(data.requests[0].message, 'Please send me all.')
  const pdf = await server.download(familyDataFile, { id, format: 'pdf' }, family)
  const read = pdfText(pdf.bytes)
  for (const word of ['A copy of the data', 'Student entered', formatDay(istDay(aDay))])
    assert.ok(read.includes(word), word)
  assert.doesNotMatch(read, /\bcb\b|export|student\.|[0-9]{4}-[0-9]{2}-[0-9]{2}/, 'no code of the database')
  assert.match(pdf.headers.get('content-disposition') ?? '', /filename="Data of Asha Namunawala\.pdf"/)
  const inHindi = await server.download(familyDataFile, { id, format: 'pdf', language: 'hi' }, family)
  const { notice } = await server.ask(familyPrivacy, {}, family)
  const consent = { individualRegId: family.id, given: true, noticeVersion: notice.version }
  await server.ask(familyConsent, { ...consent, language: 'hi' }, family)
  const fromOffice = await server.download(dataFile, { id, format: 'pdf' }, officer)
  for (const { bytes } of [inHindi, fromOffice]) {
    const hindi = pdfText(bytes)
    for (const word of ['डेटा की प्रति', 'विद्यार्थी दर्ज', 'गणित']) assert.ok(hindi.includes(word), word)
    assert.doesNotMatch(hindi, /Season|Mathematics|Student|Nothing/)
  }
  const other = await aVisitingFamily(server)
  assert.equal((await takeFile(id, other)).status, 404)
  now = new Date(aDay.getTime() + 31 * day)
  const later = await anOfficer('operations', now)
  await server.refuses('privacy.file_over', dataFile, { id, format: 'json' }, later)
  now = aDay
})

test('a granted file says in which exams the school reported the student absent', async () => {
  const { family, id } = await aGrantedRequest()
  const { id: event_id } = await eventOf('M')
  const absences = async () => JSON.parse((await takeFile(id, family)).text).absences
  assert.deepEqual(await absences(), [])
  await addRows('attendance_absences', [{ event_id, student_id: family.id }])
  assert.deepEqual(await absences(), [{ season: thisSeason, subject: 'Mathematics', present: false }])
  const { bytes } = await server.download(familyDataFile, { id, format: 'pdf', language: 'hi' }, family)
  assert.ok(pdfText(bytes).includes('विद्यालय की उपस्थिति सूची में अनुपस्थित'))
})

/** A child of last season with the family link of a mobile number. */
async function lastSeasonOf(family: Family, name: string, mobile: string) {
  const [id = 0] = await lastYear(family.teacher, [{ name, mobile }])
  const link = { id: `last-${id}`, school_id: family.schoolId, season: lastSeason, parent_mobile: mobile }
  await addRow('family_links', { ...link, access_code_hash: 'x', access_code_sealed: 'x', created_at: aDay })
  await changeRows('students', { id }, { family_link_id: link.id })
  return link.id
}

const correctAsFamily = (family: Family, studentName: string, mobileNo: string) => {
  const email = 'family@family.example'
  const child = { groupId: family.groupId, fYear: thisSeason, classId: 7, individualRegId: family.id }
  return server.send(editFamilyStudent, { body: { ...child, studentName, mobileNo, email } }, family)
}

const namesIn = (text: string): string[] => JSON.parse(text).entries.map(({ name }: { name: string }) => name)

test("a family that types another student's name and mobile number gets nothing about that student", async () => {
  const family = await aVisitingFamily(server, [{ studentName: 'Asha Namunawala' }])
  const mobile = aMobile()
  await lastSeasonOf(family, 'Tara Kelimwala', mobile)
  assert.equal((await correctAsFamily(family, 'Tara Kelimwala', mobile)).status, 200)
  const { id } = await aGrantedRequest(family)
  assert.equal((await requestsAbout(family.id)).data[0]?.records, 1)
  const { entries }: { entries: { season: string }[] } = JSON.parse((await takeFile(id, family)).text)
  assert.deepEqual(valuesOf(entries, 'season'), [thisSeason])
})

test('a request covers the records found at its check, whatever is typed afterwards', async () => {
  const family = await aVisitingFamily(server, [{ studentName: 'Asha Namunawala' }])
  const link = await lastSeasonOf(family, 'Asha Namunawala', family.mobile)
  const [sister = 0] = await lastYear(family.teacher, [{ name: 'Uma Namunawala' }])
  await changeRows('students', { id: sister }, { family_link_id: link })
  const { id } = await aGrantedRequest(family)
  assert.equal((await requestsAbout(family.id)).data[0]?.records, 2)
  assert.equal((await correctAsFamily(family, 'Uma Namunawala', family.mobile)).status, 200)
  const names = namesIn((await takeFile(id, family)).text)
  assert.deepEqual(names.sort(), ['Asha Namunawala', 'Uma Namunawala'])
})

test('a role that may not see parents reads neither their words nor the check', async () => {
  const { family } = await aGrantedRequest()
  const visibleTo = async (by: typeof officer) => {
    const [row] = (await requestsAbout(family.id, by)).data
    return [row?.message, row?.checkNote, row?.contact]
  }
  assert.deepEqual(await visibleTo(await anOfficer('viewer')), ['', '', ''])
  assert.deepEqual(await visibleTo(officer), ['Please send me all.', 'Asked behind the code.', ''])
})

test('the log of a request says nothing about the student', async () => {
  const { family, id } = await aGrantedRequest()
  await takeFile(id, family)
  const lines = await auditLines(['action', 'change'], { subject_kind: 'data_request', subject_id: id })
  assert.deepEqual(
    lines.map(({ action }) => action.split('.')[1]),
    ['asked', 'checked', 'granted', 'file_taken'],
  )
  assert.doesNotMatch(JSON.stringify(lines), /Asha|Please|family\.example/)
})

test('the requests are exported with what the list shows, and logged; roles that do not handle them get no file', async () => {
  const { family } = await aGrantedRequest()
  const { id: foreign } = await aVisitingFamily(server)
  const filters = { state: 'over', kind: 'export', student: family.id, search: 'asha' } as const
  const { text } = await takeCsv(server, exportDataRequests, filters, officer)
  const [, line = '', ...more] = text.trim().split('\r\n')
  assert.match(line, /^The child's data,On the family's page,Asha Namunawala,.*,2026-11-21,2027-02-19,,Done$/)
  assert.deepEqual(more, [])
  assert.doesNotMatch(text, /Please send me all|Asked behind the code/)
  const change = { format: 'csv', dataRequests: 1, filters: { ...filters, search: '•••' } }
  assert.deepEqual(await newestChange('data_request.exported'), change)
  const none = await takeCsv(server, exportDataRequests, { ...filters, student: foreign }, officer)
  assert.equal(none.text.trim().split('\r\n').length, 1)
  for (const role of ['viewer', 'accounts', 'results'] as const)
    assert.equal((await takeCsv(server, exportDataRequests, filters, await anOfficer(role))).status, 403)
})

test("requests are found by words of a student's name and by the school's code, and in no other way", async () => {
  const { family } = await aGrantedRequest()
  const found = async (search: string) => {
    const query = { state: 'all' as const, student: String(family.id), search }
    return (await server.ask(dataRequests, query, officer)).total
  }
  const { code } = await findRow('schools', { id: family.schoolId })
  assert.deepEqual([await found('namunawala ASHA'), await found(code)], [1, 1])
  assert.deepEqual([await found('asha kelimwala'), await found('please send'), await found('%')], [0, 0, 0])
  const erased = { name: '', erased_at: aDay }
  await server.deps.db.updateTable('students').set(erased).where('id', '=', family.id).execute()
  assert.deepEqual([await found('asha'), await found(code)], [0, 1])
})

test('a declined request tells the family why, and a decision on an outdated request is refused', async () => {
  const family = await aVisitingFamily(server)
  await server.ask(familyAskData, { individualRegId: family.id, kind: 'erase' as const, message: '' }, family)
  const id = (await requestsAbout(family.id)).data[0]?.id ?? 0
  const reason = 'The exam is next week; ask again after it.'
  await server.refuses('changed_meanwhile', declineRequest, { id, version: 9, reason }, officer)
  await server.ask(declineRequest, { id, version: 1, reason }, officer)
  const body = await server.ask(familyPrivacy, {}, family)
  assert.deepEqual(
    body.children[0]?.requests.map(({ state, decision }) => [state, decision]),
    [['declined', reason]],
  )
})

test('a family sees a correction that was requested through the office', async () => {
  const family = await aVisitingFamily(server)
  const body = {
    studentId: family.id,
    kind: 'correct' as const,
    message: 'The name is spelt wrongly.',
    contact: '',
  }
  await server.ask(askDataRequest, body, officer)
  const { children } = await server.ask(familyPrivacy, {}, family)
  assert.deepEqual(
    children[0]?.requests.map(({ kind, state, ready }) => [kind, state, ready]),
    [['correct', 'asked', false]],
  )
})

test('consent is recorded with the notice that was read; withdrawing it requests erasure, giving it again cancels that', async () => {
  const family = await aVisitingFamily(server)
  const body = await server.ask(familyPrivacy, { language: 'hi' }, family)
  const say = (given: boolean, noticeVersion = body.notice.version) =>
    server.call(
      familyConsent,
      { body: { individualRegId: family.id, given, noticeVersion, language: 'hi' } },
      family,
    )
  await refused('privacy.notice_changed', say(true, '2020-1'))
  await say(true)
  await say(false)
  const state = async () => (await server.ask(familyPrivacy, {}, family)).children[0]
  assert.deepEqual([(await state())?.consent, (await state())?.requests[0]?.state], ['withdrawn', 'asked'])
  await say(true)
  assert.deepEqual([(await state())?.consent, (await state())?.requests[0]?.state], ['given', 'withdrawn'])
  const [request] = (await requestsAbout(family.id)).data
  const lines = await auditLines(['action'], { subject_kind: 'data_request', subject_id: request?.id })
  assert.deepEqual(valuesOf(lines, 'action'), ['data_request.asked', 'data_request.withdrawn'])
  const rows = await findRows('consents', { student_id: family.id }, 'all', 'id')
  assert.deepEqual(
    rows.map((row) => [row.state, row.language, row.method, row.notice_version, row.notice_sha256.length]),
    ['given', 'withdrawn', 'given'].map((item) => [item, 'hi', 'family-code', body.notice.version, 64]),
  )
})

test("another family's student is not found, whatever is requested", async () => {
  const family = await aVisitingFamily(server)
  const { id: foreign } = await aFamily(server)
  const body = await server.ask(familyPrivacy, {}, family)
  for (const individualRegId of [foreign, 999_999_999]) {
    const asked = await server.send(
      familyAskData,
      { body: { individualRegId, kind: 'erase', message: '' } },
      family,
    )
    assert.equal(asked.status, 404)
    const consent = { individualRegId, given: false, noticeVersion: body.notice.version, language: 'en' }
    assert.equal((await server.send(familyConsent, { body: consent }, family)).status, 404)
  }
  assert.equal((await requestsAbout(foreign)).total, 0)
  const entered = await server.send(
    askDataRequest,
    { body: { studentId: 999_999_999, kind: 'export', message: 'By letter.', contact: '' } },
    officer,
  )
  assert.equal(entered.status, 404)
})
