import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { recordHistory } from '@podium/contract/audit-log/calls'
import { verifyFamilyCode } from '@podium/contract/families/calls'
import { foldName } from '@podium/contract/names'
import {
  correctStudent,
  exportOfficeStudents,
  maxCounted,
  maxSearchResults,
  moveStudent,
  officeStudent,
  officeStudents,
  renewOfficeFamilyLink,
  revokeFamilyLink,
  sendFamilyLink,
  sendFamilyLinks,
  showFamilyCode,
  showStudentContact,
} from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSchool, aTeacher, schoolCode, thisSeason } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { aPendingPayment } from '#test/payments-factories'
import { aReleasedEvent } from '#test/results-factories'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsLike, testServer } from '#test/server'
import { aFamily, aMobile, anEnteredStudent, aSeasonOfItsOwn } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))
const officer = beforehand(() => anOfficer('operations'))

/** A word that only this test's students have in their names. */
const aWord = () => `kalp${randomInt(1e9, 1e10)}`

const listed = (query: Record<string, string>, by = officer) =>
  server.ask(officeStudents, { FYear: thisSeason, ...query }, by)
const idsOf = async (query: Record<string, string>) => (await listed(query)).data.map((row) => row.id)

const record = (id: number, by = officer) => server.ask(officeStudent, { id: String(id) }, by)

const linesOf = (id: number, action: string) =>
  findRows('audit', { subject_kind: 'student', subject_id: String(id), action })

async function correction(id: number, traits: object = {}) {
  const row = await findRow('students', { id })
  return {
    id,
    version: row.version,
    classId: row.class_id,
    section: row.section,
    rollno: row.roll_no,
    studentName: row.name,
    parentName: row.parent_name,
    parentEmailId: row.parent_email,
    parentMobileNo: row.parent_mobile,
    reason: 'The school has called.',
    ...traits,
  }
}

test('a student is found by beginnings of names in any order, by numbers and by mobile, however they are written', async () => {
  const word = aWord()
  const school = await aSchool()
  await changeRows('schools', { id: school.id }, { code: `TST${randomInt(1e6, 1e7)}` })
  const { code } = await findRow('schools', { id: school.id })
  const teacher = await aTeacher({ schoolId: school.id })
  const mobile = aMobile()
  const rollno = randomInt(100_000, 900_000)
  const child = await anEnteredStudent(server, teacher, {
    studentName: `Āarav Kumār ${word} शर्मा`,
    parentMobileNo: mobile,
    rollno,
  })
  const exam = `${code}-07-001`
  await changeRows('students', { id: child.id }, { exam_roll_no: exam })
  for (const search of [
    `aarav ${word}`,
    `${word.slice(0, 9)} KUM`,
    `शर्म ${word}`,
    String(rollno),
    `${word} ${rollno}`,
    exam.toLowerCase(),
    `${code.toLowerCase()} aar`,
    `+91 ${mobile.slice(0, 5)} ${mobile.slice(5)}`,
  ])
    assert.ok((await idsOf({ search })).includes(child.id), search)
  for (const search of [
    `${word} nobody`,
    `arav ${word}`,
    `${word} ${rollno + 1}`,
    '%',
    '!',
    "'",
    '1234567890123',
    mobile.slice(0, 7),
    mobile.slice(0, 9),
  ])
    assert.equal((await idsOf({ search })).includes(child.id), false, search)
  assert.deepEqual(await idsOf({ search: word, school: school.name }), [child.id])
  assert.deepEqual(await idsOf({ search: word, school: 'Elsewhere of all' }), [])
})

test('the filters by season, class, subject, fee and status list exactly the matching students', async () => {
  const word = aWord()
  const teacher = await aTeacher()
  const named = (last: string, traits: object = {}) =>
    anEnteredStudent(server, teacher, { studentName: `${word} ${last}`, ...traits })
  const plain = await named('A')
  const young = await named('B', { classId: 5, subjectName: 'English', cb: '' })
  const paid = await named('C')
  const gone = await named('D')
  const set = (id: number, values: object) =>
    server.deps.db.updateTable('students').set(values).where('id', '=', id).execute()
  await set(paid.id, { paid: true })
  await set(gone.id, { active: false })
  const cases: [Record<string, string>, number[]][] = [
    [{}, [plain.id, young.id, paid.id]],
    [{ classId: '5' }, [young.id]],
    [{ subject: 'E' }, [young.id]],
    [{ subject: 'M', fee: 'due' }, [plain.id]],
    [{ fee: 'paid' }, [paid.id]],
    [{ fee: 'waived' }, []],
    [{ fee: 'sent' }, []],
    [{ status: 'deleted' }, [gone.id]],
    [{ status: 'all' }, [plain.id, young.id, paid.id, gone.id]],
    [{ FYear: await aSeasonOfItsOwn() }, []],
  ]
  for (const [query, ids] of cases)
    assert.deepEqual(await idsOf({ search: word, ...query }), ids, JSON.stringify(query))
  const everywhere = await server.ask(officeStudents, { search: word }, officer)
  assert.deepEqual(valuesOf(everywhere.data, 'id'), [plain.id, young.id, paid.id])
})

test('a student whose payment is being verified is neither due nor paid', async () => {
  const payment = await aPendingPayment(server)
  const { student_id: id } = await findRow('payment_lines', { payment_id: payment.id })
  const { student, payments } = await record(id)
  assert.deepEqual([student.fee, payments?.[0]?.state], ['sent', 'pending'])
  const school = student.schCode
  assert.ok((await idsOf({ school, fee: 'sent' })).includes(id))
  assert.equal((await idsOf({ school, fee: 'due' })).includes(id), false)
})

test('the list counts up to ten thousand and a search finds up to a thousand; both show if there are more', async () => {
  const season = await aSeasonOfItsOwn()
  const school = await aSchool()
  await sql`
    insert into students (school_id, season, class_id, section, roll_no, name, name_key, created_at, updated_at)
    select ${school.id}, ${season}, 7, 'A', n, 'Child ' || n, 'child ' || lpad(n::text, 5, '0'), ${aDay}::timestamptz, ${aDay}::timestamptz
    from generate_series(1, ${maxCounted + 1}::int) n`.execute(server.deps.db)
  const first = await listed({ FYear: season })
  assert.deepEqual([first.data.length, first.total, first.more], [50, maxCounted, true])
  const second = await listed({ FYear: season, page: '2' })
  assert.equal(second.data[0]?.rollNo, 51)
  const sought = await listed({ FYear: season, search: 'child' })
  assert.deepEqual([sought.total, sought.more], [maxSearchResults, true])
  const few = await listed({ FYear: season, search: 'child 00007' })
  assert.deepEqual([few.total, few.more], [1, false])
})

test('an export has the filtered students without their parents, and leaves an audit line', async () => {
  const word = aWord()
  const mobile = aMobile()
  await anEnteredStudent(server, await aTeacher(), {
    studentName: word,
    parentName: 'Hemant Misaal',
    parentMobileNo: mobile,
  })
  const body = { FYear: thisSeason, search: word, format: 'csv' as const }
  const answer = await server.post(exportOfficeStudents, body, officer)
  const text = await answer.text()
  assert.match(text, new RegExp(word))
  assert.doesNotMatch(text, new RegExp(`${mobile}|Hemant`))
  const line = await server.deps.db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'students.exported')
    .where('actor_id', '=', officer.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.match(JSON.stringify(line.change), new RegExp(`"students":1.*${word}|${word}.*"students":1`))
  const viewer = await server.call(exportOfficeStudents, { body }, await anOfficer('viewer'))
  assert.equal(viewer.status, 403)
})

test('an export of more than five thousand students is refused', async () => {
  const season = await aSeasonOfItsOwn()
  const school = await aSchool()
  await sql`
    insert into students (school_id, season, class_id, section, roll_no, name, name_key, created_at, updated_at)
    select ${school.id}, ${season}, 7, 'A', n, 'Child ' || n, 'child ' || n, ${aDay}::timestamptz, ${aDay}::timestamptz
    from generate_series(1, 5001) n`.execute(server.deps.db)
  await server.refuses('students.too_many', exportOfficeStudents, { FYear: season, format: 'csv' }, officer)
})

test("parents' contacts are masked until an officer asks for them, which is logged without the contact itself", async () => {
  const family = await aFamily(server)
  const { student, family: link, can } = await record(family.id)
  assert.equal(student.parentMobile, `••• ••• ${family.mobile.slice(-3)}`)
  assert.equal(student.parentEmail, 'f•••@family.example')
  assert.equal((await listed({ search: family.mobile })).data[0]?.mobile, student.parentMobile)
  assert.deepEqual([link?.children.length, link?.mail, can.contact], [1, true, true])
  assert.deepEqual(await linesOf(family.id, 'student.contact_shown'), [])
  const shown = await server.ask(showStudentContact, { id: family.id }, officer)
  assert.equal(shown.parentMobile, family.mobile)
  const [line] = await linesOf(family.id, 'student.contact_shown')
  assert.deepEqual([line?.actor_id, line?.change], [officer.id, {}])
  const viewer = await anOfficer('viewer')
  assert.equal((await record(family.id, viewer)).can.contact, 'access.denied')
  assert.equal((await server.call(showStudentContact, { body: { id: family.id } }, viewer)).status, 403)
})

test('a full mobile number finds students, for authorised roles, twenty times an hour and with a log line each time', async () => {
  const family = await aFamily(server)
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const caller = await anOfficer('operations')
  const find = (search: string, by = caller) => strict.call(officeStudents, { query: { search } }, by)
  const found = await find(family.mobile)
  assert.deepEqual(valuesOf(found.body.data, 'id'), [family.id])
  const lines = async () =>
    server.deps.db
      .selectFrom('audit')
      .select(['action', 'subject_id', 'change'])
      .where('actor_id', '=', caller.id)
      .where('action', 'like', 'student%.found_by_mobile')
      .orderBy('action')
      .execute()
  assert.deepEqual(await lines(), [
    { action: 'student.found_by_mobile', subject_id: String(family.id), change: {} },
    { action: 'students.found_by_mobile', subject_id: 'mobile', change: { students: 1 } },
  ])
  assert.deepEqual((await find(family.mobile.slice(0, 9))).body.data, [])
  for (const role of ['viewer', 'accounts', 'results'] as const) {
    const { status, body } = await find(family.mobile, await anOfficer(role))
    assert.deepEqual([status, body.code], [403, 'students.mobile_search'], role)
  }
  const file = { search: family.mobile, format: 'csv' } as const
  assert.equal(
    (await strict.call(exportOfficeStudents, { body: file }, await anOfficer('results'))).status,
    403,
  )
  for (let tries = 1; tries < 20; tries++) assert.equal((await find(aMobile())).status, 200)
  assert.equal((await find(aMobile())).status, 429)
  assert.equal((await find('Aarav')).status, 200)
  assert.equal((await lines()).length, 21)
})

test('exporting students found by a mobile number does not log the number', async () => {
  const family = await aFamily(server)
  const text = await takeCsv(server, exportOfficeStudents, { search: family.mobile }, officer)
  assert.equal(text.status, 200)
  const { rows } = await sql<{ lines: number }>`
    select count(*)::int as lines from audit where change::text like ${`%${family.mobile}%`}
      and actor_kind = 'office'`.execute(server.deps.db)
  assert.equal(rows[0]?.lines, 0)
  assert.equal((await linesOf(family.id, 'student.found_by_mobile')).length, 1)
})

test('an officer who may not read payments or results does not see them at a student', async () => {
  const child = await anEnteredStudent(server, await aTeacher())
  const byResults = await record(child.id, await anOfficer('results'))
  assert.deepEqual(
    [byResults.payments, byResults.entries[0]?.fee, byResults.books[0]?.price],
    [null, null, null],
  )
  const byAccounts = await record(child.id, await anOfficer('accounts'))
  assert.deepEqual([byAccounts.results, byAccounts.entries.length], [null, 2])
  assert.ok((byAccounts.entries[0]?.fee ?? 0) > 0)
})

test('a paid student is corrected with a reason and keeps their entries and fees', async () => {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher)
  await changeRows('students', { id: child.id }, { paid: true })
  const body = await correction(child.id, {
    classId: 8,
    section: 'b',
    studentName: 'Ishita Udaharan',
    parentName: 'Leela Udaharan',
  })
  await server.ask(correctStudent, body, officer)
  const row = await findRow('students', { id: child.id })
  assert.deepEqual(
    [row.class_id, row.section, row.name_key, row.parent_name, row.reg_amount, row.version],
    [8, 'B', foldName('Ishita Udaharan'), 'Leela Udaharan', child.regAmount * 100, body.version + 1],
  )
  const { rows } = await sql<{ class_id: number }>`
    select class_id from enrolments where student_id = ${child.id}
    union select class_id from book_choices where student_id = ${child.id}`.execute(server.deps.db)
  assert.deepEqual(rows, [{ class_id: 8 }])
  const history = await server.ask(recordHistory, { kind: 'student', id: String(child.id) }, officer)
  const [line] = history.data
  assert.equal(line?.action, 'student.corrected')
  assert.deepEqual(
    line?.changes.find(({ field }) => field === 'classId'),
    { field: 'classId', from: 'Class 7', to: 'Class 8', as: 'names' },
  )
  assert.equal(line?.changes.find(({ field }) => field === 'parentName')?.to, '•••')
  await server.refuses('changed_meanwhile', correctStudent, body, officer)
})

test('a correction is refused without a reason, for a taken roll no, an unsuitable class, a deleted student or after results', async () => {
  const teacher = await aTeacher()
  const [child, other] = [await anEnteredStudent(server, teacher), await anEnteredStudent(server, teacher)]
  const refused = async (id: number, traits: object) => {
    const { body } = await server.call(correctStudent, { body: await correction(id, traits) }, officer)
    return [body.code, body.issues?.[0]?.path]
  }
  assert.deepEqual(await refused(child.id, { reason: ' ' }), ['input.invalid', 'reason'])
  assert.deepEqual(await refused(child.id, { rollno: other.rollNo }), ['enrolment.duplicate', 'rollno'])
  assert.deepEqual(await refused(child.id, { classId: 14 }), ['input.invalid', 'classId'])
  await changeRows('students', { id: other.id }, { active: false })
  assert.deepEqual(await refused(other.id, { studentName: 'Somebody' }), ['enrolment.deleted', undefined])
  const released = await aReleasedEvent(server)
  const [, marked] = released.idOf(0).split('-').map(Number)
  assert.ok(marked)
  assert.equal((await record(marked)).can.place, 'students.has_results')
  assert.deepEqual(await refused(marked, { section: 'Z' }), ['students.has_results', undefined])
  assert.equal((await refused(marked, { parentName: 'Hema Misaal' }))[0], undefined)
})

test('a roll no that the school gives to another student meanwhile is refused, and a family entered meanwhile is joined', async () => {
  const teacher = await aTeacher()
  const [child, other] = [await anEnteredStudent(server, teacher), await anEnteredStudent(server, teacher)]
  const guest = await anEnteredStudent(server, await aTeacher())
  const { version, section, roll_no } = await findRow('students', { id: guest.id })
  const answers: object[] = []
  for (const [rollno, body] of [
    [800_001, await correction(child.id, { rollno: 800_001 })],
    [
      800_002,
      { schCode: await schoolCode(teacher.schoolId), id: guest.id, version, section, reason: 'Moved.' },
    ],
  ] as const) {
    const given = sql`update students set section = ${section}, roll_no = ${rollno} where id = ${other.id}`
    const [answer] = await whileHeld(given, [
      () =>
        'schCode' in body
          ? server.send(moveStudent, { body: { ...body, rollno } }, officer)
          : server.send(correctStudent, { body }, officer),
    ])
    answers.push([answer?.status, answer?.body.code, answer?.body.issues?.[0]?.path])
  }
  const taken = [409, 'enrolment.duplicate', 'rollno']
  assert.deepEqual(answers, [taken, taken])
  assert.equal((await findRow('students', { id: guest.id })).roll_no, roll_no)

  const mobile = aMobile()
  const entered = sql`
    insert into family_links (id, school_id, season, parent_mobile, access_code_hash, access_code_sealed, created_at)
    values (${mobile}, ${teacher.schoolId}, ${thisSeason}, ${mobile}, '', '', ${aDay}::timestamptz)`
  const joined = await correction(child.id, { parentMobileNo: mobile })
  const [answer] = await whileHeld(entered, [() => server.call(correctStudent, { body: joined }, officer)])
  assert.equal(answer?.status, 200)
  assert.equal((await findRow('students', { id: child.id })).family_link_id, mobile)
})

test("a new mobile moves the student to that family's link, or to a link of its own", async () => {
  const teacher = await aTeacher()
  const family = await aFamily(server, [{}], teacher)
  const child = await anEnteredStudent(server, teacher, { parentMobileNo: aMobile() })
  const linkOf = async (id: number) => (await findRow('students', { id })).family_link_id
  const before = await linkOf(child.id)
  const joined = await correction(child.id, { parentMobileNo: family.mobile })
  await server.ask(correctStudent, joined, officer)
  assert.equal(await linkOf(child.id), family.groupId)
  const own = await correction(child.id, { parentMobileNo: aMobile() })
  await server.ask(correctStudent, own, officer)
  const after = await linkOf(child.id)
  assert.ok(after !== null && after !== before && after !== family.groupId)
})

test("a family's code and a parent's contacts are never stored to answer a repeated call", async () => {
  const { id } = await aFamily(server)
  const once = { ...officer, headers: { 'idempotency-key': `secrets-of-${id}` } }
  for (const endpoint of [showFamilyCode, showStudentContact])
    assert.equal((await server.send(endpoint, { body: { id } }, once)).status, 200)
  assert.deepEqual(await findRows('idempotency_keys', { scope: `office:${officer.id}` }, ['key']), [])
})

test("a family's link is shown, e-mailed without its code, renewed and revoked; each leaves an audit line", async () => {
  const family = await aFamily(server)
  const { id } = family
  const shown = await server.call(showFamilyCode, { body: { id } }, officer)
  assert.equal(shown.body.code.replaceAll(' ', ''), family.code)
  assert.ok(shown.body.address.endsWith(`/student?id=${family.groupId}`))
  const sent = await server.ask(sendFamilyLink, { id }, officer)
  assert.equal(sent.to, 'f•••@family.example')
  const [mail] = await mailsLike(server, `family-link:${id}:%`)
  assert.match(mail?.text ?? '', new RegExp(family.groupId))
  assert.doesNotMatch(mail?.text ?? '', new RegExp(family.code))
  await server.refuses('families.just_sent', sendFamilyLink, { id }, officer)
  const reason = 'The slip was lost.'
  const createdAt = (await record(id)).family?.createdAt
  const renewed = await server.ask(renewOfficeFamilyLink, { id, createdAt, reason }, officer)
  assert.equal(renewed.children, 1)
  const opens = (groupId: string, code: string) => server.call(verifyFamilyCode, { body: { groupId, code } })
  assert.equal((await opens(family.groupId, family.code)).body.result, 'error')
  const fresh = await server.call(showFamilyCode, { body: { id } }, officer)
  const groupId = fresh.body.address.split('id=')[1] ?? ''
  assert.equal((await opens(groupId, fresh.body.code)).body.result, 'success')
  await server.ask(revokeFamilyLink, { id, reason }, officer)
  assert.equal((await opens(groupId, fresh.body.code)).body.result, 'error')
  assert.equal((await record(id)).family, null)
  for (const endpoint of [showFamilyCode, sendFamilyLink] as const)
    await server.refuses('families.no_link', endpoint, { id }, officer)
  for (const action of ['code_shown', 'link_mailed', 'link_renewed', 'link_revoked'])
    assert.ok((await linesOf(id, `family.${action}`)).length > 0, action)
})

test('of two officers who renew a link from the same page, only the first succeeds', async () => {
  let tick = 0
  const ticking = await testServer({ clock: () => new Date(aDay.getTime() + 1000 * ++tick) })
  const reason = 'The slip was lost.'
  for (let round = 0; round < 4; round++) {
    const { id } = await aFamily(ticking)
    const renew = async (createdAt?: string) =>
      (await ticking.send(renewOfficeFamilyLink, { body: { id, createdAt, reason } }, officer)).status
    const { family } = await record(id)
    const seen = family?.createdAt
    const statuses = await Promise.all([renew(seen), renew(seen)])
    assert.deepEqual(statuses.sort(), [200, 409])
    assert.equal(await renew(seen), 409)
    assert.equal((await linesOf(id, 'family.link_renewed')).length, 1)
    const link = { id, reason }
    assert.equal((await ticking.send(revokeFamilyLink, { body: link }, officer)).status, 200)
    assert.deepEqual((await Promise.all([renew(), renew()])).sort(), [200, 409])
  }
})

test('a link is not sent to a family without an address, nor by a role that may not see codes', async () => {
  const child = await anEnteredStudent(server, await aTeacher())
  await server.refuses('families.no_address', sendFamilyLink, { id: child.id }, officer)
  const accounts = await anOfficer('accounts')
  for (const endpoint of [showFamilyCode, sendFamilyLink] as const)
    assert.equal((await server.call(endpoint, { body: { id: child.id } }, accounts)).status, 403)
})

test('links are sent to several families at once, one e-mail per address; skipped ones are named with the reason', async () => {
  const teacher = await aTeacher()
  const [pair, other, own] = [
    await aFamily(server, [{}, {}], teacher),
    await aFamily(server, [{}], teacher),
    await aFamily(server, [{}], teacher),
  ]
  const [first = 0, sibling = 0] = pair.ids
  const silent = await anEnteredStudent(server, teacher)
  await server.ask(sendFamilyLink, { id: own.id }, officer)
  const ids = [first, sibling, other.id, other.id, own.id, silent.id, 999_999_999]
  const key = { ...officer, headers: { 'idempotency-key': `families-${first}` } }
  const body = await server.ask(sendFamilyLinks, { ids }, key)
  assert.deepEqual(body.done, [
    { id: first, to: 'f•••@family.example' },
    { id: other.id, to: 'f•••@family.example' },
  ])
  assert.deepEqual(valuesOf(body.refused, 'id'), [sibling, own.id, silent.id, 999_999_999])
  const left = await Promise.all(
    [sibling, silent.id].map((id) => server.call(sendFamilyLink, { body: { id } }, officer)),
  )
  assert.deepEqual(
    left.map((answer) => [answer.body.code, answer.body.message]),
    [
      ['families.just_sent', body.refused[0]?.message],
      ['families.no_address', body.refused[2]?.message],
    ],
  )
  assert.deepEqual((await server.ask(sendFamilyLinks, { ids }, key)).done, body.done)
  for (const [id, mails] of [
    [first, 1],
    [sibling, 0],
    [other.id, 1],
  ] as const) {
    assert.equal((await mailsLike(server, `family-link:${id}:%`)).length, mails)
    assert.equal((await linesOf(id, 'family.link_mailed')).length, mails)
  }
  const accounts = await anOfficer('accounts')
  assert.equal((await server.call(sendFamilyLinks, { body: { ids } }, accounts)).status, 403)
  const many = Array.from({ length: 51 }, (_, n) => n + 1)
  assert.equal((await server.call(sendFamilyLinks, { body: { ids: many } }, officer)).status, 400)
})
