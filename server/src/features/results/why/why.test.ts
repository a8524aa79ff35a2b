import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainResult } from '@podium/contract/results/calls'
import { explainResultForOffice } from '@podium/contract/results/calls-office'
import { aDay, anOfficer, aSchool, aTeacher } from '#test/factories'
import { anEvent, candidates, releaseRows } from '#test/results-factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))

/** Four students of one school and one of another, who is better than all; two are equal in everything. */
async function world() {
  const event = await anEvent()
  const [own, other] = [await aSchool({ name: 'Udaharan Vidyalaya' }), await aSchool()]
  const students = await candidates(event, [
    { schoolId: own.id, name: 'Asha Namunawala' },
    { schoolId: own.id, name: 'Bela Namunawala' },
    { schoolId: own.id, name: 'Chetan Namunawala' },
    { schoolId: own.id, name: 'Dev Namunawala' },
    { schoolId: other.id, name: 'Esha Elsewhere' },
    { schoolId: own.id, name: 'Farah Namunawala' },
  ])
  const marks = [
    [10, 40, 30],
    [9, 40, 31],
    [9, 40, 31],
    [9, 30, 10],
    [10, 40, 50],
  ]
  const { setId } = await releaseRows(
    server,
    event,
    students.map(({ roll }, i) => ({
      roll,
      attendance: i < 5 ? 'P' : 'A',
      marks: marks[i] ?? ['', '', ''],
      weight: i === 0 ? '0.01' : i === 1 || i === 2 ? '0.01' : '',
    })),
  )
  const { token } = await aTeacher({ schoolId: own.id })
  const why = async (index: number) => {
    const query = { resultId: `${setId}-${students[index]?.id}` }
    const body = await server.ask(explainResult, query, { token })
    return body.why
  }
  return { event, why, roll: (index: number) => students[index]?.roll }
}

test('the reasons show how the score is composed and what each rank was counted within', async () => {
  const { why } = await world()
  const asha = await why(0)
  assert.deepEqual(asha.score, {
    sections: [
      { name: 'Achievers section', marks: 10, maximum: 10 },
      { name: 'Reasoning', marks: 40, maximum: 40 },
      { name: 'Everyday', marks: 30, maximum: 50 },
    ],
    rawMarks: 80,
    weights: 0.01,
    marks: 80.01,
    maximumMarks: 100,
    percent: 80,
  })
  assert.deepEqual(valuesOf(asha.ranks, 'scope', 'place', 'rank', 'pool', 'decidedBy'), [
    ['class', 'Udaharan Vidyalaya', 1, 4, ''],
    ['state', 'Karnataka', 2, 5, 'Final score'],
    ['zonal', 'South', 2, 5, 'Final score'],
    ['olympiad', '', 2, 5, 'Final score'],
  ])
})

test('students of the same school are compared down to the deciding score, and no one else is named', async () => {
  const { why, roll } = await world()
  const bela = await why(1)
  assert.deepEqual(bela.neighbours, [
    {
      side: 'above',
      studentName: 'Asha Namunawala',
      schName: '',
      section: 'A',
      nioRollNo: roll(0),
      rank: 1,
      decidedBy: 'Achievers section',
      scores: [
        { name: 'Final score', own: 80.01, other: 80.01 },
        { name: 'Achievers section', own: 9, other: 10 },
      ],
    },
    {
      side: 'equal',
      studentName: 'Chetan Namunawala',
      schName: '',
      section: 'A',
      nioRollNo: roll(2),
      rank: 2,
      decidedBy: '',
      scores: [
        { name: 'Final score', own: 80.01, other: 80.01 },
        { name: 'Achievers section', own: 9, other: 9 },
        { name: 'Reasoning', own: 40, other: 40 },
        { name: 'Everyday', own: 31, other: 31 },
      ],
    },
    {
      side: 'below',
      studentName: 'Dev Namunawala',
      schName: '',
      section: 'A',
      nioRollNo: roll(3),
      rank: 4,
      decidedBy: 'Final score',
      scores: [{ name: 'Final score', own: 80.01, other: 49 }],
    },
  ])
  assert.deepEqual(valuesOf(bela.ranks, 'rank', 'decidedBy'), [
    [2, 'Achievers section'],
    [3, 'Achievers section'],
    [3, 'Achievers section'],
    [3, 'Achievers section'],
  ])
  assert.deepEqual((await why(2)).ranks, bela.ranks, 'both who share the rank see what decided')
  assert.doesNotMatch(JSON.stringify(await why(0)), /Elsewhere/)
})

test('namesakes are told apart by section and roll number, and for the office by school too', async () => {
  const event = await anEvent()
  const [own, other] = [
    await aSchool({ name: 'Udaharan Vidyalaya' }),
    await aSchool({ name: 'Elsewhere School' }),
  ]
  const name = 'Asha Kumar'
  const students = await candidates(event, [
    { schoolId: own.id, name },
    { schoolId: own.id, name },
    { schoolId: own.id, name },
    { schoolId: own.id, name },
    { schoolId: other.id, name },
  ])
  const [first, second, third, fourth, stranger] = students
  assert(first && second && third && fourth && stranger)
  await changeRows('students', { id: [second.id, fourth.id] }, { section: 'B' })
  const marks = [90, 80, 80, 70, 80]
  const { setId } = await releaseRows(
    server,
    event,
    students.map(({ roll }, i) => ({ roll, marks: [10, 40, (marks[i] ?? 0) - 50] })),
  )
  const query = { resultId: `${setId}-${third.id}` }
  const teacher = await aTeacher({ schoolId: own.id })
  const officer = await anOfficer('results')
  const toSchool = (await server.ask(explainResult, query, teacher)).why
  const toOffice = (await server.ask(explainResultForOffice, query, officer)).why
  const told = ({ neighbours }: typeof toSchool) =>
    neighbours.map((neighbour) => [
      neighbour.side,
      neighbour.studentName,
      neighbour.schName,
      neighbour.section,
      neighbour.nioRollNo,
    ])
  assert.deepEqual(told(toSchool), [
    ['above', name, '', 'A', first.roll],
    ['equal', name, '', 'B', second.roll],
    ['below', name, '', 'B', fourth.roll],
  ])
  assert.deepEqual(told(toOffice), [
    ['above', name, own.name, 'A', first.roll],
    ['equal', name, own.name, 'B', second.roll],
    ['below', name, own.name, 'B', fourth.roll],
  ])
  assert.doesNotMatch(JSON.stringify(toSchool), new RegExp(`Elsewhere|${stranger.roll}`))
})

test('a missed medal says how many had to sit, and a prize that passed on says from which rank', async () => {
  const { why } = await world()
  const asha = await why(0)
  assert.deepEqual(asha.medal, {
    medal: '',
    rules: [{ medal: 'Gold', classRank: 1, minimumPool: 5, pool: 4, met: false }],
  })
  assert.deepEqual(asha.prize.won, [
    { kind: 'prize', by: 'olympiad', title: 'Olympiad prize 2', rank: 2, place: 2, passedOn: false },
  ])
  assert.deepEqual([asha.prize.prize, asha.prize.amount], ['Prize of ₹15,000', 15_000])
})

test('the reasons for eligibility give each clause and by how much it was met or missed', async () => {
  const { why } = await world()
  const dev = await why(3)
  assert.deepEqual(dev.eligibility, {
    level: 2,
    eligible: false,
    classAllowed: true,
    clauses: [
      {
        by: 'olympiad',
        met: false,
        conditions: [
          { what: 'rank', needed: 1000, had: 5, met: true, by: 995 },
          { what: 'percent', needed: 50, had: 49, met: false, by: -1 },
          { what: 'pool', needed: 0, had: 5, met: true, by: 5 },
        ],
      },
      {
        by: 'class',
        met: false,
        conditions: [
          { what: 'rank', needed: 1, had: 4, met: false, by: -3 },
          { what: 'percent', needed: 75, had: 49, met: false, by: -26 },
          { what: 'pool', needed: 100, had: 4, met: false, by: -96 },
        ],
      },
    ],
  })
  assert.equal((await why(0)).eligibility?.eligible, true)
})

test('an absent student has no marks and no reason for a rank', async () => {
  const { why } = await world()
  const farah = await why(5)
  assert.deepEqual([farah.present, farah.neighbours, farah.medal.rules, farah.prize.won], [false, [], [], []])
  assert(farah.ranks.every(({ rank, pool, decidedBy }) => rank === null && pool === null && decidedBy === ''))
  assert.equal(farah.eligibility?.eligible, false)
  assert.equal(farah.eligibility?.clauses[0]?.conditions[0]?.had, null)
})

test('the reasons name the versions they were computed by and when the result was released', async () => {
  const { event, why } = await world()
  const { versions, fyear, eventLetter } = await why(0)
  const at = aDay.toISOString()
  assert.deepEqual(versions, { result: 1, rules: 1, computedAt: at, approvedAt: at, releasedAt: at })
  assert.deepEqual([fyear, eventLetter], [event.season, 'M'])
})
