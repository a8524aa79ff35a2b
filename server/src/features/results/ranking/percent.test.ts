import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { searchResults, whyResult } from '@podium/contract/results/calls'
import { nextLevelList } from '@podium/contract/results/calls-next-level-list'
import { makeNextLevel } from '@podium/contract/results/calls-next-level-office'
import { aDay, anOfficer, aSchool, aTeacher } from '#test/factories'
import { anEvent, candidates, releaseRows, searchBody } from '#test/results-factories'
import { aFamilyOf, readBy } from '#test/results-public-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

const nextLevel = (percent: number) => ({
  level: 2,
  classes: [7],
  clauses: [{ by: 'olympiad' as const, upToRank: 1000, percent, minimumPool: 0 }],
})

/** Children of one school with these marks of a maximum, in an event that asks for a percentage, released. */
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
    students.map(({ roll }, at) => ({ roll, marks: [marks[at] ?? 0] })),
  )
  const teacher = await aTeacher({ schoolId })
  const why = async (at: number) => {
    const query = { resultId: `${setId}-${students[at]?.id}` }
    return (await server.call(whyResult, { query }, teacher)).body.why
  }
  return { event, students, teacher, why }
}

test('58 of 60 read 96.67 % to the school, to the family and in the list for the next level', async () => {
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
  const made = await server.call(makeNextLevel, { body: round }, officer)
  assert.equal(made.status, 200, made.body.message)
  const list = await server.call(nextLevelList, { query: { eventYearId: String(event.id) } }, officer)
  assert.deepEqual(
    list.body.data.map(({ because }) => [because?.percent, because?.neededPercent]),
    [[96.67, 50]],
  )
})

test('a share that would read as the needed one is still too little, and reads with the decimals that show it', async () => {
  const { event, teacher, why } = await released(100, 50, [50, 49.996, 49.9999, 49.99])
  const rows = (await server.call(searchResults, { body: searchBody(event) }, teacher)).body.data
  assert.deepEqual(
    rows.map(({ rawMarks, level2 }) => [rawMarks, level2]),
    [
      [50, 'YES'],
      [49.9999, 'NO'],
      [49.996, 'NO'],
      [49.99, 'NO'],
    ],
  )
  const condition = async (at: number) => {
    const { what, ...figures } = (await why(at)).eligibility?.clauses[0]?.conditions[1] ?? { what: '' }
    assert.equal(what, 'percent')
    return figures
  }
  assert.deepEqual(await condition(0), { needed: 50, had: 50, met: true, by: 0 })
  assert.deepEqual(await condition(1), { needed: 50, had: 49.996, met: false, by: -0.004 })
  assert.deepEqual(await condition(2), { needed: 50, had: 49.9999, met: false, by: -0.0001 })
  assert.deepEqual(await condition(3), { needed: 50, had: 49.99, met: false, by: -0.01 })
  assert.equal((await why(1)).score.percent, 50, 'the score itself reads by the rule')
})

test('a needed percentage with decimals is compared with the marks themselves', async () => {
  const { event, teacher } = await released(60, 33.33, [19.998, 19.9979])
  const rows = (await server.call(searchResults, { body: searchBody(event) }, teacher)).body.data
  assert.deepEqual(
    rows.map(({ level2 }) => level2),
    ['YES', 'NO'],
  )
})

test('the stars of a little star are given by the marks, not by the percentage that is shown', async () => {
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
