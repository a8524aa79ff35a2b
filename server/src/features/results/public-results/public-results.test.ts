import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchResults } from '@podium/contract/results/calls'
import { renewResultLink } from '@podium/contract/results/calls-certificates'
import { holdResults, unholdResults } from '@podium/contract/results/calls-office'
import { publicResult } from '@podium/contract/results/calls-public'
import { aDay, anOfficer, aTeacher } from '#test/factories'
import {
  type AnEvent,
  anEvent,
  aReleasedEvent,
  candidates,
  computeRows,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { findRow } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { initialsOf, pageDays, publicName, starsOf } from './rules.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))

const open = async (link: string) =>
  (await server.call(publicResult, { query: { id: link.replace('/r/', '') } })).body

/** The links to the school's results by student name, as in its table. */
async function linksOf(event: AnEvent, token: string) {
  const body = await server.ask(searchResults, searchBody(event), { token })
  return new Map(body.data.map((row) => [row.studentName, row.resultLink]))
}

test('a link shows the result to anyone who has it, with first name and initial and no way to contact the student [spec 2.12.5]', async () => {
  const { event, teacher, students } = await aReleasedEvent(server)
  const links = await linksOf(event, teacher.token)
  const { state, data } = await open(links.get('Asha Namunawala') ?? '')
  assert.equal(state, 'released')
  assert.deepEqual(data, {
    subjectName: 'Mathematics',
    eventLetter: 'M',
    examLevel: 1,
    fyear: event.season,
    littleStar: false,
    medal: 'Gold',
    prize: 'Prize of ₹15,000',
    award: '',
    stars: null,
    goesOnTo: 2,
    version: 1,
    releasedAt: aDay.toISOString(),
    name: 'Asha N.',
    className: 'Class 7',
    schoolName: 'Udaharan Vidyalaya',
    city: data?.city,
    score: { rawMarks: 90, marks: 90, maximumMarks: 100 },
    ranks: [
      { scope: 'class', place: '', rank: 1, pool: 5 },
      { scope: 'state', place: 'Karnataka', rank: 2, pool: 6 },
      { scope: 'zonal', place: 'South', rank: 2, pool: 6 },
      { scope: 'olympiad', place: '', rank: 2, pool: 6 },
    ],
  })
  const json = JSON.stringify(data)
  assert.ok(!json.includes('Namunawala') && !json.includes(students[0]?.roll ?? '?'))
})

test("a little star's result shows stars, without marks and ranks [spec 2.12.5]", async () => {
  const sections = [{ name: 'Everything', maximum: 100 }]
  const event = await anEvent({ letter: 'A', sections })
  const [child] = await candidates(event, [{ classId: 13, name: 'Pari Namunawala' }])
  assert(child)
  await releaseRows(server, event, [{ roll: child.roll, marks: [72] }])
  const { token } = await aTeacher({ schoolId: child.school_id })
  const { data } = await open((await linksOf(event, token)).get('Pari Namunawala') ?? '')
  assert.deepEqual([data?.littleStar, data?.stars, data?.score, data?.ranks], [true, 4, null, []])
})

test('an unreleased or withheld result shows that it is not out, and nothing about the student', async () => {
  const { event, school, teacher } = await aReleasedEvent(server)
  const link = (await linksOf(event, teacher.token)).get('Asha Namunawala') ?? ''
  const { token } = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code }
  await server.ask(holdResults, { ...held, reason: 'Two sheets are compared.' }, { token })
  const notOut = await open(link)
  assert.deepEqual([notOut.state, notOut.data, notOut.message], ['awaited', null, ''])
  await server.ask(unholdResults, held, { token })
  assert.equal((await open(link)).state, 'released')
  const unreleased = await anEvent()
  const [child] = await candidates(unreleased, [{}])
  assert(child)
  await computeRows(server, unreleased, [{ roll: child.roll, marks: [1, 1, 1] }])
  const row = await findRow('results', { event_id: unreleased.id }, ['student_id', 'link_secret'])
  const known = `${row.student_id.toString(36)}-${row.link_secret.replaceAll('-', '')}`
  assert.equal((await open(known)).state, 'awaited')
})

test('after a correction both the old link and the new one show the corrected version', async () => {
  const { event, teacher, rows } = await aReleasedEvent(server)
  const before = (await linksOf(event, teacher.token)).get('Asha Namunawala') ?? ''
  const corrected = rows.map((row, i) => (i === 0 ? { ...row, marks: [5, 20, 20] } : row))
  await releaseRows(server, event, corrected)
  const after = (await linksOf(event, teacher.token)).get('Asha Namunawala') ?? ''
  for (const link of [before, after]) {
    const { data } = await open(link)
    assert.deepEqual([data?.version, data?.score?.rawMarks, data?.medal], [2, 45, ''])
  }
})

test('a school can end a link: afterwards it and the links of earlier versions open nothing', async () => {
  const { event, teacher, rows, idOf } = await aReleasedEvent(server)
  const links = await linksOf(event, teacher.token)
  const first = links.get('Asha Namunawala') ?? ''
  const { setId } = await releaseRows(server, event, rows)
  const second = (await linksOf(event, teacher.token)).get('Asha Namunawala') ?? ''
  const resultId = idOf(0).replace(/^\d+/, String(setId))
  const body = await server.ask(renewResultLink, { resultId }, teacher)
  for (const ended of [first, second]) assert.equal((await open(ended)).code, 'not_found')
  assert.equal((await open(body.resultLink)).data?.name, 'Asha N.')
  assert.equal((await linksOf(event, teacher.token)).get('Asha Namunawala'), body.resultLink)
})

test('an absent student has no link', async () => {
  const { event, teacher, idOf } = await aReleasedEvent(server)
  assert.equal((await linksOf(event, teacher.token)).get('Farah Misaal'), '')
  await server.refuses('results.absent', renewResultLink, { resultId: idOf(5) }, teacher)
})

test('a link works for two years after the release', async () => {
  const { event, teacher } = await aReleasedEvent(server)
  const link = (await linksOf(event, teacher.token)).get('Asha Namunawala') ?? ''
  try {
    now = new Date(aDay.getTime() + pageDays * 86_400_000 - 1)
    assert.equal((await open(link)).state, 'released')
    now = new Date(aDay.getTime() + pageDays * 86_400_000)
    const { state, data } = await open(link)
    assert.deepEqual([state, data], ['over', null])
  } finally {
    now = aDay
  }
})

test("another student's number does not open with one's own secret, and half a link is refused", async () => {
  const { event, teacher, students } = await aReleasedEvent(server)
  const link = (await linksOf(event, teacher.token)).get('Asha Namunawala') ?? ''
  const secret = link.split('-')[1]
  const neighbour = `${students[1]?.id.toString(36)}-${secret}`
  assert.equal((await open(neighbour)).code, 'not_found')
  assert.equal((await open(link.slice(0, -1))).code, 'input.invalid')
})

test('a visitor who guesses links is stopped, and a family behind the same address still reads its page', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const { event, teacher } = await aReleasedEvent(server)
  const link = (await linksOf(event, teacher.token)).get('Asha Namunawala') ?? ''
  const guess = (id: string) => strict.call(publicResult, { query: { id } })
  const codes: string[] = []
  for (let i = 0; i < 32; i++) codes.push((await guess(`1-${String(i).padStart(32, '0')}`)).body.code ?? '')
  // Failures in the tests before count too, because they come from the same address.
  const stopped = codes.indexOf('request.too_many')
  assert.ok(stopped > 20 && stopped <= 30, `stopped after ${stopped}`)
  assert.equal((await guess(link.replace('/r/', ''))).body.state, 'released')
})

test('names are shortened in both scripts, with titles and initials, and no one gets zero stars', () => {
  const names = ['Asha Namunawala', 'किरण नमूनावाला', 'Chetan', 'Dev K. Misaal', '  ', 'R. (Ravi) d’Souza']
  assert.deepEqual(names.map(publicName), ['Asha N.', 'किरण न.', 'Chetan', 'Dev M.', '', 'R. D.'])
  assert.deepEqual(names.map(initialsOf), ['A. N.', 'कि. न.', 'C.', 'D. M.', '', 'R. D.'])
  assert.deepEqual(
    [0, 2999, 3000, 5000, 7000, 8499, 8500, 10_000].map((marks) => starsOf(marks, 10_000)),
    [1, 1, 2, 3, 4, 4, 5, 5],
  )
})
