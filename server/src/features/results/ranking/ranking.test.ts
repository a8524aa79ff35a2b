import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { computeResults } from '@podium/contract/results/calls-office'
import fc from 'fast-check'
import { testDatabase } from '#test/database'
import { aDay, anOfficer, aSchool } from '#test/factories'
import {
  type AnEvent,
  anEvent,
  candidates,
  computeRows,
  type FileRow,
  importRows,
} from '#test/results-factories'
import { naiveRanks } from '#test/results-naive'
import { type TestServer, testServer } from '#test/server'
import { analyzeMarks, computeSet } from './commands.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

/** One class of one school whose members got these marks; answers ranks in the order of the marks. */
async function classRanks(event: AnEvent, marks: number[][]) {
  const students = await candidates(
    event,
    marks.map(() => ({})),
  )
  const { of } = await computeRows(
    server,
    event,
    students.map(({ roll }, index) => ({ roll, marks: marks[index] ?? [] })),
  )
  return students.map((student) => of(student).finalClassRank)
}

const cases: [why: string, marks: number[][], ranks: number[]][] = [
  [
    'a higher score goes before a lower one',
    [
      [1, 20, 30],
      [2, 30, 40],
      [3, 10, 10],
    ],
    [2, 1, 3],
  ],
  [
    'equal after all share the rank and the next is skipped',
    [
      [5, 30, 40],
      [5, 30, 40],
      [4, 30, 40],
    ],
    [1, 1, 3],
  ],
  [
    'the first section of the event breaks a tie',
    [
      [5, 30, 40],
      [6, 30, 39],
    ],
    [2, 1],
  ],
  [
    'the second section breaks what the first leaves',
    [
      [5, 30, 40],
      [5, 31, 39],
    ],
    [2, 1],
  ],
  [
    'three equal push the next to the fourth rank',
    [
      [1, 1, 1],
      [9, 9, 9],
      [9, 9, 9],
      [9, 9, 9],
    ],
    [4, 1, 1, 1],
  ],
  [
    'no marks at all are a rank too',
    [
      [0, 0, 0],
      [0, 0, 1],
    ],
    [2, 1],
  ],
  [
    'half marks count',
    [
      [1, 1, 1.5],
      [1, 1, 1.25],
    ],
    [1, 2],
  ],
]

test('ranks follow final score, then the sections in their order', async () => {
  for (const [why, marks, ranks] of cases)
    assert.deepEqual(await classRanks(await anEvent(), marks), ranks, why)
})

test('the order of the tie-break is a rule of the event, and an empty one leaves equals equal', async () => {
  const marks = [
    [5, 30, 40],
    [6, 29, 40],
  ]
  const everydayFirst = await anEvent({ rules: { tieBreak: ['Everyday', 'Reasoning'] } })
  assert.deepEqual(await classRanks(everydayFirst, marks), [1, 2])
  assert.deepEqual(await classRanks(await anEvent({ rules: { tieBreak: [] } }), marks), [1, 1])
})

test('papers of many marks are told apart to the last section, and by a weight', async () => {
  const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
  const event = await anEvent({ sections: names.map((name) => ({ name, maximum: 400 })) })
  const same = [400, 400, 400]
  const marks = [
    [...same, 300, 200, 101],
    [...same, 300, 201, 100],
    [...same, 301, 200, 100],
    [...same, 300, 200, 101],
    [400, 400, 399, 302, 200, 100],
  ]
  assert.deepEqual(await classRanks(event, marks), [3, 2, 1, 3, 5])
  const [first, second] = await candidates(event, [{}, {}])
  assert(first && second)
  const { of } = await computeRows(server, event, [
    { roll: first.roll, marks: [220, 0, 0, 0, 0, 10], weight: 0 },
    { roll: second.roll, marks: [0, 0, 0, 0, 0, 230], weight: 0.0001 },
  ])
  assert.deepEqual([of(first).finalClassRank, of(second).finalClassRank], [2, 1])
})

test('weights of right answers are a tie-break built into the final score', async () => {
  const event = await anEvent()
  const [weaker, better] = await candidates(event, [{}, {}])
  assert(weaker && better)
  const { of } = await computeRows(server, event, [
    { roll: weaker.roll, marks: [9, 30, 40], weight: 0.0412 },
    { roll: better.roll, marks: [8, 31, 40], weight: 0.0413 },
  ])
  assert.deepEqual([of(better).finalClassRank, of(weaker).finalClassRank], [1, 2])
  assert.deepEqual([of(better).rawMarks, of(better).marks], [79, 79.0413])
})

test('the absent have no rank, no pool and no medal, and do not count in the pools of others', async () => {
  const event = await anEvent()
  const [absent, ...present] = await candidates(
    event,
    Array.from({ length: 5 }, () => ({})),
  )
  assert(absent)
  const { of } = await computeRows(server, event, [
    { roll: absent.roll, attendance: 'A', marks: ['', '', ''] },
    ...present.map(({ roll }) => ({ roll, marks: [1, 1, 1] })),
  ])
  const row = of(absent)
  assert.equal(row.absent, true)
  assert.deepEqual(
    [
      row.finalClassRank,
      row.finalStateRank,
      row.zonalRank,
      row.finalOlympiadRank,
      row.classPool,
      row.medalNew,
    ],
    [null, null, null, null, null, ''],
  )
  assert.equal(of(present[0] ?? absent).classPool, 4)
})

test('class rank counts within school and class, state and zonal rank within state and zone, olympiad rank everywhere', async () => {
  const event = await anEvent()
  const bangalore = await aSchool({ state: 'Karnataka', zone: 'South' })
  const mysore = await aSchool({ state: 'Karnataka', zone: 'South' })
  const kochi = await aSchool({ state: 'Kerala', zone: 'South' })
  const dubai = await aSchool({ state: 'Dubai', zone: 'Abroad', country: 'United Arab Emirates' })
  const students = await candidates(event, [
    { schoolId: kochi.id },
    { schoolId: dubai.id },
    { schoolId: bangalore.id },
    { schoolId: mysore.id },
    { schoolId: bangalore.id },
    { schoolId: bangalore.id, classId: 8 },
  ])
  const { of } = await computeRows(
    server,
    event,
    students.map(({ roll }, index) => ({ roll, marks: [0, 0, 40 - index] })),
  )
  const ranks = students.map((student) => {
    const row = of(student)
    return [row.finalClassRank, row.finalStateRank, row.zonalRank, row.finalOlympiadRank]
  })
  assert.deepEqual(ranks, [
    [1, 1, 1, 1],
    [1, 1, 1, 2],
    [1, 1, 2, 3],
    [1, 2, 3, 4],
    [2, 3, 4, 5],
    [1, 1, 1, 1],
  ])
  const third = of(students[2] ?? { roll: '' })
  assert.deepEqual([third.classPool, third.statePool, third.zonalPool, third.olympiadPool], [2, 3, 4, 5])
})

test('states of the same name in two countries are two', async () => {
  const event = await anEvent()
  const here = await aSchool({ state: 'Punjab', zone: 'North', country: 'India' })
  const there = await aSchool({ state: 'Punjab', zone: 'Abroad', country: 'Pakistan' })
  const students = await candidates(event, [{ schoolId: here.id }, { schoolId: there.id }])
  const { rows } = await computeRows(
    server,
    event,
    students.map(({ roll }) => ({ roll, marks: [1, 1, 1] })),
  )
  assert.deepEqual(
    rows.map((row) => row.statePool),
    [1, 1],
  )
})

test('the one statement ranks as a naive ranking does, whatever the set', { timeout: 300_000 }, async () => {
  const schools = [
    await aSchool({ state: 'Goa', zone: 'West' }),
    await aSchool({ state: 'Goa', zone: 'West' }),
    await aSchool({ state: 'Gujarat', zone: 'West' }),
    await aSchool({ state: 'Assam', zone: 'East' }),
  ]
  const student = fc.record({
    school: fc.integer({ min: 0, max: 3 }),
    classId: fc.constantFrom(3, 4),
    present: fc.boolean(),
    marks: fc.tuple(
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 0, max: 2 }),
    ),
    weight: fc.constantFrom(0, 0.004, 0.9999),
  })
  // Papers of few marks and of so many that their keys take more bits, with marks that differ in the last decimal.
  const papers = [
    { sections: undefined, markOf: (step: number) => step },
    {
      sections: ['First', 'Second', 'Third'].map((name) => ({ name, maximum: 400 })),
      markOf: (step: number) => [0, 399.9999, 400][step] ?? 0,
    },
  ] as const
  const set = fc.record({
    paper: fc.constantFrom(...papers),
    students: fc.array(student, { minLength: 1, maxLength: 25 }),
  })
  await fc.assert(
    fc.asyncProperty(set, async ({ paper: { sections, markOf }, students }) => {
      const drawn = students.map(({ marks, ...rest }) => ({ ...rest, marks: marks.map(markOf) }))
      const event = await anEvent(sections ? { sections } : {})
      const made = await candidates(
        event,
        drawn.map(({ school, classId }) => ({ schoolId: schools[school]?.id ?? 0, classId })),
      )
      const rows: FileRow[] = drawn.map(({ present, marks, weight }, index) => ({
        roll: made[index]?.roll ?? '',
        attendance: present ? 'P' : 'A',
        marks: present ? [...marks] : ['', '', ''],
        weight: present ? weight : '',
      }))
      const { of } = await computeRows(server, event, rows)
      const expected = naiveRanks(
        drawn.map(({ school, ...rest }) => ({
          ...rest,
          school,
          state: schools[school]?.state ?? '',
          zone: schools[school]?.zone ?? '',
        })),
      )
      const actual = made.map((one) => {
        const row = of(one)
        return [row.finalClassRank, row.finalStateRank, row.zonalRank, row.finalOlympiadRank]
      })
      assert.deepEqual(actual, expected)
    }),
    { numRuns: 25 },
  )
})

test('two events are computed beside each other, each by a process of its own', async () => {
  const { db } = await testDatabase()
  const [here, elsewhere] = [await anEvent(), await anEvent()]
  const versionOf = async (event: AnEvent) => {
    const [student] = await candidates(event, [{}])
    return (await importRows(server, event, [{ roll: student?.roll ?? '', marks: [5, 30, 40] }])).setId
  }
  const [mine, other] = [await versionOf(here), await versionOf(elsewhere)]
  const { token } = await anOfficer('results')
  await db.updateTable('result_sets').set({ state: 'computing' }).where('id', '=', other).execute()
  await analyzeMarks(db)
  await db.transaction().execute(async (tx) => {
    await computeSet(tx, aDay, other)
    assert.equal((await server.call(computeResults, { body: { setId: mine } }, { token })).status, 200)
    await server.jobs.drain()
  })
  const states = await db.selectFrom('result_sets').select('state').where('id', 'in', [mine, other]).execute()
  assert.deepEqual(states, [{ state: 'computed' }, { state: 'computed' }])
})
