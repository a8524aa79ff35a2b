import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainResult, exportResults, resultEvents, searchResults } from '@podium/contract/results/calls'
import { schoolCertificate } from '@podium/contract/results/calls-certificates'
import { resultCorrections } from '@podium/contract/results/calls-corrections'
import {
  approveResults,
  holdResults,
  previewCorrections,
  previewSchools,
  releaseResults,
  schoolPreview,
  unholdResults,
} from '@podium/contract/results/calls-office'
import { startActing } from '@podium/contract/staff/calls-act-as-school'
import { aDay, anOfficer, aSchool, aTeacher } from '#test/factories'
import {
  anEvent,
  asShown,
  candidates,
  computeRows,
  importRows,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))

/** Two schools, with two students and one, in an event with computed, unreleased results. */
async function anUnreleasedEvent() {
  const event = await anEvent()
  const [own, foreign] = [await aSchool(), await aSchool()]
  const [best, second, theirs] = await candidates(event, [
    { schoolId: own.id },
    { schoolId: own.id, classId: 8 },
    { schoolId: foreign.id },
  ])
  assert(best && second && theirs)
  const rows = [
    { roll: best.roll, marks: [9, 35, 40] },
    { roll: second.roll, marks: [1, 1, 2] },
    { roll: theirs.roll, marks: [2, 3, 4] },
  ]
  const { setId, token } = await computeRows(server, event, rows)
  return { event, own, foreign, best, rows, setId, token }
}

const lookAs = (token: string, setId: number, schCode: string, more: object = {}) =>
  server.call(schoolPreview, { query: { setId: String(setId), schCode, ...more } }, { token })

test("the office previews a school's pages as they will be after the release", async () => {
  const { event, own, best, setId, token } = await anUnreleasedEvent()
  const teacher = await aTeacher({ schoolId: own.id })
  const lists = [undefined, '2', '3', '5'] as const
  const before = []
  for (const action of lists) before.push((await lookAs(token, setId, own.code, { action })).body)
  const [all] = before
  assert.deepEqual([all?.state, all?.version, all?.releasedAt, all?.total], ['released', 1, null, 2])
  assert.deepEqual(
    valuesOf((await lookAs(token, setId, own.code, { classId: '8' })).body.data, 'classId'),
    [8],
  )

  const { token: approver } = await anOfficer('owner')
  await server.ask(approveResults, await asShown(server, setId), { token: approver })
  await server.ask(releaseResults, await asShown(server, setId), { token: approver })
  await server.jobs.drain()
  for (const [n, action] of lists.entries()) {
    const body = await server.ask(
      searchResults,
      searchBody(event, action === undefined ? {} : { action: Number(action) }),
      teacher,
    )
    const asPreviewed = body.data.map((row) => ({ ...row, gift: false, couponLink: '', resultLink: '' }))
    assert.deepEqual(before[n]?.data, asPreviewed)
    assert.deepEqual([before[n]?.total, before[n]?.maximumMarks], [body.total, body.maximumMarks])
  }
  assert.equal(all?.data[0]?.studentName, best.name)
})

test('previewed results stay out of every call of schools and of an officer signed in as a school', async () => {
  const { event, own, foreign, best, setId, token } = await anUnreleasedEvent()
  for (const { code } of [own, foreign]) assert.equal((await lookAs(token, setId, code)).status, 200)
  const mine = await aTeacher({ schoolId: own.id })
  const theirs = await aTeacher({ schoolId: foreign.id })
  const acting = await server.ask(
    startActing,
    { id: own.id, reason: 'Asked by phone' },
    { token: (await anOfficer('owner')).token },
  )
  const resultId = `${setId}-${best.id}`
  const eventYearId = String(event.id)
  for (const seer of [mine.token, theirs.token, acting.token]) {
    const ask = { token: seer }
    const body = await server.ask(searchResults, searchBody(event), ask)
    assert.deepEqual([body.state, body.data, body.total, body.version], ['awaited', [], 0, null])
    assert.equal((await server.call(explainResult, { query: { resultId } }, ask)).status, 404)
    assert.equal((await server.send(schoolCertificate, { body: { resultId } }, ask)).status, 404)
    const corrections = await server.ask(resultCorrections, { eventYearId }, ask)
    assert.deepEqual(corrections.data, [])
    const file = await server.post(exportResults, { ...searchBody(event), format: 'csv' }, { token: seer })
    assert.doesNotMatch(await file.text(), /Anaya/)
    const events = await server.ask(resultEvents, { FYear: event.season }, ask)
    assert.deepEqual(valuesOf(events.data, 'released'), [false])
    for (const { code } of [own, foreign])
      assert.equal((await lookAs(seer, setId, code)).status, 403, 'the preview call is refused too')
  }
})

test('only office roles that may read results can preview them', async () => {
  const { own, setId } = await anUnreleasedEvent()
  const ofSchool = { setId: String(setId), schCode: own.code }
  for (const [role, status] of [
    ['owner', 200],
    ['results', 200],
    ['viewer', 200],
    ['operations', 403],
    ['accounts', 403],
  ] as const) {
    const { token } = await anOfficer(role)
    assert.equal((await lookAs(token, setId, own.code)).status, status, role)
    const schools = await server.call(previewSchools, { query: { setId: ofSchool.setId } }, { token })
    const corrections = await server.call(previewCorrections, { query: ofSchool }, { token })
    assert.deepEqual([schools.status, corrections.status], [status, status], role)
  }
})

test('a previewed row links to nothing: neither a public page nor a gift certificate', async () => {
  const { own, best, setId, token } = await anUnreleasedEvent()
  await server.deps.db
    .updateTable('results')
    .set({ coupon_link: 'https://gifts.example/one' })
    .where('set_id', '=', setId)
    .where('student_id', '=', best.id)
    .execute()
  const { body } = await lookAs(token, setId, own.code)
  assert.deepEqual(valuesOf(body.data, 'gift', 'couponLink', 'resultLink', 'accessCode'), [
    [true, '', '', ''],
    [false, '', '', ''],
  ])
})

test('a school whose results are withheld is previewed as it will see them: without rows', async () => {
  const { event, own, setId, token } = await anUnreleasedEvent()
  const of = { eventYearId: event.id, schCode: own.code }
  await server.ask(holdResults, { ...of, reason: 'A sheet is compared.' }, { token })
  const { body } = await lookAs(token, setId, own.code)
  assert.deepEqual([body.state, body.data, body.total], ['withheld', [], 0])
  await server.ask(unholdResults, of, { token })
  assert.equal((await lookAs(token, setId, own.code)).body.total, 2)
})

test('schools with results in the version are found by name and code; one without has no preview', async () => {
  const { own, foreign, setId, token } = await anUnreleasedEvent()
  const empty = await aSchool()
  const codes = async (search: string) =>
    (await server.ask(previewSchools, { setId: String(setId), search }, { token })).data.map(
      ({ schCode }) => schCode,
    )
  assert.deepEqual(await codes(''), [own.code, foreign.code].sort())
  assert.deepEqual(await codes(own.code.toLowerCase()), [own.code])
  assert.deepEqual(await codes(empty.code), [])
  assert.deepEqual(await codes('%'), [])
  assert.equal((await lookAs(token, setId, empty.code)).status, 404)
  assert.equal((await lookAs(token, setId, 'NOSUCH')).status, 404)
})

test('a version can be previewed from its computation until its release, by the clock', async () => {
  const { event, own, rows } = await anUnreleasedEvent()
  const { setId: read, token } = await importRows(server, event, rows)
  await server.refuses(
    'results.not_computed',
    schoolPreview,
    { setId: String(read), schCode: own.code },
    { token },
  )
  const at = new Date(now.getTime() + 60 * 60_000)
  const { setId } = await releaseRows(server, event, rows, at.toISOString())
  const { body } = await lookAs(token, setId, own.code)
  assert.deepEqual([body.releasedAt, body.total], [at.toISOString(), 2])
  try {
    now = at
    await server.refuses(
      'results.preview_over',
      schoolPreview,
      { setId: String(setId), schCode: own.code },
      { token: (await anOfficer('results', now)).token },
    )
  } finally {
    now = aDay
  }
})

test("a correction's note is previewed too, and the school reads it only after the release", async () => {
  const { event, own, foreign, rows, best } = await anUnreleasedEvent()
  await releaseRows(server, event, rows)
  const changed = rows.map((row) => (row.roll === best.roll ? { ...row, marks: [10, 35, 40] } : row))
  const { setId, token } = await computeRows(server, event, changed)
  const corrections = async (schCode: string) =>
    (await server.ask(previewCorrections, { setId: String(setId), schCode }, { token })).data.map((row) => [
      row.version,
      row.releasedAt,
      row.count,
      row.changes[0]?.after?.marks,
    ])
  assert.deepEqual(await corrections(own.code), [[3, null, 1, 85]])
  assert.deepEqual(await corrections(foreign.code), [])
  const teacher = await aTeacher({ schoolId: own.id })
  const query = { query: { eventYearId: String(event.id) } }
  const { body } = await server.call(resultCorrections, query, teacher)
  assert.deepEqual(body.data, [])
})
