import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deleteStudentPost } from '@podium/contract/enrolment'
import { getFamilyStudents, verifyFamilyCode } from '@podium/contract/families'
import { familySlips, renewFamilyLink } from '@podium/contract/families-slips'
import { unseal } from '#platform/secrets'
import { aDay, aTeacher, thisSeason } from '../../../test/factories.ts'
import { aFamily, aVisitingFamily } from '../../../test/families-factories.ts'
import { pdfText } from '../../../test/pdf-text.ts'
import { type TestServer, testServer } from '../../../test/server.ts'
import { findSlips } from './queries-slips.ts'

/** The slips by which a school hands a family its link and its code, and how both are taken back. */
let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

async function print(token: string, filter: object = {}) {
  const response = await fetch(`${server.url}${familySlips.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ FYear: thisSeason, ...filter }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

const printedCode = (code: string) => `${code.slice(0, 4)} ${code.slice(4)}`

test('a school prints one slip for each family, with its children and its code', async () => {
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
  if (text === undefined) return
  assert.equal(text.split(printedCode(family.code)).length, 2)
  for (const words of ['Ishita Namunawala', 'Pari Namunawala', 'Om Misaal', printedCode(other.code)])
    assert.ok(text.includes(words), words)
  assert.ok(!text.includes(printedCode(foreign.code)))
})

test('only the families of chosen students get a slip, and deleted students none', async () => {
  const { db, keys } = server.deps
  const first = await aFamily(server)
  const second = await aFamily(server, [{}], first.teacher)
  const stranger = await aFamily(server)
  const scope = { schoolId: first.schoolId } as Parameters<typeof findSlips>[2]
  const idsOf = async (ids: number[]) => (await findSlips(db, keys, scope, ids)).map(({ linkId }) => linkId)
  assert.deepEqual(await idsOf([second.id, first.id, stranger.id]), [second.groupId, first.groupId])
  await server.call(deleteStudentPost, { body: { studentId: second.id } }, first.teacher)
  assert.deepEqual(await idsOf([second.id, first.id]), [first.groupId])
})

test('without a family there is nothing to print, and another school is refused', async () => {
  const [teacher, stranger] = [await aTeacher(), await aFamily(server)]
  const none = await print(teacher.token)
  assert.equal(none.status, 409)
  assert.match(none.bytes.toString(), /None of these students has a family/)
  assert.equal((await print(teacher.token, { ids: [stranger.id] })).status, 409)
  assert.equal((await print(teacher.token, { schId: stranger.schoolId })).status, 403)
})

test('a renewed link opens with its new code alone, and who was on the page is signed out', async () => {
  const family = await aVisitingFamily(server, [{}, {}])
  const { body } = await server.call(renewFamilyLink, { body: { studentId: family.id } }, family.teacher)
  assert.equal(body.children, 2)
  const old = await server.send(verifyFamilyCode, { body: { groupId: family.groupId, code: family.code } })
  assert.equal(old.body.result, 'error')
  const query = { GroupId: family.groupId, FYear: thisSeason }
  const page = await server.send(getFamilyStudents, { query }, { token: family.token })
  assert.equal(page.body.result, 'error')
  const link = await server.deps.db
    .selectFrom('family_links as l')
    .innerJoin('students as st', 'st.family_link_id', 'l.id')
    .select(['l.id', 'l.access_code_sealed'])
    .where('st.id', '=', family.id)
    .executeTakeFirstOrThrow()
  const code = unseal(server.deps.keys, link.access_code_sealed)
  assert.notDeepEqual([link.id, code], [family.groupId, family.code])
  const opened = await server.call(verifyFamilyCode, { body: { groupId: link.id, code } })
  assert.ok(opened.body.token)
})
