import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainResult, searchResults } from '@podium/contract/results/calls'
import { makeNextLevel } from '@podium/contract/results/calls-next-level'
import { nextLevelList } from '@podium/contract/results/calls-next-level-list'
import { explainResultForOffice } from '@podium/contract/results/calls-office'
import type { EventRules } from '@podium/contract/results/schemas'
import { aDay, anOfficer, aSchool, aTeacher } from '#test/factories'
import {
  aFamilyOf,
  anEvent,
  candidates,
  computeRows,
  readBy,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { findRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

/** A class of this many students with different marks, best first. */
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

test('gold, silver and bronze need ten students who sat, gold alone needs five', async () => {
  for (const [sat, medals] of medalCases) {
    const rows = await aClass(sat)
    assert.deepEqual(valuesOf(rows.slice(0, 4), 'medalNew'), medals.slice(0, Math.min(sat, 4)), `${sat} sat`)
  }
})

test('two students who share the first rank both get gold, and no one gets silver', async () => {
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

test("an event's rules decide its medals", async () => {
  const rows = await aClass(2, { medals: [{ medal: 'Bronze', classRank: 2, minimumPool: 2 }] })
  assert.deepEqual(valuesOf(rows, 'medalNew'), ['', 'Bronze'])
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

test('a state award needs enough students in the state; below that no one gets it, and the reasons say how many', async () => {
  const stateFirst = (minimumPool?: number): EventRules['ladders'] => [
    { kind: 'award', by: 'state', ...(minimumPool ? { minimumPool } : {}), places: [place(1, 1, 'First')] },
  ]
  const awards = async (minimumPool?: number) => {
    const rows = await fiveStudents({ ladders: stateFirst(minimumPool), onePrize: true })
    return { rows, told: rows.map((row) => row.award) }
  }
  assert.deepEqual((await awards()).told, ['First', '', 'First', '', 'First'], 'older rules need no minimum')
  assert.deepEqual((await awards(1)).told, ['First', '', 'First', '', 'First'])
  const { rows, told } = await awards(2)
  assert.deepEqual(told, ['First', '', 'First', '', ''])
  assert.deepEqual((await awards(3)).told, ['', '', '', '', ''])
  const { token } = await anOfficer('viewer')
  const tooFewOf = async (row?: { resultId: string }) =>
    (await server.ask(explainResultForOffice, { resultId: row?.resultId ?? '' }, { token })).why.prize.tooFew
  assert.deepEqual(await tooFewOf(rows[4]), [
    { kind: 'award', by: 'state', title: 'First', rank: 1, pool: 1, minimumPool: 2 },
  ])
  assert.deepEqual(await tooFewOf(rows[0]), [], 'the winner lacks nothing')
  assert.deepEqual(await tooFewOf(rows[1]), [], 'the second in a state would not have won')
})

test('a zonal award needs enough students in the zone, and an unawarded one leaves the ladders below unchanged', async () => {
  const zonal = { kind: 'award', by: 'zonal', minimumPool: 2, places: [place(1, 1, 'Zone')] } as const
  const state = { kind: 'award', by: 'state', places: [place(1, 1, 'State')] } as const
  const rows = await fiveStudents({
    ladders: [
      { ...zonal, places: [...zonal.places] },
      { ...state, places: [...state.places] },
    ],
    onePrize: true,
  })
  assert.deepEqual(valuesOf(rows, 'award'), ['Zone', 'State', 'State', '', 'State'])
})

test('a student keeps only the highest prize, and the lower ones pass on to the next student', async () => {
  const rows = await fiveStudents({ ladders, onePrize: true })
  assert.deepEqual(valuesOf(rows, 'prize_Amount_Msg'), [
    'Cup!',
    'Zonal first',
    'Zonal second',
    'State top two',
    'Zonal first',
  ])
  const [first, second] = rows
  const { token } = await anOfficer('viewer')
  const told = await server.ask(explainResultForOffice, { resultId: second?.resultId ?? '' }, { token })
  assert.deepEqual(told.why.prize.won, [
    { kind: 'award', by: 'zonal', title: 'Zonal first', rank: 2, place: 1, passedOn: true },
  ])
  assert.deepEqual(
    [first?.prizeAmount, first?.couponLink, first?.award],
    [25_000, 'https://coupons.example/cup', ''],
  )
})

test('where a student may have several prizes, nothing passes on', async () => {
  const rows = await fiveStudents({ ladders, onePrize: false })
  assert.deepEqual(valuesOf(rows, 'prize_Amount_Msg', 'award'), [
    ['Cup!', 'Zonal first; State top two'],
    ['Zonal second; State top two', 'Zonal second; State top two'],
    ['State top two', 'State top two'],
    ['State top two', 'State top two'],
    ['Zonal first; State top two', 'Zonal first; State top two'],
  ])
})

test('students who share a rank share the place, and the next place is skipped', async () => {
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

test('the default rules give prizes for olympiad ranks 1 to 10 and titles for three places of zone and state', async () => {
  const rows = await aClass(17)
  assert.deepEqual(valuesOf(rows, 'prize_Amount_Msg'), [
    'Prize of ₹25,000',
    'Prize of ₹15,000',
    'Prize of ₹10,000',
    ...many(7, () => 'Gift certificate of ₹1,000'),
    ...many(3, (i) => `Zonal award, place ${i + 1}`),
    ...many(3, (i) => `State award, place ${i + 1}`),
    '',
  ])
})

/** Marks of a class, best first, and who qualifies for the next level. */
async function qualifiers(
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

test('the last qualifying rank goes on to the next level, and the one after it does not', async () => {
  assert.deepEqual(await qualifiers(byOlympiad(2), [90, 80, 70]), ['YES', 'YES', 'NO'])
  assert.deepEqual(await qualifiers(byOlympiad(1), [90, 90, 70]), ['YES', 'YES', 'NO'])
})

test('by the default rules rank 1000 goes on to the next level and rank 1001 does not', {
  timeout: 120_000,
}, async () => {
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
  const ranked = await findRows(
    'results',
    { set_id: setId, olympiad_rank: [1, 999, 1000, 1001, 1002] },
    ['olympiad_rank', 'next_level'],
    'olympiad_rank',
  )
  assert.deepEqual(valuesOf(ranked, 'next_level'), [true, true, true, false, false])
})

test('the needed fifty per cent are of the raw marks: exactly fifty goes on, a ten-thousandth less does not', async () => {
  assert.deepEqual(await qualifiers(undefined, [50, 49.9999, 0]), ['YES', 'NO', 'NO'])
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
  assert.equal((await qualifiers(rules, sat(100, 75)))[0], 'YES')
  assert.equal((await qualifiers(rules, sat(99, 75)))[0], 'NO')
  assert.equal((await qualifiers(rules, sat(100, 74.9999)))[0], 'NO')
  assert.equal((await qualifiers(rules, sat(100, 75)))[1], 'NO')
})

test('the way to the next level depends on subject, class and level [spec 2.12.4 9.11]', async () => {
  assert.deepEqual(await qualifiers(undefined, [90], { classId: 3 }), ['YES'])
  assert.deepEqual(await qualifiers(undefined, [90], { classId: 2 }), ['NO'])
  assert.deepEqual(await qualifiers(undefined, [90], { letter: 'G' }), [''])
  assert.deepEqual(await qualifiers(undefined, [90, 80], { classId: 6, level: 2 }), ['YES', 'NO'])
  assert.deepEqual(await qualifiers(undefined, [90, 80], { classId: 5, level: 2 }), ['NO', 'NO'])
})

const nextLevel = (percent: number) => ({
  level: 2,
  classes: [7],
  clauses: [{ by: 'olympiad' as const, upToRank: 1000, percent, minimumPool: 0 }],
})

/** Students of one school with these marks out of a maximum, in a released event that requires a percentage. */
async function released(maximum: number, percent: number, marks: readonly number[]) {
  const event = await anEvent({
    sections: [{ name: 'Paper', maximum }],
    rules: { tieBreak: ['Paper'], nextLevel: nextLevel(percent) },
  })
  const { id: schoolId } = await aSchool()
  const students = await candidates(
    event,
    marks.map(() => ({ schoolId })),
  )
  const { setId } = await releaseRows(
    server,
    event,
    students.map(({ roll }, index) => ({ roll, marks: [marks[index] ?? 0] })),
  )
  const teacher = await aTeacher({ schoolId })
  const why = async (at: number) => {
    const query = { resultId: `${setId}-${students[at]?.id}` }
    return (await server.ask(explainResult, query, teacher)).why
  }
  return { event, students, teacher, why }
}

test('58 of 60 is shown as 96.67 % to the school, to the family and in the list for the next level', async () => {
  const { event, students, why } = await released(60, 50, [58])
  const told = await why(0)
  assert.equal(told.score.percent, 96.67)
  const condition = { what: 'percent', needed: 50, had: 96.67, met: true, by: 46.67 }
  assert.deepEqual(told.eligibility?.clauses[0]?.conditions[1], condition)
  const [child] = students
  assert(child)
  const family = await aFamilyOf(server, [child], event.season)
  const [read] = await readBy(server, family.token)
  assert.equal(read?.results[0]?.result?.score.percent, 96.67)
  assert.deepEqual(read?.results[0]?.result?.eligibility?.clauses[0]?.conditions[1], condition)
  const officer = await anOfficer('results')
  const round = { eventYearId: event.id, answerBy: '2026-12-15', note: '' }
  await server.ask(makeNextLevel, round, officer)
  const list = await server.ask(nextLevelList, { eventYearId: String(event.id) }, officer)
  assert.deepEqual(
    list.data.map(({ because }) => [because?.percent, because?.neededPercent]),
    [[96.67, 50]],
  )
})

test('a percentage that rounds up to the needed one is still too low, and is shown with the decimals that prove it', async () => {
  const { event, teacher, why } = await released(100, 50, [50, 49.996, 49.9999, 49.99])
  const rows = (await server.ask(searchResults, searchBody(event), teacher)).data
  assert.deepEqual(valuesOf(rows, 'rawMarks', 'level2'), [
    [50, 'YES'],
    [49.9999, 'NO'],
    [49.996, 'NO'],
    [49.99, 'NO'],
  ])
  const condition = async (at: number) => {
    const { what, ...figures } = (await why(at)).eligibility?.clauses[0]?.conditions[1] ?? { what: '' }
    assert.equal(what, 'percent')
    return figures
  }
  assert.deepEqual(await condition(0), { needed: 50, had: 50, met: true, by: 0 })
  assert.deepEqual(await condition(1), { needed: 50, had: 49.996, met: false, by: -0.004 })
  assert.deepEqual(await condition(2), { needed: 50, had: 49.9999, met: false, by: -0.0001 })
  assert.deepEqual(await condition(3), { needed: 50, had: 49.99, met: false, by: -0.01 })
  assert.equal((await why(1)).score.percent, 50, 'the score itself is rounded as usual')
})

test('a needed percentage with decimals is compared with the marks themselves', async () => {
  const { event, teacher } = await released(60, 33.33, [19.998, 19.9979])
  const rows = (await server.ask(searchResults, searchBody(event), teacher)).data
  assert.deepEqual(valuesOf(rows, 'level2'), ['YES', 'NO'])
})

test('the stars of a little star follow the marks, not the rounded percentage', async () => {
  const event = await anEvent({
    letter: 'A',
    sections: [{ name: 'Paper', maximum: 100 }],
    rules: { tieBreak: [] },
  })
  const students = await candidates(event, [{}, {}])
  const [full, short] = students
  assert(full && short)
  await releaseRows(server, event, [
    { roll: full.roll, marks: [85] },
    { roll: short.roll, marks: [84.996] },
  ])
  const { token } = await aFamilyOf(server, students, event.season)
  const read = await readBy(server, token)
  assert.deepEqual(
    read.map(({ results }) => [results[0]?.result?.score.percent, results[0]?.result?.stars]),
    [
      [85, 5],
      [85, 4],
    ],
  )
})
