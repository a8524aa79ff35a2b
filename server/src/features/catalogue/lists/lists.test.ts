import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { hindiNames } from '@podium/contract/catalogue/calls'
import { catalogueEvent, saveCatalogueEvent } from '@podium/contract/catalogue/calls-events'
import {
  exportList,
  exportPrices,
  type ListKind,
  officeList,
  orderList,
  saveListEntry,
  switchListEntry,
} from '@podium/contract/catalogue/calls-lists'
import { getDistrict, getState } from '@podium/contract/catalogue/calls-places'
import type { BodyOf } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import { officeMessages } from '@podium/contract/office/messages'
import { saveResultRules } from '@podium/contract/results/calls-office'
import { rulesOfEvent } from '@podium/contract/results/calls-what-if'
import { getDesignations, saveContact } from '@podium/contract/schools/calls'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, eventOf, thisSeason } from '#test/factories'
import { auditLine, auditLines, takeCsv } from '#test/file-call'
import { addRow, findRow, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { aSeasonOfItsOwn } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

const read = async (kind: ListKind, token: string) => (await server.ask(officeList, { kind }, { token })).data
const save = (body: BodyOf<typeof saveListEntry>, token: string) =>
  server.call(saveListEntry, { body }, { token })
const switchTo = (kind: ListKind, entry: { id: number; version: number }, active: boolean, token: string) =>
  server.call(switchListEntry, { body: { kind, id: entry.id, version: entry.version, active } }, { token })
const unique = (name: string) => `${name} ${randomUUID().slice(0, 6)}`

async function added(kind: ListKind, more: Partial<BodyOf<typeof saveListEntry>>, token: string) {
  const name = more.name ?? unique('Namuna')
  const { status, body } = await save({ kind, id: 0, ...more, name }, token)
  assert.equal(status, 200, body.message)
  const entry = (await read(kind, token)).find(({ id }) => id === body.id)
  assert(entry)
  return entry
}

const stateCode = () =>
  `Z${String.fromCharCode(65 + Math.floor(Math.random() * 26))}${String.fromCharCode(65 + Math.floor(Math.random() * 26))}`

const contact = (schId: number, desgId: number) => ({
  id: 0,
  schId,
  fyear: thisSeason,
  desgId,
  titleId: 1,
  name: 'Anita Namunawala',
  email: 'anita@school.example',
  altEmail: '',
  mobile: '9876543210',
  altmobile: '',
})

test('a new designation is offered to schools at once; a renamed one changes for all; a deactivated one stays with its users', async () => {
  await aSeason()
  const { token } = await anOfficer('operations')
  const teacher = await aTeacher()
  const other = await aTeacher()
  const entry = await added('designations', {}, token)
  const offered = async (who: { token: string }) =>
    (await server.ask(getDesignations, {}, who)).data.map(({ name }) => name)
  assert((await offered(teacher)).includes(entry.name))
  const made = await server.ask(saveContact, contact(teacher.schoolId, entry.id), teacher)

  const name = unique('Renamed')
  assert.equal((await save({ kind: 'designations', id: entry.id, version: 1, name }, token)).status, 200)
  await refused(
    'changed_meanwhile',
    save({ kind: 'designations', id: entry.id, version: 1, name: 'Late' }, token),
  )
  assert((await offered(other)).includes(name))

  assert.equal((await switchTo('designations', { id: entry.id, version: 2 }, false, token)).status, 200)
  assert.equal((await offered(other)).includes(name), false)
  assert((await offered(teacher)).includes(name), 'a school that uses it still sees it')
  const saved = { ...contact(teacher.schoolId, entry.id), id: made.id, mobile: '9876543211' }
  await server.ask(saveContact, saved, teacher)
  const another = await server.call(saveContact, { body: contact(other.schoolId, entry.id) }, other)
  assert.deepEqual(another.body.issues, [{ path: 'desgId', message: messages.designationRequired }])

  const rows = await auditLines(['action', 'change'], { subject_id: `designations.${entry.id}` })
  assert.deepEqual(valuesOf(rows, 'action'), ['list.added', 'list.changed', 'list.switched'])
  assert.deepEqual(rows[1]?.change, {
    list: 'designations',
    from: { name: entry.name, name_hi: '' },
    to: { name, name_hi: '' },
  })
})

test('a list is reordered only with each entry exactly once, and schools see the new order', async () => {
  const { token } = await anOfficer('owner')
  const teacher = await aTeacher()
  await added('titles', {}, token)
  const before = (await read('titles', token)).map(({ id }) => id)
  const ids = before.toReversed()
  await server.ask(orderList, { kind: 'titles', ids }, { token })
  assert.deepEqual(valuesOf(await read('titles', token), 'id'), ids)
  for (const wrong of [ids.slice(1), [...ids.slice(1), ids[1] ?? 0], [...ids.slice(1), 999_999]]) {
    await server.refuses('changed_meanwhile', orderList, { kind: 'titles', ids: wrong }, { token })
  }
  await server.ask(orderList, { kind: 'titles', ids: before }, { token })
  await server.ask(getDesignations, {}, teacher)
})

test('renaming a state or moving it to another zone updates its schools', async () => {
  const { token } = await anOfficer('operations')
  const zone = await added('zones', {}, token)
  const second = await added('zones', {}, token)
  const state = await added('states', { code: stateCode(), zone: zone.name }, token)
  const school = await aSchool({ state: state.name, zone: zone.name })
  const name = unique('New state')
  const moved = await save(
    { kind: 'states', id: state.id, version: 1, name, code: state.code, zone: second.name },
    token,
  )
  assert.deepEqual([moved.status, moved.body.touched], [200, 1])
  const placeOf = () => findRow('schools', { id: school.id }, ['state', 'zone'])
  assert.deepEqual(await placeOf(), { state: name, zone: second.name })
  const zoneName = unique('Renamed zone')
  assert.equal(
    (await save({ kind: 'zones', id: second.id, version: 1, name: zoneName }, token)).body.touched,
    1,
  )
  assert.deepEqual(await placeOf(), { state: name, zone: zoneName })
  const states = async () => (await server.ask(getState, { countryId: '1' })).data.map((row) => row.stateName)
  assert((await states()).includes(name))

  await refused('catalogue.entry_used', switchTo('zones', { id: second.id, version: 2 }, false, token))
  assert.equal((await switchTo('states', { id: state.id, version: 2 }, false, token)).status, 200)
  assert.equal((await states()).includes(name), false)
})

test('districts are offered by state', async () => {
  const { token } = await anOfficer('operations')
  const [state] = await read('states', token)
  assert(state)
  const district = await added('districts', { stateId: state.id }, token)
  const offered = async () =>
    (await server.ask(getDistrict, { state: state.name })).data.map((row) => row.districtName)
  assert((await offered()).includes(district.name))
  assert.equal((await switchTo('districts', district, false, token)).status, 200)
  assert.equal((await offered()).includes(district.name), false)
})

test('a list entry that is incomplete or already exists is refused at its field', async () => {
  const { token } = await anOfficer('operations')
  const issueFor = async (body: Partial<BodyOf<typeof saveListEntry>> & { kind: ListKind }) => {
    const { status, body: answer } = await save({ id: 0, name: unique('Namuna'), ...body }, token)
    assert.equal(status, 400)
    const [issue] = answer.issues ?? []
    return [issue?.path, issue?.message]
  }
  const known = await added('titles', {}, token)
  const upper = known.name.toUpperCase()
  assert.deepEqual(await issueFor({ kind: 'titles', name: upper }), ['name', officeMessages.entryTaken])
  assert.deepEqual(await issueFor({ kind: 'titles', name: ' ' }), ['name', officeMessages.entryNameRequired])
  const zone = (await read('zones', token))[0]?.name ?? ''
  assert.deepEqual(await issueFor({ kind: 'states', zone }), ['code', officeMessages.entryCodeRequired])
  assert.deepEqual(await issueFor({ kind: 'states', zone, code: 'KA' }), ['code', officeMessages.entryTaken])
  assert.deepEqual(await issueFor({ kind: 'states', code: 'QQ' }), ['zone', officeMessages.entryZoneRequired])
  assert.deepEqual(await issueFor({ kind: 'states', code: 'QQ', zone: 'Abroad' }), [
    'zone',
    officeMessages.entryZoneRequired,
  ])
  assert.deepEqual(await issueFor({ kind: 'districts' }), ['stateId', officeMessages.entryStateRequired])
  assert.deepEqual(await issueFor({ kind: 'districts', stateId: 9999 }), [
    'stateId',
    officeMessages.entryStateRequired,
  ])
  assert.deepEqual(await issueFor({ kind: 'holidays' }), ['day', officeMessages.dayRequired])
  await added('holidays', { day: '2030-08-15' }, token)
  assert.deepEqual(await issueFor({ kind: 'holidays', day: '2030-08-15' }), [
    'day',
    officeMessages.entryTaken,
  ])
  const abroad = (await read('zones', token)).find(({ fixed }) => fixed)
  assert(abroad)
  await refused('catalogue.entry_fixed', switchTo('zones', abroad, false, token))
  assert.equal(
    (await save({ kind: 'titles', id: 999_999, version: 1, name: unique('X') }, token)).status,
    404,
  )
  assert.equal(
    (await save({ kind: 'titles', id: 0, name: 'X' }, (await anOfficer('viewer')).token)).status,
    403,
  )
})

/** The lines of an exported file, headings first. */
async function csvOf(endpoint: typeof exportList | typeof exportPrices, body: object, token: string) {
  const { status, lines } = await takeCsv(server, endpoint, body as never, { token })
  assert.equal(status, 200)
  return lines
}

test('of two officers who add the same entry at once, the second is told that it exists', async () => {
  const { token } = await anOfficer('operations')
  const name = unique('Shri')
  const adding = () => save({ kind: 'titles', id: 0, name }, token)
  const answers = await whileHeld(sql`lock table titles in share mode`, [adding, adding])
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.issues?.[0]?.path]),
    [
      [200, undefined],
      [400, 'name'],
    ],
  )
})

test('a list is exported with its filters and order, and leaves an audit line', async () => {
  const { token } = await anOfficer('viewer')
  const writer = await anOfficer('operations')
  const mark = unique('Abhilekh')
  const used = await added('designations', { name: `${mark} B` }, writer.token)
  await added('designations', { name: `${mark} A` }, writer.token)
  await switchTo('designations', used, false, writer.token)
  const file = (filters: object) =>
    csvOf(exportList, { kind: 'designations', search: mark.toUpperCase(), ...filters }, token)
  const names = (lines: string[]) => lines.slice(1).map((line) => line.split(',')[0])
  assert.deepEqual(names(await file({})), [`${mark} B`, `${mark} A`])
  assert.deepEqual(names(await file({ sort: 'name' })), [`${mark} A`, `${mark} B`])
  assert.deepEqual(await file({ offered: 'off' }), ['Name,Name in Hindi,Contacts,Offered', `${mark} B,,0,No`])
  const line = await auditLine(['change'], { action: 'list.exported' })
  assert.deepEqual(line.change, {
    format: 'csv',
    entries: 1,
    filters: { search: mark.toUpperCase(), state: '', zone: '', offered: 'off', sort: '' },
  })
})

test("a season's prices are exported class by class, for the filtered events", async () => {
  const { token } = await anOfficer('viewer')
  await aSeason()
  const [head, ...rows] = await csvOf(exportPrices, { FYear: thisSeason, search: 'mathem' }, token)
  assert.match(head ?? '', /^Subject,Letter,Level,Mode,Entries close,/)
  assert.equal(rows.length, 12)
  const columns = (head ?? '').split(',')
  const seventh = rows.find((row) => row.split(',')[columns.indexOf('Class')] === 'Class 7')?.split(',') ?? []
  const cell = (name: string) => seventh[columns.indexOf(name)]
  assert.deepEqual(['Subject', 'Fee', 'School’s share', 'Comprehensive Book', 'Text Book'].map(cell), [
    'Mathematics',
    '175',
    '25',
    '220',
    '',
  ])
  const online = await csvOf(exportPrices, { FYear: thisSeason, mode: 'Online' }, token)
  assert.ok(online.slice(1).length > 0 && online.slice(1).every((row) => row.includes(',Online,')))
  const exports = await auditLines(['subject_id'], { action: 'season.prices_exported' })
  assert.deepEqual(valuesOf(exports, 'subject_id'), [thisSeason, thisSeason])
})

const hindiOf = async (name: string) => (await server.ask(hindiNames)).names[name]

test('parcel contents, designations and kinds of applicant have Hindi names that no officer has to enter', async () => {
  const english = [
    'Question paper',
    'Work Book',
    'Comprehensive Book',
    'Principal',
    'Teacher',
    'Parent',
    'School',
  ]
  assert.deepEqual(await Promise.all(english.map(hindiOf)), [
    'प्रश्नपत्र',
    'अभ्यास पुस्तिका',
    'व्यापक पुस्तक',
    'प्रधानाचार्य',
    'शिक्षक',
    'अभिभावक',
    'विद्यालय',
  ])
})

test('a Hindi name entered by an officer is shown in Hindi, and the English name where there is none', async () => {
  const { token } = await anOfficer('operations')
  const entry = await added('designations', {}, token)
  assert.equal(await hindiOf(entry.name), undefined)
  const named = { kind: 'designations' as const, id: entry.id, version: 1, name: entry.name }
  const long = await save({ ...named, nameHi: 'क'.repeat(101) }, token)
  assert.deepEqual(long.body.issues, [{ path: 'nameHi', message: 'At most 100 characters.' }])
  assert.equal((await save({ ...named, nameHi: ' खेल  शिक्षक ' }, token)).status, 200)
  assert.equal(await hindiOf(entry.name), 'खेल शिक्षक')
  const line = await auditLine(['change'], { subject_id: `designations.${entry.id}`, action: 'list.changed' })
  const { name } = entry
  assert.deepEqual(line.change, {
    list: 'designations',
    from: { name, name_hi: '' },
    to: { name, name_hi: 'खेल शिक्षक' },
  })
  assert.equal((await save({ ...named, version: 2 }, token)).status, 200)
  assert.equal(await hindiOf(name), undefined)
  assert.equal(await hindiOf('Tamil Nadu'), 'तमिलनाडु')
})

test('a subject, its sections and its prizes get Hindi names where they are edited, sections even after marks are imported', async () => {
  const season = await aSeasonOfItsOwn()
  const { id } = await eventOf('S', season)
  const { token } = await anOfficer('owner')
  const query = { eventYearId: String(id) }
  const { event } = await server.ask(catalogueEvent, query, { token })
  const { examMode, closesOn, firstDate, secondDate } = event
  const [first, ...others] = event.sections
  assert(first)
  const part = { ...first, name: unique('Thinking section') }
  const hindi = unique('विज्ञान खंड')
  const body = { eventYearId: id, version: event.version, examMode, closesOn, firstDate, secondDate }
  const saved = (more: { subjectNameHi?: string; nameHi?: string }) =>
    server.call(
      saveCatalogueEvent,
      {
        body: {
          ...body,
          subjectNameHi: more.subjectNameHi,
          sections: [{ ...part, nameHi: more.nameHi }, ...others],
        },
      },
      { token },
    )
  const long = await saved({ subjectNameHi: 'क'.repeat(61) })
  assert.deepEqual(long.body.issues, [{ path: 'subjectNameHi', message: 'At most 60 characters.' }])
  assert.equal((await saved({ subjectNameHi: 'विज्ञान' })).status, 200)
  assert.equal(await hindiOf(part.name), undefined)
  await addRow('result_sets', { event_id: id, version: 1, state: 'imported', imported_at: aDay })
  body.version = (await server.ask(catalogueEvent, query, { token })).event.version
  assert.equal((await saved({ nameHi: hindi })).status, 200)
  assert.deepEqual([await hindiOf('Science'), await hindiOf(part.name)], ['विज्ञान', hindi])

  const of = await server.ask(rulesOfEvent, query, { token })
  const newest = of.versions[0]
  assert(newest)
  const title = unique('Prize of honour')
  const place = {
    from: 1,
    to: 1,
    title,
    titleHi: 'सम्मान',
    amount: 0,
    message: `${title}!`,
    couponLink: '' as const,
  }
  const rules = {
    ...newest.rules,
    ladders: [{ kind: 'prize' as const, by: 'olympiad' as const, places: [place] }],
  }
  const change = { eventYearId: id, rulesVersion: of.rulesVersion, rules, note: 'A prize of honour.' }
  await server.ask(saveResultRules, change, { token })
  assert.deepEqual([await hindiOf(title), await hindiOf(`${title}!`)], ['सम्मान', undefined])
  assert.equal(await hindiOf('Gift certificate of ₹1,000'), '₹1,000 का गिफ़्ट वाउचर')
})
