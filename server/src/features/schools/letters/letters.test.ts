import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAccessCode } from '@podium/contract/accounts/calls-registration'
import {
  cancelLetters,
  letterFile,
  letterPlan,
  letterRuns,
  startLetters,
} from '@podium/contract/schools/calls-mailings'
import {
  officeSchool,
  renewSchoolLink,
  revokeSchoolLink,
  schoolLetter,
  showSchoolCode,
} from '@podium/contract/schools/calls-record'
import { dropDayOld } from '#platform/files/files'
import { enqueueJob } from '#platform/jobs/jobs'
import { aLinkedSchool } from '#test/accounts-factories'
import { pdfText } from '#test/archives'
import { aDay, anOfficer, aSchool, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aFoundation } from '#test/payments-factories'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'
import { lettersPdf } from './documents.ts'

/** Invitation letters for many schools at once. */
let now = aDay
const server = beforehand(() => testServer({ clock: () => now, limitScale: 100 }))
const officer = beforehand(() => anOfficer('operations'))
before(() => aFoundation())

type School = Awaited<ReturnType<typeof aSchool>>
const idsOf = (...schools: School[]) => schools.map(({ id }) => id).join(',')
const plan = (ids: string) => server.ask(letterPlan, { FYear: thisSeason, ids }, officer)
const setPlace = (school: School, place: { state?: string; district?: string; pin_code?: string }) =>
  server.deps.db.updateTable('schools').set(place).where('id', '=', school.id).execute()

interface Printing {
  language?: 'en' | 'hi' | 'both'
  codes?: 'keep' | 'new'
  schools: number
}
async function printLetters(ids: string, { language = 'en', codes = 'keep', schools }: Printing) {
  const body = { FYear: thisSeason, ids, language, codes, schools }
  const started = await server.ask(startLetters, body, officer)
  await server.jobs.drain()
  return started.jobId
}
const runOf = async (jobId: string) => {
  const body = await server.ask(letterRuns, {}, officer)
  const found = body.data.find((row) => row.jobId === jobId)
  assert.ok(found)
  return found
}
const downloadFile = (jobId: string, piece: number, by = officer) =>
  server.download(letterFile, { jobId, piece }, by)
const opens = async (id: string, code: string) =>
  (await server.call(verifyAccessCode, { body: { id, code } })).body.result === 'success'
const actionsOf = async (schoolId: number) =>
  (await auditLines(['action', 'change'], { school_id: schoolId })).map(({ action }) => action)
const linksOf = (schoolId: number) =>
  findRows('school_links', { school_id: schoolId, revoked_at: null }, ['id'])

const linkOf = async (schoolId: number) => {
  const query = { id: String(schoolId), FYear: thisSeason }
  return (await server.ask(officeSchool, query, officer)).link
}
const linesOf = async (schoolId: number) =>
  auditLines(['action', 'change', 'actor_id'], { school_id: schoolId })
const deactivate = (id: number) => changeRows('schools', { id }, { active: false })

test("the office creates a school's link and sees its code only on request; showing it is logged without the code", async () => {
  const { id } = await aSchool()
  assert.equal(await linkOf(id), null)
  const made = await server.ask(renewSchoolLink, { id, linkId: '' }, officer)
  const link = await linkOf(id)
  assert.deepEqual(
    [link?.id, link?.readable, link?.address],
    [made.linkId, true, `http://127.0.0.1/login?id=${made.linkId}`],
  )
  const keyed = { ...officer, headers: { 'idempotency-key': `code-of-${id}` } }
  const { body } = await server.call(showSchoolCode, { body: { id, linkId: made.linkId } }, keyed)
  assert.deepEqual(await findRows('idempotency_keys', { scope: `office:${officer.id}` }, ['key']), [])
  assert.match(body.code, /^[2-9A-Z]{4} [2-9A-Z]{4}$/)
  assert.equal(await opens(made.linkId, body.code), true)
  const lines = await linesOf(id)
  assert.deepEqual(valuesOf(lines, 'action', 'actor_id'), [
    ['school.link_made', officer.id],
    ['school.code_shown', officer.id],
  ])
  assert.equal(JSON.stringify(lines).includes(body.code.slice(0, 4)), false)
})

test('a new link ends the old link and its code; a revoked link opens nothing', async () => {
  const { school, id: old, code } = await aLinkedSchool(server)
  const renewed = await server.ask(renewSchoolLink, { id: school.id, linkId: old }, officer)
  assert.equal(await opens(old, code), false)
  const linkId = renewed.linkId
  const shown = await server.call(showSchoolCode, { body: { id: school.id, linkId } }, officer)
  assert.equal(await opens(linkId, shown.body.code), true)
  const revoked = await server.send(revokeSchoolLink, { body: { id: school.id, linkId } }, officer)
  assert.equal(revoked.status, 200)
  assert.equal(await opens(linkId, shown.body.code), false)
  assert.equal(await linkOf(school.id), null)
})

test('a link that was replaced meanwhile can no longer be shown, printed, renewed or revoked', async () => {
  const { school, id: old } = await aLinkedSchool(server)
  await server.ask(renewSchoolLink, { id: school.id, linkId: old }, officer)
  for (const endpoint of [showSchoolCode, renewSchoolLink, revokeSchoolLink, schoolLetter]) {
    const refused = await server.send(endpoint, { body: { id: school.id, linkId: old } }, officer)
    assert.deepEqual([refused.status, refused.body.code], [409, 'schools.link_gone'], endpoint.path)
  }
})

test('a school without a link has nothing to show, print or revoke', async () => {
  const { id } = await aSchool()
  for (const endpoint of [showSchoolCode, revokeSchoolLink, schoolLetter])
    assert.equal((await server.send(endpoint, { body: { id, linkId: '' } }, officer)).status, 404)
  const missing = { id: 999_999_999, linkId: '' }
  assert.equal((await server.send(renewSchoolLink, { body: missing }, officer)).status, 404)
})

test('the letter has school, address and link above and the code below, in English or Hindi', async () => {
  const { school, id, code } = await aLinkedSchool(server)
  for (const language of ['en', 'hi'] as const) {
    const { status, bytes } = await server.download(
      schoolLetter,
      { id: school.id, linkId: id, language },
      officer,
    )
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
  assert.deepEqual(valuesOf(await linesOf(school.id), 'action', 'change'), [
    ['school.letter_printed', { language: 'en' }],
    ['school.letter_printed', { language: 'hi' }],
  ])
})

test('a code from before codes were stored can only be replaced by a new one', async () => {
  const { school, id } = await aLinkedSchool(server)
  await changeRows('school_links', { id }, { access_code_sealed: '' })
  assert.equal((await linkOf(school.id))?.readable, false)
  for (const endpoint of [showSchoolCode, schoolLetter]) {
    await server.refuses('schools.code_unreadable', endpoint, { id: school.id, linkId: id }, officer)
  }
})

test('an inactive school gets no new link and no letter', async () => {
  const { school, id } = await aLinkedSchool(server)
  await deactivate(school.id)
  for (const endpoint of [renewSchoolLink, schoolLetter]) {
    await server.refuses('schools.inactive', endpoint, { id: school.id, linkId: id }, officer)
  }
})

test('the roles accounts, results and viewer cannot see, print, renew or revoke a code', async () => {
  const { school, id } = await aLinkedSchool(server)
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const by = await anOfficer(role)
    for (const endpoint of [showSchoolCode, renewSchoolLink, revokeSchoolLink, schoolLetter]) {
      await server.refuses('access.denied', endpoint, { id: school.id, linkId: id }, by)
    }
  }
})

test('the plan counts the schools with and without a code, and letters are sorted by postal address', async () => {
  const linked = await aLinkedSchool(server)
  const [bare, lost, off] = [await aSchool(), await aLinkedSchool(server), await aSchool()]
  await setPlace(linked.school, { state: 'Odisha', district: 'Puri', pin_code: '752001' })
  await setPlace(bare, { state: 'Odisha', district: 'Khordha', pin_code: '751001' })
  await setPlace(lost.school, { state: 'Assam', district: 'Kamrup', pin_code: '781001' })
  await changeRows('school_links', { id: lost.id }, { access_code_sealed: '' })
  await changeRows('schools', { id: off.id }, { active: false })
  const ids = idsOf(linked.school, bare, lost.school, off)
  const { schools, off: inactive, printable: kept, without, unreadable, pieces } = await plan(ids)
  assert.deepEqual([schools, inactive, kept, without, unreadable, pieces], [3, 1, 1, 1, 1, 1])
  const jobId = await printLetters(ids, { schools: 3 })
  const done = await runOf(jobId)
  assert.deepEqual(
    [done.state, done.done, done.total, done.made, done.renewed, done.left, done.by],
    ['done', 3, 3, 1, 1, 0, officer.name],
  )
  assert.deepEqual(valuesOf(done.files, 'piece', 'name', 'schools'), [
    [1, 'Letters 001 Assam 781001 to Odisha 752001.pdf', 3],
  ])
  const { status, bytes } = await downloadFile(jobId, 1)
  assert.equal(status, 200)
  const text = pdfText(bytes)
  const places = [lost.school, bare, linked.school].map(({ name }) => text.indexOf(name))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  assert.ok(text.includes(`${linked.code.slice(0, 4)} ${linked.code.slice(4)}`))
  assert.equal(await opens(linked.id, linked.code), true)
  assert.equal(await opens(lost.id, lost.code), false)
  assert.deepEqual(await actionsOf(bare.id), ['school.link_made', 'school.letter_printed'])
  assert.deepEqual(await actionsOf(linked.school.id), ['school.letter_printed'])
  assert.deepEqual(await actionsOf(lost.school.id), ['school.link_renewed', 'school.letter_printed'])
})

test('new codes end the old ones, a reprint changes nothing, and stored letters are encrypted', async () => {
  const { school, id, code } = await aLinkedSchool(server)
  now = new Date(now.getTime() + 60_000)
  const jobId = await printLetters(idsOf(school), { codes: 'new', schools: 1 })
  assert.equal((await runOf(jobId)).renewed, 1)
  assert.equal(await opens(id, code), false)
  const [link] = await linksOf(school.id)
  const again = await printLetters(idsOf(school), { language: 'both', schools: 1 })
  assert.deepEqual([(await runOf(again)).renewed, await linksOf(school.id)], [0, [link]])
  const text = pdfText((await downloadFile(again, 1)).bytes)
  const printedCode = /[2-9A-Z]{4} [2-9A-Z]{4}(?= Udaharan)/.exec(text)?.[0]
  assert.equal(await opens(link?.id ?? '', printedCode ?? ''), true)
  assert.ok(text.includes('Dear Principal') && text.includes('आदरणीय'))
  const files = await findRows('files', { kind: 'schools.letters' }, ['sha256'])
  assert.ok(files.length > 0)
  for (const { sha256 } of files) assert.equal((await server.deps.files.read(sha256)).includes('%PDF'), false)
})

test('a print run is refused for no schools, or for other schools than were shown', async () => {
  const school = await aSchool()
  const start = (ids: string, schools: number) =>
    server.send(
      startLetters,
      { body: { FYear: thisSeason, ids, language: 'en', codes: 'new', schools } },
      officer,
    )
  await refused('schools.letters_changed', start(idsOf(school), 2))
  await refused('schools.letters_none', start('999999999', 0))
  assert.deepEqual(await linksOf(school.id), [])
})

test('the filters of the school list select who gets a letter', async () => {
  const [first, second] = [await aSchool(), await aSchool()]
  await setPlace(first, { state: 'Mizoram' })
  await setPlace(second, { state: 'Mizoram', district: 'Lunglei' })
  const query = { FYear: thisSeason, state: 'Mizoram' }
  assert.equal((await server.ask(letterPlan, query, officer)).schools, 2)
  const narrow = { ...query, district: 'Lunglei' }
  assert.equal((await server.ask(letterPlan, narrow, officer)).schools, 1)
})

test('a print job cancelled before it starts creates no code, and letters are deleted after a day', async () => {
  const school = await aSchool()
  const input = { ids: [school.id], language: 'en', codes: 'keep', staffId: officer.id }
  const dueAt = new Date(now.getTime() + 3_600_000)
  const waiting = await server.deps.db
    .transaction()
    .execute((tx) => enqueueJob(tx, now, { kind: 'schools.letters', total: 1, input, dueAt }))
  const stopped = await server.send(cancelLetters, { body: { jobId: waiting } }, officer)
  assert.equal(stopped.status, 200)
  await server.jobs.drain()
  assert.deepEqual([(await runOf(waiting)).state, await linksOf(school.id)], ['cancelled', []])
  const jobId = await printLetters(idsOf(school), { schools: 1 })
  assert.equal((await downloadFile(jobId, 1)).status, 200)
  const later = new Date(now.getTime() + 25 * 3_600_000)
  await dropDayOld(server.deps.db, server.deps.files, 'schools.letters', later)
  assert.equal((await downloadFile(jobId, 1)).status, 404)
  const left = await findRows('files', { kind: 'schools.letters' }, ['id'])
  assert.deepEqual(left, [])
})

test('the roles accounts, results and viewer neither print nor download letters', async () => {
  const school = await aSchool()
  const jobId = await printLetters(idsOf(school), { schools: 1 })
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const by = await anOfficer(role)
    const query = { FYear: thisSeason, ids: idsOf(school) }
    assert.equal((await server.call(letterPlan, { query }, by)).status, 403)
    assert.equal((await server.send(letterRuns, {}, by)).status, 403)
    assert.equal((await downloadFile(jobId, 1, by)).status, 403)
  }
})

test('each letter fits on one page in each language, however long the name and address are', async () => {
  const school = {
    code: 'UDA0001',
    name: 'Shri Udaharan Vidya Niketan Higher Secondary Residential School for Girls and Boys (Unaided)',
    address:
      'Plot 114/7, Opposite the Old Water Tower, Behind Namuna Market Complex, Kalpana Nagar Extension',
    city: 'Kalpanagar',
    district: 'Thiruvananthapuram',
    state: 'Dadra and Nagar Haveli and Daman and Diu',
    country: 'India',
    pin_code: '695001',
  }
  const foundation = {
    name: 'Namuna Foundation',
    phone: '1800 000 000',
    hours: { en: 'Monday to Friday, 9 AM to 5 PM', hi: 'सोमवार से शुक्रवार' },
    email: 'help@namuna.example',
  }
  const letter = { school, linkId: 'A'.repeat(22), code: 'ABCD EFGH' }
  const bytes = await lettersPdf([letter, letter], {
    foundation,
    publicUrl: 'https://olympiad.namuna-foundation.example',
    languages: ['en', 'hi'],
    createdAt: aDay,
  })
  assert.equal(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 4)
})
