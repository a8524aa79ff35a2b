import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { officeWhyResult } from '@podium/contract/results/calls-office'
import type { EventRules } from '@podium/contract/results/schemas'
import { aDay, anOfficer, aSchool } from '#test/factories'
import { anEvent, candidates, computeRows } from '#test/results-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

/** A class of so many, all of different marks, best first. */
async function aClass(count: number, rules?: Partial<EventRules>) {
  const event = await anEvent({ letter: 'G', ...(rules ? { rules } : {}) })
  const students = await candidates(
    event,
    many(count, () => ({})),
  )
  const { of } = await computeRows(
    server,
    event,
    students.map(({ roll }, i) => ({ roll, marks: [0, 0, 40 - i] })),
  )
  return students.map(of)
}

const medalCases: [sat: number, medals: string[]][] = [
  [1, ['', '', '', '']],
  [4, ['', '', '', '']],
  [5, ['Gold', '', '', '']],
  [9, ['Gold', '', '', '']],
  [10, ['Gold', 'Silver', 'Bronze', '']],
  [11, ['Gold', 'Silver', 'Bronze', '']],
]

test('gold, silver and bronze need ten who sat, gold alone five', async () => {
  for (const [sat, medals] of medalCases) {
    const rows = await aClass(sat)
    assert.deepEqual(
      rows.slice(0, 4).map((row) => row.medalNew),
      medals.slice(0, Math.min(sat, 4)),
      `${sat} sat`,
    )
  }
})

test('two who share the first rank both have gold, and nobody has silver', async () => {
  const event = await anEvent()
  const students = await candidates(
    event,
    many(10, () => ({})),
  )
  const { of } = await computeRows(
    server,
    event,
    students.map(({ roll }, i) => ({ roll, marks: [0, 0, i < 2 ? 50 : 40 - i] })),
  )
  assert.deepEqual(
    students.slice(0, 4).map((student) => of(student).medalNew),
    ['Gold', 'Gold', 'Bronze', ''],
  )
})

test('medals are a rule of the event', async () => {
  const rows = await aClass(2, { medals: [{ medal: 'Bronze', classRank: 2, minimumPool: 2 }] })
  assert.deepEqual(
    rows.map((row) => row.medalNew),
    ['', 'Bronze'],
  )
})

const place = (from: number, to: number, title: string, amount = 0) => ({
  from,
  to,
  title,
  amount,
  message: `${title}!`,
  couponLink: '',
})

const ladders: EventRules['ladders'] = [
  {
    kind: 'prize',
    by: 'olympiad',
    places: [{ ...place(1, 1, 'Cup', 25_000), couponLink: 'https://coupons.example/cup' }],
  },
  { kind: 'award', by: 'zonal', places: [place(1, 1, 'Zonal first'), place(2, 2, 'Zonal second')] },
  { kind: 'award', by: 'state', places: [place(1, 2, 'State top two')] },
]

/** Five students, best first: two of one state, then two of another state of the same zone, then one abroad. */
async function fiveStudents(rules: Partial<EventRules>) {
  const event = await anEvent({ rules })
  const goa = await aSchool({ state: 'Goa', zone: 'West' })
  const gujarat = await aSchool({ state: 'Gujarat', zone: 'West' })
  const abroad = await aSchool({ state: 'Dubai', zone: 'Abroad', country: 'United Arab Emirates' })
  const students = await candidates(
    event,
    [goa, goa, gujarat, gujarat, abroad].map(({ id }) => ({ schoolId: id })),
  )
  const { of } = await computeRows(
    server,
    event,
    students.map(({ roll }, i) => ({ roll, marks: [0, 0, 40 - i] })),
  )
  return students.map((student) => of(student))
}

test('an award of a state wants enough who sat there; one below it nobody gets it, and why says how many', async () => {
  const stateFirst = (minimumPool?: number): EventRules['ladders'] => [
    { kind: 'award', by: 'state', ...(minimumPool ? { minimumPool } : {}), places: [place(1, 1, 'First')] },
  ]
  const awards = async (minimumPool?: number) => {
    const rows = await fiveStudents({ ladders: stateFirst(minimumPool), onePrize: true })
    return { rows, told: rows.map((row) => row.award) }
  }
  assert.deepEqual((await awards()).told, ['First', '', 'First', '', 'First'], 'rules of before ask for none')
  assert.deepEqual((await awards(1)).told, ['First', '', 'First', '', 'First'])
  const { rows, told } = await awards(2)
  assert.deepEqual(told, ['First', '', 'First', '', ''])
  assert.deepEqual((await awards(3)).told, ['', '', '', '', ''])
  const { token } = await anOfficer('viewer')
  const tooFewOf = async (row?: { resultId: string }) =>
    (await server.call(officeWhyResult, { query: { resultId: row?.resultId ?? '' } }, { token })).body.why
      .prize.tooFew
  assert.deepEqual(await tooFewOf(rows[4]), [
    { kind: 'award', by: 'state', title: 'First', rank: 1, pool: 1, minimumPool: 2 },
  ])
  assert.deepEqual(await tooFewOf(rows[0]), [], 'who has it lacks nothing')
  assert.deepEqual(await tooFewOf(rows[1]), [], 'the second of a state would have had nothing')
})

test('a zonal award wants enough of the zone, and what nobody gets there leaves the ladders below as they are', async () => {
  const zonal = { kind: 'award', by: 'zonal', minimumPool: 2, places: [place(1, 1, 'Zone')] } as const
  const state = { kind: 'award', by: 'state', places: [place(1, 1, 'State')] } as const
  const rows = await fiveStudents({
    ladders: [
      { ...zonal, places: [...zonal.places] },
      { ...state, places: [...state.places] },
    ],
    onePrize: true,
  })
  assert.deepEqual(
    rows.map((row) => row.award),
    ['Zone', 'State', 'State', '', 'State'],
  )
})

test('a student has the highest prize alone, and what stood below passes on to the next', async () => {
  const rows = await fiveStudents({ ladders, onePrize: true })
  assert.deepEqual(
    rows.map((row) => row.prize_Amount_Msg),
    ['Cup!', 'Zonal first', 'Zonal second', 'State top two', 'Zonal first'],
  )
  const [first, second] = rows
  const { token } = await anOfficer('viewer')
  const told = await server.call(officeWhyResult, { query: { resultId: second?.resultId ?? '' } }, { token })
  assert.deepEqual(told.body.why.prize.won, [
    { kind: 'award', by: 'zonal', title: 'Zonal first', rank: 2, place: 1, passedOn: true },
  ])
  assert.deepEqual(
    [first?.prizeAmount, first?.couponLink, first?.award],
    [25_000, 'https://coupons.example/cup', ''],
  )
})

test('where one may have several, nothing passes on', async () => {
  const rows = await fiveStudents({ ladders, onePrize: false })
  assert.deepEqual(
    rows.map((row) => [row.prize_Amount_Msg, row.award]),
    [
      ['Cup!', 'Zonal first; State top two'],
      ['Zonal second; State top two', 'Zonal second; State top two'],
      ['State top two', 'State top two'],
      ['State top two', 'State top two'],
      ['Zonal first; State top two', 'Zonal first; State top two'],
    ],
  )
})

test('those who share a rank share the place, and the next place is skipped', async () => {
  const event = await anEvent({
    rules: { ladders: [{ kind: 'prize', by: 'olympiad', places: [place(1, 2, 'P')] }] },
  })
  const students = await candidates(event, [{}, {}, {}])
  const { of } = await computeRows(
    server,
    event,
    students.map(({ roll }, i) => ({ roll, marks: [0, 0, i < 2 ? 9 : 8] })),
  )
  assert.deepEqual(
    students.map((student) => of(student).prize_Amount_Msg),
    ['P!', 'P!', ''],
  )
})

test('the default rules bring prizes for olympiad ranks 1 to 10 and titles for three places of zone and state', async () => {
  const rows = await aClass(17)
  assert.deepEqual(
    rows.map((row) => row.prize_Amount_Msg),
    [
      'Prize of ₹25,000',
      'Prize of ₹15,000',
      'Prize of ₹10,000',
      ...many(7, () => 'Gift certificate of ₹1,000'),
      ...many(3, (i) => `Zonal award, place ${i + 1}`),
      ...many(3, (i) => `State award, place ${i + 1}`),
      '',
    ],
  )
})

/** Marks of a class, best first, and who of them may go on. */
async function goingOn(
  rules: Partial<EventRules> | undefined,
  marks: number[],
  traits: { classId?: number; letter?: string; level?: number } = {},
) {
  const { classId = 7, ...of } = traits
  const event = await anEvent({ ...of, ...(rules ? { rules } : {}) })
  const students = await candidates(
    event,
    marks.map(() => ({ classId })),
  )
  const computed = await computeRows(
    server,
    event,
    students.map(({ roll }, i) => ({
      roll,
      marks: [0, Math.max(0, (marks[i] ?? 0) - 50).toFixed(4), Math.min(50, marks[i] ?? 0)],
    })),
  )
  return students.map((student) => {
    const { level2, level3 } = computed.of(student)
    return level2 + level3
  })
}

const byOlympiad = (upToRank: number): Partial<EventRules> => ({
  nextLevel: { level: 2, classes: [7], clauses: [{ by: 'olympiad', upToRank, percent: 50, minimumPool: 0 }] },
})

test('the last rank goes on and the one after it does not', async () => {
  assert.deepEqual(await goingOn(byOlympiad(2), [90, 80, 70]), ['YES', 'YES', 'NO'])
  assert.deepEqual(await goingOn(byOlympiad(1), [90, 90, 70]), ['YES', 'YES', 'NO'])
})

test('rank 1000 goes on by the default rules and rank 1001 does not', { timeout: 120_000 }, async () => {
  const event = await anEvent()
  const { schoolId } = { schoolId: (await aSchool()).id }
  const students = await candidates(
    event,
    many(1002, () => ({ schoolId })),
  )
  const { setId } = await computeRows(
    server,
    event,
    students.map(({ roll }, i) => ({ roll, marks: [10, 40, 0], weight: ((1002 - i) / 10_000).toFixed(4) })),
  )
  const ranked = await server.deps.db
    .selectFrom('results')
    .select(['olympiad_rank', 'next_level'])
    .where('set_id', '=', setId)
    .where('olympiad_rank', 'in', [1, 999, 1000, 1001, 1002])
    .orderBy('olympiad_rank')
    .execute()
  assert.deepEqual(
    ranked.map((row) => row.next_level),
    [true, true, true, false, false],
  )
})

test('fifty per cent are of the raw marks: exactly fifty goes on, a ten-thousandth below does not', async () => {
  assert.deepEqual(await goingOn(undefined, [50, 49.9999, 0]), ['YES', 'NO', 'NO'])
})

test('class rank 1 with 75 % goes on where at least 100 sat, not where 99 did', {
  timeout: 120_000,
}, async () => {
  const rules: Partial<EventRules> = {
    nextLevel: {
      level: 2,
      classes: [7],
      clauses: [{ by: 'class', upToRank: 1, percent: 75, minimumPool: 100 }],
    },
  }
  const sat = (count: number, best: number) => [best, ...many(count - 1, () => 1)]
  assert.equal((await goingOn(rules, sat(100, 75)))[0], 'YES')
  assert.equal((await goingOn(rules, sat(99, 75)))[0], 'NO')
  assert.equal((await goingOn(rules, sat(100, 74.9999)))[0], 'NO')
  assert.equal((await goingOn(rules, sat(100, 75)))[1], 'NO')
})

test('the way to the next level depends on subject, class and level [spec 2.12.4 9.11]', async () => {
  assert.deepEqual(await goingOn(undefined, [90], { classId: 3 }), ['YES'])
  assert.deepEqual(await goingOn(undefined, [90], { classId: 2 }), ['NO'])
  assert.deepEqual(await goingOn(undefined, [90], { letter: 'G' }), [''])
  assert.deepEqual(await goingOn(undefined, [90, 80], { classId: 6, level: 2 }), ['YES', 'NO'])
  assert.deepEqual(await goingOn(undefined, [90, 80], { classId: 5, level: 2 }), ['NO', 'NO'])
})
