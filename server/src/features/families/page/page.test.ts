import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dashboardSummary } from '@podium/contract/dashboard/calls'
import { sentenceOf } from '@podium/contract/errors'
import {
  closeFamilyPage,
  editFamilyStudent,
  getFamilyStudents,
  verifyFamilyCode,
} from '@podium/contract/families/calls'
import { messages } from '@podium/contract/messages'
import { familyAskData } from '@podium/contract/privacy/calls'
import { deleteStudentPost, saveStudentDetails } from '@podium/contract/students/calls'
import { aDay, aTeacher, thisSeason } from '#test/factories'
import { auditLine } from '#test/file-call'
import { changeRows, findRow, valuesOf } from '#test/rows'
import { beforehand, mailsLike, refused, type TestServer, testServer } from '#test/server'
import { aFamily, aMobile, anEntry, aSeasonOfItsOwn, aVisitingFamily } from '#test/students-factories'
import { maskName } from './queries.ts'

/** What a family's link shows before the access code, after it, and after it has expired. */
let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))

const invalidLink = 'Oops! The link is invalid. Try scanning the QR code you downloaded and tap the link'
const openPage = (GroupId: string, token?: string, FYear: string = thisSeason) =>
  server.call(getFamilyStudents, { query: { GroupId, FYear } }, { token })
const giveCode = (groupId: string, code: string, at: TestServer = server, token?: string) =>
  at.send(verifyFamilyCode, { body: { groupId, code } }, { token })

async function revoke(groupId: string): Promise<void> {
  await changeRows('family_links', { id: groupId }, { revoked_at: now })
}

type Family = Awaited<ReturnType<typeof aVisitingFamily>>

const editForm = ({ groupId, id, mobile }: Family) => ({
  groupId,
  fYear: thisSeason as string,
  classId: 7,
  individualRegId: id,
  studentName: 'Ishita Namunawala',
  parents: 'Hemant Namunawala',
  mobileNo: mobile,
  email: 'hemant@family.example',
})
const edit = (family: Family, changes: object = {}) =>
  server.send(editFamilyStudent, { body: { ...editForm(family), ...changes } }, family)
const rowOf = (id: number) => findRow('students', { id })
/** The school's e-mail about a family's changes, and the one to the previous address */
const mailsFor = async (id: number) => ({
  school: await mailsLike(server, `family-changed:${id}:%`),
  before: await mailsLike(server, `family-contact:${id}:%`),
})
async function setPayment(id: number, status: { paid?: boolean; locked?: boolean }): Promise<void> {
  await server.deps.db.updateTable('students').set(status).where('id', '=', id).execute()
}

test("a family's correction is saved, logged and shown [spec 2.7.3 4.9 7.17]", async () => {
  const family = await aVisitingFamily(server)
  const mobileNo = aMobile()
  const { status, body } = await edit(family, {
    mobileNo: `+91 ${mobileNo.slice(0, 5)}-${mobileNo.slice(5)}`,
  })
  assert.deepEqual([status, body.message], [200, 'Details saved sucessfully'])
  const { GroupId, FYear } = { GroupId: family.groupId, FYear: thisSeason }
  const seen = await server.ask(getFamilyStudents, { GroupId, FYear }, family)
  const [child] = seen.data
  assert.deepEqual(
    [child?.studentName, child?.mobileNo, child?.email, child?.version],
    ['Ishita Namunawala', mobileNo, 'hemant@family.example', 2],
  )
  const line = await auditLine(['actor_kind', 'school_id', 'change'], {
    action: 'student.changed_by_family',
    subject_id: family.id,
  })
  assert.deepEqual([line.actor_kind, line.school_id], ['family', family.schoolId])
  const { from, to } = line.change as { from: object; to: object }
  assert.deepEqual(Object.keys(from).sort(), ['name', 'parentEmail', 'parentMobile'])
  assert.deepEqual(
    { ...to },
    { name: 'Ishita Namunawala', parentEmail: 'hemant@family.example', parentMobile: mobileNo },
  )
})

test('the old address is notified of a changed contact without seeing the new one; the school sees which fields', async () => {
  const family = await aVisitingFamily(server)
  await edit(family)
  const { school, before } = await mailsFor(family.id)
  assert.deepEqual([school.length, before.length], [1, 1])
  assert.match(school[0]?.text ?? '', /has changed: name, e-mail/)
  assert.ok(before[0]?.to.includes(`f${family.mobile}@family.example`))
  assert.doesNotMatch(`${school[0]?.text}${before[0]?.text}`, /hemant@family.example/)
})

test('the e-mail to the old address is in the language of the page', async () => {
  const family = await aVisitingFamily(server)
  await edit(family, { language: 'hi' })
  const { before } = await mailsFor(family.id)
  assert.match(before[0]?.subject ?? '', /संपर्क जानकारी बदली गई है/)
})

test("the e-mail to the school is in its coordinator's language", async () => {
  const family = await aVisitingFamily(server)
  const { id } = await aTeacher({ schoolId: family.schoolId, coordinator: true })
  await changeRows('users', { id }, { language: 'hi' })
  await edit(family)
  const { school } = await mailsFor(family.id)
  assert.match(school[0]?.subject ?? '', /एक परिवार ने अपनी जानकारी बदली है: कक्षा \d/)
  assert.match(school[0]?.text ?? '', /यह बदला है: नाम, ई-मेल।/)
})

test('families keep their pages when their school is deactivated, and it reads nothing more of them', async () => {
  const family = await aVisitingFamily(server)
  await changeRows('schools', { id: family.schoolId }, { active: false })
  assert.equal((await giveCode(family.groupId, family.code)).status, 200)
  assert.equal((await openPage(family.groupId, family.token)).body.verified, true)
  assert.equal((await edit(family)).status, 200)
  const asked = { individualRegId: family.id, kind: 'export' as const, message: '' }
  await server.ask(familyAskData, asked, family)
  const { school, before } = await mailsFor(family.id)
  assert.deepEqual([school.length, before.length], [0, 1])
})

test('changing only the name sends the family no e-mail, and saving without changes sends none at all', async () => {
  const family = await aVisitingFamily(server)
  const email = `f${family.mobile}@family.example`
  await edit(family, { email })
  const { school, before } = await mailsFor(family.id)
  assert.deepEqual([school.length, before.length], [1, 0])
  await edit(family, { email })
  assert.equal((await rowOf(family.id)).version, 2)
})

for (const [field, value, message] of [
  ['studentName', ' ', messages.studentNameRequired],
  ['studentName', '=cmd()', 'A name does not begin with =, +, - or @.'],
  ['mobileNo', '', 'Mobile number is required.'],
  ['mobileNo', '90000004', 'Enter a valid 10-digit mobile number.'],
  ['mobileNo', '900000041701', 'Enter a valid 10-digit mobile number.'],
  ['mobileNo', '90000o4170', 'Enter a valid 10-digit mobile number.'],
  ['email', '', 'Enter a valid email address.'],
  ['email', 'hemant@family', 'Enter a valid email address.'],
  ['parents', 'x'.repeat(101), 'At most 100 characters.'],
] as const) {
  test(`${field} “${value.slice(0, 14)}” is refused with “${message}” and nothing is saved [spec 5.10]`, async () => {
    const family = await aVisitingFamily(server)
    const { status, body } = await edit(family, { [field]: value })
    assert.deepEqual([status, body.issues], [400, [{ path: field, message }]])
    assert.equal((await rowOf(family.id)).version, 1)
  })
}

for (const field of ['groupId', 'fYear', 'classId', 'individualRegId', 'studentName', 'mobileNo', 'email']) {
  test(`a save without ${field} is refused [spec 5.11]`, async () => {
    const family = await aVisitingFamily(server)
    const { status, body } = await edit(family, { [field]: undefined })
    assert.deepEqual([status, body.issues?.map(({ path }) => path)], [400, [field]])
  })
}

test("the parents' names may be cleared, and are kept when left out [spec 5.11]", async () => {
  const family = await aVisitingFamily(server)
  await edit(family, { parents: undefined })
  assert.equal((await rowOf(family.id)).parent_name, 'Hemant Namunawala')
  await edit(family, { parents: '' })
  assert.equal((await rowOf(family.id)).parent_name, '')
})

test("a student of another link is answered as if unknown, and another link's id is refused [spec 7.17]", async () => {
  const family = await aVisitingFamily(server)
  const sameSchool = await aFamily(server, [{}], family.teacher)
  const elsewhere = await aFamily(server)
  for (const individualRegId of [sameSchool.id, elsewhere.id, 999_999_999, 0]) {
    await refused('not_found', edit(family, { individualRegId }))
  }
  for (const groupId of [sameSchool.groupId, 'unknown', `${family.groupId} `]) {
    await refused('access.denied', edit(family, { groupId }))
  }
  for (const { id } of [sameSchool, elsewhere]) assert.equal((await rowOf(id)).version, 1)
})

test('a deleted student cannot be changed', async () => {
  const family = await aVisitingFamily(server, [{}, {}])
  await server.ask(deleteStudentPost, { studentId: family.id }, family.teacher)
  assert.equal((await edit(family)).status, 404)
})

test('a family does not overwrite what the school has changed meanwhile: version, class and season are compared', async () => {
  const family = await aVisitingFamily(server)
  const before = await rowOf(family.id)
  const entry = anEntry({ rollno: before.roll_no, studentName: 'Ishita of the school' })
  await server.ask(
    saveStudentDetails,
    { ...entry, id: family.id, version: 1, parentMobileNo: family.mobile },
    family.teacher,
  )
  for (const stale of [{ version: 1 }, { classId: 8 }, { fYear: '2025-26' }]) {
    await refused('changed_meanwhile', edit(family, stale))
  }
  assert.equal((await rowOf(family.id)).name, 'Ishita of the school')
  assert.equal((await edit(family, { version: 2 })).status, 200)
  await server.refuses(
    'changed_meanwhile',
    saveStudentDetails,
    { ...entry, id: family.id, version: 2 },
    family.teacher,
  )
})

test('a correction sent again because its answer was lost is no conflict, and is saved once', async () => {
  const family = await aVisitingFamily(server)
  const sent = { version: 1, mobileNo: aMobile() }
  for (const { status } of [await edit(family, sent), await edit(family, sent)]) assert.equal(status, 200)
  assert.equal((await rowOf(family.id)).version, 2)
})

test('of two saves of the same version, one is kept and the other is refused', async () => {
  const family = await aVisitingFamily(server)
  const both = await Promise.all(
    ['Ishita One', 'Ishita Two'].map((studentName) => edit(family, { studentName, version: 1 })),
  )
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409])
})

test('the name is fixed once the student is paid for or the payment is being verified; mobile and e-mail are not', async () => {
  for (const [status, code] of [
    [{ paid: true }, 'families.name_on_ticket'],
    [{ locked: true }, 'enrolment.locked'],
  ] as const) {
    const family = await aVisitingFamily(server)
    await setPayment(family.id, status)
    const { name } = await rowOf(family.id)
    const refused = await edit(family)
    assert.deepEqual([refused.status, refused.body.code], [409, code])
    assert.deepEqual(refused.body.issues, [{ path: 'studentName', message: sentenceOf(code) }])
    assert.equal((await rowOf(family.id)).version, 1)
    assert.equal((await edit(family, { studentName: name })).status, 200)
    assert.equal((await rowOf(family.id)).parent_email, 'hemant@family.example')
  }
})

test('a season that is over accepts no changes', async () => {
  const fYear = await aSeasonOfItsOwn('open')
  const entered = await aFamily(server)
  await changeRows('students', { id: entered.id }, { season: fYear })
  await changeRows('family_links', { id: entered.groupId }, { season: fYear })
  await changeRows('seasons', { label: fYear }, { state: 'closed' })
  const { groupId, code } = entered
  const { token } = await server.ask(verifyFamilyCode, { groupId, code })
  await refused('families.season_closed', edit({ ...entered, token }, { fYear }))
})

test('a changed mobile number moves the student to no other link and adds no one to it', async () => {
  const family = await aVisitingFamily(server)
  const typed = aMobile()
  assert.equal((await edit(family, { mobileNo: typed })).status, 200)
  assert.equal((await rowOf(family.id)).family_link_id, family.groupId)
  // The school's next child under that number gets its own link, and later saves by the school keep this one.
  const next = await aFamily(server, [{ parentMobileNo: typed }], family.teacher)
  assert.notEqual(next.groupId, family.groupId)
  const { roll_no: rollno, version } = await rowOf(family.id)
  const body = { ...anEntry({ rollno, parentMobileNo: typed }), id: family.id, version }
  await server.ask(saveStudentDetails, body, family.teacher)
  assert.equal((await rowOf(family.id)).family_link_id, family.groupId)
  // And back to the number on the slip.
  assert.equal((await edit(family)).status, 200)
})

test('a number the school has from another family is refused, whether of its link or typed since', async () => {
  const family = await aVisitingFamily(server)
  const other = await aFamily(server, [{}], family.teacher)
  const since = aMobile()
  await changeRows('students', { id: other.id }, { parent_mobile: since })
  const message = sentenceOf('families.mobile_elsewhere')
  for (const mobileNo of [other.mobile, since]) {
    const body = await refused('families.mobile_elsewhere', edit(family, { mobileNo }))
    assert.deepEqual(body.issues, [{ path: 'mobileNo', message }])
  }
  const abroad = await aFamily(server)
  assert.equal((await edit(family, { mobileNo: abroad.mobile })).status, 200)
})

test('a link allows twenty saves an hour', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const family = await aVisitingFamily(server)
  const statuses: number[] = []
  for (let time = 0; time < 21; time++) {
    const body = { ...editForm(family), parents: `Parent ${'abcdefghijklmnopqrstu'[time]}` }
    statuses.push((await strict.send(editFamilyStudent, { body }, family)).status)
  }
  assert.deepEqual([new Set(statuses.slice(0, 20)), statuses[20]], [new Set([200]), 429])
})

describe('before the access code', () => {
  test("the page shows only the first letter of the first student's name, and nothing else about anyone [spec 2.7.1 6.6 7.16]", async () => {
    const family = await aFamily(server, [
      { studentName: 'Pari Namunawala' },
      { studentName: 'Om Namunawala' },
    ])
    const { body } = await openPage(family.groupId)
    assert.deepEqual([body.verified, body.fYear, body.data.length], [false, '', 1])
    const { studentName, can, exams, ...rest } = body.data[0] ?? {}
    assert.deepEqual([studentName, exams], ['P•••', []])
    assert.deepEqual(new Set(Object.values(rest)), new Set(['', 0, false]))
    assert.equal(JSON.stringify(body).includes(family.mobile), false)
    assert.ok(can)
  })

  test('a name of any length gets the same mask, and a letter keeps its vowel sign', () => {
    assert.deepEqual(['Om', 'Parvathiamma', ' इशिता', 'मीरा'].map(maskName), [
      'O•••',
      'P•••',
      'इ•••',
      'मी•••',
    ])
  })

  test('an unknown or revoked link, one without students and one of another season get the same answer [spec 8.5]', async () => {
    const [revoked, empty, other] = [await aFamily(server), await aFamily(server), await aFamily(server)]
    await revoke(revoked.groupId)
    await server.ask(deleteStudentPost, { studentId: empty.id }, empty.teacher)
    const answers = [
      await openPage('nobodys-link-at-all'),
      await openPage(''),
      await openPage(revoked.groupId),
      await openPage(empty.groupId),
      await openPage(other.groupId, undefined, '2025-26'),
      await giveCode('nobodys-link-at-all', 'DEMFAM22'),
      await giveCode(revoked.groupId, revoked.code),
      await giveCode(empty.groupId, empty.code),
    ]
    for (const { status, body } of answers)
      assert.deepEqual([status, body.code, body.message], [200, 'account.bad_link', invalidLink])
  })

  test('a session of another family, of a school or without sign-in gets no more than a visitor without one', async () => {
    const family = await aFamily(server)
    const stranger = await aVisitingFamily(server)
    const tokens = [stranger.token, family.teacher.token, 'x'.repeat(43)]
    for (const token of tokens) {
      const { body } = await openPage(family.groupId, token)
      assert.deepEqual([body.verified, body.data.length, body.data[0]?.individualRegId], [false, 1, 0])
    }
  })
})

describe('the access code', () => {
  test('opens the page even in small letters with spaces, and the answer leaves the code fields empty [spec 1.13 5.24 6.6 8.9]', async () => {
    const family = await aFamily(server)
    const typed = ` ${family.code.slice(0, 4).toLowerCase()} - ${family.code.slice(4).toLowerCase()} `
    const { status, body } = await giveCode(family.groupId, typed)
    assert.deepEqual([status, body.message, body.expiresIn], [200, messages.familyCodeVerified, 1800])
    const seen = await openPage(family.groupId, String(body.token))
    assert.deepEqual([seen.body.verified, seen.body.data[0]?.authenticationCode], [true, ''])
  })

  test('answers “Failed” and opens nothing when wrong, and is asked for when empty [spec 5.12 8.9]', async () => {
    const family = await aFamily(server)
    const other = await aFamily(server)
    for (const code of ['WRONG234', other.code]) {
      const { status, body } = await giveCode(family.groupId, code)
      assert.deepEqual([status, body.result, body.message, body.token], [200, 'error', 'Failed', undefined])
    }
    const { body } = await giveCode(family.groupId, ' ')
    assert.deepEqual(body.issues, [{ path: 'code', message: messages.accessCodeRequired }])
  })

  test('allows five attempts in a quarter of an hour, however it is typed; then even the right code is refused', async () => {
    const strict = await testServer({ clock: () => now, limitScale: 1 })
    const family = await aFamily(server)
    const spelt = ['WRONG234', 'wrong234', ' WRONG 234 ', 'WRONG-234', 'OTHER234']
    for (const [index, code] of spelt.entries()) {
      const { body } = await giveCode(family.groupId, code, strict)
      assert.deepEqual([body.message, body.triesLeft], ['Failed', 4 - index])
    }
    const { status, body, headers } = await giveCode(family.groupId, family.code, strict)
    assert.deepEqual([status, body.code, body.token], [429, 'request.too_many', undefined])
    assert.ok(Number(headers.get('retry-after')) > 0)
    for (const groupId of [` ${family.groupId}`, `${family.groupId} `, family.groupId.toLowerCase()]) {
      const { body } = await giveCode(groupId, family.code, strict)
      assert.equal(body.token, undefined)
    }
  })

  test('allows twenty attempts an hour from one source over all links', async () => {
    const strict = await testServer({
      clock: () => now,
      limitScale: 1,
      settings: { trustProxy: ['127.0.0.1'] },
    })
    const headers = { 'x-forwarded-for': '203.0.113.71' }
    const tries = async () =>
      (await strict.send(verifyFamilyCode, { body: { groupId: 'unknown', code: 'WRONG234' } }, { headers }))
        .status
    for (let time = 0; time < 20; time++) assert.equal(await tries(), 200)
    assert.equal(await tries(), 429)
  })

  test('does not count correct attempts against a source: a mobile network has thousands of families behind one address', async () => {
    const strict = await testServer({
      clock: () => now,
      limitScale: 1,
      settings: { trustProxy: ['127.0.0.1'] },
    })
    const families = await Promise.all(Array.from({ length: 5 }, () => aFamily(server)))
    const headers = { 'x-forwarded-for': '203.0.113.72' }
    const tryCode = async (groupId: string, code: string) =>
      (await strict.send(verifyFamilyCode, { body: { groupId, code } }, { headers })).status
    for (let time = 0; time < 25; time++) {
      const family = families[time % 5]
      assert.equal(family && (await tryCode(family.groupId, family.code)), 200)
    }
    for (let time = 0; time < 20; time++) assert.equal(await tryCode('unknown', 'WRONG234'), 200)
    const [first] = families
    assert.equal(first && (await tryCode(first.groupId, first.code)), 429)
  })

  test('resets the count of attempts when it is right', async () => {
    const strict = await testServer({
      clock: () => now,
      limitScale: 1,
      settings: { trustProxy: ['127.0.0.1'] },
    })
    const family = await aFamily(server)
    const from = (n: number) => ({ headers: { 'x-forwarded-for': `203.0.113.${100 + n}` } })
    for (let time = 0; time < 12; time++) {
      const code = time % 4 === 3 ? family.code : 'WRONG234'
      const { status } = await strict.send(
        verifyFamilyCode,
        { body: { groupId: family.groupId, code } },
        from(time),
      )
      assert.equal(status, 200)
    }
  })

  test("counts the family once among the school's visitors", async () => {
    const family = await aFamily(server)
    const visitors = async () =>
      (await server.ask(dashboardSummary, { FYear: thisSeason }, family.teacher)).uniqueVisitor
    assert.equal(await visitors(), 0)
    await giveCode(family.groupId, 'WRONG234')
    assert.equal(await visitors(), 0)
    await giveCode(family.groupId, family.code)
    await giveCode(family.groupId, family.code)
    assert.equal(await visitors(), 1)
  })
})

describe('after the access code', () => {
  test('the page shows every student of the link in full, with school, olympiads and dates [spec 2.7.2 7.16]', async () => {
    const family = await aVisitingFamily(server, [
      { studentName: 'Ishita Namunawala', classId: 7, section: 'B', rollno: 14 },
      { studentName: 'Pari Namunawala', classId: 4, section: 'A', rollno: 3, subjectName: 'English', cb: '' },
    ])
    const { body } = await openPage(family.groupId, family.token)
    assert.deepEqual([body.verified, body.fYear, body.data.length], [true, thisSeason, 2])
    const [ishita, pari] = body.data
    assert.ok(ishita && pari)
    const { studentName, m_F_Name, mobileNo, classId, section, rollNo, individualRegId } = ishita
    assert.deepEqual(
      [studentName, m_F_Name, mobileNo, ishita.class, classId, section, rollNo, individualRegId],
      ['Ishita Namunawala', 'Hemant Namunawala', family.mobile, 'Class 7', 7, 'B', 14, family.id],
    )
    assert.deepEqual(valuesOf(ishita.exams, 'subjectName', 'examDate'), [
      ['Mathematics', null],
      ['Science', null],
    ])
    assert.match(ishita.exams[0]?.firstDate ?? '', /^\d{4}-\d\d-\d\d$/)
    assert.deepEqual(
      [ishita.examRollNo, ishita.paymentStatus, ishita.can],
      ['', false, { edit: true, rename: true }],
    )
    assert.deepEqual(valuesOf(pari.exams, 'eventLetter'), ['E'])
  })

  test('the page omits deleted students and those of another link', async () => {
    const family = await aVisitingFamily(server, [{}, {}])
    await aFamily(server, [{}], family.teacher)
    await server.ask(deleteStudentPost, { studentId: family.ids[1] ?? 0 }, family.teacher)
    const { body } = await openPage(family.groupId, family.token)
    assert.deepEqual(valuesOf(body.data, 'individualRegId'), [family.id])
  })

  test("the page shows nothing of a season other than the link's", async () => {
    const family = await aVisitingFamily(server)
    await refused('account.bad_link', openPage(family.groupId, family.token, '2025-26'))
  })

  test('the session ends after half an hour, used or not, and when the link is revoked or the family leaves', async () => {
    const [late, revoked, left] = [
      await aVisitingFamily(server),
      await aVisitingFamily(server),
      await aVisitingFamily(server),
    ]
    await revoke(revoked.groupId)
    await server.ask(closeFamilyPage, {}, left)
    assert.equal((await openPage(left.groupId, left.token)).body.verified, false)
    await refused('account.bad_link', openPage(revoked.groupId, revoked.token))
    try {
      now = new Date(aDay.getTime() + 29 * 60_000)
      assert.deepEqual((await openPage(late.groupId, late.token)).body.expiresIn, 60)
      now = new Date(aDay.getTime() + 30 * 60_000)
      assert.equal((await openPage(late.groupId, late.token)).body.verified, false)
      assert.equal((await server.call(closeFamilyPage, {}, late)).status, 401)
    } finally {
      now = aDay
    }
  })

  test("a new code ends this browser's earlier family session but not the school session in the same browser", async () => {
    const family = await aVisitingFamily(server)
    const teacher = await aTeacher()
    const { body } = await giveCode(family.groupId, family.code, server, family.token)
    assert.equal((await openPage(family.groupId, family.token)).body.verified, false)
    assert.equal((await openPage(family.groupId, String(body.token))).body.verified, true)
    await giveCode(family.groupId, family.code, server, teacher.token)
    await server.ask(dashboardSummary, { FYear: thisSeason }, teacher)
  })
})
