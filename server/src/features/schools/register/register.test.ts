import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { before, test } from 'node:test'
import { foldName } from '@podium/contract/names'
import { exportSchools, officeSchoolPlaces, officeSchools } from '@podium/contract/schools/calls-register'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import { readable } from '#test/file-call'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'

let server: TestServer
let officer: Awaited<ReturnType<typeof anOfficer>>
before(async () => {
  server = await testServer({ clock: () => aDay })
  officer = await anOfficer('operations')
})

/** A word that only the schools of one test have in their names. */
const aWord = () => `kalp${randomInt(1e9, 1e10)}`

async function aKnownSchool(name: string, columns: object = {}) {
  const school = await aSchool({ name })
  await server.deps.db
    .updateTable('schools')
    .set({ name_key: foldName(name), ...columns })
    .where('id', '=', school.id)
    .execute()
  return school
}

async function listed(query: Record<string, string>, by = officer) {
  const { status, body } = await server.call(
    officeSchools,
    { query: { FYear: thisSeason, ...query } },
    { token: by.token },
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const names = async (query: Record<string, string>) => (await listed(query)).data.map((row) => row.schName)

test('a school is found by words of its name, its city, its code and its numbers, however they are written', async () => {
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

test('state, district, standing, staff and waiting contacts each leave the schools they say', async () => {
  const word = aWord()
  const one = await aKnownSchool(`${word} A`, { state: 'Kerala', district: 'Udaharanam' })
  await aKnownSchool(`${word} B`, { active: false })
  await aTeacher({ schoolId: one.id })
  await server.deps.db
    .insertInto('contacts')
    .values({
      school_id: one.id,
      season: thisSeason,
      designation_id: 1,
      title_id: 1,
      name: 'Asha Namuna',
      email: 'asha@contacts.example',
      mobile: '9000000001',
      created_at: aDay,
    })
    .execute()
  const [a, b] = [[`${word} A`], [`${word} B`]]
  const cases: [Record<string, string>, string[]][] = [
    [{}, [...a, ...b]],
    [{ state: 'Kerala' }, a],
    [{ state: 'Kerala', district: 'Udaharanam' }, a],
    [{ district: 'Kalpanagar' }, b],
    [{ standing: 'active' }, a],
    [{ standing: 'inactive' }, b],
    [{ staff: 'some' }, a],
    [{ staff: 'none' }, b],
    [{ contacts: 'waiting' }, a],
    [{ due: 'open' }, []],
  ]
  for (const [query, found] of cases)
    assert.deepEqual(await names({ search: word, ...query }), found, JSON.stringify(query))
  const [row] = (await listed({ search: word })).data
  assert.deepEqual([row?.staff, row?.students, row?.due, row?.contacts], [1, 0, 0, 1])
  const { body } = await server.call(officeSchoolPlaces, {}, officer)
  assert.ok(body.data.some((place) => place.state === 'Kerala' && place.district === 'Udaharanam'))
})

test('what a school owes in the season stands beside its students, and orders and filters the list', async () => {
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

test('who may not read payments sees no dues and cannot order or filter by them', async () => {
  const word = aWord()
  const owing = await aKnownSchool(`${word} Z`)
  await aKnownSchool(`${word} A`)
  await anEnteredStudent(server, await aTeacher({ schoolId: owing.id }))
  const { data } = await listed({ search: word, sort: 'due', due: 'open' }, await anOfficer('results'))
  assert.deepEqual(
    data.map((row) => [row.schName, row.due]),
    [
      [`${word} A`, null],
      [`${word} Z`, null],
    ],
  )
})

test('fifty schools stand on a page, and the total counts them all', async () => {
  const word = aWord()
  const school = await aSchool()
  const { id: _, search_key: __, ...columns } = school
  const at = (n: number) => `${word} ${String(n).padStart(2, '0')}`
  await server.deps.db
    .insertInto('schools')
    .values(
      Array.from({ length: 53 }, (_, n) => ({
        ...columns,
        code: `T${randomInt(1e10, 1e11)}`,
        name: at(n),
        name_key: at(n),
      })),
    )
    .execute()
  const first = await listed({ search: word })
  const second = await listed({ search: word, page: '2' })
  assert.deepEqual([first.data.length, first.total, second.data.length], [50, 53, 3])
  assert.deepEqual([first.data[0]?.schName, second.data[2]?.schName], [at(0), at(52)])
})

test('the file holds exactly what is filtered, and its making leaves an audit line', async () => {
  const word = aWord()
  const one = await aKnownSchool(`${word} A`)
  await aKnownSchool(`${word} B`, { active: false })
  const by = await anOfficer('operations')
  const answer = await fetch(server.url + exportSchools.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ FYear: thisSeason, search: word, standing: 'active', format: 'csv' }),
  })
  const lines = readable(await answer.text())
    .trim()
    .split(/\r?\n/)
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', new RegExp(`${one.code},.*${word} A.*Active`))
  const line = await server.deps.db
    .selectFrom('audit')
    .select(['action', 'change'])
    .where('actor_id', '=', by.id)
    .where('actor_kind', '=', 'office')
    .executeTakeFirstOrThrow()
  assert.equal(line.action, 'schools.exported')
  assert.equal((line.change as { schools: number }).schools, 1)
})

test('an order, a standing or a season that does not exist is refused at its field', async () => {
  for (const wrong of [{ sort: 'secret' }, { standing: 'gone' }, { FYear: '2026' }]) {
    const refused = await server.send(
      officeSchools,
      { query: { FYear: thisSeason, ...wrong } },
      { token: officer.token },
    )
    assert.equal(refused.status, 400)
  }
})
