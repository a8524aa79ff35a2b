import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  approveResults,
  computeResults,
  officeResultEvent,
  releaseResults,
  saveResultRules,
} from '@podium/contract/results/calls-office'
import { rulesOfEvent, tryRules, whatIfState } from '@podium/contract/results/calls-what-if'
import type { EventRules } from '@podium/contract/results/schemas'
import fc from 'fast-check'
import { readJob } from '#platform/jobs/jobs'
import { testDatabase } from '#test/database'
import { aDay, anOfficer, aSchool } from '#test/factories'
import {
  type AnEvent,
  anEvent,
  asShown,
  candidates,
  computeRows,
  type FileRow,
  importRows,
} from '#test/results-factories'
import { changeRows, findRow, findRows } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { analyzeMarks, computeSet } from './commands.ts'

interface Sat {
  school: number
  state: string
  zone: string
  classId: number
  present: boolean
  marks: readonly number[]
  weight: number
}

/** Whether one result is strictly better: final score, then the sections in order. */
function beats(a: Sat, b: Sat): boolean {
  const total = (sat: Sat) =>
    Math.round((sat.marks.reduce((sum, mark) => sum + mark, 0) + sat.weight) * 10_000)
  if (total(a) !== total(b)) return total(a) > total(b)
  for (const [index, mark] of a.marks.entries()) {
    const other = b.marks[index] ?? 0
    if (mark !== other) return mark > other
  }
  return false
}

/** The ranks by definition: one more than the number of better results in the pool. Class, state, zone, olympiad. */
function naiveRanks(all: readonly Sat[]): (number | null)[][] {
  return all.map((own) => {
    if (!own.present) return [null, null, null, null]
    const pools: ((other: Sat) => boolean)[] = [
      (other) => other.school === own.school,
      (other) => other.state === own.state,
      (other) => other.zone === own.zone,
      () => true,
    ]
    return pools.map(
      (within) =>
        1 + all.filter((o) => o.present && o.classId === own.classId && within(o) && beats(o, own)).length,
    )
  })
}

const server = beforehand(() => testServer({ clock: () => aDay }))

/** Ranks one class of one school with these marks; returns the ranks in the same order. */
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

test('ranks follow the final score, then the sections in their order', async () => {
  for (const [why, marks, ranks] of cases)
    assert.deepEqual(await classRanks(await anEvent(), marks), ranks, why)
})

test("an event's rules set the order of the tie-break, and an empty order leaves equal students equal", async () => {
  const marks = [
    [5, 30, 40],
    [6, 29, 40],
  ]
  const everydayFirst = await anEvent({ rules: { tieBreak: ['Everyday', 'Reasoning'] } })
  assert.deepEqual(await classRanks(everydayFirst, marks), [1, 2])
  assert.deepEqual(await classRanks(await anEvent({ rules: { tieBreak: [] } }), marks), [1, 1])
})

test('scores of large papers are told apart down to the last section, and by a weight', async () => {
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

test('weights of right answers are a tie-break within the final score', async () => {
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

/** How many were ranked with a student: in the school's class, the state, the zone, the olympiad. */
async function poolsOf(setId: number, student: { roll: string } | undefined) {
  const row = await findRow('results', { set_id: setId, exam_roll_no: student?.roll ?? '' })
  return [row.class_pool, row.state_pool, row.zonal_pool, row.olympiad_pool]
}

test('an absent student has no rank, pool or medal, and does not count in the pools of others', async () => {
  const event = await anEvent()
  const [absent, ...present] = await candidates(
    event,
    Array.from({ length: 5 }, () => ({})),
  )
  assert(absent)
  const { setId, of } = await computeRows(server, event, [
    { roll: absent.roll, attendance: 'A', marks: ['', '', ''] },
    ...present.map(({ roll }) => ({ roll, marks: [1, 1, 1] })),
  ])
  const row = of(absent)
  assert.equal(row.absent, true)
  assert.deepEqual(
    [row.finalClassRank, row.finalStateRank, row.zonalRank, row.finalOlympiadRank, row.medalNew],
    [null, null, null, null, ''],
  )
  assert.deepEqual(await poolsOf(setId, absent), [null, null, null, null])
  assert.deepEqual(await poolsOf(setId, present[0]), [4, 4, 4, 4])
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
  const { setId, of } = await computeRows(
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
  assert.deepEqual(await poolsOf(setId, students[2]), [2, 3, 4, 5])
})

test('results in which a school has another state since are computed again before they are approved or released', async () => {
  const event = await anEvent()
  const [school, other] = [await aSchool({ state: 'Kerala', zone: 'South' }), await aSchool()]
  const students = await candidates(event, [{ schoolId: school.id }, { schoolId: other.id }])
  const rows = students.map(({ roll }) => ({ roll, marks: [1, 1, 1] }))
  const { setId, token } = await computeRows(server, event, rows)
  const second = await anOfficer('owner')
  const decide = async (call: typeof approveResults | typeof releaseResults) =>
    (await server.send(call, { body: await asShown(server, setId) }, second)).body
  const relocate = (state: string, zone: string) => changeRows('schools', { id: school.id }, { state, zone })
  const shown = async () =>
    (await server.ask(officeResultEvent, { eventYearId: String(event.id) }, second)).sets[0]?.can
  await relocate('Goa', 'West')
  assert.equal((await shown())?.approve, 'results.places_changed')
  assert.equal((await decide(approveResults)).code, 'results.places_changed')
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  assert.equal((await decide(approveResults)).result, 'success')
  await relocate('Goa', 'South')
  assert.equal((await shown())?.release, 'results.places_changed')
  assert.equal((await decide(releaseResults)).code, 'results.places_changed')
  await relocate('Goa', 'West')
  assert.equal((await decide(releaseResults)).result, 'success')
})

test('states of the same name in two countries are different states', async () => {
  const event = await anEvent()
  const here = await aSchool({ state: 'Punjab', zone: 'North', country: 'India' })
  const there = await aSchool({ state: 'Punjab', zone: 'Abroad', country: 'Pakistan' })
  const students = await candidates(event, [{ schoolId: here.id }, { schoolId: there.id }])
  const { setId } = await computeRows(
    server,
    event,
    students.map(({ roll }) => ({ roll, marks: [1, 1, 1] })),
  )
  for (const student of students) assert.equal((await poolsOf(setId, student))[1], 1)
})

test('the SQL ranking equals a naive ranking, for any set of marks', { timeout: 300_000 }, async () => {
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
  // Papers with low and with high maximum marks, whose sort keys need more bits, and marks that differ in the last decimal.
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
      const actual = made.map((item) => {
        const row = of(item)
        return [row.finalClassRank, row.finalStateRank, row.zonalRank, row.finalOlympiadRank]
      })
      assert.deepEqual(actual, expected)
    }),
    { numRuns: 25 },
  )
})

test('two events are computed side by side, each by its own process', async () => {
  const { db } = await testDatabase()
  const [here, elsewhere] = [await anEvent(), await anEvent()]
  const versionOf = async (event: AnEvent) => {
    const [student] = await candidates(event, [{}])
    return (await importRows(server, event, [{ roll: student?.roll ?? '', marks: [5, 30, 40] }])).setId
  }
  const [mine, other] = [await versionOf(here), await versionOf(elsewhere)]
  const { token } = await anOfficer('results')
  await changeRows('result_sets', { id: other }, { state: 'computing' })
  await analyzeMarks(db)
  await db.transaction().execute(async (tx) => {
    await computeSet(tx, aDay, other)
    await server.ask(computeResults, { setId: mine }, { token })
    await server.jobs.drain()
  })
  const states = await findRows('result_sets', { id: [mine, other] }, ['state'])
  assert.deepEqual(states, [{ state: 'computed' }, { state: 'computed' }])
})

test('a version read and computed by a process that was killed before it could say so is read and computed', async () => {
  const { db } = await testDatabase()
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const { setId } = await importRows(server, event, [{ roll: student?.roll ?? '', marks: [5, 30, 40] }])
  const { token } = await anOfficer('results')
  const runAgain = async () => {
    const { job_id: id } = await findRow('result_sets', { id: setId }, ['job_id'])
    await changeRows('jobs', { id }, { state: 'running', claimed_until: new Date(0), ended_at: null })
    await server.jobs.drain()
    return (await readJob(db, String(id)))?.state
  }
  assert.equal(await runAgain(), 'done')
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  const before = await findRows('results', { set_id: setId }, 'all', 'student_id')
  assert.equal(await runAgain(), 'done')
  assert.deepEqual(await findRows('results', { set_id: setId }, 'all', 'student_id'), before)
  assert.deepEqual(await findRow('result_sets', { id: setId }, ['state']), { state: 'computed' })
})

/** Last season's event with ten present, the first two equal except for the sections; and this season's. */
async function twoSeasons(letter: string, level = 1) {
  const last = await anEvent({ letter, level })
  const students = await candidates(
    last,
    Array.from({ length: 10 }, () => ({})),
  )
  const rows = students.map(({ roll }, i) => ({
    roll,
    marks: i === 0 ? [8, 30, 40] : i === 1 ? [6, 32, 40] : [2, 20, 30 - i],
  }))
  const computed = await computeRows(server, last, rows)
  const event = await anEvent({ letter, level })
  return { last, event, students, computed, token: computed.token }
}

async function rulesFor(event: AnEvent, token: string) {
  const body = await server.ask(rulesOfEvent, { eventYearId: String(event.id) }, { token })
  const rules = body.versions[0]?.rules
  assert(rules)
  return { ...body, rules }
}

async function trialOf(event: AnEvent, rules: EventRules, token: string, on: 'event' | 'season' = 'event') {
  const body = await server.ask(tryRules, { eventYearId: event.id, rules, on }, { token })
  await server.jobs.drain()
  const found = await server.ask(whatIfState, { jobId: body.jobId }, { token })
  assert.equal(found.job.state, 'done', found.job.error ?? '')
  return found.events
}

const stored = (setId: number) => findRows('results', { set_id: setId }, 'all', 'student_id')

test('a trial with the same rules changes no student, and no trial writes a result', async () => {
  const { event, computed, token, last } = await twoSeasons('M')
  const before = await stored(computed.setId)
  const { rules, base } = await rulesFor(event, token)
  assert.deepEqual(base, { FYear: last.season, students: 10, events: 1 })
  const [same] = await trialOf(event, rules, token)
  assert(same)
  assert.deepEqual([same.students, same.ranks, same.touched, same.children], [10, 0, 0, []])
  assert.deepEqual(same.medal, { before: 3, after: 3, gained: 0, lost: 0, changed: 0, kept: 3 })
  await trialOf(event, { ...rules, medals: [] }, token)
  assert.deepEqual(await stored(computed.setId), before)
  const leftOver = await findRows('result_sets', { id: computed.setId }, ['state'])
  assert.deepEqual(leftOver, [{ state: 'computed' }])
})

test('a trial of another tie-break lists who would change places, with their medals', async () => {
  const { event, students, token } = await twoSeasons('S')
  const { rules } = await rulesFor(event, token)
  const tieBreak = ['Reasoning', 'Achievers section', 'Everyday']
  const [found] = await trialOf(event, { ...rules, tieBreak }, token)
  assert(found)
  assert.deepEqual([found.ranks, found.touched], [2, 2])
  assert.deepEqual(found.medal, { before: 3, after: 3, gained: 0, lost: 0, changed: 2, kept: 1 })
  const first = found.children.find((child) => child.examRollNo === students[0]?.roll)
  assert.deepEqual([first?.rank, first?.newRank], [1, 2])
  assert.deepEqual(first?.changes[0], { field: 'medal', from: 'Gold', to: 'Silver' })
})

test('a trial of a stricter next level and fewer medals lists who would lose them', async () => {
  const { event, token } = await twoSeasons('E')
  const { rules } = await rulesFor(event, token)
  assert(rules.nextLevel)
  const strict: EventRules = {
    ...rules,
    medals: rules.medals.filter(({ medal }) => medal === 'Gold'),
    ladders: [],
    nextLevel: {
      ...rules.nextLevel,
      clauses: [{ by: 'olympiad', upToRank: 1, percent: 50, minimumPool: 0 }],
    },
  }
  const [found] = await trialOf(event, strict, token)
  assert(found)
  assert.deepEqual(found.medal, { before: 3, after: 1, gained: 0, lost: 2, changed: 0, kept: 1 })
  assert.equal(found.nextLevel.after, 1)
  assert.equal(found.nextLevel.lost, found.nextLevel.before - 1)
  assert.equal(found.prize.after + found.award.after, 0)
})

test('a change can be tried on every subject of that season', async () => {
  const { event, last, token } = await twoSeasons('M', 2)
  const other = await anEvent({ letter: 'G' })
  await changeRows('events', { id: other.id }, { season: last.season, level: 2 })
  const all = await candidates(
    { ...other, season: last.season },
    Array.from({ length: 10 }, () => ({})),
  )
  await computeRows(
    server,
    other,
    all.map(({ roll }, i) => ({ roll, marks: [0, 0, 40 - i] })),
  )
  const { rules } = await rulesFor(event, token)
  const found = await trialOf(event, { ...rules, medals: [] }, token, 'season')
  assert.deepEqual(
    found.map(({ eventLetter, medal }) => [eventLetter, medal.lost]),
    [
      ['M', 3],
      ['G', 3],
    ],
  )
  assert.equal(found[1]?.nextLevel.before, found[1]?.nextLevel.after)
})

test('each save of the rules is a version with its reason, and old versions stay readable', async () => {
  const event = await anEvent()
  const { token } = await anOfficer('results')
  const { rules } = await rulesFor(event, token)
  const save = (rulesVersion: number, change: Partial<EventRules>, note: string) =>
    server.call(
      saveResultRules,
      { body: { eventYearId: event.id, rulesVersion, rules: { ...rules, ...change }, note } },
      { token },
    )
  assert.equal((await save(1, { onePrize: false }, 'Two prizes are allowed now')).status, 200)
  assert.equal((await save(2, { medals: [] }, 'No medals')).status, 200)
  await refused('changed_meanwhile', save(2, {}, 'Late'))
  const { versions, rulesVersion } = await rulesFor(event, token)
  assert.equal(rulesVersion, 3)
  assert.deepEqual(
    versions.map(({ version, note, rules: one }) => [version, note, one.onePrize, one.medals.length]),
    [
      [3, 'No medals', true, 0],
      [2, 'Two prizes are allowed now', false, 3],
      [1, '', true, 3],
    ],
  )
  const body = await server.ask(officeResultEvent, { eventYearId: String(event.id) }, { token })
  assert.deepEqual(body.rules.medals, [])
})

test('a trial is refused for invalid rules, without an earlier season, and to a role that may not change rules', async () => {
  const event = await anEvent({ letter: 'H' })
  const { token } = await anOfficer('owner')
  const { rules, base } = await rulesFor(event, token)
  assert.equal(base, null)
  const ask = (some: Partial<EventRules>, as = token) =>
    server.call(
      tryRules,
      { body: { eventYearId: event.id, rules: { ...rules, ...some }, on: 'event' } },
      { token: as },
    )
  await refused('catalogue.no_results', ask({}))
  await refused('results.rules_unfit', ask({ tieBreak: ['Nothing'] }))
  assert.equal((await ask({}, (await anOfficer('operations')).token)).status, 403)
})
