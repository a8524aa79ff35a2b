import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import {
  confirmSchoolImport,
  decideSchoolImport,
  type ImportDecision,
  type ImportRowState,
  mapSchoolImport,
  schoolImport,
  schoolImportFaults,
  schoolImportRows,
  schoolImportTemplate,
  startSchoolImport,
} from '@podium/contract/schools/calls-import'
import { readSheet } from '#platform/sheets/spreadsheet'
import { sheetOf, workbook, zip } from '#test/archives'
import { aDay, anOfficer, aSchool } from '#test/factories'
import { auditLines } from '#test/file-call'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { guessFields, readRow } from './rules.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))
const officer = beforehand(() => anOfficer('operations'))

const headings = 'State,Name of the School,PIN,Postal Address,Town,Dist.,Mobile No,U-DISE Code,School Code'
const ordinary = {
  ...{ state: 'Karnataka', pin: '560001', town: 'Namunapur', district: 'Namunapur', mobile: '' },
  ...{ udise: '', code: '' },
}
const aName = () => `Zuvya Quolex ${randomInt(1e9)}`
const line = (name: string, traits: Partial<Record<keyof typeof ordinary, string>> = {}) => {
  const school = { ...ordinary, mobile: `9${randomInt(1e8, 1e9)}`, ...traits }
  return `${school.state},${name},${school.pin},4 Udaharan Street,${school.town},${school.district},${school.mobile},${school.udise},${school.code}`
}

/** Uploads a file with these lines and waits until it is checked. */
async function sent(lines: readonly string[], first = headings): Promise<string> {
  const file = { name: 'schools.csv', bytes: new TextEncoder().encode([first, ...lines].join('\r\n')) }
  const body = await server.ask(startSchoolImport, {}, { ...officer, file })
  await server.jobs.drain()
  return body.importId
}
const importOf = (id: string) => server.ask(schoolImport, { id }, officer)
const rows = async (id: string, state: ImportRowState) =>
  (await server.ask(schoolImportRows, { id, state }, officer)).data
async function confirmed(id: string) {
  const answer = await server.send(confirmSchoolImport, { body: { id } }, officer)
  await server.jobs.drain()
  return answer
}
const decide = (id: string, rows: number[], decision: ImportDecision, by: { token: string } = officer) =>
  server.send(decideSchoolImport, { body: { id, rows, decision } }, by)
/** Counts the rows that are new, likely, known, faulty and created. */
const counted = async (id: string) => {
  const { same: _, different: __, ...counts } = (await importOf(id)).counts
  return counts
}
const named = (name: string) => findRows('schools', { name })

test('a heading, name or cell that is cut through an emoji, or holds half of one, is checked like any other', async () => {
  const name = `${'k'.repeat(79)}😀`
  const id = await sent([`${line('Zuvya 😀')},${name}`], `${headings},${name}`)
  const { heading, samples } = (await importOf(id)).columns.at(-1) ?? {}
  assert.deepEqual([heading, samples], ['k'.repeat(79), ['k'.repeat(79)]])
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const row = ['Karnataka', `${aName()}&#xD83D;`, '560001', '4&#0; Udaharan Street', 'Namunapur'].map(cell)
  const sheet = sheetOf(
    `<row r="1">${headings.split(',').slice(0, 5).map(cell).join('')}</row><row r="2">${row.join('')}</row>`,
  )
  const file = { name: 'schools.xlsx', bytes: new Uint8Array(zip(workbook(sheet))) }
  const { importId } = await server.ask(startSchoolImport, {}, { ...officer, file })
  await server.jobs.drain()
  assert.equal((await importOf(importId)).state, 'checked')
})

test("columns are recognised by the headings common in India, and none of a principal's columns is taken", () => {
  const guessed = (heads: string) => guessFields(heads.split('|')).join('|')
  assert.equal(
    guessed(
      'Sl. No|Name of Principal|School Category|School Name|UDISE|Street|Town|Dist|State|Pin|Mobile No|E-mail id',
    ),
    '|||schName|udiseCode|schAddress|city|district|state|pinCode|mobile|schEmail',
  )
  assert.equal(
    guessed(
      'UDISE Code|Name of the School|Address|Road|Block|Distt.|State Name|Pincode|Mob. No.|Email|Principal',
    ),
    'udiseCode|schName|schAddress||city|district|state|pinCode|mobile|schEmail|',
  )
  assert.equal(
    guessed('Name|Code|Taluk|Village|Address|District|STATE|PIN Code|Contact No|Capacity'),
    'schName|schCode||city|schAddress|district|state|pinCode|mobile|',
  )
  assert.equal(
    guessed('विद्यालय का नाम|पता|ब्लॉक|जिला|राज्य|पिन कोड|मोबाइल'),
    'schName|schAddress|city|district|state|pinCode|mobile',
  )
})

test('a country that is abbreviated is not taken for a short one', () => {
  const countries = new Map([
    ['guam', 'Guam'],
    ['singapore', 'Singapore'],
  ])
  const faultOf = (country: string) =>
    readRow([country], ['country'], { countries, states: new Map() }).faults[0]?.message
  assert.equal(faultOf('UAE'), 'This country is not known.')
  assert.equal(faultOf('Singapur'), 'This country is not known. Did you mean “Singapore”?')
})

test('rows are new, known, possible duplicates or faulty, and the new ones become schools with codes', async () => {
  const existing = await aSchool({ name: aName() })
  const udise = String(randomInt(1e10, 9e10))
  const [fresh, chosen] = [aName(), aName()]
  const code = `ZQ${randomInt(1e5, 1e6)}`
  const id = await sent([
    line(fresh, { state: 'karnataka', udise }),
    line(chosen, { code }),
    line(existing.name),
    line(existing.name, { pin: '562101', district: existing.district }),
    line(aName(), { state: 'Karnatka' }),
    line(fresh, { udise }),
    line('', { pin: '12' }),
  ])
  const checked = await importOf(id)
  assert.deepEqual(
    [checked.state, await counted(id)],
    ['checked', { new: 2, likely: 1, known: 1, faulty: 3, created: 0 }],
  )
  const [misspelt, twice, empty] = await rows(id, 'faulty')
  assert.deepEqual(misspelt?.faults, [
    { field: 'state', message: 'This state is not known. Did you mean “Karnataka”?' },
  ])
  assert.deepEqual([twice?.row, twice?.faults[0]?.message], [7, 'The same school is in row 2.'])
  assert.deepEqual(empty?.faults.map(({ field }) => field).sort(), ['pinCode', 'schName'])
  assert.deepEqual(
    (await rows(id, 'known')).map(({ row, school }) => [row, school?.id]),
    [[4, existing.id]],
  )
  assert.deepEqual(
    (await rows(id, 'likely')).map(({ row, school }) => [row, school?.id]),
    [[5, existing.id]],
  )

  assert.equal((await confirmed(id)).status, 200)
  assert.deepEqual(await counted(id), { new: 0, likely: 1, known: 1, faulty: 3, created: 2 })
  const [school] = await named(fresh)
  assert.deepEqual(
    [school?.state, school?.zone, school?.udise_code, school?.country],
    ['Karnataka', 'South', udise, 'India'],
  )
  assert.match(school?.code ?? '', /^[A-Z]{3}\d{4,}$/)
  assert.equal((await named(chosen))[0]?.code, code)
  const lines = await auditLines(['actor_id'], { action: 'school.created', school_id: school?.id ?? 0 })
  assert.deepEqual(lines, [{ actor_id: officer.id }])
})

test('importing a file twice creates no school twice; a possible duplicate is created once decided to be different', async () => {
  const existing = await aSchool({ name: aName() })
  const fresh = aName()
  const lines = [line(fresh), line(existing.name, { pin: '562101', district: existing.district })]
  const id = await sent(lines)
  assert.equal((await decide(id, [3], 'different')).status, 200)
  await confirmed(id)
  assert.deepEqual([(await named(fresh)).length, (await named(existing.name)).length], [1, 2])
  assert.deepEqual((await confirmed(id)).body.code, 'schools.import_nothing')
  const again = await sent(lines)
  assert.deepEqual(await counted(again), { new: 0, likely: 0, known: 2, faulty: 0, created: 0 })
  await refused('schools.import_nothing', confirmed(again))
  assert.deepEqual([(await named(fresh)).length, (await named(existing.name)).length], [1, 2])
})

test('a school that someone creates between the check and the confirmation is not created twice', async () => {
  const name = aName()
  const id = await sent([line(name), line(aName())])
  const made = await aSchool({ name })
  await changeRows('schools', { id: made.id }, { name_key: name.toLowerCase() })
  await confirmed(id)
  assert.deepEqual(await counted(id), { new: 0, likely: 0, known: 1, faulty: 0, created: 1 })
  assert.deepEqual(valuesOf(await named(name), 'id'), [made.id])
})

test('the heading Mail is recognised as a column of e-mail addresses', async () => {
  const { columns } = await importOf(await sent(['A School,a@school.example'], 'School name,Mail'))
  assert.deepEqual(valuesOf(columns, 'field'), ['schName', 'schEmail'])
})

test('an officer maps unrecognised columns, and faulty rows can be downloaded with their reasons', async () => {
  const id = await sent([line(aName())], 'a,b,c,d,e,f,g,h,i')
  assert.equal((await importOf(id)).counts.faulty, 1)
  const fields = [
    'state',
    'schName',
    'pinCode',
    'schAddress',
    'city',
    'district',
    'mobile',
    'udiseCode',
    'schCode',
  ] as const
  await server.ask(mapSchoolImport, { id, fields: [...fields] }, officer)
  await server.jobs.drain()
  assert.equal((await importOf(id)).counts.new, 1)
  const next = await importOf(await sent([line(aName())], ' A,b,C ,d,e,f,g,h,i'))
  assert.deepEqual([next.remembered, next.counts.new, next.columns[1]?.field], [true, 1, 'schName'])
  const faulty = await sent([line(aName(), { state: 'Atlantis' })])
  const file = await server.download(schoolImportFaults, { id: faulty }, officer)
  const [head, first] = await readSheet(file.bytes, 'faults.xlsx')
  assert.deepEqual(
    [head?.cells.slice(0, 3), first?.cells.slice(0, 3)],
    [
      ['Why not imported', 'Row', 'State'],
      ['State: This state is not known.', 2, 'Atlantis'],
    ],
  )
  const template = await server.download(schoolImportTemplate, {}, officer)
  assert.deepEqual((await readSheet(template.bytes, 'Schools.xlsx'))[0]?.cells.slice(0, 2), [
    'School Name',
    'School Code',
  ])
})

test('a file that is no spreadsheet, is empty or has an oversized cell is refused with a clear message', async () => {
  const send = (name: string, text: string) =>
    server.send(startSchoolImport, {}, { ...officer, file: { name, bytes: new TextEncoder().encode(text) } })
  await refused('sheet.damaged', send('schools.xlsx', 'no zip'))
  await refused('sheet.empty', send('schools.csv', headings))
  const id = await sent([...Array.from({ length: 6 }, () => line(aName())), line('x'.repeat(3_000))])
  const failed = await importOf(id)
  assert.deepEqual([failed.state, /more than 2000 characters/.test(failed.error)], ['failed', true])
})

/** A town and a pin code that only this test uses. */
const aTown = () => ({ town: `Quirpur ${randomInt(1e6)}`, pin: String(randomInt(1e5, 9e5)) })
const inTown = (name: string, place: { town: string; pin: string }) => line(name, place)
const likely = async (id: string) =>
  (await rows(id, 'likely')).map(({ row, alike }) => [
    row,
    ...alike.map((other) => other.id ?? `row ${other.row}`),
  ])

test('a similar name in the same town or pin code, or in an earlier row, is a possible duplicate', async () => {
  const place = aTown()
  const school = (name: string, more: object = {}) =>
    aSchool({ name, city: place.town, pinCode: place.pin, ...more })
  const kendriya = await school('Kendriya Vidyalaya No. 1')
  const mary = await school("St. Mary's Convent High School", { city: 'Elsewhere' })
  await school('St. Xavier High School')
  const id = await sent([
    inTown('Kendria Vidyalay No 1', place),
    inTown('Kendriya Vidyalaya No. 2', place),
    inTown('Saint Marys Convent School', place),
    inTown('St. Joseph High School', place),
    inTown('Kendria Vidyalay No 1', aTown()),
    inTown('D. A. V. Public School', place),
    inTown('DAV Sr. Sec. School', { ...place, pin: '411001' }),
  ])
  assert.deepEqual(await likely(id), [
    [2, kendriya.id],
    [4, mary.id],
    [8, 'row 7'],
  ])
  const [first] = await rows(id, 'likely')
  assert.deepEqual(
    [first?.alike[0]?.schName, first?.alike[0]?.place],
    ['Kendriya Vidyalaya No. 1', `${place.town} ${place.pin}`],
  )
})

test('a branch of a chain elsewhere is new; with the same town, district or phone it is a possible duplicate', async () => {
  const place = aTown()
  const name = aName()
  const existing = await aSchool({ name, city: place.town, pinCode: '560001' })
  const elsewhere = (more: object = {}) => line(name, { district: 'Anyapur', ...aTown(), ...more })
  const id = await sent([
    elsewhere(),
    elsewhere({ state: 'Kerala', town: place.town }),
    elsewhere({ pin: '560098' }),
    elsewhere({ town: place.town.toUpperCase() }),
    elsewhere({ district: existing.district.toUpperCase() }),
    elsewhere({ mobile: existing.phone }),
  ])
  assert.deepEqual(valuesOf(await rows(id, 'new'), 'row'), [2, 3, 4])
  assert.deepEqual(
    await likely(id),
    [5, 6, 7].map((row) => [row, existing.id]),
  )
})

test('possible duplicates are created only once decided to be different, and can be decided after the import', async () => {
  const place = aTown()
  const known = await aSchool({
    name: 'Sarvodaya Vidyalaya',
    city: place.town,
    state: 'Karnataka',
    pinCode: place.pin,
  })
  const fresh = aName()
  const id = await sent([
    inTown('Sarvoday Vidyalaya', place),
    inTown('Sarvodaya High School', place),
    inTown('Sarvodaya School', place),
    line(fresh),
  ])
  assert.equal((await importOf(id)).counts.likely, 3)
  await refused('schools.import_not_alike', decide(id, [2, 5], 'different'))
  assert.equal((await decide(id, [2], 'different', await anOfficer('viewer'))).status, 403)
  assert.deepEqual((await importOf(id)).counts, {
    ...{ new: 1, likely: 3, known: 0, faulty: 0, created: 0 },
    ...{ same: 0, different: 0 },
  })
  assert.equal((await decide(id, [2, 3], 'different')).status, 200)
  assert.equal((await decide(id, [3], 'same')).status, 200)
  assert.equal((await confirmed(id)).status, 200)
  assert.deepEqual(await counted(id), { new: 0, likely: 1, known: 1, faulty: 0, created: 2 })
  assert.deepEqual(
    (await rows(id, 'known')).map(({ row, school }) => [row, school?.id]),
    [[3, known.id]],
  )
  await refused('schools.import_not_alike', decide(id, [3], 'different'))
  assert.equal((await decide(id, [4], 'different')).status, 200)
  assert.equal((await confirmed(id)).status, 200)
  assert.deepEqual(await counted(id), { new: 0, likely: 0, known: 1, faulty: 0, created: 3 })
})
