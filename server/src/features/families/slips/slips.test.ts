import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { editFamilyStudent, getFamilyStudents, verifyFamilyCode } from '@podium/contract/families/calls'
import { deleteStudentPost, restoreStudent, saveStudentDetails } from '@podium/contract/students/calls'
import { familySlips, maxSlips, renewFamilyLink } from '@podium/contract/students/calls-print-lists'
import { seal, unseal } from '#platform/auth/secrets'
import { pdfText } from '#test/archives'
import { aDay, aTeacher, thisSeason } from '#test/factories'
import { addRows } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aFamily, aMobile, anEnteredStudent, anEntry, aVisitingFamily } from '#test/students-factories'
import { findSlips, slipsPdf } from './documents.ts'

/** Slips with a family's link and code, which the school hands out, and how both are revoked. */
const server = beforehand(() => testServer({ clock: () => aDay }))

const print = (token: string, filter: object = {}) =>
  server.download(familySlips, { FYear: thisSeason, ...filter }, { token })

const printedCode = (code: string) => `${code.slice(0, 4)} ${code.slice(4)}`

test('a school prints one slip for each family, with its students and its code', async () => {
  const family = await aFamily(server, [
    { studentName: 'Ishita Namunawala' },
    { studentName: 'Pari Namunawala' },
  ])
  const other = await aFamily(server, [{ studentName: 'Om Misaal' }], family.teacher)
  const foreign = await aFamily(server)
  const { status, headers, bytes } = await print(family.teacher.token)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/pdf')
  assert.match(headers.get('cache-control') ?? '', /no-store/)
  const text = pdfText(bytes)
  assert.equal(text.split(printedCode(family.code)).length, 2)
  for (const words of ['Ishita Namunawala', 'Pari Namunawala', 'Om Misaal', printedCode(other.code)])
    assert.ok(text.includes(words), words)
  assert.ok(!text.includes(printedCode(foreign.code)))
})

/** The vertical positions of lines of text on the pages, from the bottom, read from the inflated streams. */
function baselinesOf(bytes: Buffer): number[] {
  const streams = [...bytes.toString('latin1').matchAll(/FlateDecode[^>]*>>\nstream\n([\s\S]*?)\nendstream/g)]
  const drawn = streams.map((found) => inflateSync(Buffer.from(found[1] ?? '', 'latin1')).toString('latin1'))
  return drawn.flatMap((text) => [...text.matchAll(/1 0 0 1 [\d.]+ ([\d.]+) Tm/g)].map(([, y]) => Number(y)))
}

test('the longest names fit above the cutting line', async () => {
  const name = 'Venkatasubramanian Krishnamoorthy Ananthanarayanan Chidambaram Pillai Rajagopalachari Iyengar'
  const child = { name, className: 'Class 12', section: 'A' }
  const slip = { linkId: 'x'.repeat(22), code: 'WXYZ WXYZ', children: [child, child, child] }
  const school = 'Sri Gnanodaya Vidyaniketan Senior Secondary School of Kaveripuram and Udaharan Layout'
  const foundation = { name: 'Podium Foundation', shortName: 'Podium' }
  const pageOf = (id: string) => `https://podium.example/student?id=${id}`
  const bytes = await slipsPdf([slip], { foundation, school, season: thisSeason, pageOf, createdAt: aDay })
  const [top, foot] = [841.89 - 18, 841.89 - 18 - 134]
  const baselines = baselinesOf(bytes)
  assert.ok(baselines.length > 8 && Math.max(...baselines) < top)
  assert.ok(Math.min(...baselines) > foot + 2, String(Math.min(...baselines)))
})

test('only families of the chosen students get a slip, and deleted students get none', async () => {
  const { db, keys } = server.deps
  const first = await aFamily(server)
  const second = await aFamily(server, [{}], first.teacher)
  const stranger = await aFamily(server)
  const scope = { schoolId: first.schoolId } as Parameters<typeof findSlips>[2]
  const idsOf = async (ids: number[]) => (await findSlips(db, keys, scope, ids)).map(({ linkId }) => linkId)
  assert.deepEqual(await idsOf([second.id, first.id, stranger.id]), [second.groupId, first.groupId])
  await server.ask(deleteStudentPost, { studentId: second.id }, first.teacher)
  assert.deepEqual(await idsOf([second.id, first.id]), [first.groupId])
})

test('nothing is printed when there is no family, and another school is refused', async () => {
  const [teacher, stranger] = [await aTeacher(), await aFamily(server)]
  const none = await print(teacher.token)
  assert.equal(none.status, 409)
  assert.match(none.bytes.toString(), /None of these students has a slip/)
  assert.equal((await print(teacher.token, { ids: [stranger.id] })).status, 409)
  assert.equal((await print(teacher.token, { schId: stranger.schoolId })).status, 403)
})

test('a renewed link opens only with its new code, and anyone on the page is signed out', async () => {
  const family = await aVisitingFamily(server, [{}, {}])
  const body = await server.ask(renewFamilyLink, { studentId: family.id }, family.teacher)
  assert.equal(body.children, 2)
  const old = await server.send(verifyFamilyCode, { body: { groupId: family.groupId, code: family.code } })
  assert.equal(old.body.result, 'error')
  const query = { GroupId: family.groupId, FYear: thisSeason }
  const page = await server.send(getFamilyStudents, { query }, family)
  assert.equal(page.body.result, 'error')
  const link = await server.deps.db
    .selectFrom('family_links as l')
    .innerJoin('students as st', 'st.family_link_id', 'l.id')
    .select(['l.id', 'l.access_code_sealed'])
    .where('st.id', '=', family.id)
    .executeTakeFirstOrThrow()
  const code = unseal(server.deps.keys, link.access_code_sealed)
  assert.notDeepEqual([link.id, code], [family.groupId, family.code])
  const opened = await server.ask(verifyFamilyCode, { groupId: link.id, code })
  assert.ok(opened.token)
})

/** The links of students, and whether they are valid. */
async function linksOf(...ids: number[]) {
  const rows = await server.deps.db
    .selectFrom('students as st')
    .innerJoin('family_links as l', 'l.id', 'st.family_link_id')
    .select(['l.id', 'l.revoked_at'])
    .where('st.id', 'in', ids)
    .execute()
  return { links: new Set(rows.map(({ id }) => id)), alive: rows.every((row) => row.revoked_at === null) }
}
const renew = (family: { id: number; teacher: { token: string } }) =>
  server.send(renewFamilyLink, { body: { studentId: family.id } }, family.teacher)

test("a renewed link keeps the school's mobile number: one typed by the family brings it no other students", async () => {
  const family = await aVisitingFamily(server)
  const theirs = aMobile()
  const typed = { studentName: 'Ishita Namunawala', mobileNo: theirs, email: 'hemant@family.example' }
  const which = { groupId: family.groupId, fYear: thisSeason, classId: 7, individualRegId: family.id }
  await server.ask(editFamilyStudent, { ...which, ...typed }, family)
  assert.equal((await renew(family)).status, 200)
  const other = await anEnteredStudent(server, family.teacher, { parentMobileNo: theirs })
  assert.equal((await linksOf(family.id, other.id)).links.size, 2)
})

test('a placeholder number makes no family: each student gets a separate link', async () => {
  for (const parentMobileNo of ['9999999999', '9000000000', '919876543210']) {
    const teacher = await aTeacher()
    const first = await anEnteredStudent(server, teacher, { parentMobileNo })
    const second = await anEnteredStudent(server, teacher, { parentMobileNo })
    assert.equal((await linksOf(first.id, second.id)).links.size, 2, parentMobileNo)
    const mobile = aMobile()
    const change = { ...anEntry({ parentMobileNo: mobile }), id: first.id, version: 1 }
    await server.ask(saveStudentDetails, change, teacher)
    const sibling = await anEnteredStudent(server, teacher, { parentMobileNo: mobile })
    assert.equal((await linksOf(first.id, sibling.id)).links.size, 1)
  }
})

test("someone given the link of a number by mistake does not find the owner's children behind it", async () => {
  const family = await aFamily(server)
  const { teacher, mobile: parentMobileNo } = family
  const corrected = { ...anEntry({ parentMobileNo: aMobile() }), id: family.id, version: 1 }
  await server.ask(saveStudentDetails, corrected, teacher)
  const [first, second] = await Promise.all([
    anEnteredStudent(server, teacher, { parentMobileNo }),
    anEnteredStudent(server, teacher, { parentMobileNo }),
  ])
  const { links, alive } = await linksOf(first.id, second.id)
  assert.deepEqual([links.size, alive, links.has(family.groupId)], [1, true, false])
})

test('a student deleted and entered again keeps the link on the slip; restored without one, it gets a new one', async () => {
  const family = await aFamily(server, [{ studentName: 'Pari Namunawala' }])
  const { teacher, mobile: parentMobileNo, id } = family
  await server.ask(deleteStudentPost, { studentId: id }, teacher)
  const again = await anEnteredStudent(server, teacher, { parentMobileNo, studentName: 'Pari  NAMUNAWALA' })
  assert.ok((await linksOf(again.id)).links.has(family.groupId))
  await server.ask(deleteStudentPost, { studentId: again.id }, teacher)
  const stranger = await anEnteredStudent(server, teacher, { parentMobileNo, studentName: 'Om Misaal' })
  assert.equal((await linksOf(stranger.id)).links.has(family.groupId), false)
  await server.ask(restoreStudent, { studentId: id }, teacher)
  assert.equal((await renew(family)).status, 200)
  assert.equal((await linksOf(id)).alive, true)
})

test('when two people renew a link at once both succeed, and the family has one valid link', async () => {
  for (let round = 0; round < 4; round++) {
    const family = await aFamily(server, [{}, {}])
    const answers = await Promise.all([renew(family), renew(family)])
    for (const { status } of answers) assert.ok([200, 409].includes(status), String(status))
    const { links, alive } = await linksOf(...family.ids)
    assert.deepEqual([links.size, alive], [1, true])
  }
})

test('a student who joins or changes while the link is renewed is on the new link', async () => {
  for (let round = 0; round < 6; round++) {
    const family = await aFamily(server)
    const entry = anEntry({ parentMobileNo: family.mobile, section: 'C' })
    const change = { body: { ...entry, id: family.id, version: 1 } }
    const [joined, changed, renewed] = await Promise.all([
      anEnteredStudent(server, family.teacher, { parentMobileNo: family.mobile }),
      server.send(saveStudentDetails, change, family.teacher),
      renew(family),
    ])
    assert.deepEqual([changed.status, renewed.status], [200, 200])
    const { links, alive } = await linksOf(family.id, joined.id)
    assert.deepEqual([links.size, alive], [1, true])
  }
})

test('too many families for one file are refused, and are printed class by class', async () => {
  const family = await aFamily(server)
  const { keys } = server.deps
  const many = Array.from({ length: maxSlips }, (_, n) => `slip-${family.schoolId}-${n}`)
  const common = { school_id: family.schoolId, season: thisSeason, created_at: aDay }
  const codes = { access_code_hash: '', access_code_sealed: seal(keys, 'DEMFAM22') }
  await addRows(
    'family_links',
    many.map((id) => ({ id, ...common, ...codes })),
  )
  const child = { ...common, updated_at: aDay, class_id: 3, section: 'A', name: 'Om', name_key: 'om' }
  await addRows(
    'students',
    many.map((family_link_id, index) => ({ ...child, family_link_id, roll_no: index + 1 })),
  )
  const all = await print(family.teacher.token)
  assert.deepEqual([all.status, JSON.parse(all.bytes.toString()).code], [409, 'families.too_many_slips'])
  assert.equal((await print(family.teacher.token, { classId: 7 })).status, 200)
})

test('while a long list is drawn, the server answers other requests between slips', async () => {
  const slip = { linkId: 'x'.repeat(22), code: 'ABCD EFGH', children: [] }
  const making = {
    foundation: { name: 'F' },
    school: 'S',
    season: thisSeason,
    pageOf: String,
    createdAt: aDay,
  }
  let answered = 0
  const others = setInterval(() => answered++, 0)
  await slipsPdf(Array(30).fill(slip), making)
  clearInterval(others)
  assert.ok(answered >= 10, String(answered))
})
