import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { me } from '@podium/contract/accounts/calls'
import { foldName } from '@podium/contract/names'
import { withdrawRelease } from '@podium/contract/results/calls-office'
import { saveContact, setContactStatus } from '@podium/contract/schools/calls'
import { approveApplication } from '@podium/contract/schools/calls-applications'
import { officeSchool, officeSchoolHistory, officeSchoolYears } from '@podium/contract/schools/calls-record'
import { exportSchools, officeSchoolPlaces, officeSchools } from '@podium/contract/schools/calls-register'
import {
  confirmContact,
  createSchool,
  likelySchools,
  makeCoordinator,
  saveSchoolRecord,
  setSchoolAccount,
  setSchoolStatus,
  setSchoolStatuses,
} from '@podium/contract/schools/calls-write'
import { officeMe } from '@podium/contract/staff/calls'
import { sql } from 'kysely'
import { mergeOf } from '#test/accounts-factories'
import { whileHeld } from '#test/database'
import {
  aDay,
  anApplication,
  anOfficer,
  aSchool,
  aSchoolForm,
  aSeason,
  aTeacher,
  thisSeason,
} from '#test/factories'
import { auditLine, takeCsv } from '#test/file-call'
import { anEvent, candidates, releaseRows } from '#test/results-factories'
import { addRow, addRows, changeRows, findRow, valuesOf } from '#test/rows'
import { before, beforehand, mailsTo, refused, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))
const officer = beforehand(() => anOfficer('operations'))
before(() => aSeason())

/** A word that only this test's schools have in their names. */
const aWord = () => `kalp${randomInt(1e9, 1e10)}`

async function aKnownSchool(name: string, columns: object = {}) {
  const school = await aSchool({ name })
  await changeRows('schools', { id: school.id }, { name_key: foldName(name), ...columns })
  return school
}

const listed = (query: Record<string, string>, by = officer) =>
  server.ask(officeSchools, { FYear: thisSeason, ...query }, by)
const names = async (query: Record<string, string>) => (await listed(query)).data.map((row) => row.schName)

test('a school is found by its name, city, code and numbers, however they are written', async () => {
  const word = aWord()
  const digits = String(randomInt(1e10, 1e11))
  const phone = `9${randomInt(1e8, 1e9)}`
  const name = `Śrī ${word} Vidya-Mandir`
  const school = await aKnownSchool(name, {
    city: 'Namuna-Nagar',
    udise_code: digits,
    affiliation_no: `CBSE/${digits}`,
    pin_code: '560417',
    phone,
  })
  for (const search of [
    `sri ${word}`,
    `VIDYA mandir ${word}`,
    `${word} namuna nagar`,
    `${word} 560417`,
    school.code.toLowerCase(),
    digits,
    `cbse ${digits}`,
    `+91 ${phone.slice(0, 5)} ${phone.slice(5)}`,
  ])
    assert.deepEqual(await names({ search }), [name], search)
  for (const search of [`${word} elsewhere`, '%', '_', `${word}%`])
    assert.equal((await names({ search })).includes(name), search === `${word}%`, search)
})

test('the filters by state, district, status, staff and unconfirmed contacts list exactly the matching schools', async () => {
  const word = aWord()
  const first = await aKnownSchool(`${word} A`, { state: 'Kerala', district: 'Udaharanam' })
  await aKnownSchool(`${word} B`, { active: false })
  await aTeacher({ schoolId: first.id })
  await addRow('contacts', {
    school_id: first.id,
    season: thisSeason,
    designation_id: 1,
    title_id: 1,
    name: 'Asha Namuna',
    email: 'asha@contacts.example',
    mobile: '9000000001',
    created_at: aDay,
  })
  const [a, b] = [[`${word} A`], [`${word} B`]]
  const cases: [Record<string, string>, string[]][] = [
    [{}, [...a, ...b]],
    [{ state: 'Kerala' }, a],
    [{ state: 'Kerala', district: 'Udaharanam' }, a],
    [{ district: 'Kalpanagar' }, b],
    [{ status: 'active' }, a],
    [{ status: 'inactive' }, b],
    [{ staff: 'some' }, a],
    [{ staff: 'none' }, b],
    [{ contacts: 'waiting' }, a],
    [{ due: 'open' }, []],
  ]
  for (const [query, found] of cases)
    assert.deepEqual(await names({ search: word, ...query }), found, JSON.stringify(query))
  const [row] = (await listed({ search: word })).data
  assert.deepEqual([row?.staff, row?.students, row?.due, row?.contacts], [1, 0, 0, 1])
  const body = await server.ask(officeSchoolPlaces, {}, officer)
  assert.ok(body.data.some((place) => place.state === 'Kerala' && place.district === 'Udaharanam'))
})

test('the school list shows, sorts and filters by what a school owes in the season', async () => {
  const word = aWord()
  const owing = await aKnownSchool(`${word} Z`)
  await aKnownSchool(`${word} A`)
  await anEnteredStudent(server, await aTeacher({ schoolId: owing.id }))
  const [first, second] = (await listed({ search: word, sort: 'due' })).data
  assert.deepEqual([first?.schName, first?.students, second?.due], [`${word} Z`, 1, 0])
  assert.ok((first?.due ?? 0) > 0)
  assert.deepEqual(await names({ search: word, due: 'open' }), [`${word} Z`])
  assert.deepEqual(await names({ search: word, sort: 'students' }), [`${word} Z`, `${word} A`])
  const other = await listed({ search: word, FYear: '2025-26', due: 'open' })
  assert.deepEqual([other.data, other.total], [[], 0])
})

test('an officer who may not read payments sees no dues and cannot sort or filter by them', async () => {
  const word = aWord()
  const owing = await aKnownSchool(`${word} Z`)
  await aKnownSchool(`${word} A`)
  await anEnteredStudent(server, await aTeacher({ schoolId: owing.id }))
  const { data } = await listed({ search: word, sort: 'due', due: 'open' }, await anOfficer('results'))
  assert.deepEqual(valuesOf(data, 'schName', 'due'), [
    [`${word} A`, null],
    [`${word} Z`, null],
  ])
})

test('the school list has fifty schools a page and counts them all', async () => {
  const word = aWord()
  const school = await aSchool()
  const { id: _, search_key: __, ...columns } = school
  const nameOf = (n: number) => `${word} ${String(n).padStart(2, '0')}`
  await addRows(
    'schools',
    Array.from({ length: 53 }, (_, n) => ({
      ...columns,
      code: `T${randomInt(1e10, 1e11)}`,
      name: nameOf(n),
      name_key: nameOf(n),
    })),
  )
  const first = await listed({ search: word })
  const second = await listed({ search: word, page: '2' })
  assert.deepEqual([first.data.length, first.total, second.data.length], [50, 53, 3])
  assert.deepEqual([first.data[0]?.schName, second.data[2]?.schName], [nameOf(0), nameOf(52)])
})

test('an export contains exactly the filtered schools and leaves an audit line', async () => {
  const word = aWord()
  const first = await aKnownSchool(`${word} A`)
  await aKnownSchool(`${word} B`, { active: false })
  const by = await anOfficer('operations')
  const filters = { FYear: thisSeason, search: word, status: 'active' } as const
  const { lines } = await takeCsv(server, exportSchools, filters, by)
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', new RegExp(`${first.code},.*${word} A.*Active`))
  const line = await auditLine(['action', 'change'], { actor_id: by.id, actor_kind: 'office' })
  assert.equal(line.action, 'schools.exported')
  assert.equal((line.change as { schools: number }).schools, 1)
})

test('an unknown sort order, status or season is refused', async () => {
  for (const wrong of [{ sort: 'secret' }, { status: 'gone' }, { FYear: '2026' }]) {
    const refused = await server.send(officeSchools, { query: { FYear: thisSeason, ...wrong } }, officer)
    assert.equal(refused.status, 400)
  }
})

const recordOf = async (id: number, by = officer) => {
  const body = await server.ask(officeSchool, { id: String(id), FYear: thisSeason }, by)
  return body
}
const history = (id: number, by = officer) => server.ask(officeSchoolHistory, { id: String(id) }, by)

test("a change of a school's details leaves an audit line with what changed and by whom", async () => {
  const { id } = await aSchool()
  const form = {
    ...aSchoolForm(),
    schWebSite: 'https://zuvya.example',
    state: 'Kerala',
    whatsAppNo: '+91 90000-00017',
  }
  await server.ask(saveSchoolRecord, { ...form, id, version: 1 }, officer)
  const { school } = await recordOf(id)
  assert.deepEqual(
    [school.schName, school.schWebSite, school.zone, school.whatsAppNo, school.version],
    [form.schName, 'https://zuvya.example', 'South', '9000000017', 2],
  )
  const [line] = (await history(id)).data
  assert.deepEqual(
    [line?.action, line?.actorName, line?.actorKind],
    ['school.changed', officer.name, 'office'],
  )
  assert.deepEqual(
    line?.changes.find((change) => change.field === 'state'),
    { field: 'state', from: 'Karnataka', to: 'Kerala', as: 'names' },
  )
  assert.equal(
    line?.changes.some((change) => change.field === 'country'),
    false,
  )
})

test('of two officers who change a school at once, the second is refused and changes nothing', async () => {
  const { id } = await aSchool()
  const save = () => server.send(saveSchoolRecord, { body: { ...aSchoolForm(), id, version: 1 } }, officer)
  assert.equal((await save()).status, 200)
  await refused('changed_meanwhile', save())
})

test('an invalid detail of a school is refused at its field', async () => {
  const taken = String(randomInt(1e10, 1e11))
  const other = await aSchool()
  await changeRows('schools', { id: other.id }, { udise_code: taken })
  const { id } = await aSchool()
  for (const [field, value] of [
    ['schName', ' '],
    ['pinCode', '012345'],
    ['state', 'Atlantis'],
    ['country', 'Atlantis'],
    ['mobile', '12'],
    ['udiseCode', '12'],
    ['udiseCode', taken],
    ['schEmail', 'no address'],
    ['schWebSite', 'javascript:alert(1)'],
    ['schWebSite', 'http://plain.example'],
    ['whatsAppNo', '12'],
  ]) {
    const body = { ...aSchoolForm(), id, version: 1, [String(field)]: value }
    const refused = await server.send(saveSchoolRecord, { body }, officer)
    assert.equal(refused.status, 400, `${field} ${value}`)
    assert.deepEqual(valuesOf(refused.body.issues as { path: string }[], 'path'), [field])
  }
  assert.equal((await recordOf(id)).school.version, 1)
})

test('of two schools that get one UDISE code at once, the second is refused at that field', async () => {
  const form = { ...aSchoolForm(), udiseCode: String(randomInt(1e10, 1e11)) }
  const { id } = await aSchool()
  const made = { ...form, schCode: '', compared: true }
  const answers = await whileHeld<{ status: number; body: { issues?: { path: string }[] } }>(
    sql`lock table schools in share mode`,
    [
      () => server.send(createSchool, { body: made }, officer),
      () => server.send(createSchool, { body: { ...made, schName: aSchoolForm().schName } }, officer),
      () => server.send(saveSchoolRecord, { body: { ...form, id, version: 1 } }, officer),
    ],
  )
  const refusal = [400, 'udiseCode']
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.issues?.[0]?.path]),
    [[200, undefined], refusal, refusal],
  )
})

test('a school keeps its state and zone while results with them wait for a scheduled release', async () => {
  const event = await anEvent()
  const [school, other] = [await aSchool(), await aSchool({ state: 'Goa', zone: 'West' })]
  const students = await candidates(event, [{ schoolId: school.id }])
  const rows = students.map(({ roll }) => ({ roll, marks: [1, 1, 1] }))
  const { setId } = await releaseRows(server, event, rows, new Date(aDay.getTime() + 3_600_000).toISOString())
  const owner = await anOfficer('owner')
  let version = 1
  const save = (change: object = {}) =>
    server.call(saveSchoolRecord, { body: { ...aSchoolForm(), ...change, id: school.id, version } }, owner)
  assert.equal((await save()).status, 200)
  version++
  await refused('results.places_scheduled', save({ state: 'Goa' }))
  // Its results would be those of a school in another state.
  await refused('results.places_scheduled', mergeOf(server, owner, { target: other.id, source: school.id }))
  await server.ask(withdrawRelease, { setId }, owner)
  assert.equal((await save({ state: 'Goa' })).status, 200)
})

test('a school created by hand gets the next free code, skipping codes that are taken', async () => {
  const form = aSchoolForm()
  const asked = { schName: form.schName, pinCode: '', mobile: '', udiseCode: '', affiliationNo: '' }
  const propose = async () => (await server.ask(likelySchools, asked, officer)).proposedCode
  const first = await propose()
  assert.match(first, /^[A-Z]{3}\d{4,}$/)
  const taken = await aSchool()
  await changeRows('schools', { id: taken.id }, { code: first })
  const next = await propose()
  assert.notEqual(next, first)
  const { status, body } = await server.call(createSchool, { body: { ...form, schCode: '' } }, officer)
  assert.deepEqual([status, body.schCode], [200, next], JSON.stringify(body))
  const [line] = (await history(body.schId)).data
  assert.equal(line?.action, 'school.created')
})

test('a possible duplicate of a school is created only after the officer compared them', async () => {
  const form = aSchoolForm()
  const create = (extra: object) => server.send(createSchool, { body: { ...form, ...extra } }, officer)
  assert.equal((await create({})).status, 200)
  await refused('schools.likely', create({}))
  const asked = { schName: form.schName, pinCode: form.pinCode, mobile: '', udiseCode: '', affiliationNo: '' }
  const body = await server.ask(likelySchools, asked, officer)
  assert.deepEqual(body.likely[0]?.same, ['name', 'pin'])
  assert.equal((await create({ compared: true })).status, 200)
})

test("a school cannot be created with another school's code or an invalid one", async () => {
  const school = await aSchool()
  const create = (schCode: string) =>
    server.send(createSchool, { body: { ...aSchoolForm(), schCode } }, officer)
  await refused('application.code_taken', create(school.code))
  await refused('input.invalid', create('A1'))
})

test('a deactivated school signs everyone out, shows the reason and the date, and can be reactivated', async () => {
  const teacher = await aTeacher()
  const id = teacher.schoolId
  const setActive = (active: boolean, version: number, reason = 'Closed for good') =>
    server.send(setSchoolStatus, { body: { id, version, active, reason } }, officer)
  await refused('schools.active', setActive(true, 1))
  await refused('input.invalid', setActive(false, 1, ' '))
  await refused('changed_meanwhile', setActive(false, 7))
  assert.equal((await setActive(false, 1)).status, 200)
  const { school } = await recordOf(id)
  assert.deepEqual(
    [school.active, school.inactiveReason, school.inactiveSince],
    [false, 'Closed for good', aDay.toISOString()],
  )
  assert.equal((await server.call(me, {}, teacher)).status, 401)
  await refused('schools.inactive', setActive(false, 2))
  assert.equal((await setActive(true, 2, 'A mistake')).status, 200)
  assert.deepEqual((await recordOf(id)).school.inactiveReason, '')
  assert.deepEqual(valuesOf((await history(id)).data, 'action', 'changes'), [
    ['school.activated', [{ field: 'reason', from: '', to: 'A mistake' }]],
    ['school.deactivated', [{ field: 'reason', from: '', to: 'Closed for good' }]],
  ])
})

test('several schools are deactivated together, each with an audit line, except those changed meanwhile', async () => {
  const [teacher, other, changed] = [await aTeacher(), await aTeacher(), await aSchool()]
  const schools = [teacher.schoolId, other.schoolId, changed.id, 999_999_999].map((id) => ({
    id,
    version: id === changed.id ? 7 : 1,
  }))
  const body = { schools, active: false, reason: 'The trust has closed them' }
  const key = { ...officer, headers: { 'idempotency-key': `status-${changed.id}` } }
  const answer = await server.ask(setSchoolStatuses, body, key)
  assert.deepEqual(answer.done, [{ id: teacher.schoolId }, { id: other.schoolId }])
  assert.deepEqual(valuesOf(answer.refused, 'id'), [changed.id, 999_999_999])
  assert.deepEqual((await server.ask(setSchoolStatuses, body, key)).done, answer.done)
  for (const person of [teacher, other]) {
    assert.equal((await server.call(me, {}, person)).status, 401)
    assert.deepEqual(valuesOf((await history(person.schoolId)).data, 'action', 'changes'), [
      ['school.deactivated', [{ field: 'reason', from: '', to: 'The trust has closed them' }]],
    ])
  }
  assert.equal((await recordOf(changed.id)).school.active, true)
  const withoutReason = server.send(setSchoolStatuses, { body: { ...body, reason: ' ' } }, officer)
  await refused('input.invalid', withoutReason)
  const many = Array.from({ length: 51 }, (_, n) => ({ id: n + 1, version: 1 }))
  const tooMany = server.send(setSchoolStatuses, { body: { ...body, schools: many } }, officer)
  await refused('input.invalid', tooMany)
  const viewer = await anOfficer('viewer')
  assert.equal((await server.send(setSchoolStatuses, { body }, viewer)).status, 403)
})

test('no one can join an inactive school', async () => {
  const school = await aSchool()
  await changeRows('schools', { id: school.id }, { active: false })
  const { id } = await anApplication()
  const joined = server.send(approveApplication, { body: { id, version: 1, schId: school.id } }, officer)
  await refused('schools.inactive', joined)
})

test('a school has one coordinator: a new one replaces the previous one', async () => {
  const first = await aTeacher()
  const second = await aTeacher({ schoolId: first.schoolId, name: 'Joel Namunawala' })
  const id = first.schoolId
  const make = (userId: number, reason = 'Asked by the head') =>
    server.send(makeCoordinator, { body: { id, userId, reason } }, officer)
  await refused('input.invalid', make(first.id, ' '))
  await make(first.id)
  assert.equal((await make(second.id)).status, 200)
  const { staff } = await recordOf(id)
  assert.deepEqual(valuesOf(staff, 'id', 'coordinator'), [
    [second.id, true],
    [first.id, false],
  ])
  assert.match((await mailsTo(server, second.email))[0]?.text ?? '', /Asked by the head/)
  assert.equal((await mailsTo(server, first.email)).length, 2)
  const stranger = await aTeacher()
  await refused('not_found', make(stranger.id))
  await changeRows('users', { id: first.id }, { disabled_at: aDay })
  await refused('schools.account_disabled', make(first.id))
})

test('a disabled person is signed out and notified, stops being the coordinator, and can be enabled again', async () => {
  const teacher = await aTeacher()
  const id = teacher.schoolId
  await server.ask(makeCoordinator, { id, userId: teacher.id, reason: 'The first' }, officer)
  const set = (version: number, enabled: boolean, reason: string, userId = teacher.id) =>
    server.send(setSchoolAccount, { body: { id, userId, version, enabled, reason } }, officer)
  await refused('input.invalid', set(2, false, ' '))
  await refused('changed_meanwhile', set(1, false, 'Has left'))
  await refused('not_found', set(1, false, 'Has left', (await aTeacher()).id))
  assert.equal((await set(2, false, 'Has left the school')).status, 200)
  assert.equal((await server.call(me, {}, teacher)).status, 401)
  const [person] = (await recordOf(id)).staff
  assert.deepEqual([person?.disabled, person?.coordinator], [true, false])
  assert.ok((await mailsTo(server, teacher.email)).some(({ text }) => /Has left the school/.test(text)))
  assert.equal((await set(3, true, 'Is back')).status, 200)
  assert.equal((await mailsTo(server, teacher.email)).length, 3)
  assert.equal((await recordOf(id)).staff[0]?.coordinator, true)
  assert.deepEqual(valuesOf((await history(id)).data.slice(0, 2), 'action'), [
    'school.account_enabled',
    'school.account_disabled',
  ])
})

test('naming a coordinator or letting anyone in again needs a proof from the last ten minutes, stopping them none', async () => {
  const signedInLongAgo = await anOfficer('operations', new Date(aDay.getTime() - 11 * 60_000))
  const teacher = await aTeacher()
  const id = teacher.schoolId
  const account = { id, userId: teacher.id, reason: 'Has left' }
  await server.refuses('session.confirm', makeCoordinator, account, signedInLongAgo)
  await server.ask(setSchoolAccount, { ...account, version: 1, enabled: false }, signedInLongAgo)
  const enable = { ...account, version: 2, enabled: true }
  await server.refuses('session.confirm', setSchoolAccount, enable, signedInLongAgo)
  const stopped = { id, active: false, reason: 'Closed' }
  await server.ask(setSchoolStatus, { ...stopped, version: 1 }, signedInLongAgo)
  const again = { id, version: 2, active: true, reason: 'Open again' }
  await server.refuses('session.confirm', setSchoolStatus, again, signedInLongAgo)
  const several = { schools: [{ id, version: 2 }], active: true, reason: 'Open again' }
  await server.refuses('session.confirm', setSchoolStatuses, several, signedInLongAgo)
  assert.equal((await findRow('schools', { id })).active, false)
  assert.notEqual((await findRow('users', { id: teacher.id })).disabled_at, null)
  await server.ask(setSchoolStatus, again, officer)
  await server.ask(setSchoolAccount, enable, officer)
})

test('a contact entered by a school stays unconfirmed until the office confirms it, once', async () => {
  const teacher = await aTeacher()
  const id = teacher.schoolId
  const person = {
    desgId: 1,
    titleId: 1,
    name: 'Asha Namuna',
    email: 'asha@contacts.example',
    mobile: '9000000001',
  }
  const asked = await server.ask(saveContact, { id: 0, fyear: thisSeason, ...person }, teacher)
  const [waiting] = (await recordOf(id)).contacts
  assert.deepEqual([waiting?.id, waiting?.confirmed, waiting?.name], [asked.id, false, 'Asha Namuna'])
  const confirm = (schoolId: number, version: number) =>
    server.send(confirmContact, { body: { id: schoolId, contactId: asked.id, version } }, officer)
  await refused('not_found', confirm((await aSchool()).id, 1))
  await refused('changed_meanwhile', confirm(id, 9))
  assert.equal((await confirm(id, 1)).status, 200)
  assert.equal((await recordOf(id)).contacts[0]?.confirmed, true)
  await refused('schools.contact_confirmed', confirm(id, 2))
})

test('a contact that the school has switched off waits for no confirmation', async () => {
  const teacher = await aTeacher()
  const search = (await findRow('schools', { id: teacher.schoolId })).code
  const person = { desgId: 1, titleId: 1, name: 'Asha Namuna', email: 'asha@contacts.example' }
  const contact = { id: 0, fyear: thisSeason, ...person, mobile: '9000000001' }
  const { id } = await server.ask(saveContact, contact, teacher)
  const waiting = async () => (await listed({ search, contacts: 'waiting' })).data.map((row) => row.contacts)
  const open = async () => (await server.ask(officeMe, {}, officer)).waiting.contacts
  const all = await open()
  assert.deepEqual(await waiting(), [1])
  await server.ask(setContactStatus, { id, status: false }, teacher)
  assert.deepEqual([await waiting(), await open()], [[], all - 1])
  await server.ask(setContactStatus, { id, status: true }, teacher)
  assert.deepEqual([await waiting(), await open()], [[1], all])
})

test("a school's seasons show what was entered, what is payable and what is due", async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher)
  const query = { id: String(teacher.schoolId), FYear: thisSeason }
  const body = await server.ask(officeSchoolYears, query, officer)
  const [season] = body.money ?? []
  assert.deepEqual([season?.FYear, season?.students, season?.subjects], [thisSeason, 1, 2])
  assert.equal(season?.payable, (season?.gross ?? 0) - (season?.retained ?? 0))
  assert.equal(season?.due, season?.payable)
  assert.equal(body.results, null)
})

test("only roles that may read payments see a school's money, and only those that may read results its results", async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher)
  const query = { id: String(teacher.schoolId), FYear: thisSeason }
  const by = async (role: 'results' | 'accounts' | 'viewer') => {
    const body = await server.ask(officeSchoolYears, query, await anOfficer(role))
    return [body.money === null, body.payments === null, body.results === null, body.seasons.length]
  }
  assert.deepEqual(await by('results'), [true, true, false, 1])
  assert.deepEqual(await by('accounts'), [false, false, true, 1])
  assert.deepEqual(await by('viewer'), [false, false, false, 1])
})

test('the history shows twenty lines at a time and continues before the last one', async () => {
  const { id } = await aSchool()
  const lines = Array.from({ length: 23 }, (_, n) => ({
    at: aDay,
    actor_kind: 'system',
    actor_name: 'Test',
    school_id: id,
    action: `line.${n}`,
    subject_kind: n === 22 ? 'payment' : 'school',
    subject_id: String(id),
  }))
  await addRows('audit', lines)
  const first = await history(id)
  const before = String(first.data.at(-1)?.id)
  const rest = await server.ask(officeSchoolHistory, { id: String(id), before }, officer)
  assert.deepEqual(
    [first.data.length, first.more, first.data[0]?.action, rest.data.length, rest.more],
    [20, true, 'line.22', 3, false],
  )
  assert.equal((await history(id, await anOfficer('results'))).data[0]?.action, 'line.21')
})

test("the history hides the names of a student's parents, and amounts from roles that may not read payments", async () => {
  const teacher = await aTeacher()
  const parents = { parentName: 'Hemant Namunawala', parentMobileNo: '9000000077' }
  await anEnteredStudent(server, teacher, { ...parents, parentEmailId: 'hemant@family.example' })
  const changesFor = async (role: 'results' | 'accounts') =>
    (await history(teacher.schoolId, await anOfficer(role))).data.find(
      ({ action }) => action === 'student.added',
    )?.changes ?? []
  const [results, accounts] = [await changesFor('results'), await changesFor('accounts')]
  assert.doesNotMatch(JSON.stringify(accounts), /Hemant|9000000077|hemant@/)
  const changed = (field: string) => accounts.find((change) => change.field === field)?.to
  assert.deepEqual([changed('parentMobile'), changed('section')], ['•••', 'A'])
  const money = (lines: typeof results) => lines.some(({ field }) => field === 'regAmount')
  assert.deepEqual([money(results), money(accounts)], [false, true])
})

test('every call about a school that does not exist answers “not found”', async () => {
  const id = 999_999_999
  for (const endpoint of [officeSchool, officeSchoolYears, officeSchoolHistory]) {
    const query = endpoint === officeSchoolHistory ? { id } : { id, FYear: thisSeason }
    assert.equal((await server.send(endpoint, { query }, officer)).status, 404)
  }
  const reason = 'Why'
  const calls = [
    server.send(saveSchoolRecord, { body: { ...aSchoolForm(), id, version: 1 } }, officer),
    server.send(setSchoolStatus, { body: { id, version: 1, active: false, reason } }, officer),
    server.send(makeCoordinator, { body: { id, userId: 1, reason: 'x' } }, officer),
    server.send(setSchoolAccount, { body: { id, userId: 1, version: 1, enabled: false, reason } }, officer),
    server.send(confirmContact, { body: { id, contactId: 1, version: 1 } }, officer),
  ]
  for (const call of calls) await refused('not_found', call)
})

test('the roles accounts, results and viewer read schools but cannot change them', async () => {
  const { id } = await aSchool()
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const by = await anOfficer(role)
    assert.deepEqual((await recordOf(id, by)).can, {
      write: 'access.denied',
      codes: 'access.denied',
      merge: 'access.denied',
    })
    const save = server.send(saveSchoolRecord, { body: { ...aSchoolForm(), id, version: 1 } }, by)
    await refused('access.denied', save)
  }
  assert.deepEqual((await recordOf(id)).can, { write: true, codes: true, merge: true })
})
