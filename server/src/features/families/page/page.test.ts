import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dashboardSummary } from '@podium/contract/dashboard/calls'
import { closeFamilyPage, getFamilyStudents, verifyFamilyCode } from '@podium/contract/families/calls'
import { messages } from '@podium/contract/messages'
import { deleteStudentPost } from '@podium/contract/students/calls'
import { aDay, aTeacher, thisSeason } from '../../../../test/factories.ts'
import { aFamily, aVisitingFamily } from '../../../../test/families-factories.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { maskName } from './rules.ts'

/** What a family's link opens, before its access code, with it, and after it has run out. */
let server: TestServer
let now = aDay
before(async () => {
  server = await testServer({ clock: () => now })
})

const invalidLink = 'Oops! The link is invalid. Try scanning the QR code you downloaded and tap the link'
const see = (GroupId: string, token?: string, FYear: string = thisSeason) =>
  server.call(getFamilyStudents, { query: { GroupId, FYear } }, { token })
const give = (groupId: string, code: string, at: TestServer = server, token?: string) =>
  at.send(verifyFamilyCode, { body: { groupId, code } }, { token })

async function revoke(groupId: string): Promise<void> {
  await server.deps.db
    .updateTable('family_links')
    .set({ revoked_at: now })
    .where('id', '=', groupId)
    .execute()
}

describe('before the access code', () => {
  test("only the first letter of the first child's name is shown, and nothing else of anybody [spec 2.7.1 6.6 7.16]", async () => {
    const family = await aFamily(server, [
      { studentName: 'Pari Namunawala' },
      { studentName: 'Om Namunawala' },
    ])
    const { body } = await see(family.groupId)
    assert.deepEqual([body.verified, body.fYear, body.data.length], [false, '', 1])
    const { studentName, can, exams, ...rest } = body.data[0] ?? {}
    assert.deepEqual([studentName, exams], ['P•••', []])
    assert.deepEqual(new Set(Object.values(rest)), new Set(['', 0, false]))
    assert.equal(JSON.stringify(body).includes(family.mobile), false)
    assert.ok(can)
  })

  test('a name of any length has the same mask, and a letter keeps its vowel sign', () => {
    assert.deepEqual(['Om', 'Parvathiamma', ' इशिता', 'मीरा'].map(maskName), [
      'O•••',
      'P•••',
      'इ•••',
      'मी•••',
    ])
  })

  test('a link that is unknown, revoked, without a child or of another season is answered alike [spec 8.5]', async () => {
    const [revoked, empty, other] = [await aFamily(server), await aFamily(server), await aFamily(server)]
    await revoke(revoked.groupId)
    await server.call(deleteStudentPost, { body: { studentId: empty.id } }, empty.teacher)
    const answers = [
      await see('nobodys-link-at-all'),
      await see(''),
      await see(revoked.groupId),
      await see(empty.groupId),
      await see(other.groupId, undefined, '2025-26'),
      await give('nobodys-link-at-all', 'DEMFAM22'),
      await give(revoked.groupId, revoked.code),
      await give(empty.groupId, empty.code),
    ]
    for (const { status, body } of answers)
      assert.deepEqual([status, body.code, body.message], [200, 'account.bad_link', invalidLink])
  })

  test('the session of another family, of a school or of nobody shows no more than none', async () => {
    const family = await aFamily(server)
    const stranger = await aVisitingFamily(server)
    const tokens = [stranger.token, family.teacher.token, 'x'.repeat(43)]
    for (const token of tokens) {
      const { body } = await see(family.groupId, token)
      assert.deepEqual([body.verified, body.data.length, body.data[0]?.individualRegId], [false, 1, 0])
    }
  })
})

describe('the access code', () => {
  test('opens the page, typed in small letters with spaces, and the codes in the answer stay empty [spec 1.13 5.24 6.6 8.9]', async () => {
    const family = await aFamily(server)
    const typed = ` ${family.code.slice(0, 4).toLowerCase()} - ${family.code.slice(4).toLowerCase()} `
    const { status, body } = await give(family.groupId, typed)
    assert.deepEqual([status, body.message, body.expiresIn], [200, messages.familyCodeVerified, 1800])
    const seen = await see(family.groupId, String(body.token))
    assert.deepEqual([seen.body.verified, seen.body.data[0]?.authenticationCode], [true, ''])
  })

  test('a wrong one is «Failed» and opens nothing, an empty one is asked for [spec 5.12 8.9]', async () => {
    const family = await aFamily(server)
    const other = await aFamily(server)
    for (const code of ['WRONG234', other.code]) {
      const { status, body } = await give(family.groupId, code)
      assert.deepEqual([status, body.result, body.message, body.token], [200, 'error', 'Failed', undefined])
    }
    const { body } = await give(family.groupId, ' ')
    assert.deepEqual(body.issues, [{ path: 'code', message: messages.accessCodeRequired }])
  })

  test('may be tried five times in a quarter of an hour, however it is spelt, and the right one does not help then', async () => {
    const strict = await testServer({ clock: () => now, limitScale: 1 })
    const family = await aFamily(server)
    const spelt = ['WRONG234', 'wrong234', ' WRONG 234 ', 'WRONG-234', 'OTHER234']
    for (const [at, code] of spelt.entries()) {
      const { body } = await give(family.groupId, code, strict)
      assert.deepEqual([body.message, body.triesLeft], ['Failed', 4 - at])
    }
    const { status, body, headers } = await give(family.groupId, family.code, strict)
    assert.deepEqual([status, body.code, body.token], [429, 'request.too_many', undefined])
    assert.ok(Number(headers.get('retry-after')) > 0)
    for (const groupId of [` ${family.groupId}`, `${family.groupId} `, family.groupId.toLowerCase()]) {
      const { body } = await give(groupId, family.code, strict)
      assert.equal(body.token, undefined)
    }
  })

  test('twenty tries of one source over all links are the most in an hour', async () => {
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

  test('right ones are not counted against a source: mobile networks have thousands of families behind one address', async () => {
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

  test('a right one gives the tries back', async () => {
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

  test('counts the family once among the visitors of the school', async () => {
    const family = await aFamily(server)
    const visitors = async () =>
      (await server.call(dashboardSummary, { query: { FYear: thisSeason } }, family.teacher)).body
        .uniqueVisitor
    assert.equal(await visitors(), 0)
    await give(family.groupId, 'WRONG234')
    assert.equal(await visitors(), 0)
    await give(family.groupId, family.code)
    await give(family.groupId, family.code)
    assert.equal(await visitors(), 1)
  })
})

describe('after the access code', () => {
  test('all children of the link are shown whole, with their school, olympiads and dates [spec 2.7.2 7.16]', async () => {
    const family = await aVisitingFamily(server, [
      { studentName: 'Ishita Namunawala', classId: 7, section: 'B', rollno: 14 },
      { studentName: 'Pari Namunawala', classId: 4, section: 'A', rollno: 3, subjectName: 'English', cb: '' },
    ])
    const { body } = await see(family.groupId, family.token)
    assert.deepEqual([body.verified, body.fYear, body.data.length], [true, thisSeason, 2])
    const [ishita, pari] = body.data
    assert.ok(ishita && pari)
    const { studentName, m_F_Name, mobileNo, classId, section, rollNo, individualRegId } = ishita
    assert.deepEqual(
      [studentName, m_F_Name, mobileNo, ishita.class, classId, section, rollNo, individualRegId],
      ['Ishita Namunawala', 'Hemant Namunawala', family.mobile, 'Class 7', 7, 'B', 14, family.id],
    )
    assert.deepEqual(
      ishita.exams.map(({ subjectName, examDate }) => [subjectName, examDate]),
      [
        ['Mathematics', null],
        ['Science', null],
      ],
    )
    assert.match(ishita.exams[0]?.firstDate ?? '', /^\d{4}-\d\d-\d\d$/)
    assert.deepEqual(
      [ishita.examRollNo, ishita.paymentStatus, ishita.can],
      ['', false, { edit: true, rename: true }],
    )
    assert.deepEqual(
      pari.exams.map(({ eventLetter }) => eventLetter),
      ['E'],
    )
  })

  test('children of another link and deleted ones are not among them', async () => {
    const family = await aVisitingFamily(server, [{}, {}])
    await aFamily(server, [{}], family.teacher)
    await server.call(deleteStudentPost, { body: { studentId: family.ids[1] ?? 0 } }, family.teacher)
    const { body } = await see(family.groupId, family.token)
    assert.deepEqual(
      body.data.map(({ individualRegId }) => individualRegId),
      [family.id],
    )
  })

  test('another season than that of the link shows nothing', async () => {
    const family = await aVisitingFamily(server)
    const { body } = await see(family.groupId, family.token, '2025-26')
    assert.equal(body.code, 'account.bad_link')
  })

  test('it is over after half an hour, used or not, and when the link is revoked or the family leaves', async () => {
    const [late, revoked, left] = [
      await aVisitingFamily(server),
      await aVisitingFamily(server),
      await aVisitingFamily(server),
    ]
    await revoke(revoked.groupId)
    assert.equal((await server.call(closeFamilyPage, {}, left)).status, 200)
    assert.equal((await see(left.groupId, left.token)).body.verified, false)
    assert.equal((await see(revoked.groupId, revoked.token)).body.code, 'account.bad_link')
    try {
      now = new Date(aDay.getTime() + 29 * 60_000)
      assert.deepEqual((await see(late.groupId, late.token)).body.expiresIn, 60)
      now = new Date(aDay.getTime() + 30 * 60_000)
      assert.equal((await see(late.groupId, late.token)).body.verified, false)
      assert.equal((await server.call(closeFamilyPage, {}, late)).status, 401)
    } finally {
      now = aDay
    }
  })

  test('another code ends the session that this browser had before; that of a school it leaves alone', async () => {
    const family = await aVisitingFamily(server)
    const teacher = await aTeacher()
    const { body } = await give(family.groupId, family.code, server, family.token)
    assert.equal((await see(family.groupId, family.token)).body.verified, false)
    assert.equal((await see(family.groupId, String(body.token))).body.verified, true)
    await give(family.groupId, family.code, server, teacher.token)
    const { status } = await server.call(dashboardSummary, { query: { FYear: thisSeason } }, teacher)
    assert.equal(status, 200)
  })
})
