import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  approveResults,
  computeResults,
  decidePapers,
  officeResultEvent,
  resultPapers,
} from '@podium/contract/results/calls-office'
import { aDay, anOfficer, aSchool } from '#test/factories'
import { anEvent, asShown, candidates, computeRows } from '#test/results-factories'
import { addRow } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { comparePair, minComparedStudents } from './rules-paper-comparison.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))

/** A computed event with two dates: one school on each, with a student for each mark. */
async function twoDates(first: number[], second: number[]) {
  const { db } = server.deps
  const event = await anEvent()
  const dates = await db
    .insertInto('exam_dates')
    .values([
      { event_id: event.id, ordinal: 1, held_on: '2026-10-03' },
      { event_id: event.id, ordinal: 2, held_on: '2026-10-17' },
    ])
    .returning(['id', 'ordinal'])
    .execute()
  const rows: { roll: string; marks: number[] }[] = []
  for (const [index, marks] of [first, second].entries()) {
    const { id: schoolId } = await aSchool()
    const date = dates.find(({ ordinal }) => ordinal === index + 1)
    await addRow('participations', {
      school_id: schoolId,
      event_id: event.id,
      exam_date_id: date?.id ?? 0,
      created_at: aDay,
    })
    const children = await candidates(
      event,
      marks.map(() => ({ schoolId })),
    )
    for (const [index, { roll }] of children.entries()) rows.push({ roll, marks: [0, 0, marks[index] ?? 0] })
  }
  const importer = await anOfficer('results')
  const { setId } = await computeRows(server, event, rows, importer)
  return { event, setId, importer }
}

/** This many marks around a middle, in turn: two less, one less, the middle, one more, two more. */
const around = (middle: number, count = 40) => Array.from({ length: count }, (_, i) => middle - 2 + (i % 5))

const papers = (setId: number, token: string) => server.ask(resultPapers, { setId: String(setId) }, { token })

test('the papers of two dates are compared class by class: who sat, mean, median and quantiles', async () => {
  const { setId, importer } = await twoDates(around(20), around(26))
  const { classes, differ, decision } = await papers(setId, importer.token)
  assert.deepEqual([differ, decision, classes.length], [true, null, 1])
  const [line] = classes
  assert.deepEqual([line?.className, line?.differs], ['Class 7', true])
  assert.ok((line?.effect ?? 0) < -4, 'the first paper was the harder one')
  assert.deepEqual(
    line?.papers.map(({ ordinal, heldOn, sat, schools, mean, p10, lower, median, upper, p90 }) => [
      ...[ordinal, heldOn, sat, schools, mean],
      ...[p10, lower, median, upper, p90],
    ]),
    [
      [1, '2026-10-03', 40, 1, 20, 18, 19, 20, 21, 22],
      [2, '2026-10-17', 40, 1, 26, 24, 25, 26, 27, 28],
    ],
  )
})

test('different papers block approval until someone else than the approver has decided on them with a reason', async () => {
  const { event, setId, importer } = await twoDates(around(20), around(26))
  const [judge, approver] = [await anOfficer('results'), await anOfficer('owner')]
  const approve = async (by: typeof judge) =>
    server.call(approveResults, { body: await asShown(server, setId) }, by)
  const decide = async (note: string) =>
    server.call(decidePapers, { body: { ...(await asShown(server, setId)), note } }, judge)
  await refused('results.papers_open', approve(approver))
  const seen = await server.ask(officeResultEvent, { eventYearId: String(event.id) }, approver)
  assert.equal(seen.sets[0]?.can.approve, 'results.papers_open')
  assert.equal((await decide('  ')).status, 400)
  assert.equal(
    (await decide('The second paper was the easier one; the ranks go by school and class.')).status,
    200,
  )
  await refused('results.papers_alike', decide('again'))
  const { decision } = await papers(setId, approver.token)
  assert.match(decision?.note ?? '', /easier one/)
  await refused('results.same_person', approve(judge))

  await server.ask(computeResults, { setId }, importer)
  await server.jobs.drain()
  assert.equal((await papers(setId, approver.token)).decision, null, 'a new computation needs a new decision')
  await refused('results.papers_open', approve(approver))
  await decide('As before.')
  assert.equal((await approve(approver)).status, 200)
})

test('equal papers, and dates on which too few sat, do not block approval', async () => {
  for (const [first, second] of [
    [around(20), around(20)],
    [around(20), around(26, minComparedStudents - 1)],
  ] as const) {
    const { setId, importer } = await twoDates(first, second)
    const { differ, canDecide } = await papers(setId, importer.token)
    assert.deepEqual([differ, canDecide], [false, 'results.papers_alike'])
    const { token } = await anOfficer('owner')
    await server.ask(approveResults, await asShown(server, setId), { token })
  }
})

test('a difference between papers counts if it is both large and significant', () => {
  const of = (sat: number, mean: number, deviation = 10) => ({ sat, mean, deviation })
  const cases: [a: ReturnType<typeof of>, b: ReturnType<typeof of>, differs: boolean | undefined][] = [
    [of(1000, 50), of(1000, 53), true],
    [of(10_000, 50), of(10_000, 51.9), false],
    [of(40, 50), of(40, 55), false],
    [of(29, 50), of(1000, 90), undefined],
    [of(30, 50, 0), of(30, 50, 0), false],
    [of(30, 50, 0), of(30, 51, 0), true],
  ]
  for (const [a, b, differs] of cases)
    assert.equal(comparePair(a, b)?.differs, differs, JSON.stringify([a, b]))
})
