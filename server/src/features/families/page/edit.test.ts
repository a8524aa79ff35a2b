import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sentenceOf } from '@podium/contract/errors'
import { editFamilyStudent, getFamilyStudents, verifyFamilyCode } from '@podium/contract/families/calls'
import { messages } from '@podium/contract/messages'
import { deleteStudentPost, saveStudentDetails } from '@podium/contract/students/calls'
import { aDay, aTeacher, thisSeason } from '../../../../test/factories.ts'
import { aFamily, aMobile, aVisitingFamily } from '../../../../test/families-factories.ts'
import { mailsLike } from '../../../../test/mails.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { anEntry, aSeasonOfItsOwn } from '../../../../test/students-factories.ts'

/** What a family may correct, and what it may not. */
let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

type Family = Awaited<ReturnType<typeof aVisitingFamily>>

const filled = ({ groupId, id, mobile }: Family) => ({
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
  server.send(editFamilyStudent, { body: { ...filled(family), ...changes } }, family)
const rowOf = (id: number) =>
  server.deps.db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** What the school was told of a family's changes, and what the address before was */
const mailsFor = async (id: number) => ({
  school: await mailsLike(server, `family-changed:${id}:%`),
  before: await mailsLike(server, `family-contact:${id}:%`),
})
async function mark(id: number, standing: { paid?: boolean; locked?: boolean }): Promise<void> {
  await server.deps.db.updateTable('students').set(standing).where('id', '=', id).execute()
}

test('what a family corrects is saved with a line in the audit trail, and shown [spec 2.7.3 4.9 7.17]', async () => {
  const family = await aVisitingFamily(server)
  const mobileNo = aMobile()
  const { status, body } = await edit(family, {
    mobileNo: `+91 ${mobileNo.slice(0, 5)}-${mobileNo.slice(5)}`,
  })
  assert.deepEqual([status, body.message], [200, 'Details saved sucessfully'])
  const { GroupId, FYear } = { GroupId: family.groupId, FYear: thisSeason }
  const seen = await server.call(getFamilyStudents, { query: { GroupId, FYear } }, family)
  const [child] = seen.body.data
  assert.deepEqual(
    [child?.studentName, child?.mobileNo, child?.email, child?.version],
    ['Ishita Namunawala', mobileNo, 'hemant@family.example', 2],
  )
  const line = await server.deps.db
    .selectFrom('audit')
    .select(['actor_kind', 'school_id', 'change'])
    .where('action', '=', 'student.changed_by_family')
    .where('subject_id', '=', String(family.id))
    .executeTakeFirstOrThrow()
  assert.deepEqual([line.actor_kind, line.school_id], ['family', family.schoolId])
  const { from, to } = line.change as { from: object; to: object }
  assert.deepEqual(Object.keys(from).sort(), ['name', 'parentEmail', 'parentMobile'])
  assert.deepEqual(
    { ...to },
    { name: 'Ishita Namunawala', parentEmail: 'hemant@family.example', parentMobile: mobileNo },
  )
})

test('the address before is told of a changed contact without the new one, the school of which fields', async () => {
  const family = await aVisitingFamily(server)
  await edit(family)
  const { school, before } = await mailsFor(family.id)
  assert.deepEqual([school.length, before.length], [1, 1])
  assert.match(school[0]?.text ?? '', /has changed: name, e-mail/)
  assert.ok(before[0]?.to.includes(`f${family.mobile}@family.example`))
  assert.doesNotMatch(`${school[0]?.text}${before[0]?.text}`, /hemant@family.example/)
})

test('the mail to the address before speaks the language of the page', async () => {
  const family = await aVisitingFamily(server)
  await edit(family, { language: 'hi' })
  const { before } = await mailsFor(family.id)
  assert.match(before[0]?.subject ?? '', /संपर्क जानकारी बदली गई है/)
})

test('the mail to the school speaks the language of its coordinator', async () => {
  const family = await aVisitingFamily(server)
  const { id } = await aTeacher({ schoolId: family.schoolId, coordinator: true })
  await server.deps.db.updateTable('users').set({ language: 'hi' }).where('id', '=', id).execute()
  await edit(family)
  const { school } = await mailsFor(family.id)
  assert.match(school[0]?.subject ?? '', /एक परिवार ने अपनी जानकारी बदली है: कक्षा \d/)
  assert.match(school[0]?.text ?? '', /यह बदला है: नाम, ई-मेल।/)
})

test('a changed name alone sends nothing to the family, and a save that changes nothing nothing at all', async () => {
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
  ['studentName', '=cmd()', 'A name does not begin with =, + or @.'],
  ['mobileNo', '', 'Mobile number is required.'],
  ['mobileNo', '90000004', 'Enter a valid 10-digit mobile number.'],
  ['mobileNo', '900000041701', 'Enter a valid 10-digit mobile number.'],
  ['mobileNo', '90000o4170', 'Enter a valid 10-digit mobile number.'],
  ['email', '', 'Enter a valid email address.'],
  ['email', 'hemant@family', 'Enter a valid email address.'],
  ['parents', 'x'.repeat(101), 'At most 100 characters.'],
] as const) {
  test(`${field} «${value.slice(0, 14)}» is refused with «${message}» and nothing is saved [spec 5.10]`, async () => {
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

test('the parents may be cleared, and stay as they are when left out [spec 5.11]', async () => {
  const family = await aVisitingFamily(server)
  await edit(family, { parents: undefined })
  assert.equal((await rowOf(family.id)).parent_name, 'Hemant Namunawala')
  await edit(family, { parents: '' })
  assert.equal((await rowOf(family.id)).parent_name, '')
})

test("a child of another link is as if it were not there, and another link's id is refused [spec 7.17]", async () => {
  const family = await aVisitingFamily(server)
  const sameSchool = await aFamily(server, [{}], family.teacher)
  const elsewhere = await aFamily(server)
  for (const individualRegId of [sameSchool.id, elsewhere.id, 999_999_999, 0]) {
    const { status, body } = await edit(family, { individualRegId })
    assert.deepEqual([status, body.code], [404, 'not_found'])
  }
  for (const groupId of [sameSchool.groupId, 'unknown', `${family.groupId} `]) {
    const { status, body } = await edit(family, { groupId })
    assert.deepEqual([status, body.code], [403, 'access.denied'])
  }
  for (const { id } of [sameSchool, elsewhere]) assert.equal((await rowOf(id)).version, 1)
})

test('a deleted child can not be changed', async () => {
  const family = await aVisitingFamily(server, [{}, {}])
  await server.call(deleteStudentPost, { body: { studentId: family.id } }, family.teacher)
  assert.equal((await edit(family)).status, 404)
})

test('what the school has changed meanwhile is not written over: version, class and season are compared', async () => {
  const family = await aVisitingFamily(server)
  const before = await rowOf(family.id)
  const entry = anEntry({ rollno: before.roll_no, studentName: 'Ishita of the school' })
  const saved = await server.call(
    saveStudentDetails,
    { body: { ...entry, id: family.id, version: 1, parentMobileNo: family.mobile } },
    family.teacher,
  )
  assert.equal(saved.status, 200)
  for (const stale of [{ version: 1 }, { classId: 8 }, { fYear: '2025-26' }]) {
    const { status, body } = await edit(family, stale)
    assert.deepEqual([status, body.code], [409, 'changed_meanwhile'])
  }
  assert.equal((await rowOf(family.id)).name, 'Ishita of the school')
  assert.equal((await edit(family, { version: 2 })).status, 200)
  const late = await server.send(
    saveStudentDetails,
    { body: { ...entry, id: family.id, version: 2 } },
    family.teacher,
  )
  assert.deepEqual([late.status, late.body.code], [409, 'changed_meanwhile'])
})

test('two saves of one version at once: one is kept, the other told', async () => {
  const family = await aVisitingFamily(server)
  const both = await Promise.all(
    ['Ishita One', 'Ishita Two'].map((studentName) => edit(family, { studentName, version: 1 })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
})

test('the name is kept once the child is paid for or its payment is looked at; mobile and e-mail are not', async () => {
  for (const [standing, code] of [
    [{ paid: true }, 'families.name_on_ticket'],
    [{ locked: true }, 'enrolment.locked'],
  ] as const) {
    const family = await aVisitingFamily(server)
    await mark(family.id, standing)
    const { name } = await rowOf(family.id)
    const refused = await edit(family)
    assert.deepEqual([refused.status, refused.body.code], [409, code])
    assert.deepEqual(refused.body.issues, [{ path: 'studentName', message: sentenceOf(code) }])
    assert.equal((await rowOf(family.id)).version, 1)
    assert.equal((await edit(family, { studentName: name })).status, 200)
    assert.equal((await rowOf(family.id)).parent_email, 'hemant@family.example')
  }
})

test('a season that is over takes no changes', async () => {
  const fYear = await aSeasonOfItsOwn('open')
  const entered = await aFamily(server)
  const { db } = server.deps
  await db.updateTable('students').set({ season: fYear }).where('id', '=', entered.id).execute()
  await db.updateTable('family_links').set({ season: fYear }).where('id', '=', entered.groupId).execute()
  await db.updateTable('seasons').set({ state: 'closed' }).where('label', '=', fYear).execute()
  const { groupId, code } = entered
  const { token } = (await server.call(verifyFamilyCode, { body: { groupId, code } })).body
  const { status, body } = await edit({ ...entered, token }, { fYear })
  assert.deepEqual([status, body.code], [409, 'families.season_closed'])
})

test('a changed mobile number moves the child to no other link, and joins nobody to it', async () => {
  const family = await aVisitingFamily(server)
  const typed = aMobile()
  assert.equal((await edit(family, { mobileNo: typed })).status, 200)
  assert.equal((await rowOf(family.id)).family_link_id, family.groupId)
  // The school's next child under that number gets a link of its own, and a later save by the school keeps this one.
  const next = await aFamily(server, [{ parentMobileNo: typed }], family.teacher)
  assert.notEqual(next.groupId, family.groupId)
  const { roll_no: rollno, version } = await rowOf(family.id)
  const body = { ...anEntry({ rollno, parentMobileNo: typed }), id: family.id, version }
  assert.equal((await server.call(saveStudentDetails, { body }, family.teacher)).status, 200)
  assert.equal((await rowOf(family.id)).family_link_id, family.groupId)
  // And back under the number of the slip.
  assert.equal((await edit(family)).status, 200)
})

test('a number that the school knows from another family is refused, be it the one of its link or one typed since', async () => {
  const family = await aVisitingFamily(server)
  const other = await aFamily(server, [{}], family.teacher)
  const since = aMobile()
  await server.deps.db
    .updateTable('students')
    .set({ parent_mobile: since })
    .where('id', '=', other.id)
    .execute()
  const message = sentenceOf('families.mobile_elsewhere')
  for (const mobileNo of [other.mobile, since]) {
    const { status, body } = await edit(family, { mobileNo })
    assert.deepEqual([status, body.code], [409, 'families.mobile_elsewhere'])
    assert.deepEqual(body.issues, [{ path: 'mobileNo', message }])
  }
  const abroad = await aFamily(server)
  assert.equal((await edit(family, { mobileNo: abroad.mobile })).status, 200)
})

test('twenty saves in an hour are the most that a link takes', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const family = await aVisitingFamily(server)
  const statuses: number[] = []
  for (let time = 0; time < 21; time++) {
    const body = { ...filled(family), parents: `Parent ${'abcdefghijklmnopqrstu'[time]}` }
    statuses.push((await strict.send(editFamilyStudent, { body }, family)).status)
  }
  assert.deepEqual([new Set(statuses.slice(0, 20)), statuses[20]], [new Set([200]), 429])
})
