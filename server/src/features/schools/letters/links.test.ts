import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { verifyAccessCode } from '@podium/contract/accounts/calls-registration'
import {
  renewSchoolLink,
  revokeSchoolLink,
  schoolLetter,
  showSchoolCode,
} from '@podium/contract/schools/calls-link'
import { officeSchool } from '@podium/contract/schools/calls-record'
import { aLinkedSchool } from '#test/accounts-factories'
import { aDay, anOfficer, aSchool, thisSeason } from '#test/factories'
import { aFoundation } from '#test/payments-factories'
import { pdfText } from '#test/pdf-text'
import { type TestServer, testServer } from '#test/server'

/** The office's hand on the link of a school's invitation and its access code. */
let server: TestServer
let officer: Awaited<ReturnType<typeof anOfficer>>
before(async () => {
  server = await testServer({ clock: () => aDay, limitScale: 100 })
  officer = await anOfficer('operations')
  await aFoundation()
})

const linkOf = async (schoolId: number) => {
  const query = { id: String(schoolId), FYear: thisSeason }
  return (await server.call(officeSchool, { query }, officer)).body.link
}
const opens = async (id: string, code: string) =>
  (await server.call(verifyAccessCode, { body: { id, code } })).body.result === 'success'
const audited = async (schoolId: number) =>
  server.deps.db
    .selectFrom('audit')
    .select(['action', 'change', 'actor_id'])
    .where('school_id', '=', schoolId)
    .orderBy('id')
    .execute()
const switchOff = (id: number) =>
  server.deps.db.updateTable('schools').set({ active: false }).where('id', '=', id).execute()

async function print(schoolId: number, linkId: string, language: 'en' | 'hi' = 'en') {
  const response = await fetch(server.url + schoolLetter.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${officer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: schoolId, linkId, language }),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a school gets a link, its code is shown on demand alone, and that it was shown is audited without the code', async () => {
  const { id } = await aSchool()
  assert.equal(await linkOf(id), null)
  const made = await server.call(renewSchoolLink, { body: { id, linkId: '' } }, officer)
  const link = await linkOf(id)
  assert.deepEqual(
    [link?.id, link?.readable, link?.address],
    [made.body.linkId, true, `http://127.0.0.1/login?id=${made.body.linkId}`],
  )
  const { body } = await server.call(showSchoolCode, { body: { id, linkId: made.body.linkId } }, officer)
  assert.match(body.code, /^[2-9A-Z]{4} [2-9A-Z]{4}$/)
  assert.equal(await opens(made.body.linkId, body.code), true)
  const lines = await audited(id)
  assert.deepEqual(
    lines.map((line) => [line.action, line.actor_id]),
    [
      ['school.link_made', officer.id],
      ['school.code_shown', officer.id],
    ],
  )
  assert.equal(JSON.stringify(lines).includes(body.code.slice(0, 4)), false)
})

test('a new link ends the old one and its code, and a link that is taken back opens nothing', async () => {
  const { school, id: old, code } = await aLinkedSchool(server)
  const renewed = await server.call(renewSchoolLink, { body: { id: school.id, linkId: old } }, officer)
  assert.equal(await opens(old, code), false)
  const linkId = renewed.body.linkId
  const shown = await server.call(showSchoolCode, { body: { id: school.id, linkId } }, officer)
  assert.equal(await opens(linkId, shown.body.code), true)
  const revoked = await server.send(revokeSchoolLink, { body: { id: school.id, linkId } }, officer)
  assert.equal(revoked.status, 200)
  assert.equal(await opens(linkId, shown.body.code), false)
  assert.equal(await linkOf(school.id), null)
})

test('of a link that was replaced meanwhile nothing is shown, printed, renewed or taken back', async () => {
  const { school, id: old } = await aLinkedSchool(server)
  await server.call(renewSchoolLink, { body: { id: school.id, linkId: old } }, officer)
  for (const endpoint of [showSchoolCode, renewSchoolLink, revokeSchoolLink, schoolLetter]) {
    const refused = await server.send(endpoint, { body: { id: school.id, linkId: old } }, officer)
    assert.deepEqual([refused.status, refused.body.code], [409, 'schools.link_gone'], endpoint.path)
  }
})

test('a school without a link has nothing to show, print or take back', async () => {
  const { id } = await aSchool()
  for (const endpoint of [showSchoolCode, revokeSchoolLink, schoolLetter])
    assert.equal((await server.send(endpoint, { body: { id, linkId: '' } }, officer)).status, 404)
  const missing = { id: 999_999_999, linkId: '' }
  assert.equal((await server.send(renewSchoolLink, { body: missing }, officer)).status, 404)
})

test('the letter carries school, address and link above, and the code below, in English or Hindi', async () => {
  const { school, id, code } = await aLinkedSchool(server)
  for (const language of ['en', 'hi'] as const) {
    const { status, bytes } = await print(school.id, id, language)
    assert.equal(status, 200)
    const text = pdfText(bytes)
    const printed = `${code.slice(0, 4)} ${code.slice(4)}`
    for (const words of [
      school.name,
      '1 Namuna Road',
      'Karnataka 560001',
      id.slice(0, 10),
      school.code,
      printed,
    ])
      assert.ok(text.includes(words), words)
    assert.ok(text.indexOf(id.slice(0, 10)) < text.indexOf(printed))
  }
  assert.deepEqual(
    (await audited(school.id)).map((line) => [line.action, line.change]),
    [
      ['school.letter_printed', { language: 'en' }],
      ['school.letter_printed', { language: 'hi' }],
    ],
  )
})

test('a code from before codes were kept can only be made anew', async () => {
  const { school, id } = await aLinkedSchool(server)
  const { db } = server.deps
  await db.updateTable('school_links').set({ access_code_sealed: '' }).where('id', '=', id).execute()
  assert.equal((await linkOf(school.id))?.readable, false)
  for (const endpoint of [showSchoolCode, schoolLetter]) {
    const refused = await server.send(endpoint, { body: { id: school.id, linkId: id } }, officer)
    assert.deepEqual([refused.status, refused.body.code], [409, 'schools.code_unreadable'])
  }
})

test('a school that is switched off gets no new link and no letter', async () => {
  const { school, id } = await aLinkedSchool(server)
  await switchOff(school.id)
  for (const endpoint of [renewSchoolLink, schoolLetter]) {
    const refused = await server.send(endpoint, { body: { id: school.id, linkId: id } }, officer)
    assert.deepEqual([refused.status, refused.body.code], [409, 'schools.inactive'])
  }
})

test('accounts, results and viewer come to no code', async () => {
  const { school, id } = await aLinkedSchool(server)
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const by = await anOfficer(role)
    for (const endpoint of [showSchoolCode, renewSchoolLink, revokeSchoolLink, schoolLetter]) {
      const refused = await server.send(endpoint, { body: { id: school.id, linkId: id } }, by)
      assert.deepEqual([refused.status, refused.body.code], [403, 'access.denied'])
    }
  }
})
